// @ts-check
/** Work that may take long, and what requests about the current page contain. */
import { state, update } from "./store.js";
import { clearErrors, complain } from "./toasts.js";

/** What runs, the newest last. @type {{text: string, cancel: () => void}[]} */
const running = [];

const showNewest = () => update({ busy: running.at(-1) ?? null });

/**
 * Runs work that may take long: shows what is done, and can be cancelled. What went wrong before is forgotten.
 * @template T
 * @param {string} text
 * @param {(signal: AbortSignal, say: (text: string) => void) => Promise<T>} work `say` changes the text
 * @param {AbortController} [controller]
 * @returns {Promise<T | null>}
 */
export async function busy(text, work, controller = new AbortController()) {
  clearErrors();
  const entry = { text, cancel: () => controller.abort() };
  running.push(entry);
  showNewest();
  const say = (/** @type {string} */ next) => {
    entry.text = next;
    showNewest();
  };
  try {
    return await work(controller.signal, say);
  } catch (error) {
    complain(error);
    return null;
  } finally {
    running.splice(running.indexOf(entry), 1);
    showNewest();
  }
}

/** What every request about the current page contains. */
export const pageBody = () => ({ html: state.page.source, ...(state.page.url ? { url: state.page.url } : {}) });

/** Pages of the same template, as requests contain them. */
export const morePages = () => state.moreObjects.map(one =>
  ({ html: one.source, ...(one.url ? { url: one.url } : {}), name: one.name }));
