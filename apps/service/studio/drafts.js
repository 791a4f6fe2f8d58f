// @ts-check
/** Keeps unfinished work and recent pages in the workspace, so that a reload loses nothing. */
import { get, putJson, remove } from "./api.js";
import { history, state, subscribe, update } from "./store.js";

const DRAFT = "studio-current";
const RECENT = "studio-recent";
/** Characters of a page that fits into a draft; the URL is enough for others. */
const MAX_SOURCE = 700_000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {{url: string | null, name: string, title: string}} page */
export function keepRecent(page) {
  const isSame = (/** @type {any} */ one) => one.url === page.url && one.name === page.name;
  const recent = [page, ...state.recent.filter(one => !isSame(one))].slice(0, 12);
  update({ recent });
  putJson(`/v1/drafts/${RECENT}`, recent.filter(one => one.url)).catch(() => {});
}

/** A draft, if there is one of this name. @param {string} name @returns {Promise<any>} */
export async function readDraft(name) {
  const { drafts } = await get("/v1/drafts");
  return drafts.includes(name) ? get(`/v1/drafts/${name}`) : null;
}

export async function loadRecent() {
  const recent = await readDraft(RECENT).catch(() => null);
  update({ recent: Array.isArray(recent) ? recent : [] });
}

/** Saves the draft a moment after each change. */
export function keepDrafts() {
  subscribe(changed => {
    if (!["work", "page", "panel", "side"].some(key => changed.has(key))) return;
    clearTimeout(timer);
    timer = setTimeout(save, 500);
  });
}

async function save() {
  const { page, work, panel, side } = state;
  if (!page) return;
  const source = page.source.length <= MAX_SOURCE ? page.source : null;
  const draft = { version: 1, name: page.name, url: page.url, source, work, panel, side, history: history() };
  await putJson(`/v1/drafts/${DRAFT}`, draft).catch(() => {});
}

/** The draft, if there is one. @returns {Promise<any>} */
export const loadDraft = () => readDraft(DRAFT).catch(() => null);

export const dropDraft = () => remove(`/v1/drafts/${DRAFT}`).catch(() => {});
