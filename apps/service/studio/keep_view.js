// @ts-check
/** Keeps the result: a database of the workspace, files, the wrapper, programs for other tools. */
import { busy, pageBody } from "./actions.js";
import { get, post, postForFile, putYaml, remove } from "./api.js";
import { forgetData } from "./data_view.js";
import { button, count, download, empty, h, labelled } from "./dom.js";
import { forgetLibrary } from "./library_view.js";
import { state, update } from "./store.js";
import { complain, toast } from "./toasts.js";

/** @type {[string, string, string][]} */
const FILES = [["csv", "CSV", "csv"], ["json", "JSON", "json"], ["xlsx", "Excel", "xlsx"], ["parquet", "Parquet", "parquet"]];
/** @type {[string, string, string][]} */
const TOOLS = [["scrapy", "Scrapy spider", "py"], ["playwright", "Playwright script", "mjs"], ["crawl4ai", "crawl4ai schema", "json"],
  ["xpath-json", "XPaths", "json"], ["oxpath", "OXPath", "txt"]];

/** A name that the service accepts, from any text. @param {string} text */
export const plainName = text => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40) || "page";

function ownName() {
  const { url, name, title } = state.page;
  try {
    if (url) return plainName(new URL(url).hostname.replace(/^www\./, ""));
  } catch { /* not a URL */ }
  return plainName(title || name);
}

/** What reads the records: the wrapper on this page, with the following pages if they are wanted. @param {number} pages */
const applyBody = pages => ({
  wrapper_text: state.result.wrapper,
  ...(pages > 1 && state.page.url ? { url: state.page.url } : pageBody()),
});

export function keepView() {
  const region = state.result?.answer?.regions?.[0];
  if (state.work.kind !== "object" && (!state.result?.wrapper || !region)) return [empty("There are no records to keep yet.", h("p", null, "Choose a list first."))];
  return [h("div.keep", null, state.work.kind === "object" ? null : storeForm(region), fileCard(), wrapperCard())];
}

/** @param {any} region */
function storeForm(region) {
  const name = ownName();
  const database = /** @type {HTMLInputElement} */ (h("input", { id: "database", required: true, value: name, list: "databases", pattern: "[A-Za-z0-9][A-Za-z0-9_\\-]*", maxlength: 64 }));
  const table = /** @type {HTMLInputElement} */ (h("input", { id: "table-name", placeholder: "records", maxlength: 60 }));
  const names = region.columns.map((/** @type {any} */ column) => column.name);
  const key = /** @type {HTMLSelectElement} */ (h("select", { id: "key" }, h("option", { value: "" }, "choose for me (link or text)"),
    names.map((/** @type {string} */ column) => h("option", { value: column }, column))));
  const canFollow = Boolean(state.page.url && state.found?.page?.next);
  const pages = /** @type {HTMLInputElement} */ (h("input", { id: "pages", type: "number", min: 1, max: 10000, value: 1, disabled: !state.page.url }));
  const known = h("datalist", { id: "databases" });
  get("/v1/databases").then(answer => known.replaceChildren(...answer.databases.map((/** @type {any} */ one) => h("option", { value: one.name }))), () => {});
  const store = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const options = { store: { database: database.value, ...(table.value ? { table: table.value } : {}), key: key.value ? [key.value] : [] } };
    const most = Number(pages.value) || 1;
    if (most > 1) return follow(most, options);
    const done = await busy("Storing the records", signal => postForStore({ ...applyBody(1), options }, signal));
    if (done) stored(database.value, done);
  };
  return h("form.card", { onsubmit: store },
    h("h3", null, "Into a database"),
    h("p.note", null, "Each time you store, copal keeps a run, and shows what is new, gone and changed."),
    h("div.row", null, labelled("Database", database), labelled("Table", table), labelled("Key", key), labelled("Pages", pages)),
    h("p.note", null, "The key tells records apart from run to run.", canFollow ? " The list goes on: say how many of its pages are read." : ""),
    known, h("button.primary", { type: "submit" }, `Store ${count(region.records.length, "record")}`));
}

/** @param {any} body @param {AbortSignal} _signal */
async function postForStore(body, _signal) {
  const { headers } = await postForFile("/v1/apply", body);
  return headers.get("x-copal-stored") ?? "stored";
}

/** Follows the next pages as a job, with a counter. @param {number} most @param {any} options */
async function follow(most, options) {
  const database = options.store.database;
  await busy("Following the next pages", async signal => {
    const job = await post("/v1/jobs", { operation: "apply", wrapper_text: state.result.wrapper, urls: [state.page.url], options: { ...options, follow: most } }, signal);
    signal.addEventListener("abort", () => { remove(`/v1/jobs/${job.id}`).catch(() => {}); });
    for (;;) {
      await new Promise(resolve => setTimeout(resolve, 400));
      if (signal.aborted) return;
      const status = await get(`/v1/jobs/${job.id}`);
      const entry = state.busy;
      if (entry) update({ busy: { ...entry, text: progress(status) } });
      if (status.state === "running") continue;
      update({ busy: null });
      if (status.failed || status.state !== "done") return toast("The pages could not be read.", status.errors?.[0]?.error ?? null, true);
      return stored(database, `${count(status.records, "record")} from the pages of the list`);
    }
  });
}

/** @param {any} status */
const progress = status => `Following the next pages: ${count(status.records ?? 0, "record")} so far`;

/** @param {string} database @param {string} text */
function stored(database, text) {
  toast(`Stored in ${database}.`, text);
  forgetData();
  update({ view: "data", database });
}

function fileCard() {
  const save = (/** @type {string} */ format, /** @type {string} */ ending) => async () => {
    try {
      const options = { format, csv_safe: format === "csv", all_columns: true };
      const { blob } = state.work.kind === "object"
        ? await postForFile("/v1/objects", { ...pageBody(), pages: state.moreObjects.map(one => ({ html: one.source, url: one.url ?? undefined, name: one.name })), options })
        : await postForFile("/v1/apply", { ...applyBody(1), options });
      download(`${ownName()}.${ending}`, blob);
    } catch (error) { complain(error); }
  };
  return h("div.card", null, h("h3", null, "As a file"),
    h("div.actions", null, FILES.map(([format, label, ending]) => button(label, save(format, ending)))));
}

function wrapperCard() {
  const name = /** @type {HTMLInputElement} */ (h("input", { id: "wrapper-name", required: true, value: ownName(), pattern: "[A-Za-z0-9][A-Za-z0-9_\\-]*", maxlength: 64 }));
  const text = async () => state.work.kind === "object"
    ? (await post("/v1/learn", { ...pageBody(), pages: state.moreObjects.map(one => ({ html: one.source, name: one.name })), options: { kind: "object" } })).wrapper
    : state.result.wrapper;
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
      const { blob, headers } = await postForFile("/v1/export", { wrapper_text: await text(), to, ...(state.page.url ? { url: state.page.url } : {}) });
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
