// @ts-check
/** The keyboard: what each key does, and the list of keys for people. */
import { undo } from "./actions.js";
import { h, button } from "./dom.js";
import { tell } from "./frame_link.js";
import { state, update } from "./store.js";

/** @type {[string, string][]} */
const KEYS = [
  ["Ctrl Z / Ctrl Shift Z", "undo, redo"],
  ["Ctrl L", "go to the address field"],
  ["Ctrl F", "find in the page"],
  ["Esc", "stop what is running, put a tool away"],
  ["Alt 1 … 4", "lists, sections, elements, point"],
  ["Alt 5 … 8", "page, library, data, domains"],
  ["Alt T / W / Y / K", "table, wrapper, try, keep"],
  ["Alt E", "choose two example records"],
  ["Alt C", "add a column by clicking a text"],
  ["Alt X", "exclude records by clicking them"],
  ["Alt I", "take records in by clicking one that is missing"],
  ["Alt P", "point at a section"],
  ["Y / N", "answer the learner, in the view of domains"],
  ["Arrows in the elements", "walk the tree; Enter clicks the element"],
  ["F2 in a column's head", "rename the column; Alt ← → moves it"],
  ["?", "this list"],
];

/** @type {Record<string, () => void>} */
const ALT = {
  1: () => update({ side: "lists" }), 2: () => update({ side: "sections" }), 3: () => update({ side: "elements" }),
  4: () => update({ side: "point" }), t: () => update({ panel: "table" }), w: () => update({ panel: "wrapper" }),
  y: () => update({ panel: "try" }), k: () => update({ panel: "keep" }),
  e: () => update({ tool: "examples", examples: [] }), c: () => update({ tool: "column" }),
  x: () => update({ tool: "exclude" }), i: () => update({ tool: "include" }),
  p: () => update({ tool: "point", side: "point" }),
};

/** Views by their keys; they can be reached from everywhere. @type {Record<string, typeof state.view>} */
const VIEWS = { 5: "page", 6: "library", 7: "data", 8: "domains" };

/**
 * Handles a key, of the studio or of the frame; true if it meant something.
 * @param {{key: string, ctrl: boolean, shift: boolean, alt?: boolean}} pressed
 * @param {boolean} isTyping
 */
export function press({ key, ctrl, shift, alt = false }, isTyping) {
  const lower = key.toLowerCase();
  if (ctrl && lower === "z" && !isTyping) undo(!shift);
  else if (ctrl && lower === "y" && !isTyping) undo(false);
  else if (ctrl && lower === "l") focus("address");
  else if (ctrl && lower === "f" && state.page) focus("find");
  else if (key === "Escape") {
    state.busy?.cancel?.();
    update({ tool: "look", examples: [], selected: null });
    tell({ type: "selected", nodes: [] });
    return false;
  } else if (alt && VIEWS[lower]) {
    update({ view: VIEWS[lower] });
    requestAnimationFrame(() => document.getElementById(`view-${VIEWS[lower]}`)?.focus());
  } else if (alt && state.page && state.view === "page" && ALT[lower]) ALT[lower]();
  else if (key === "?" && !isTyping) showKeys();
  else return false;
  return true;
}

/** @param {string} id */
function focus(id) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
  field?.focus();
  field?.select();
}

export function listenToKeys() {
  window.addEventListener("keydown", event => {
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.matches("input, textarea, select, [contenteditable]");
    const pressed = { key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey, alt: event.altKey };
    if (press(pressed, isTyping)) event.preventDefault();
  });
}

export function showKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { "aria-label": "Keys", onclose: () => dialog.remove() },
    h("h2", null, "Keys"),
    h("table.keys", null, h("tbody", null, KEYS.map(([keys, what]) =>
      h("tr", null, h("th", { scope: "row" }, h("kbd", null, keys)), h("td", null, what))))),
    button("Close", () => dialog.close(), { class: "primary" })));
  document.body.append(dialog);
  dialog.showModal();
}
