// @ts-check
/** The table of the current list, in the colours that the page has. */
import { correct, readSectionAsList, refresh, undo } from "./actions.js";
import { colour, tint } from "./colours.js";
import { openColumnMenu, renameColumn } from "./column_menu.js";
import { button, count, empty, h, iconButton, painted, short } from "./dom.js";
import { tell } from "./frame_link.js";
import { objectTable } from "./object_view.js";
import { MAX_FOUND_RECORDS } from "./preview.js";
import { remember } from "./remember.js";
import { canRedo, canUndo, state, touch, update } from "./store.js";

/** Rows that are shown at once. */
const STEP = 100;
/** Rows that are drawn before the others. */
const FIRST_ROWS = 25;
let shownRows = STEP;
/** @type {any} */
let shownResult = null;
/** @type {any} */
let shownPage = null;

export function tableView() {
  if (state.work.kind === "object") return objectTable();
  const region = state.result?.answer?.regions?.[0];
  if (state.result !== shownResult) {
    // a correction keeps the rows that were asked for
    if (state.page !== shownPage) {
      shownRows = STEP;
      merging.clear();
    }
    shownPage = state.page;
    shownResult = state.result;
  }
  return [h("div", { id: "table-tools" }, toolbar(region), problemBox()), region ? table(region) : nothing()];
}

/** Follows a change that leaves the records as they are; false if the table has to be drawn anew. @param {Set<string>} changed */
export function renewTable(changed) {
  const tools = document.getElementById("table-tools");
  const region = state.result?.answer?.regions?.[0];
  if (!tools || !region || state.work.kind === "object" || changed.has("found")) return false;
  if (state.result !== shownResult) {
    // the service often says what was shown already
    if (!looksTheSame(shownResult?.answer?.regions?.[0], region)) return false;
    shownResult = state.result;
  }
  const putBack = remember(tools);
  tools.replaceChildren(toolbar(region), problemBox() ?? "");
  putBack();
  return true;
}

/** Whether two lists are the same in the rows that are shown. @param {any} before @param {any} after */
function looksTheSame(before, after) {
  if (!before || before.records.length !== after.records.length || before.columns.length !== after.columns.length) return false;
  const isSame = (/** @type {any} */ one, /** @type {number} */ at) =>
    one.name === before.columns[at].name && one.type === before.columns[at].type;
  if (!after.columns.every(isSame)) return false;
  const cells = (/** @type {any} */ record) => JSON.stringify(after.columns.map((/** @type {any} */ { name }) =>
    [record.fields[name], record.sure?.[name] !== undefined]));
  return after.records.slice(0, shownRows).every((/** @type {any} */ record, /** @type {number} */ at) =>
    cells(record) === cells(before.records[at]));
}

/** What is wrong, and what to do. */
export function problemBox() {
  const { problem } = state;
  return problem ? h("div.problem", { role: "alert" }, h("strong", null, problem.message),
    problem.hint ? h("p", null, problem.hint) : null,
    problem.isPassing ? h("p", null, button("Try again", () => refresh("Changing the table"), { id: "try-again" })) : null) : null;
}

function nothing() {
  if (state.problem) return h("p.note.pad", null, "Choose another list on the left, or click two example records.");
  if (!state.found || state.busy || state.pending) return h("p.note.pad", { role: "status" }, "Reading …");
  return empty("There is no table yet.",
    h("p", null, "Choose a list on the left, click two example records, or point at a section."),
    button("Choose two example records", () => update({ tool: "examples", examples: [] }), { class: "primary" }));
}

/** How much there is. Of a list whose wrapper is not yet learned, only the first records are known. @param {any} region */
function summary({ records, columns }) {
  const isCut = state.result.isPreview && records.length === MAX_FOUND_RECORDS;
  return `${isCut ? `the first ${records.length} records` : count(records.length, "record")}, ${count(columns.length, "column")}`;
}

/** @param {any} region */
function toolbar(region) {
  const isSection = state.work.kind === "section";
  return h("div.toolbar", { role: "toolbar", "aria-label": "Correct the table" },
    h("strong.summary", null, region ? summary(region) : "No table"),
    iconButton("↶", "Undo (Ctrl Z)", () => undo(true), { disabled: !canUndo(), id: "undo" }),
    iconButton("↷", "Redo (Ctrl Shift Z)", () => undo(false), { disabled: !canRedo(), id: "redo" }),
    isSection ? sectionTools(region) : [
      button("Add a column", () => update({ tool: "column" }), {
        "aria-pressed": String(state.tool === "column"), title: "Alt C", disabled: !region, id: "tool-column",
      }),
      button("Take records in", () => update({ tool: "include" }), {
        "aria-pressed": String(state.tool === "include"), disabled: !region, title: "Alt I: click a record that is missing",
        id: "tool-include",
      }),
      button("Exclude records", () => update({ tool: "exclude" }), {
        "aria-pressed": String(state.tool === "exclude"), disabled: !region, title: "Alt X", id: "tool-exclude",
      }),
      mergeButton(region),
    ],
    h("span.spring"),
    region ? button("Keep these records →", () => update({ panel: "keep" }), { class: "primary" }) : null);
}

/** What can be done with a section. @param {any} region */
function sectionTools(region) {
  const isTable = (region?.records ?? []).filter((/** @type {any} */ one) => one.xpaths.length).length > 1;
  return isTable ? button("Correct its columns", readSectionAsList, {
    id: "section-as-list", title: "Reads the rows as records of a list, whose columns can be renamed, retyped and moved",
  }) : h("span.quiet", null, "This section is read as it is.");
}

/** The columns that are chosen for merging, which stay chosen when the table is drawn anew. @type {Set<string>} */
const merging = new Set();

const chosenColumns = () => currentNames().filter(name => merging.has(name));

/** @param {any} region */
function mergeButton(region) {
  return button("Merge columns", () => {
    const columns = chosenColumns();
    merging.clear();
    if (columns.length >= 2) correct({ merge: { columns, to: columns[0] } });
  }, { disabled: !region || chosenColumns().length < 2, id: "merge", title: "Tick two or more columns first" });
}

/** @param {any} region */
function table(region) {
  const records = region.records.slice(0, shownRows);
  const more = region.records.length - records.length;
  const rows = (/** @type {number} */ from, /** @type {number} */ to) =>
    records.slice(from, to).map((/** @type {any} */ record, /** @type {number} */ at) => row(region, record, from + at));
  // the rows in view first, unless the table is scrolled: then it stays where it is
  const isScrolled = (document.querySelector("#panel .scroll")?.scrollTop ?? 0) > 0;
  const first = isScrolled ? records.length : FIRST_ROWS;
  const body = h("tbody", null, rows(0, first));
  if (first < records.length) painted().then(() => body.append(...rows(first, records.length)));
  return h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Records" },
    h("table.data", null,
      h("thead", null, h("tr", null, h("th.number", { scope: "col" }, "#"), region.columns.map(header))),
      body),
    more > 0 ? button(`Show ${Math.min(more, STEP)} more of ${more}`, () => {
      shownRows += STEP;
      touch("rows");
    }) : null);
}

/** The columns of the table, in their order. @returns {string[]} */
const currentNames = () => (state.result?.answer?.regions?.[0]?.columns ?? []).map((/** @type {any} */ one) => one.name);

/** @param {any} column @param {number} at */
function header(column, at) {
  const names = currentNames();
  // the order may have changed while the menu was open
  const move = (/** @type {number} */ by) => {
    const order = currentNames();
    const from = order.indexOf(column.name);
    const to = from + by;
    if (from < 0 || to < 0 || to >= order.length) return;
    order.splice(to, 0, ...order.splice(from, 1));
    correct({ order: { columns: order } });
  };
  const isFixed = state.work.kind === "section";
  const name = isFixed ? h("span.name", { "data-name": column.name }, column.name) : h("button.name", {
    id: `column-${at}`, "data-name": column.name, type: "button", title: "Change this column (F2 renames)", "aria-haspopup": "menu",
    onclick: (/** @type {MouseEvent} */ event) =>
      openColumnMenu(/** @type {HTMLElement} */ (event.currentTarget), column, names, move),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "F2") renameColumn(/** @type {HTMLElement} */ (event.currentTarget), column.name);
      else if (event.altKey && event.key === "ArrowRight") move(1);
      else if (event.altKey && event.key === "ArrowLeft") move(-1);
    },
  }, column.name, h("span", { "aria-hidden": "true" }, " ▾"));
  const box = h("input", {
    type: "checkbox", value: column.name, "aria-label": `Choose ${column.name} for merging`, checked: merging.has(column.name),
    onchange: (/** @type {any} */ event) => {
      if (event.target.checked) merging.add(column.name);
      else merging.delete(column.name);
      /** @type {HTMLButtonElement} */ (document.getElementById("merge")).disabled = chosenColumns().length < 2;
    },
  });
  return h("th", {
    scope: "col", "--colour": colour(at), draggable: isFixed ? null : "true",
    ondragstart: (/** @type {DragEvent} */ event) => event.dataTransfer?.setData("text/column", String(at)),
    ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(),
    ondrop: (/** @type {DragEvent} */ event) => {
      const from = Number(event.dataTransfer?.getData("text/column"));
      if (Number.isNaN(from) || from === at) return;
      event.preventDefault();
      const order = names.slice();
      order.splice(at, 0, ...order.splice(from, 1));
      correct({ order: { columns: order } });
    },
  }, h("div.head", null, isFixed ? null : box, name), h("small", null, column.type ?? "text"));
}

/** Whether values of a type are addresses, of which the beginning is enough. @param {string | undefined} type */
const isAddress = type => type === "link" || type === "image" || type === "url";

/** @param {any} region @param {any} record @param {number} at */
function row(region, record, at) {
  const elements = (/** @type {any[]} */ xpaths) => xpaths.map(xpath => state.tree?.at(xpath)).filter(one => one != null);
  const nodes = () => elements(record.xpaths);
  return h("tr", {
    "data-record": at, onmouseenter: () => tell({ type: "lit", nodes: nodes() }),
    onmouseleave: () => tell({ type: "lit", nodes: [] }),
  },
  h("th.number", { scope: "row" }, h("button.plain", {
    type: "button", "aria-label": `Show record ${at + 1} on the page`,
    onclick: () => { const [node] = nodes(); if (node) tell({ type: "scroll", node }); },
  }, String(at + 1))),
  region.columns.map((/** @type {any} */ column, /** @type {number} */ number) => {
    const value = record.fields[column.name];
    const texts = Array.isArray(value) ? value : value === undefined ? [] : [value];
    const text = texts.join(" · ");
    const isDoubtful = record.sure?.[column.name] !== undefined;
    const sources = record.sources?.[column.name] ?? [];
    const light = (/** @type {boolean} */ on) => () => tell({
      type: "lit", nodes: on ? elements(sources.map((/** @type {any} */ one) => one?.xpath)) : nodes(),
    });
    return h("td", {
      "--tint": tint(number), "data-column": number, class: isDoubtful ? "doubtful" : "",
      title: isDoubtful ? `copal is not sure about this value: ${short(text, 500)}` : text.length > 40 ? short(text, 500) : null,
      onmouseenter: light(true), onmouseleave: light(false),
    }, h("div.cell", { class: isAddress(column.type) ? "address" : "" }, text));
  }));
}
