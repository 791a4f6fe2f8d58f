// @ts-check
/** Saved wrappers: check them against a page, look at what a repair would change, accept it, read rows. */
import { get, getText, post, putYaml } from "./api.js";
import { button, count, download, empty, h, labelled, when } from "./dom.js";
import { asUrl } from "./open_page.js";
import { busy } from "./requests.js";
import { redraw, state, update } from "./store.js";
import { complain, toast } from "./toasts.js";

/** @type {any[] | null} */
let wrappers = null;
/** What is known about each wrapper. @type {Map<string, any>} */
const known = new Map();

async function read() {
  wrappers = await get("/v1/wrappers").then(answer => answer.wrappers, error => { complain(error); return []; });
}

/** Whether the library is being read, and whether it has changed since then. */
let isReading = false;
let isOld = false;

async function load() {
  if (isReading) return;
  isReading = true;
  do {
    isOld = false;
    await read();
  } while (isOld);
  isReading = false;
  redraw("library");
}

/** Remembers something about a wrapper and draws it. @param {string} name @param {any} more */
function learn(name, more) {
  known.set(name, { ...known.get(name), ...more });
  redraw("library");
}

export function libraryView() {
  if (!wrappers) {
    load();
    return h("section.wide", null, h("h1", null, "Library"),
      h("p.note", { role: "status" }, "Reading the library …"));
  }
  const list = wrappers.length ? wrappers.map(card) : empty("There are no saved wrappers yet.",
    h("p", null, "Open a page, correct its table, and save the wrapper under “Keep”."),
    button("Open a page", () => update({ view: "page" }), { class: "primary" }));
  return h("section.wide", null, h("h1", null, "Library"), list);
}

/** Reads the library again the next time it is shown. */
export function forgetLibrary() {
  wrappers = null;
  isOld = true;
}

/** @param {any} wrapper */
function card(wrapper) {
  const about = known.get(wrapper.name) ?? {};
  const address = /** @type {HTMLInputElement} */ (h("input", {
    id: `page-of-${wrapper.name}`, oninput: () => { known.set(wrapper.name, { ...known.get(wrapper.name), address: address.value }); },
    type: "text", inputmode: "url", value: about.address ?? lastPage(wrapper) ?? state.page?.url ?? "",
    placeholder: state.page ? "the page that is open, or https://…" : "https://… a page of the site",
  }));
  const source = () => {
    const text = address.value.trim();
    if (text) return { url: asUrl(text) };
    return state.page ? { html: state.page.source } : null;
  };
  const run = (/** @type {string} */ text, /** @type {(body: any, signal: AbortSignal) => Promise<any>} */ work) => async () => {
    const page = source();
    if (!page) return toast("Give the URL of a page, or open one first.", null, true);
    const result = await busy(text, signal => work({ wrapper: wrapper.name, ...page }, signal));
    // the last check is part of the list
    if (result?.check) await read();
    if (result) learn(wrapper.name, result);
  };
  const check = async (/** @type {any} */ body, /** @type {AbortSignal} */ signal) => {
    // at once, not with the answer: a repair that was asked for in the meantime is kept
    known.set(wrapper.name, { ...known.get(wrapper.name), repair: null });
    return { check: await post("/v1/check", body, signal) };
  };
  const lastRows = async (/** @type {any} */ body, /** @type {AbortSignal} */ signal) =>
    ({ rows: await post("/v1/apply", { ...body, options: { max_rows: 5 } }, signal) });
  const repair = async (/** @type {any} */ body, /** @type {AbortSignal} */ signal) =>
    ({ repair: await post("/v1/repair", { ...body, dry_run: true, verify: 1 }, signal) });
  const text = async (/** @type {number} */ version) =>
    learn(wrapper.name, { text: await getText(`/v1/wrappers/${wrapper.name}?version=${version}`), textOf: version });
  const drifted = about.check?.drifted ?? wrapper.check?.drifted;
  return h("article.card", { "aria-label": wrapper.name },
    h("h2", null, wrapper.name, h("span.role", null, `version ${wrapper.version}`), verdict(wrapper.check)),
    wrapper.check ? lastCheck(wrapper) : null,
    h("div.row", null, labelled("Page", address),
      button("Check", run("Checking", check)),
      button("Last rows", run("Reading", lastRows)),
      drifted ? button("Repair …", run("Looking for a repair", repair), { class: "primary" }) : null,
      button("Text", () => about.text ? learn(wrapper.name, { text: null }) : text(wrapper.version).catch(complain)),
      wrapper.versions > 1 ? button(`Versions (${wrapper.versions})`, () => showVersions(wrapper, about)) : null,
      button("Download", async () =>
        download(`${wrapper.name}.copal.yaml`, new Blob([await getText(`/v1/wrappers/${wrapper.name}`)])))),
    about.versions ? versionList(wrapper, about, text) : null,
    about.repair ? repairDiff(wrapper, about) : null,
    about.rows ? rows(about.rows) : null,
    about.text ? [h("h3", null, `Version ${about.textOf}`), h("pre.code", { tabindex: "0" }, about.text)] : null);
}

/** The URL of the last check, if it was one. @param {any} wrapper @returns {string | null} */
const lastPage = wrapper => /^https?:/.test(wrapper.check?.page ?? "") ? wrapper.check.page : null;

/** @param {any} check */
function verdict(check) {
  if (!check) return h("span.verdict", null, "not checked");
  return h("span.verdict", { class: check.drifted ? "warn" : "good" }, check.drifted ? "the site has changed" : "fine");
}

/** When the last check was, and what it found. @param {any} wrapper */
function lastCheck({ check, version }) {
  const about = check.version === version ? "" : ` (of version ${check.version})`;
  const end = check.why.length ? "." : ", as expected.";
  return [
    h("p.note", null, `Checked on ${when(check.checked * 1000)}${about}: ${count(check.records, "record")}${end}`),
    check.why.length ? h("ul", null, check.why.map((/** @type {string} */ text) => h("li", null, text))) : null,
  ];
}

/** @param {any} wrapper @param {any} about */
async function showVersions(wrapper, about) {
  if (about.versions) return learn(wrapper.name, { versions: null });
  try {
    learn(wrapper.name, { versions: (await get(`/v1/wrappers/${wrapper.name}/versions`)).versions });
  } catch (error) { complain(error); }
}

/** @param {any} wrapper @param {any} about @param {(version: number) => Promise<void>} show */
function versionList(wrapper, about, show) {
  const restore = async (/** @type {number} */ version) => {
    try {
      const path = `/v1/wrappers/${wrapper.name}`;
      const answer = await putYaml(path, await getText(`${path}?version=${version}`));
      toast(`Version ${version} of ${wrapper.name} is back, as version ${answer.version}.`);
      known.delete(wrapper.name);
      wrappers = null;
      redraw("library");
    } catch (error) { complain(error); }
  };
  return h("ul.versions", { "aria-label": "Versions" }, about.versions.slice().reverse().map((/** @type {number} */ version) =>
    h("li", null, `version ${version} `,
      button("Show", () => show(version).catch(complain), { class: "small", "aria-label": `Show version ${version}` }),
      version === wrapper.version ? h("span.quiet", null, " current") : button("Restore", () => restore(version), {
        class: "small", "aria-label": `Restore version ${version}`,
      }))));
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
      redraw("library");
    } catch (error) { complain(error); }
  };
  return h("div.diff", null, h("h3", null, "What the repair changes"),
    h("table.data", null,
      h("thead", null, h("tr", null,
        ["", "before", "after", "value before", "value after"].map(one => h("th", { scope: "col" }, one)))),
      h("tbody", null, repair.changes.map((/** @type {any} */ change) => h("tr", null,
        h("th", { scope: "row" }, change.what),
        h("td", null, h("del", null, text(change.before))), h("td", null, h("ins", null, text(change.after))),
        h("td", null, text(change.value_before)), h("td", null, text(change.value_after)))))),
    h("div.actions", null, button("Accept the repair", accept, { class: "primary" }),
      button("Leave it", () => learn(wrapper.name, { repair: null }))));
}

/** @param {any} answer */
function rows(answer) {
  const region = answer.regions?.[0];
  const fields = region ? region.records.map((/** @type {any} */ record) => record.fields) : answer.fields ? [answer.fields] : [];
  if (!fields.length) return h("p.note", null, "It reads nothing on this page.");
  const names = region ? region.columns.map((/** @type {any} */ column) => column.name) : Object.keys(fields[0]);
  return h("div.scroll.small", { tabindex: "0", role: "region", "aria-label": "Last rows" }, h("table.data", null,
    h("thead", null, h("tr", null, names.map((/** @type {string} */ name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, fields.map((/** @type {any} */ one) => h("tr", null,
      names.map((/** @type {string} */ name) => h("td", null, String(one[name] ?? ""))))))));
}
