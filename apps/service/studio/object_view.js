// @ts-check
/** A page about one thing: its fields; with more pages of the template, what differs and what does not. */
import { busy, pageBody } from "./actions.js";
import { post, postFile } from "./api.js";
import { colour } from "./colours.js";
import { button, count, h, iconButton, labelled } from "./dom.js";
import { tell } from "./frame_link.js";
import { asUrl } from "./open_page.js";
import { state, update } from "./store.js";

/** The answers for all pages, this one first. @type {any[] | null} */
let answers = null;
/** @type {any} */
let ofPages = null;

export function objectTable() {
  if (ofPages !== state.moreObjects) {
    ofPages = state.moreObjects;
    answers = null;
    if (state.moreObjects.length) readAll();
  }
  const objects = answers ?? [state.found];
  const names = [...new Set(objects.flatMap(one => Object.keys(one?.fields ?? {})))];
  return [
    h("div.toolbar", null, h("strong.summary", null, `${count(names.length, "field")} of ${count(objects.length, "page")}`), h("span.spring"),
      button("Keep these fields →", () => update({ panel: "keep" }), { class: "primary" })),
    addForm(),
    h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Fields" }, h("table.data", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "field"), h("th", { scope: "col" }, state.page?.name ?? "this page"),
        state.moreObjects.map((page, at) => h("th", { scope: "col" }, page.name, " ", iconButton("×", `Remove ${page.name}`, () =>
          update({ moreObjects: state.moreObjects.filter((_, other) => other !== at) })))),
        objects.length > 1 ? h("th", { scope: "col" }, "") : null)),
      h("tbody", null, names.map((name, at) => fieldRow(name, at, objects))))),
  ];
}

/** @param {string} name @param {number} at @param {any[]} objects */
function fieldRow(name, at, objects) {
  const texts = objects.map(one => [one?.fields?.[name] ?? ""].flat().join(" · "));
  const differs = new Set(texts).size > 1;
  const xpath = state.found?.sources?.[name]?.xpath;
  const node = state.tree?.at(xpath);
  const light = (/** @type {boolean} */ on) => () => tell({ type: "lit", nodes: on && node != null ? [node] : [] });
  return h("tr", { onmouseenter: light(true), onmouseleave: light(false) },
    h("th.field", { scope: "row", "--colour": colour(at) }, name), texts.map(text => h("td", null, text)),
    objects.length > 1 ? h("td.quiet", null, differs ? "differs" : "the same on all pages") : null);
}

function addForm() {
  const address = /** @type {HTMLInputElement} */ (h("input", { type: "text", inputmode: "url", id: "object-url", placeholder: "https://… another page of this kind" }));
  const file = /** @type {HTMLInputElement} */ (h("input", { type: "file", id: "object-file", accept: ".html,.htm,.mhtml,text/html" }));
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = file.files?.[0];
    if (!chosen && !address.value.trim()) return address.focus();
    const page = await busy("Reading another page", signal => chosen
      ? postFile("/v1/view", chosen, chosen.name, {}, signal)
      : post("/v1/view", { url: asUrl(address.value) }, signal));
    if (page) update({ moreObjects: [...state.moreObjects, page] });
  };
  return h("form.row", { onsubmit: add }, labelled("Another page of this kind", address), labelled("or a file", file),
    h("button", { type: "submit" }, "Add"),
    h("p.note", null, "Two or three pages show copal what belongs to the template."));
}

async function readAll() {
  const pages = [{ ...pageBody(), name: state.page.name },
    ...state.moreObjects.map(one => ({ html: one.source, ...(one.url ? { url: one.url } : {}), name: one.name }))];
  const found = await busy("Comparing the pages", signal => post("/v1/objects", { pages }, signal));
  if (found) answers = Array.isArray(found) ? found : [found];
  update({ panel: "table" });
}
