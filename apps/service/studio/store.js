// @ts-check
/**
 * The state of the studio, in one place. Views read it and are told when it changes; only actions change it.
 * What a person has decided about a list (`work`) has a history, so that every step can be undone.
 */

/**
 * What a person has decided about the current page.
 * @typedef {object} Work
 * @property {"list" | "object" | "section"} kind
 * @property {number | null} list the rank of the list, from 1
 * @property {number[]} examples elements in example records
 * @property {any[]} corrections in their order, as `/v1/correct` takes them
 * @property {string | null} wrapperText a wrapper that was edited by hand
 */

/** @returns {Work} */
export const newWork = () => ({ kind: "list", list: 1, examples: [], corrections: [], wrapperText: null });

export const state = {
  /** @type {"page" | "library" | "data" | "domains"} */
  view: "page",
  /** The answer of `/v1/view`. @type {any} */
  page: null,
  /** @type {import("./page_tree.js").PageTree | null} */
  tree: null,
  /** The answer of `/v1/extract` with all lists. @type {any} */
  found: null,
  /** The answer of `/v1/correct` or `/v1/point`. @type {any} */
  result: null,
  /** Why there is no result, and whether the same request may have another answer later. @type {{message: string, hint: string | null, isPassing?: boolean} | null} */
  problem: null,
  /** @type {any[] | null} */
  sections: null,
  /** The answer of `/v1/point`. @type {any} */
  pointed: null,
  work: newWork(),
  /** What a click on the page does. @type {"look" | "point" | "examples" | "column" | "exclude" | "include"} */
  tool: "look",
  /** @type {number[]} */
  examples: [],
  /** @type {number | null} */
  selected: null,
  /** The record and column that the selected element is in. @type {{record?: number, column?: number}} */
  selectedPlace: {},
  /** @type {string} */
  side: "lists",
  /** @type {string} */
  panel: "table",
  /** @type {{text: string, cancel: (() => void) | null} | null} */
  busy: null,
  /** The work that the service does for the table, in words for people. @type {string | null} */
  pending: null,
  /** The work that it does for the section that was pointed at. @type {string | null} */
  pointing: null,
  /** @type {{url: string | null, name: string, title: string}[]} */
  recent: [],
  /** URLs for back and forward. @type {{urls: string[], at: number}} */
  visited: { urls: [], at: -1 },
  /** Pages of the same template. @type {any[]} */
  moreObjects: [],
  /** What is drawn over the page in the view of domains. @type {any[]} */
  overlay: [],
  /** The database that is looked at. @type {string | null} */
  database: null,
  /** Render pages in the browser. */
  render: false,
  /** Load images of pages. */
  images: false,
  /** Images of the page that were loaded, by element. @type {[number, string][]} */
  pictures: [],
};

/** @type {Work[]} */
let past = [];
/** @type {Work[]} */
let future = [];
/** @type {Set<(changed: Set<string>) => void>} */
const listeners = new Set();
/** @type {Set<string>} */
let changed = new Set();

/**
 * Calls `listener` after changes, once for all that were made together.
 * @param {(changed: Set<string>) => void} listener
 */
export function subscribe(listener) {
  listeners.add(listener);
}

/** Whether nothing may be drawn now. */
let isHeld = false;

/** Changes the state. @param {Partial<typeof state>} patch */
export function update(patch) {
  Object.assign(state, patch);
  for (const key of Object.keys(patch)) touch(key);
}

/**
 * Says that something has changed: a part of the state, or what a view keeps for itself, by its key.
 * @param {string} key
 */
export function touch(key) {
  if (changed.size === 0) queueMicrotask(tellListeners);
  changed.add(key);
}

function tellListeners() {
  if (isHeld || !changed.size) return;
  const now = changed;
  changed = new Set();
  for (const listener of listeners) listener(now);
}

/** Keeps everything as it is on the screen until `release`. */
export function hold() {
  isHeld = true;
}

/** Shows what has changed in the meantime. */
export function release() {
  isHeld = false;
  tellListeners();
}

/**
 * Draws a view anew, if it is still the one that is shown: an answer that comes late must not lead a person back.
 * @param {"page" | "library" | "data" | "domains"} view
 */
export function redraw(view) {
  if (state.view === view) touch("news");
}

/** Changes what was decided, so that it can be undone. @param {Partial<Work>} patch */
export function decide(patch) {
  past.push(state.work);
  if (past.length > 500) past.shift();
  future = [];
  update({ work: { ...state.work, ...patch } });
}

/** Begins anew: nothing can be undone. @param {Work} work */
export function begin(work) {
  past = [];
  future = [];
  update({ work });
}

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/** Goes one step back or forward; false if there is none. @param {boolean} back */
export function step(back) {
  const [from, to] = back ? [past, future] : [future, past];
  const work = from.pop();
  if (!work) return false;
  to.push(state.work);
  update({ work });
  return true;
}

/** Takes the last decision back as if it had not been made: it cannot be redone. */
export function takeBack() {
  const work = past.pop();
  if (work) update({ work });
  return work !== undefined;
}

/** The history, for drafts. */
export const history = () => ({ past: past.slice(-50), future: future.slice(-50) });

/** @param {{past: Work[], future: Work[]}} kept @param {Work} work */
export function restore(kept, work) {
  past = kept.past ?? [];
  future = kept.future ?? [];
  update({ work });
}
