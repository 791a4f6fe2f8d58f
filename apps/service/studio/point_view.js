// @ts-check
/** Pointing at a section (DEUDS): its attributes, its pattern, how the pattern becomes unique, what it reads. */
import { acceptSection } from "./actions.js";
import { button, count, empty, h, labelled, short } from "./dom.js";
import { pointAt, pointSoon } from "./section_actions.js";
import { state, update } from "./store.js";
import { problemBox } from "./table_view.js";

export function pointPanel() {
  const start = button("Point at a section", () => update({ tool: "point" }), {
    "aria-pressed": String(state.tool === "point"), id: "tool-point", class: state.pointed ? "" : "primary", title: "Alt P",
  });
  if (!state.pointed) {
    return [state.pointing ? h("p.note.pad", { role: "status" }, `${state.pointing} …`) : empty("Read any part of a page.",
      h("p", null, "Point at a table, a list, a paragraph or a value. copal writes a pattern that finds it on pages of the same site."),
      start), problemBox()];
  }
  const { pointed } = state;
  const pattern = /** @type {HTMLTextAreaElement} */ (h("textarea.code", {
    id: "pattern", rows: 4, spellcheck: "false", value: pointed.pattern,
    oninput: () => pointSoon({ pattern: pattern.value }),
  }));
  return [
    h("div.actions", null, start),
    h("h3", null, `<${pointed.tag}>`, pointed.kind ? ` · ${pointed.kind}` : ""),
    pointed.attributes.length ? h("table.attributes", null, h("caption", null, "Attributes"), h("tbody", null,
      pointed.attributes.map((/** @type {[string, string]} */ [name, value]) =>
        h("tr", null, h("th", { scope: "row" }, name), h("td", null, short(value, 120)))))) : h("p.note", null, "It has no attributes."),
    labelled("Pattern", pattern, "CSS, or an XPath. You can edit it."),
    h("p.matches", { role: "status", id: "matches", class: state.pointing ? "" : pointed.matches === 1 ? "good" : "warn" },
      state.pointing ? `${state.pointing} …` : pointed.matches === 1 ? "Finds exactly this section." :
        `Finds ${count(pointed.matches, "element")}: the pattern is ambiguous. Choose a longer one below.`),
    problemBox(),
    h("div.actions", null, button("Read this section", acceptSection, { class: "primary" })),
    preview(pointed.answer?.regions?.[0]),
    rules("How it became unique", "Each step adds a parent.", pointed.steps, true),
    // what is ambiguous needs another rule
    rules("Other rules", "Shorter ones often survive a redesign.", pointed.others, pointed.matches !== 1),
  ];
}

/** @param {string} title @param {string} note @param {{pattern: string, matches: number}[]} list @param {boolean} isOpen */
function rules(title, note, list, isOpen) {
  if (!list.length) return null;
  return h("details", { open: isOpen }, h("summary", null, title), h("p.note", null, note),
    h("ul.rules", null, list.map(one => h("li", null,
      h("button.list", { type: "button", "aria-pressed": String(one.pattern === state.pointed.pattern), onclick: () => pointAt({ pattern: one.pattern }) },
        h("code", null, one.pattern), h("span.role", null, count(one.matches, "match", "matches")))))));
}

/** @param {any} region */
function preview(region) {
  if (!region?.records?.length) return h("p.note", null, "It reads nothing.");
  return h("details", { open: true }, h("summary", null, `What it reads (${count(region.records.length, "row")})`),
    h("div.scroll.small", { tabindex: "0", role: "region", "aria-label": "Preview" }, h("table.data", null,
      h("thead", null, h("tr", null, region.columns.map((/** @type {any} */ column) => h("th", { scope: "col" }, column.name)))),
      h("tbody", null, region.records.slice(0, 8).map((/** @type {any} */ record) => h("tr", null,
        region.columns.map((/** @type {any} */ column) => h("td", null, short(String(record.fields[column.name] ?? ""), 60)))))))));
}
