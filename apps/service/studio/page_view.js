// @ts-check
/** The page in its frame: what is drawn over it, and what happens when it is pointed at. */
import { addColumn, choose, excludeRecord, includeRecord, showFirst, stopWaiting } from "./actions.js";
import { colour, tint } from "./colours.js";
import { button, h, iconButton, short } from "./dom.js";
import { createFrame, tell } from "./frame_link.js";
import { press } from "./keys.js";
import { recordNodes } from "./lists_panel.js";
import { shownObject } from "./object_view.js";
import { pointAt } from "./section_actions.js";
import { state, subscribe, update } from "./store.js";

/** @type {HTMLElement | null} */
let place = null;
let findStep = 0;
/** @type {any} */
let shownPage = null;

/** The place of the page. It is made once: a frame that moves in the document loads anew. */
export function pageView() {
  if (place) return place;
  const found = h("output.found", { for: "find" });
  const find = /** @type {HTMLInputElement} */ (h("input", {
    id: "find", type: "search", placeholder: "Find in page", "aria-label": "Find in page",
    oninput: () => { findStep = 0; tell({ type: "find", text: find.value, step: 0 }); },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") tell({ type: "find", text: find.value, step: findStep += event.shiftKey ? -1 : 1 });
    },
  }));
  const frame = createFrame(message => onMessage(message, found));
  place = h("section.page", { "aria-label": "Page" },
    h("div.pagebar", null, h("span.tool", { id: "tool" }), h("span.spring"), find, found,
      iconButton("?", "Keys", () => press({ key: "?", ctrl: false, shift: false }, false))),
    frame);
  return place;
}

/** @param {any} message @param {HTMLElement} found */
function onMessage(message, found) {
  if (message.type === "hover") lightRow(message.record, message.column);
  else if (message.type === "click") choose(message.node, message);
  else if (message.type === "key") press(message, false);
  else if (message.type === "found") found.textContent = message.count ? `${message.at + 1} of ${message.count}` : "";
  else if (message.type === "ready") {
    // the frame is there, or there again after it was moved
    shownPage = null;
    draw();
    if (state.view === "page" && state.work.kind === "list") showFirst();
  }
}

/** The columns and records that are drawn over the page, as numbers in a row: see `mark` in `frame.js`. */
function marks() {
  const isDomain = state.view === "domains";
  const region = isDomain ? null : state.result?.answer?.regions?.[0];
  /** @type {number[]} */
  const cells = [];
  /** @type {number[]} */
  const records = recordNodes(region).flatMap((nodes, record) => nodes.flatMap(node => [node, record]));
  (region?.records ?? []).forEach((/** @type {any} */ record, /** @type {number} */ at) => {
    region.columns.forEach((/** @type {any} */ column, /** @type {number} */ number) => {
      for (const source of record.sources?.[column.name] ?? []) {
        const node = state.tree?.at(source?.xpath);
        if (node != null) cells.push(node, at, number);
      }
    });
  });
  const fields = state.work.kind === "object" && !isDomain ? Object.values(shownObject()?.sources ?? {}) : [];
  fields.forEach((/** @type {any} */ source, number) => {
    const node = state.tree?.at(source.xpath);
    if (node != null) cells.push(node, 0, number);
  });
  const most = Math.max(fields.length, region?.columns.length ?? 0);
  return {
    type: "marks", records: Int32Array.from(records), cells: Int32Array.from(cells),
    colours: Array.from({ length: most }, (_, at) => [colour(at), tint(at)]), annotations: isDomain ? state.overlay : [],
  };
}

/** What the marks were made of when they were sent last. @type {any[]} */
let marked = [];
/** The other messages that were sent last, by their type. @type {Map<string, string>} */
const sent = new Map();

/** Sends elements to be marked, unless they are marked already. @param {string} type @param {number[]} nodes */
function tellOnce(type, nodes) {
  const text = nodes.join();
  if (sent.get(type) === text) return;
  sent.set(type, text);
  tell({ type, nodes });
}

/** The frame has a new document: nothing is marked there. */
function forget() {
  marked = [];
  sent.clear();
}

function draw() {
  if (state.page !== shownPage) {
    shownPage = state.page;
    forget();
    if (state.page) tell({ type: "page", shown: state.page.shown, styles: state.page.styles });
  }
  const { page, tree, view, result, work, overlay, pictures } = state;
  const object = work.kind === "object" ? shownObject() : null;
  const of = [page, tree, view === "domains", result, work.kind, object, overlay, pictures];
  if (of.some((one, at) => one !== marked[at])) {
    marked = of;
    if (pictures.length) tell({ type: "pictures", pictures });
    tell(marks());
  }
  tellOnce("matches", state.side === "point" ? state.pointed?.nodes ?? [] : []);
  const pointed = state.side === "point" && state.pointed ? [state.pointed.node] : [];
  tellOnce("chosen", state.tool === "examples" ? state.examples : pointed);
  document.getElementById("tool")?.replaceChildren(...toolHint());
}

/** What a click does now. */
function toolHint() {
  const runs = state.pending ?? state.pointing;
  if (runs) return [h("span.spinner", { "aria-hidden": "true" }), h("span", { role: "status" }, `${runs} …`),
    state.pending ? iconButton("✕", "Stop waiting", stopWaiting) : null].filter(one => one !== null);
  const done = () => button("Done", () => update({ tool: "look", examples: [] }), { class: "small" });
  switch (state.tool) {
    case "examples": return [state.examples.length ? "Now click a second record." : "Click a record …", done()];
    case "column": return [state.work.kind === "object" ? "Click a text or an image of the page." :
      "Click a text or an image in any record.", done()];
    case "include": return ["Click a record that is missing; its neighbours come along.", done()];
    case "exclude": return ["Click the records that do not belong.", done()];
    case "point": return ["Click a section of the page.", done()];
    default: return state.selected === null ? [h("span.quiet", null, state.page?.title ?? "")] : selectionHint(state.selected);
  }
}

/**
 * What a click on a value means in the view of domains, which sets this.
 * @typedef {{label: (text: string) => string, teach: ((text: string) => void) | null}} Teacher
 */
/** @type {Teacher | null} */
let teacher = null;

/** @param {Teacher | null} next */
export function setTeacher(next) {
  teacher = next;
  if (state.view === "domains") document.getElementById("tool")?.replaceChildren(...toolHint());
}

/** What can be done with the element that was clicked, for those who click before they choose a tool. @param {number} node */
function selectionHint(node) {
  const { work, result, selectedPlace: place } = state;
  const isList = work.kind === "list" && result?.answer?.regions?.[0];
  const forget = iconButton("×", "Forget the selection", () => {
    update({ selected: null });
    tell({ type: "selected", nodes: [] });
  });
  if (state.view === "domains") {
    const value = state.tree?.textOf(node, 120) ?? "";
    const { label, teach } = teacher ?? { label: () => "Choose a domain on the left.", teach: null };
    if (!value) return [forget];
    return [teach ? button(label(short(value, 30)), () => { update({ selected: null }); teach(value); }, { class: "small" }) : h("span.chosen", null, label(short(value, 30))), forget];
  }
  const column = result?.answer?.regions?.[0]?.columns[place.column ?? -1]?.name;
  const text = state.tree?.textOf(node, 40) || state.tree?.elements.get(node)?.tag || "";
  const small = (/** @type {string} */ label, /** @type {() => void} */ act) => button(label, act, { class: "small" });
  return [
    h("span.chosen", null, short(text, 24), column ? h("span.quiet", null, ` (column ${short(column, 16)})`) : null),
    ...(isList && place.record !== undefined ? [small("Make it a column", () => addColumn(node)),
      small("Exclude this record", () => excludeRecord(node, place))] : []),
    isList && place.record === undefined ? small("Take it in as a record", () => includeRecord(node, place)) : null,
    work.kind === "object" ? small("Make it a field", () => addColumn(node)) : null,
    small("Read this section", () => { update({ tool: "point" }); pointAt({ node }); }),
    forget,
  ].filter(one => one !== null);
}

/** Lights up a row and a cell of the table. @param {number | undefined} record @param {number | undefined} column */
function lightRow(record, column) {
  document.querySelectorAll("#panel .lit").forEach(one => one.classList.remove("lit"));
  if (record === undefined) return;
  const line = document.querySelector(`#panel tr[data-record="${record}"]`);
  line?.classList.add("lit");
  line?.scrollIntoView({ block: "nearest" });
  if (column !== undefined) line?.querySelector(`td[data-column="${column}"]`)?.classList.add("lit");
}

/** What is drawn depends on these. */
const DEPENDS = ["page", "result", "pointed", "tool", "examples", "side", "found", "view", "work", "overlay", "pictures",
  "pending", "pointing", "selected"];

subscribe(changed => {
  if (DEPENDS.some(key => changed.has(key))) draw();
});
