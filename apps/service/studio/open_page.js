// @ts-check
/** Opens pages: a URL, a file, a text. The page is read once; everything else uses what was read. */
import { beginWith, refresh, showFirst, useFound } from "./actions.js";
import { get, getBlob, post, postFile } from "./api.js";
import { adoptSource, keepRecent } from "./drafts.js";
import { PageTree } from "./page_tree.js";
import { MAX_FOUND_RECORDS, previewOfList } from "./preview.js";
import { busy, pageBody } from "./requests.js";
import { decide, state, update } from "./store.js";
import { toast } from "./toasts.js";

/** Images of a page that are loaded at most, and in one request. */
const MAX_PICTURES = 90;
const PICTURES_AT_ONCE = 10;

/** What a person typed as a URL. Addresses of this machine and numbers seldom have a certificate. @param {string} text */
export function asUrl(text) {
  const typed = text.trim();
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(typed)) return typed;
  return `${/^(localhost|[\d.]+|\[[\da-f:]+\])(:\d+)?(\/|$)/i.test(typed) ? "http" : "https"}://${typed}`;
}

/**
 * Reads the page at a URL, in the browser if it needs one.
 * @param {string} url
 * @param {boolean} styles
 * @param {AbortSignal} signal
 */
export async function viewUrl(url, styles, signal) {
  const body = { url, styles, options: { render: state.render ? "chromium" : "auto" } };
  try {
    return await post("/v1/view", body, signal);
  } catch (error) {
    const problem = /** @type {any} */ (error);
    if (/encrypted connection/.test(problem.message)) {
      problem.hint ??= "If the site has no encryption, type http:// before its address.";
    }
    // a build or a machine without a browser shows the page as it was sent
    if (state.render || !/browser|chromium/i.test(problem.message)) throw error;
    return post("/v1/view", { ...body, options: {} }, signal);
  }
}

/**
 * Opens the page at a URL.
 * @param {string} url @param {boolean} [isStep] whether it is a step back or forward
 * @param {any} [kept] what was decided about the page earlier
 */
export async function openUrl(url, isStep = false, kept = null) {
  const opened = await open(`Opening ${url}`, signal => viewUrl(url, true, signal), kept);
  if (opened && !isStep) {
    const urls = [...state.visited.urls.slice(0, state.visited.at + 1), url];
    update({ visited: { urls, at: urls.length - 1 } });
  }
  return opened;
}

/** Goes to the page before or after this one. @param {number} by */
export async function goBy(by) {
  const { urls, at } = state.visited;
  const url = urls[at + by];
  if (url && await openUrl(url, true)) update({ visited: { urls, at: at + by } });
}

/** Opens a file that was dropped or chosen. @param {File} file @param {string} [url] where the page came from */
export const openFile = (file, url) => open(`Reading ${file.name}`, signal =>
  postFile("/v1/view", file, file.name, { ...(url ? { url } : {}), styles: Boolean(url), options: {} }, signal));

/** Opens the text of a page. @param {string} html @param {string} name @param {string | null} [url] @param {any} [kept] */
export const openText = (html, name, url = null, kept = null) => open(`Reading ${name}`, async signal => {
  const page = await post("/v1/view", { html, ...(url ? { url } : {}), styles: url !== null, options: {} }, signal);
  return { ...page, name };
}, kept);

/** The page that is being opened; a newer one puts an end to it. @type {AbortController | null} */
let opening = null;

/** Whether a page is open or being opened. */
export const isOpening = () => opening !== null || state.page !== null;

/**
 * Opens a page.
 * @param {string} text
 * @param {(signal: AbortSignal) => Promise<any>} read
 * @param {any} [kept] what was decided about the page earlier
 */
async function open(text, read, kept = null) {
  opening?.abort();
  const controller = new AbortController();
  opening = controller;
  const { view } = state;
  try {
    const page = await busy(text, read, controller);
    if (!page || opening !== controller) return false;
    const tree = new PageTree(page.elements, page.shown);
    if (kept?.source && kept.sourceId) adoptSource(page, kept.sourceId);
    beginWith(page, tree, kept);
    // a person who has gone to another view meanwhile stays there
    if (state.view === view) update({ view: "page" });
    const { work } = state;
    const found = await busy("Looking for lists", signal => findLists(signal), controller);
    if (opening !== controller || state.page !== page) return false;
    const isUndecided = !kept && useFound(found, work);
    if (kept) update({ found });
    for (const warning of page.warnings ?? []) toast(warning);
    keepRecent({ url: page.url, name: page.name, title: page.title ?? page.name });
    if (isUndecided && state.work.kind === "list") showFirst();
    if (kept ? work === state.work : isUndecided && (state.work.kind === "object" || found?.regions?.length)) {
      await refresh();
    }
    if (state.page === page && state.images) loadPictures();
    return true;
  } finally {
    if (opening === controller) opening = null;
  }
}

/** Loads the images of the page through the service, which checks them. */
export async function loadPictures() {
  const { page, tree } = state;
  if (!page || !tree) return;
  /** @type {Map<string, number[]>} */
  const wanted = new Map();
  for (const { node, tag, attributes } of tree.elements.values()) {
    const source = tag === "img" ? imageSource(attributes) : null;
    const url = source ? absolute(source, page.url) : null;
    if (url) wanted.set(url, [...(wanted.get(url) ?? []), node]);
  }
  const urls = [...wanted.keys()].slice(0, MAX_PICTURES);
  await busy("Loading images", async signal => {
    for (let at = 0; at < urls.length && state.page === page && state.images; at += PICTURES_AT_ONCE) {
      const { images } = await post("/v1/images", { urls: urls.slice(at, at + PICTURES_AT_ONCE) }, signal);
      const loaded = images.filter((/** @type {any} */ one) => one.data);
      const pictures = loaded.flatMap((/** @type {any} */ one) => (wanted.get(one.url) ?? []).map(node => [node, one.data]));
      if (state.page === page) update({ pictures: [...state.pictures, ...pictures] });
    }
  });
}

/**
 * The source of an image; many pages put it elsewhere until the image is scrolled to.
 * @param {Record<string, string>} attributes
 */
const imageSource = attributes => [attributes["data-src"], attributes.src, attributes.srcset?.split(/[\s,]/)[0]]
  .find(one => one && !one.startsWith("data:")) ?? null;

/** @param {string} source @param {string | null} base */
function absolute(source, base) {
  try {
    const url = new URL(source, base ?? undefined);
    return /^https?:$/.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** All lists of the page, or its object. @param {AbortSignal} signal @param {string} [kind] */
const findLists = (signal, kind = "auto") => post("/v1/extract", {
  ...pageBody(), options: { kind, all: true, navigation: true, sources: true, max_rows: MAX_FOUND_RECORDS },
}, signal);

/** Reads a page as a list that was taken for one object. */
export async function readAsList() {
  const { page, work } = state;
  const found = await busy("Looking for lists", signal => findLists(signal, "list"));
  if (!found || state.page !== page || state.work !== work) return;
  decide({ kind: "list", list: 1, examples: [], corrections: [], wrapperText: null });
  update({ found, problem: null, result: previewOfList(found.regions[0]) });
  if (found.regions.length) await refresh();
}

/** Opens what the service was started with, if anything. */
export async function openStart() {
  const start = await get("/v1/start");
  if (isOpening()) return true;
  if (start.url) return openUrl(start.url);
  if (start.name) return openFile(new File([await getBlob("/v1/start/file")], start.name), start.base);
  return false;
}
