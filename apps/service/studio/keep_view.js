// @ts-check
/** Keeps the result: a database of the workspace, files, the wrapper, programs for other tools. */
import { settled } from "./actions.js";
import { get, post, postForFile, putYaml, remove } from "./api.js";
import { forgetData } from "./data_view.js";
import { button, count, download, empty, h, labelled } from "./dom.js";
import { forgetLibrary } from "./library_view.js";
import { isCorrected, shownObject } from "./object_view.js";
import { busy, morePages, pageBody } from "./requests.js";
import { state, update } from "./store.js";
import { complain, toast } from "./toasts.js";

/** @type {[string, string, string][]} */
const FILES = [["csv", "CSV", "csv"], ["json", "JSON", "json"], ["xlsx", "Excel", "xlsx"],
  ["parquet", "Parquet", "parquet"]];
/** @type {[string, string, string][]} */
const TOOLS = [["scrapy", "Scrapy spider", "py"], ["playwright", "Playwright script", "mjs"],
  ["crawl4ai", "crawl4ai schema", "json"], ["xpath-json", "XPaths", "json"], ["oxpath", "OXPath", "txt"]];

/** What names of databases and wrappers look like. */
const NAME_PATTERN = "[A-Za-z0-9][A-Za-z0-9_\\-]*";

/** A name that the service accepts, from any text. @param {string} text */
export const plainName = text =>
  text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40) || "page";

function ownName() {
  const { url, name, title } = state.page;
  try {
    if (url) return plainName(new URL(url).hostname.replace(/^www\./, ""));
  } catch { /* not a URL */ }
  return plainName(title || name);
}

const isObject = () => state.work.kind === "object";

/**
 * Where the records are read, and what is sent: the wrapper with this page, or for objects that were not corrected the
 * extraction, which also reads fields that no wrapper can.
 * @returns {[string, any]}
 */
function reading() {
  if (!isObject()) return ["/v1/apply", { wrapper_text: state.result.wrapper, ...pageBody() }];
  const pages = [{ ...pageBody(), name: state.page.name }, ...morePages()];
  return isCorrected() ? ["/v1/apply", { wrapper_text: state.result.wrapper, pages }] : ["/v1/objects", { pages }];
}

export function keepView() {
  const region = state.result?.answer?.regions?.[0];
  if (isObject()) {
    const names = Object.keys(shownObject()?.fields ?? {});
    if (!names.length) return [empty("There are no fields to keep yet.")];
    return [h("div.keep", null, storeForm(names, count(1 + state.moreObjects.length, "object")), fileCard(), wrapperCard())];
  }
  if (region && !state.result.wrapper) return [h("p.note.pad", { role: "status" }, "Learning the list …")];
  if (!state.result?.wrapper || !region) {
    return [empty("There are no records to keep yet.", h("p", null, "Choose a list first."))];
  }
  const names = region.columns.map((/** @type {any} */ column) => column.name);
  return [h("div.keep", null, storeForm(names, count(region.records.length, "record")), fileCard(), wrapperCard())];
}

/** @param {string[]} names the columns @param {string} what how many records there are */
function storeForm(names, what) {
  const database = /** @type {HTMLInputElement} */ (h("input", {
    id: "database", required: true, value: ownName(), list: "databases", pattern: NAME_PATTERN, maxlength: 64,
  }));
  const table = /** @type {HTMLInputElement} */ (h("input", {
    id: "table-name", placeholder: isObject() ? "objects" : "records", maxlength: 60,
  }));
  const key = /** @type {HTMLSelectElement} */ (h("select", { id: "key" }, h("option", { value: "" }, "automatic"),
    names.map((/** @type {string} */ column) => h("option", { value: column }, column))));
  const canFollow = Boolean(!isObject() && state.page.url && state.found?.page?.next);
  const pages = /** @type {HTMLInputElement} */ (h("input", {
    id: "pages", type: "number", min: 1, max: 10000, value: 1, disabled: !state.page.url || isObject(),
  }));
  const known = h("datalist", { id: "databases" });
  const servers = h("p.note");
  get("/v1/databases").then(answer => {
    const all = /** @type {any[]} */ (answer.databases);
    known.replaceChildren(...all.map(one => h("option", { value: one.name }, one.kind)));
    const named = all.filter(one => one.kind === "postgresql").map(one =>
      button(one.name, () => { database.value = one.name; }, { class: "link" }));
    if (named.length) servers.replaceChildren("PostgreSQL: ", ...named.flatMap(one => [one, " "]));
  }, () => {});
  const store = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const store = { database: database.value, ...(table.value ? { table: table.value } : {}), key: key.value ? [key.value] : [] };
    const options = { store };
    const most = Number(pages.value) || 1;
    // a correction that the service has not yet answered belongs to the records
    if (!await settled()) return;
    if (most > 1) return follow(most, options);
    const [path, body] = reading();
    const done = await busy("Storing the records", signal => postForStore(path, { ...body, options }, signal));
    if (done) stored(database.value, done);
  };
  return h("form.card", { onsubmit: store },
    h("h3", null, "Into a database"),
    h("p.note", null, "Each time you store, copal keeps a run, and shows what is new, gone and changed."),
    h("div.row", null, labelled("Database", database), labelled("Table", table), labelled("Key", key),
      isObject() ? null : labelled("Pages", pages)),
    h("p.note", null, "A new name makes a new database: an SQLite file in the workspace. The key is the column that tells records apart from "
      + "run to run; copal takes the link or the text.",
      canFollow ? " The list goes on: say how many of its pages are read." : ""),
    servers, known, h("button.primary", { type: "submit" }, `Store ${what}`));
}

/** @param {string} path @param {any} body @param {AbortSignal} signal */
async function postForStore(path, body, signal) {
  const { headers } = await postForFile(path, body, signal);
  return headers.get("x-copal-stored") ?? "stored";
}

/** Follows the next pages as a job, with a counter. @param {number} most @param {any} options */
async function follow(most, options) {
  const database = options.store.database;
  await busy("Following the next pages", async (signal, say) => {
    const job = await post("/v1/jobs", {
      operation: "apply", wrapper_text: state.result.wrapper, urls: [state.page.url],
      options: { ...options, follow: most, render: state.render ? "chromium" : "none" },
    }, signal);
    signal.addEventListener("abort", () => { remove(`/v1/jobs/${job.id}`).catch(() => {}); });
    for (;;) {
      await new Promise(resolve => setTimeout(resolve, 400));
      if (signal.aborted) return;
      const status = await get(`/v1/jobs/${job.id}`);
      say(progress(status));
      if (status.state === "running") continue;
      if (status.failed || status.state !== "done") {
        return toast("The pages could not be read.", status.errors?.[0]?.error ?? null, true);
      }
      return stored(database, `${count(status.records, "record")} from the pages of the list`);
    }
  });
}

/** @param {any} status */
const progress = status => `Following the next pages: ${count(status.records ?? 0, "record")} so far`;

/** @param {string} database @param {string} text */
function stored(database, text) {
  forgetData();
  const look = () => update({ view: "data", database });
  // a person who does something else by now is not led away from it
  const isWaiting = state.view === "page" && state.panel === "keep";
  toast(`Stored in ${database}.`, text, false, isWaiting ? null : { label: "Look at it", act: look });
  if (isWaiting) look();
}

function fileCard() {
  const save = (/** @type {string} */ format, /** @type {string} */ ending) => async () => {
    try {
      if (!await settled()) return;
      const options = { format, csv_safe: format === "csv", all_columns: true };
      const [path, body] = reading();
      const { blob } = await postForFile(path, { ...body, options });
      download(`${ownName()}.${ending}`, blob);
    } catch (error) { complain(error); }
  };
  return h("div.card", null, h("h3", null, "As a file"),
    h("div.actions", null, FILES.map(([format, label, ending]) => button(label, save(format, ending)))));
}

function wrapperCard() {
  const name = /** @type {HTMLInputElement} */ (h("input", {
    id: "wrapper-name", required: true, value: ownName(), pattern: NAME_PATTERN, maxlength: 64,
  }));
  const text = async () => {
    await settled();
    return isObject() && !isCorrected()
      ? (await post("/v1/learn", { ...pageBody(), pages: morePages(), options: { kind: "object" } })).wrapper
      : state.result.wrapper;
  };
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const answer = await putYaml(`/v1/wrappers/${name.value}`, await text());
      forgetLibrary();
      toast(`Saved as ${answer.name}, version ${answer.version}.`, "You find it in the library.");
    } catch (error) { complain(error); }
  };
  const exported = (/** @type {string} */ to, /** @type {string} */ ending) => async () => {
    try {
      const body = { wrapper_text: await text(), to, ...(state.page.url ? { url: state.page.url } : {}) };
      const { blob, headers } = await postForFile("/v1/export", body);
      const warning = headers.get("x-copal-warning");
      if (warning) toast(warning);
      download(`${ownName()}.${ending}`, blob);
    } catch (error) { complain(error); }
  };
  return h("form.card", { onsubmit: save }, h("h3", null, "The wrapper"),
    h("p.note", null, "It reads the other pages of the site, and tells when the site has changed."),
    h("div.row", null, labelled("Name", name), h("button.primary", { type: "submit" }, "Save in the library")),
    h("h4", null, "For other tools"),
    h("div.actions", null, TOOLS.map(([to, label, ending]) => button(label, exported(to, ending)))));
}
