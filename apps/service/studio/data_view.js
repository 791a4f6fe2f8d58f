// @ts-check
/** What was stored: databases, their records, their runs, and the differences between two runs. */
import { get } from "./api.js";
import { button, count, empty, h, labelled, short, when } from "./dom.js";
import { redraw, state, update } from "./store.js";
import { complain } from "./toasts.js";

/** Columns that copal adds itself. */
const OWN = new Set(["key", "page", "region", "method", "run", "first_run", "first_seen", "last_seen"]);
/** The kinds of databases, as people call them. @type {Record<string, string>} */
const KINDS = { sqlite: "SQLite", postgresql: "PostgreSQL" };
/** @type {any} */
let loaded = null;
/** @type {any} */
let differences = null;

/** What is being loaded; a newer choice has another answer. @type {object | null} */
let loading = null;

/** Loads a database, or the list of all. @param {string | null} name @param {string} [table] */
async function load(name, table) {
  const own = loading = {};
  const finish = () => {
    loading = null;
    redraw("data");
  };
  try {
    const { databases } = await get("/v1/databases");
    const [first] = [...databases.filter((/** @type {any} */ one) => one.kind === "sqlite"), ...databases];
    const chosen = name ?? first?.name ?? null;
    const query = table ? `?table=${encodeURIComponent(table)}&most=300` : "?most=300";
    const path = `/v1/databases/${encodeURIComponent(chosen ?? "")}`;
    if (loading !== own) return;
    loaded = { databases, chosen, records: null, runs: [], isReading: true };
    differences = null;
    redraw("data");
    // a server that does not answer must not keep the person from choosing another database
    const records = chosen ? await get(`${path}/records${query}`) : null;
    const runs = chosen ? (await get(`${path}/runs`)).runs : [];
    if (loading !== own) return;
    loaded = { databases, chosen, records, runs };
    if (runs.length > 1) await compare(runs[1].id, runs[0].id, false);
    if (loading === own) finish();
  } catch (error) {
    if (loading !== own) return;
    if (loaded) loaded.isReading = false;
    loaded ??= { databases: [], chosen: null, records: null, runs: [] };
    complain(error);
    finish();
  }
}

/** @param {number} old @param {number} recent @param {boolean} [draws] */
async function compare(old, recent, draws = true) {
  const path = `/v1/databases/${encodeURIComponent(loaded.chosen)}/differences?old=${old}&new=${recent}`;
  const of = loaded;
  const found = await get(path).catch(error => { complain(error); return null; });
  if (loaded !== of) return;
  differences = found;
  if (draws) redraw("data");
}

/** Forgets what was loaded, because something new was stored. */
export function forgetData() {
  loaded = loading = null;
}

export function dataView() {
  if (!loaded) {
    if (!loading) load(state.database);
    return h("section.wide", null, h("h1", null, "Data"), h("p.note", { role: "status" }, "Reading the databases …"));
  }
  if (!loaded.databases.length) {
    return h("section.wide", null, h("h1", null, "Data"), empty("Nothing has been stored yet.",
      h("p", null, "Open a page, check its table, and choose “Keep these records”."),
      button("Open a page", () => update({ view: "page" }), { class: "primary" })));
  }
  const choose = /** @type {HTMLSelectElement} */ (h("select", { id: "shown-database", onchange: () => load(choose.value) },
    loaded.databases.map((/** @type {any} */ one) =>
      h("option", { value: one.name, selected: one.name === loaded.chosen }, `${one.name} (${KINDS[one.kind] ?? one.kind})`))));
  const isFile = loaded.databases.some((/** @type {any} */ one) => one.name === loaded.chosen && one.kind === "sqlite");
  return h("section.wide", null, h("h1", null, "Data"),
    h("div.row", null, labelled("Database", choose), loaded.records?.tables?.length > 1 ? tableChoice() : null),
    isFile ? h("p.note", null, "This is the file ", h("code", null, `databases/${loaded.chosen}.sqlite`),
      " in the folder of the workspace; any program that reads SQLite can open it.") : null,
    loaded.records?.table ? [runsCard(), recordsCard()]
      : h("p.note", { role: "status" }, loaded.isReading ? `Reading ${loaded.chosen} …` : loaded.records ? "Nothing has been stored in this database yet."
        : "This database cannot be read."));
}

function tableChoice() {
  const choose = /** @type {HTMLSelectElement} */ (h("select", { id: "shown-table", onchange: () => load(loaded.chosen, choose.value) },
    loaded.records.tables.map((/** @type {string} */ name) =>
      h("option", { value: name, selected: name === loaded.records.table }, name))));
  return labelled("Table", choose);
}

function runsCard() {
  const { runs } = loaded;
  const pick = (/** @type {string} */ label, /** @type {number} */ at) => {
    const field = /** @type {HTMLSelectElement} */ (h("select", { id: label.toLowerCase().replace(" ", "-"), "aria-label": label },
      runs.map((/** @type {any} */ run, /** @type {number} */ number) =>
        h("option", { value: run.id, selected: number === at }, `run ${run.id}, ${when(run.started)}`))));
    return field;
  };
  const [old, recent] = [pick("Older run", Math.min(1, runs.length - 1)), pick("Newer run", 0)];
  return h("div.card", null, h("h2", null, count(runs.length, "run")),
    h("div.scroll.small", { tabindex: "0", role: "region", "aria-label": "Runs" }, h("table.data", null,
      h("thead", null, h("tr", null,
        ["run", "started", "outcome", "records", "pages"].map(text => h("th", { scope: "col" }, text)))),
      h("tbody", null, runs.slice(0, 20).map((/** @type {any} */ run) => h("tr", null,
        h("th", { scope: "row" }, String(run.id)),
        [when(run.started), run.outcome ?? "not complete", run.records, run.pages].map(value => h("td", null, String(value ?? "")))))))),
    runs.length > 1 ? h("div.row.inline", null, "Compare", old, "with", recent,
      button("Compare", () => compare(Number(old.value), Number(recent.value))))
      : h("p.note", null, "Store again later to see what has changed."),
    differences ? differenceList() : null);
}

/** Differences of a kind that are shown. */
const MAX_DIFFERENCES = 50;

function differenceList() {
  return differences.differences.map((/** @type {any} */ one) => h("div", { id: "differences" },
    h("p.matches.good", { role: "status" },
      differences.differences.length > 1 ? `${one.table}: ` : "",
      `Run ${differences.old.id} → ${differences.new.id}: ${one.new.length} new, ${one.gone.length} gone, `
      + `${one.changed.length} changed, ${one.same} the same`),
    h("ul.differences", null,
      one.new.slice(0, MAX_DIFFERENCES).map((/** @type {any} */ entry) => h("li.new", null, "+ ", label(entry))),
      one.gone.slice(0, MAX_DIFFERENCES).map((/** @type {any} */ entry) => h("li.gone", null, "− ", label(entry)))),
    one.changed.length ? changes(one.changed.slice(0, MAX_DIFFERENCES)) : null,
    [["new", one.new], ["gone", one.gone], ["changed", one.changed]].filter(([, list]) => list.length > MAX_DIFFERENCES)
      .map(([kind, list]) => h("p.note", null, `${list.length - MAX_DIFFERENCES} more are ${kind}.`))));
}

/** What has changed, by record and column. @param {any[]} changed */
function changes(changed) {
  const value = (/** @type {string} */ tag, /** @type {string} */ text) =>
    h("td", null, text ? h(tag, null, short(text, 120)) : h("span.quiet", null, "empty"));
  return h("div.scroll.small", { tabindex: "0", role: "region", "aria-label": "Changed records" }, h("table.data", null,
    h("thead", null, h("tr", null, ["record", "column", "before", "after"].map(text => h("th", { scope: "col" }, text)))),
    h("tbody", null, changed.flatMap(entry => entry.changes.map((/** @type {any} */ change, /** @type {number} */ at) => h("tr", null,
      h("td", null, at ? "" : short(entry.key, 80)), h("td", null, change.column),
      value("del", change.old), value("ins", change.new)))))));
}

/** @param {any} entry */
const label = entry => {
  const texts = Object.values(entry.fields).filter(text => !String(text).includes("://"));
  return short(texts.slice(0, 3).join(" · ") || entry.key, 120);
};

/** @param {string} text */
const cell = text => h("td", { title: text.length > 40 ? short(text, 500) : null },
  h("div.cell", { class: /^https?:\/\/\S+$/.test(text) ? "address" : "" }, short(text, 500)));

function recordsCard() {
  const { records, total } = loaded.records;
  if (!records.length) return empty("The table is empty.");
  const columns = Object.keys(records[0]).filter(name => !OWN.has(name));
  return h("div.card", null, h("h2", null, `${count(total, "record")} in the table ${loaded.records.table}`),
    h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Stored records" }, h("table.data", null,
      h("thead", null, h("tr", null, columns.map(name => h("th", { scope: "col" }, name)))),
      h("tbody", null, records.map((/** @type {any} */ record) => h("tr", null,
        columns.map(name => cell(String(record[name] ?? "")))))))));
}
