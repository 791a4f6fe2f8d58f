// @ts-check
/** Saved wrappers: check them against a page, look at what a repair would change, accept it, read rows. */
import { get, getText, post, putYaml } from "./api.js";
import { busy } from "./actions.js";
import { button, count, download, empty, h, labelled } from "./dom.js";
import { asUrl } from "./open_page.js";
import { state, update } from "./store.js";
import { complain, toast } from "./toasts.js";

/** @type {any[] | null} */
let wrappers = null;
/** What is known about each wrapper. @type {Map<string, any>} */
const known = new Map();

async function load() {
  wrappers = await get("/v1/wrappers").then(answer => answer.wrappers, error => { complain(error); return []; });
  update({ view: "library" });
}

export function libraryView() {
  if (!wrappers) {
    load();
    return h("section.wide", null, h("h1", null, "Library"), h("p.note", { role: "status" }, "Reading the library …"));
  }
  const list = wrappers.length ? wrappers.map(card) : empty("There are no saved wrappers yet.",
    h("p", null, "Open a page, correct its table, and save the wrapper under “Keep”."),
    button("Open a page", () => update({ view: "page" }), { class: "primary" }));
  return h("section.wide", null, h("h1", null, "Library"), list);
}

/** Reads the library again the next time it is shown. */
export function forgetLibrary() {
  wrappers = null;
}

/** @param {any} wrapper */
function card(wrapper) {
  const about = known.get(wrapper.name) ?? {};
  const address = /** @type {HTMLInputElement} */ (h("input", { type: "text", inputmode: "url", value: about.address ?? state.page?.url ?? "", placeholder: state.page ? "the page that is open, or https://…" : "https://… a page of the site" }));
  const source = () => {
    const text = address.value.trim();
    if (text) return { url: asUrl(text) };
    return state.page ? { html: state.page.source } : null;
  };
  const run = (/** @type {string} */ text, /** @type {(body: any, signal: AbortSignal) => Promise<any>} */ work) => async () => {
    const page = source();
    if (!page) return toast("Give the URL of a page, or open one first.", null, true);
    const result = await busy(text, signal => work({ wrapper: wrapper.name, ...page }, signal));
    if (result) known.set(wrapper.name, { ...about, address: address.value, ...result });
    update({ view: "library" });
  };
  return h("article.card", { "aria-label": wrapper.name },
    h("h2", null, wrapper.name, h("span.role", null, `version ${wrapper.version}`), verdict(about.check)),
    h("div.row", null, labelled("Page", address),
      button("Check", run("Checking", async (body, signal) => ({ check: await post("/v1/check", body, signal), repair: null }))),
      button("Last rows", run("Reading", async (body, signal) => ({ rows: await post("/v1/apply", { ...body, options: { max_rows: 5 } }, signal) }))),
      about.check?.drifted ? button("Repair …", run("Looking for a repair", async (body, signal) => ({ repair: await post("/v1/repair", { ...body, dry_run: true, verify: 1 }, signal) })), { class: "primary" }) : null,
      button("Text", async () => { known.set(wrapper.name, { ...about, text: about.text ? null : await getText(`/v1/wrappers/${wrapper.name}`) }); update({ view: "library" }); }),
      button("Download", async () => download(`${wrapper.name}.copal.yaml`, new Blob([await getText(`/v1/wrappers/${wrapper.name}`)])))),
    about.check ? problems(about.check) : null,
    about.repair ? repairDiff(wrapper, about) : null,
    about.rows ? rows(about.rows) : null,
    about.text ? h("pre.code", { tabindex: "0" }, about.text) : null);
}

/** @param {any} check */
function verdict(check) {
  if (!check) return h("span.verdict", null, "not checked");
  return h("span.verdict", { class: check.drifted ? "warn" : "good" }, check.drifted ? "the site has changed" : "fine");
}

/** @param {any} check */
function problems(check) {
  const lines = [...(check.alarms ?? []), ...(check.pages ?? []).flatMap((/** @type {any} */ page) => page.odd ?? [])];
  const texts = [...new Set(lines.map(line => `${line.column ? `${line.column}: ` : ""}${line.what}`))];
  return texts.length ? h("ul", null, texts.map(text => h("li", null, text)))
    : h("p.note", null, `${count(check.pages?.[0]?.records ?? 0, "record")}, as expected.`);
}

/** @param {any} wrapper @param {any} about */
function repairDiff(wrapper, about) {
  const { repair } = about;
  if (!repair.repaired) return h("p.note", null, repair.reason ?? "There is nothing to repair.");
  const text = (/** @type {any} */ value) => Array.isArray(value) ? value.join("\n") : String(value ?? "");
  const accept = async () => {
    try {
      const answer = await putYaml(`/v1/wrappers/${wrapper.name}`, repair.wrapper);
      toast(`${wrapper.name} is repaired: version ${answer.version}.`);
      known.set(wrapper.name, { address: about.address });
      wrappers = null;
      update({ view: "library" });
    } catch (error) { complain(error); }
  };
  return h("div.diff", null, h("h3", null, "What the repair changes"),
    h("table.data", null,
      h("thead", null, h("tr", null, ["", "before", "after", "value before", "value after"].map(one => h("th", { scope: "col" }, one)))),
      h("tbody", null, repair.changes.map((/** @type {any} */ change) => h("tr", null, h("th", { scope: "row" }, change.what),
        h("td", null, h("del", null, text(change.before))), h("td", null, h("ins", null, text(change.after))),
        h("td", null, text(change.value_before)), h("td", null, text(change.value_after)))))),
    h("div.actions", null, button("Accept the repair", accept, { class: "primary" }),
      button("Leave it", () => { known.set(wrapper.name, { ...about, repair: null }); update({ view: "library" }); })));
}

/** @param {any} answer */
function rows(answer) {
  const region = answer.regions?.[0];
  const fields = region ? region.records.map((/** @type {any} */ record) => record.fields) : answer.fields ? [answer.fields] : [];
  if (!fields.length) return h("p.note", null, "It reads nothing on this page.");
  const names = region ? region.columns.map((/** @type {any} */ column) => column.name) : Object.keys(fields[0]);
  return h("div.scroll.small", { tabindex: "0", role: "region", "aria-label": "Last rows" }, h("table.data", null,
    h("thead", null, h("tr", null, names.map((/** @type {string} */ name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, fields.map((/** @type {any} */ one) => h("tr", null, names.map((/** @type {string} */ name) => h("td", null, String(one[name] ?? ""))))))));
}
