// @ts-check
/** Sections of the page: all of them, and the one that a person points at (DEUDS). */
import { post } from "./api.js";
import { painted } from "./dom.js";
import { tell } from "./frame_link.js";
import { pageBody } from "./requests.js";
import { state, update } from "./store.js";
import { complain } from "./toasts.js";

/** The running request about a section; a newer one cancels it. @type {AbortController | null} */
let running = null;

/** Milliseconds after the last key before a pattern is tried. */
const PAUSE = 300;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Ends the wait for a pattern that is still being typed. */
let endWait = () => {};

/** What runs last; false if there is no answer. @type {Promise<boolean>} */
let latest = Promise.resolve(true);

/** Waits until the pattern as it is now has an answer; false if it has none. */
export async function pointSettled() {
  for (;;) {
    const run = latest;
    const isAnswered = await run;
    if (run === latest) return isAnswered;
  }
}

/** Points at an element or a pattern. @param {{node: number} | {pattern: string}} target */
export function pointAt(target) {
  clearTimeout(timer);
  endWait();
  latest = ask(target);
  return latest;
}

/** Points at a pattern that is being typed, after a moment. @param {{pattern: string}} target */
export function pointSoon(target) {
  clearTimeout(timer);
  endWait();
  update({ pointing: "Reading the section" });
  latest = new Promise(resolve => {
    endWait = () => resolve(false);
    timer = setTimeout(() => ask(target).then(resolve), PAUSE);
  });
}

/** @param {{node: number} | {pattern: string}} target */
async function ask(target) {
  running?.abort();
  const controller = new AbortController();
  running = controller;
  // at once: a person may have gone elsewhere when the answer comes
  update({ pointing: "Reading the section", side: "point" });
  try {
    await painted();
    const body = { ...pageBody(), ...target, options: { max_rows: 50 } };
    const pointed = await post("/v1/point", body, controller.signal);
    if (running !== controller) return false;
    update({ pointed, problem: null, pointing: null });
    tell({ type: "scroll", node: pointed.node, block: "center" });
    return true;
  } catch (error) {
    if (running !== controller) return false;
    const { name, message, hint = null } = /** @type {any} */ (error);
    update({ pointing: null, ...(name === "AbortError" ? {} : { problem: { message, hint } }) });
    return false;
  }
}

/** Forgets what the service was asked about the page before. */
export function stopPointing() {
  clearTimeout(timer);
  endWait();
  running?.abort();
  running = null;
  update({ pointing: null });
}

/** Reads the sections of the page. */
export async function loadSections() {
  const { page } = state;
  if (state.sections || !page) return;
  try {
    const answer = await post("/v1/sections", pageBody());
    if (state.page === page) update({ sections: answer.pages[0].sections });
  } catch (error) {
    complain(error);
    if (state.page === page) update({ sections: [] });
  }
}
