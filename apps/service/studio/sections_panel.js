// @ts-check
/** The sections of the page: tables, lists, paragraphs and values, each with its pattern. */
import { loadSections, pointAt } from "./section_actions.js";
import { count, empty, h } from "./dom.js";
import { state, update } from "./store.js";

export function sectionsPanel() {
  if (!state.sections) {
    loadSections();
    return [h("p.note", { role: "status" }, "Reading the sections …")];
  }
  if (!state.sections.length) return [empty("This page has no sections.")];
  const entry = (/** @type {any} */ section) => h("li", null,
    h("button.list", {
      type: "button", onclick: () => { update({ tool: "point" }); pointAt({ pattern: section.pattern }); },
    },
    h("strong", null, section.kind),
    section.records > 1 ? h("span.role", null, `${count(section.records, "row")} × ${count(section.columns, "column")}`) : null,
    h("span.columns", null, section.preview)));
  return [
    h("p.note", null, "Choose a section to read it on this page and on others like it."),
    h("ol.lists", null, state.sections.map(entry)),
  ];
}
