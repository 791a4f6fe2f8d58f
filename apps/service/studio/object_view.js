// @ts-check
/** A page about one thing: its fields; with more pages of the template, what differs and what does not. */
import { refresh, undo } from "./actions.js";
import { post, postFile } from "./api.js";
import { colour } from "./colours.js";
import { openColumnMenu, renameColumn } from "./column_menu.js";
import { button, clearField, count, h, iconButton, labelled } from "./dom.js";
import { tell } from "./frame_link.js";
import { asUrl } from "./open_page.js";
import { busy, morePages, pageBody } from "./requests.js";
import { canRedo, canUndo, state, touch, update } from "./store.js";

/** The answers for all pages, this one first. @type {any[] | null} */
let answers = null;
/** The pages, and the wrapper if one was corrected, that the answers are of. @type {any[]} */
let answersOf = [null, null];

/** Whether fields were changed: then the wrapper reads them, and not the extraction. */
export const isCorrected = () => state.work.corrections.length > 0 || state.work.wrapperText !== null;

/** The object that is shown, with its fields and where they are. */
export const shownObject = () => (isCorrected() && state.result?.answer?.fields ? state.result.answer : state.found);

export function objectTable() {
  const wrapper = isCorrected() ? state.result?.wrapper ?? null : null;
  if (answersOf[0] !== state.moreObjects || answersOf[1] !== wrapper) {
    answersOf = [state.moreObjects, wrapper];
    answers = null;
    if (state.moreObjects.length) readAll(wrapper);
  }
  const objects = answers ?? [shownObject()];
  const names = [...new Set(objects.flatMap(one => Object.keys(one?.fields ?? {})))];
  return [
    toolbar(names, objects),
    problem(),
    leftOut(names),
    addForm(),
    h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Fields" }, h("table.data", null,
      h("thead", null, h("tr", null,
        h("th", { scope: "col" }, "field"), h("th", { scope: "col" }, state.page?.name ?? "this page"),
        state.moreObjects.map((page, at) => h("th", { scope: "col" }, page.name, " ", iconButton("×", `Remove ${page.name}`, () =>
          update({ moreObjects: state.moreObjects.filter((_, other) => other !== at) })))),
        objects.length > 1 ? h("th", { scope: "col" }, "") : null)),
      h("tbody", null, names.map((name, at) => fieldRow(name, at, objects, names))))),
  ];
}

/** @param {string[]} names @param {any[]} objects */
function toolbar(names, objects) {
  return h("div.toolbar", { role: "toolbar", "aria-label": "Correct the fields" },
    h("strong.summary", null, `${count(names.length, "field")} of ${count(objects.length, "page")}`),
    iconButton("↶", "Undo (Ctrl Z)", () => undo(true), { disabled: !canUndo(), id: "undo" }),
    iconButton("↷", "Redo (Ctrl Shift Z)", () => undo(false), { disabled: !canRedo(), id: "redo" }),
    button("Add a field", () => update({ tool: "column" }), { "aria-pressed": String(state.tool === "column"), title: "Alt C" }),
    h("span.spring"),
    button("Keep these fields →", () => update({ panel: "keep" }), { class: "primary" }));
}

function problem() {
  const { problem: what } = state;
  return what && isCorrected() ? h("div.problem", { role: "alert" }, h("strong", null, what.message),
    what.hint ? h("p", null, what.hint) : null) : null;
}

/** Fields that a wrapper cannot read, because they are only in the data of the page. @param {string[]} names */
function leftOut(names) {
  if (!isCorrected() || !state.result?.answer?.fields) return null;
  const changed = new Set(state.work.corrections.flatMap((/** @type {any} */ one) =>
    [one.rename?.column, one.hide?.column, one.split?.column]));
  const missing = Object.keys(state.found?.fields ?? {}).filter(name => !names.includes(name) && !changed.has(name));
  return missing.length ? h("p.note.pad", null,
    `Not in the wrapper, since they are only in the data behind the page: ${missing.join(", ")}.`) : null;
}

/** @param {string} name @param {number} at @param {any[]} objects @param {string[]} names */
function fieldRow(name, at, objects, names) {
  const texts = objects.map(one => [one?.fields?.[name] ?? ""].flat().join(" · "));
  const differs = new Set(texts).size > 1;
  const xpath = shownObject()?.sources?.[name]?.xpath;
  const node = state.tree?.at(xpath);
  const light = (/** @type {boolean} */ on) => () => tell({ type: "lit", nodes: on && node != null ? [node] : [] });
  const column = { name, type: shownObject()?.values?.[name]?.type ?? "" };
  const head = h("button.name", {
    id: `field-${at}`, "data-name": name, type: "button", title: "Change this field (F2 renames)", "aria-haspopup": "menu",
    onclick: (/** @type {MouseEvent} */ event) =>
      openColumnMenu(/** @type {HTMLElement} */ (event.currentTarget), column, names, null),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "F2") renameColumn(/** @type {HTMLElement} */ (event.currentTarget), name);
    },
  }, name, h("span", { "aria-hidden": "true" }, " ▾"));
  return h("tr", { onmouseenter: light(true), onmouseleave: light(false) },
    h("th.field", { scope: "row", "--colour": colour(at) }, head), texts.map(text => h("td", null, text)),
    objects.length > 1 ? h("td.quiet", null, differs ? "differs" : "the same on all pages") : null);
}

function addForm() {
  const address = /** @type {HTMLInputElement} */ (h("input", {
    type: "text", inputmode: "url", id: "object-url", placeholder: "https://… another page of this kind",
  }));
  const file = /** @type {HTMLInputElement} */ (h("input", {
    type: "file", id: "object-file", accept: ".html,.htm,.mhtml,text/html",
  }));
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = file.files?.[0];
    if (!chosen && !address.value.trim()) return address.focus();
    const first = state.page;
    const page = await busy("Reading another page", signal => chosen
      ? postFile("/v1/view", chosen, chosen.name, {}, signal)
      : post("/v1/view", { url: asUrl(address.value) }, signal));
    if (!page || state.page !== first) return;
    clearField("object-url");
    clearField("object-file");
    update({ moreObjects: [...state.moreObjects, page] });
    if (isCorrected()) await refresh();
  };
  return h("form.row", { onsubmit: add }, labelled("Another page of this kind", address), labelled("or a file", file),
    h("button", { type: "submit" }, "Add"),
    h("p.note", null, "Two or three pages show copal what belongs to the template."));
}

/** @param {string | null} wrapper */
async function readAll(wrapper) {
  const of = answersOf;
  const pages = [{ ...pageBody(), name: state.page.name }, ...morePages()];
  const found = await busy("Comparing the pages", signal => wrapper
    ? post("/v1/apply", { pages, wrapper_text: wrapper }, signal)
    : post("/v1/objects", { pages }, signal));
  if (!found || answersOf !== of) return;
  answers = Array.isArray(found) ? found : [found];
  touch("objects");
}
