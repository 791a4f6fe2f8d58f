// @ts-check
/** The lists that were found, ranked, with confidence and reasons. */
import { chooseList } from "./actions.js";
import { post } from "./api.js";
import { button, count, empty, h, short } from "./dom.js";
import { tell } from "./frame_link.js";
import { readAsList } from "./open_page.js";
import { reasonList } from "./reasons.js";
import { pageBody } from "./requests.js";
import { state, touch, update } from "./store.js";
import { complain } from "./toasts.js";

/** @type {Record<string, string>} */
const ROLES = { primary: "main list", possible: "probably the main list", secondary: "other list", navigation: "menu" };

/**
 * Why the lists were chosen. Finding that out takes longer than finding the lists, so that it is asked for when somebody
 * wants to know. @type {{found: any, reasons: any[] | null}}
 */
let explained = { found: null, reasons: null };
/** The lists whose reasons are open, by rank. @type {Set<number>} */
let openReasons = new Set();

/** The elements of the records of a list. @param {any} region @returns {number[][]} */
export const recordNodes = region => (region?.records ?? []).map((/** @type {any} */ record) =>
  record.xpaths.map((/** @type {string} */ xpath) => state.tree?.at(xpath)).filter((/** @type {any} */ node) => node !== null));

/** Follows a change of the tool; false if the panel has to be drawn anew. @param {Set<string>} changed */
export function renewLists(changed) {
  const tool = document.getElementById("tool-examples");
  if (!tool || ["found", "result", "work", "reasons"].some(key => changed.has(key))) return false;
  tool.setAttribute("aria-pressed", String(state.tool === "examples"));
  return true;
}

export function listsPanel() {
  if (explained.found !== state.found) {
    explained = { found: state.found, reasons: null };
    openReasons = new Set();
  }
  const regions = state.found?.regions ?? [];
  const tools = h("div.actions", null,
    button("Choose two example records", () => update({ tool: "examples", examples: [] }), {
      "aria-pressed": String(state.tool === "examples"), title: "Alt E", id: "tool-examples",
    }));
  if (state.work.kind === "object") {
    return [empty("This page is about one thing.",
      h("p", null, "Its fields are in the table: click the name of one to change it. If it shows a list, read it as one."),
      button("Read this page as a list", readAsList, { class: "primary" }))];
  }
  if (!regions.length) {
    return [empty("No list was found on this page.",
      h("p", null, "Click two records and copal finds the others, or point at a section.")), tools];
  }
  const rows = regions.map((/** @type {any} */ region, /** @type {number} */ at) => listEntry(region, at + 1));
  const main = rows.filter((/** @type {any} */ _, /** @type {number} */ at) => regions[at].role !== "navigation");
  const menus = rows.filter((/** @type {any} */ _, /** @type {number} */ at) => regions[at].role === "navigation");
  return [
    h("p.note", null, "Wrong list? Choose another one, or click two records of the right one."),
    tools,
    h("ol.lists", null, main),
    menus.length ? h("details", { open: !main.length },
      h("summary", null, `Menus and other groups (${menus.length})`), h("ol.lists", null, menus)) : null,
  ];
}

/** @param {any} region @param {number} rank */
function listEntry(region, rank) {
  const isChosen = state.work.kind === "list" && !state.work.examples.length && state.work.list === rank;
  const light = (/** @type {boolean} */ on) => () => tell({ type: "lit", nodes: on ? recordNodes(region).flat() : [] });
  // the chosen list has the columns and records of the table, which may have been corrected
  const shown = isChosen ? state.result?.answer?.regions?.[0] ?? region : region;
  const columns = shown.columns.map((/** @type {any} */ column) => column.name);
  return h("li", { class: isChosen ? "chosen" : "", onmouseenter: light(true), onmouseleave: light(false) },
    h("button.list", {
      id: `list-${rank}`, type: "button", "aria-pressed": String(isChosen), onclick: () => chooseList(rank),
      onfocus: light(true), onblur: light(false),
    },
    h("strong", null, `${rank}. ${count(shown.records.length, "record")}`),
    h("span.role", null, ROLES[region.role] ?? region.role),
    confidence(region.confidence),
    h("span.columns", null, short(columns.join(", "), 90))),
    why(region, rank));
}

/** @param {any} region @param {number} rank */
function why(region, rank) {
  const [text, ...columns] = (explained.reasons ?? []).filter((/** @type {any} */ one) => one.about === region.xpath)
    .map((/** @type {any} */ one) => one.text);
  const isKnown = explained.reasons !== null;
  const box = /** @type {HTMLDetailsElement} */ (h("details.why", {
    open: openReasons.has(rank),
    ontoggle: () => {
      if (box.open) openReasons.add(rank);
      else openReasons.delete(rank);
      if (box.open && !isKnown) explain();
    },
  }, h("summary", null, "Why?"),
  text ? reasonList(text, columns) : h("p.note", { role: "status" }, isKnown ? "There are no reasons for this list." : "Asking …")));
  return box;
}

/** Asks for the reasons of all lists. */
async function explain() {
  const asked = explained;
  try {
    const options = { kind: state.work.kind === "list" ? "list" : "auto", all: true, navigation: true, explain: true, max_rows: 1 };
    const answer = await post("/v1/extract", { ...pageBody(), options });
    asked.reasons = answer.explain?.reasons ?? [];
  } catch (error) {
    complain(error);
  }
  if (explained === asked) touch("reasons");
}

/** @param {number | undefined} share */
function confidence(share) {
  if (share === undefined) return null;
  const percent = Math.round(share * 100);
  return h("span.confidence", { title: `copal is ${percent}% sure` },
    h("span.meter", { "--share": `${percent}%`, "aria-hidden": "true" }), `${percent}%`);
}
