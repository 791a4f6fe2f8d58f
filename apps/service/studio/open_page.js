// @ts-check
/** Opens pages: a URL, a file, a text. The page is read once; everything else uses what was read. */
import { beginWith, busy, pageBody, refresh } from "./actions.js";
import { get, getBlob, post, postFile } from "./api.js";
import { keepRecent } from "./drafts.js";
import { PageTree } from "./page_tree.js";
import { decide, state, update } from "./store.js";
import { toast } from "./toasts.js";

/** @param {string} text */
export const asUrl = text => /^[a-z][a-z0-9+.-]*:/i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;

/** Opens the page at a URL. @param {string} url @param {boolean} [isStep] whether it is a step back or forward */
export async function openUrl(url, isStep = false) {
  const options = { render: state.render ? "chromium" : "auto" };
  const body = { url, styles: true, options };
  const opened = await open(`Opening ${url}`, async signal => {
    try {
      return await post("/v1/view", body, signal);
    } catch (error) {
      // a build or a machine without a browser shows the page as it was sent
      if (state.render || !/browser|chromium/i.test(/** @type {any} */ (error).message)) throw error;
      return post("/v1/view", { ...body, options: {} }, signal);
    }
  });
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

/** Opens a file that was dropped or chosen. @param {File} file */
export const openFile = file =>
  open(`Reading ${file.name}`, signal => postFile("/v1/view", file, file.name, { options: {} }, signal));

/** Opens the text of a page. @param {string} html @param {string} name @param {string | null} [url] */
export const openText = (html, name, url = null) => open(`Reading ${name}`, async signal => {
  const page = await post("/v1/view", { html, ...(url ? { url } : {}), styles: url !== null, options: {} }, signal);
  return { ...page, name };
});

/** @param {string} text @param {(signal: AbortSignal) => Promise<any>} read */
async function open(text, read) {
  const page = await busy(text, read);
  if (!page) return false;
  const tree = new PageTree(page.elements, page.shown);
  update({ page, tree });
  const found = await busy("Looking for lists", signal => findLists(signal));
  beginWith(page, found, tree);
  for (const warning of page.warnings ?? []) toast(warning);
  keepRecent({ url: page.url, name: page.name, title: page.title ?? page.name });
  if (state.work.kind === "list" && found?.regions?.length) await refresh();
  return true;
}

/** All lists of the page, or its object. @param {AbortSignal} signal @param {string} [kind] */
const findLists = (signal, kind = "auto") => post("/v1/extract", {
  ...pageBody(), options: { kind, all: true, navigation: true, explain: true, sources: true, max_rows: 200 },
}, signal);

/** Reads a page as a list that was taken for one object. */
export async function readAsList() {
  const found = await busy("Looking for lists", signal => findLists(signal, "list"));
  if (!found) return;
  decide({ kind: "list", list: 1, examples: [], corrections: [], wrapperText: null });
  update({ found, problem: null });
  if (found.regions.length) await refresh();
}

/** Opens what the service was started with, if anything. */
export async function openStart() {
  const start = await get("/v1/start");
  if (start.url) return openUrl(start.url);
  if (start.name) return openFile(new File([await getBlob("/v1/start/file")], start.name));
  return false;
}
