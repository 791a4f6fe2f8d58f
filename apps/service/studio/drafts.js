// @ts-check
/** Keeps unfinished work and recent pages in the workspace, so that a reload loses nothing. */
import { get, putAtEnd, putJson, remove } from "./api.js";
import { history, state, subscribe, update } from "./store.js";
import { toast } from "./toasts.js";

const DRAFT = "studio-current";
const RECENT = "studio-recent";
/** The source of the page of the draft. It is large and does not change, so that it is kept once per page. */
const SOURCE = "studio-source";
/** Characters of a page that fits into a draft; the URL is enough for others. */
const MAX_SOURCE = 700_000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** The drafts that are being saved. @type {Promise<void>} */
let saving = Promise.resolve();
/** The page whose source is kept, and the name of that source. @type {{page: any, id: string} | null} */
let kept = null;

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
    // one after the other, so that an older draft never arrives last
    timer = setTimeout(saveSoon, 500);
    isUnsaved = true;
  });
  // what was decided a moment ago is not lost with the page
  window.addEventListener("pagehide", () => {
    const { page } = state;
    // without its source, which is too large to be sent now, only a page with a URL can be opened again
    if (isUnsaved && page && (page.url || kept?.page === page)) putAtEnd(`/v1/drafts/${DRAFT}`, draft());
  });
}

/** Says that the source of a page is kept already: it was opened from a draft. @param {any} page @param {string} id */
export function adoptSource(page, id) {
  kept = { page, id };
}

/** Whether the last change is not saved yet. */
let isUnsaved = false;

function saveSoon() {
  saving = saving.then(save);
}

function draft() {
  const { page, work, panel, side } = state;
  const sourceId = kept?.page === page ? kept?.id : null;
  return { version: 2, name: page.name, url: page.url, sourceId, work, panel, side, history: history() };
}

async function save() {
  const { page } = state;
  if (!page) return;
  if (kept?.page !== page && page.source.length <= MAX_SOURCE) {
    const id = crypto.randomUUID();
    const isKept = await putJson(`/v1/drafts/${SOURCE}`, { id, source: page.source }).then(() => true, () => false);
    if (isKept) kept = { page, id };
  }
  // another page was opened meanwhile, or this one closed: that is saved next
  if (state.page !== page) return;
  isUnsaved = false;
  await putJson(`/v1/drafts/${DRAFT}`, draft()).catch(() => { isUnsaved = true; });
}

/** The draft with the source of its page, if there is one. @returns {Promise<any>} */
export async function loadDraft() {
  const draft = await readDraft(DRAFT).catch(() => null);
  // the first version had the source of the page in the draft
  if (draft?.version === 1) return draft;
  if (draft && draft.version !== 2) toast("The unfinished work is of another version of copal.", "It cannot be shown here.");
  if (draft?.version !== 2) return null;
  const page = draft.sourceId ? await readDraft(SOURCE).catch(() => null) : null;
  return { ...draft, source: page?.id === draft.sourceId ? page?.source ?? null : null };
}

/** Forgets the draft: after what is on its way, and before what is saved next. */
export function dropDraft() {
  clearTimeout(timer);
  kept = null;
  isUnsaved = false;
  saving = saving.then(async () => {
    for (const name of [DRAFT, SOURCE]) await remove(`/v1/drafts/${name}`).catch(() => {});
  });
}
