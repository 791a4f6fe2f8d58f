// @ts-check
/**
 * The tree of the page's elements. Enter or a click does what a click on the page does.
 *
 * A large page has tens of thousands of elements: only the rows in view are in the document, at their places in a box
 * that is as high as all of them, and the row that has the focus. Levels and positions are stated for screen readers.
 */
import { choose } from "./actions.js";
import { h, short } from "./dom.js";
import { tell } from "./frame_link.js";
import { state } from "./store.js";

/** Pixels of a row, as in `layout.css`. */
const ROW_HEIGHT = 21;
/** Rows above and below those in view. */
const MARGIN_ROWS = 15;
/** Rows that are drawn before the height of the panel is known. */
const FIRST_ROWS = 60;

/** Elements that are open. @type {Set<number>} */
let open = new Set();
/** The page that they belong to. @type {any} */
let page = null;
/** @type {number | null} */
let focused = null;
/** The selection that was revealed last. @type {number | null} */
let revealed = null;
/** All rows that are not hidden in a closed element, with their depths. @type {[number, number][]} */
let rows = [];
/** Where each element is among them. @type {Map<number, number>} */
let places = new Map();
/** Rows in the document, by their elements. @type {Map<number, HTMLElement>} */
let drawn = new Map();
/** @type {{tree: HTMLElement, box: HTMLElement} | null} */
let shown = null;

export function elementsPanel() {
  const { tree } = state;
  if (!tree) return [];
  if (page !== state.page) {
    page = state.page;
    open = new Set(tree.roots);
    focused = revealed = null;
    const body = [...tree.elements.values()].find(element => element.tag === "body");
    if (body) open.add(body.node);
  }
  drawn = new Map();
  const box = h("div.rows", { role: "none" });
  const list = h("div.tree", {
    role: "tree", "aria-label": "Elements of the page", onkeydown: step, onscroll: () => drawRows(),
  }, box);
  shown = { tree: list, box };
  if (state.selected !== null) reveal(state.selected);
  listRows();
  drawRows();
  requestAnimationFrame(() => {
    if (shown?.tree === list) scrollTo(focused ?? -1);
  });
  return [h("p.note", null, "Arrows walk the tree, Enter clicks."), list];
}

/** Follows a new selection; false if the panel has to be drawn anew. @param {Set<string>} changed */
export function renewElements(changed) {
  if (changed.has("page") || !shown?.tree.isConnected) return false;
  if (state.selected !== null && state.selected !== revealed) {
    if (reveal(state.selected)) listRows();
    scrollTo(state.selected);
  }
  drawRows();
  return true;
}

/** Opens everything around an element; true if something was closed. @param {number} node */
function reveal(node) {
  const before = open.size;
  for (const element of state.tree?.path(node).slice(0, -1) ?? []) open.add(element.node);
  focused = revealed = node;
  return open.size !== before;
}

/** Lists the rows that are not hidden. */
function listRows() {
  rows = [];
  places = new Map();
  /** @type {[number, number][]} */
  const waiting = (state.tree?.roots ?? []).map(root => /** @type {[number, number]} */ ([root, 0])).reverse();
  while (waiting.length) {
    const [node, depth] = /** @type {[number, number]} */ (waiting.pop());
    places.set(node, rows.length);
    rows.push([node, depth]);
    const children = open.has(node) ? state.tree?.elements.get(node)?.children ?? [] : [];
    for (let at = children.length - 1; at >= 0; at--) waiting.push([children[at], depth + 1]);
  }
  shown?.box.style.setProperty("height", `${rows.length * ROW_HEIGHT}px`);
}

/** Puts the rows in view into the document, and takes the others out. */
function drawRows() {
  if (!shown) return;
  const { tree, box } = shown;
  const height = tree.isConnected ? tree.clientHeight : FIRST_ROWS * ROW_HEIGHT;
  const first = Math.max(0, Math.floor(tree.scrollTop / ROW_HEIGHT) - MARGIN_ROWS);
  const end = Math.min(rows.length, Math.ceil((tree.scrollTop + height) / ROW_HEIGHT) + MARGIN_ROWS);
  // the focus must not get lost, and Tab must lead to it
  const current = places.get(focused ?? -1) ?? 0;
  const wanted = rows.slice(first, end).map(([node]) => node);
  if (current < first && rows.length) wanted.unshift(rows[current][0]);
  else if (current >= end && rows.length) wanted.push(rows[current][0]);
  const isWanted = new Set(wanted);
  for (const [node, element] of drawn) {
    if (isWanted.has(node)) continue;
    element.remove();
    drawn.delete(node);
  }
  /** @type {Element | null} */
  let next = box.firstElementChild;
  for (const node of wanted) {
    let element = drawn.get(node);
    if (element && element === next) next = next.nextElementSibling;
    else {
      element ??= row(node);
      drawn.set(node, element);
      box.insertBefore(element, next);
    }
    renewRow(element, node, rows[current][0] === node);
  }
}

/** The parts of a row that stay. @param {number} node */
function row(node) {
  const element = /** @type {any} */ (state.tree?.elements.get(node));
  const siblings = state.tree?.elements.get(element.parent)?.children ?? state.tree?.roots ?? [];
  const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${short(String(value), 24)}"`).join("");
  return h("div.node", {
    role: "treeitem", "data-node": node, "aria-setsize": siblings.length, "aria-posinset": siblings.indexOf(node) + 1,
    onclick: (/** @type {MouseEvent} */ event) => click(event, node),
    onmouseenter: () => tell({ type: "lit", nodes: [node] }), onmouseleave: () => tell({ type: "lit", nodes: [] }),
    onfocus: () => { tell({ type: "lit", nodes: [node] }); tell({ type: "scroll", node }); },
  },
  h("span.twist", { "aria-hidden": "true" }),
  h("code", null, h("b", null, element.tag), h("i", null, short(attributes, 60))),
  h("span.text", null, short(state.tree?.texts.get(node) ?? "", 50)));
}

/** The parts of a row that change. @param {HTMLElement} element @param {number} node @param {boolean} isCurrent */
function renewRow(element, node, isCurrent) {
  const at = places.get(node) ?? 0;
  const isOpen = open.has(node);
  const hasChildren = Boolean(state.tree?.elements.get(node)?.children.length);
  const isSelected = state.selected === node;
  const text = hasChildren ? (isOpen ? "▾" : "▸") : "";
  element.style.setProperty("--at", String(at));
  element.style.setProperty("--depth", String(rows[at][1]));
  element.setAttribute("aria-level", String(rows[at][1] + 1));
  if (hasChildren) element.setAttribute("aria-expanded", String(isOpen));
  element.setAttribute("aria-selected", String(isSelected));
  element.classList.toggle("selected", isSelected);
  element.tabIndex = isCurrent ? 0 : -1;
  const twist = /** @type {HTMLElement} */ (element.firstElementChild);
  if (twist.textContent !== text) twist.textContent = text;
}

/** Scrolls a row into view, if it is not. @param {number} node */
function scrollTo(node) {
  const at = places.get(node);
  if (at === undefined || !shown) return;
  const { tree } = shown;
  const top = at * ROW_HEIGHT;
  if (top < tree.scrollTop) tree.scrollTop = top;
  else if (top + ROW_HEIGHT > tree.scrollTop + tree.clientHeight) tree.scrollTop = top + ROW_HEIGHT - tree.clientHeight;
}

/** @param {MouseEvent} event @param {number} node */
function click(event, node) {
  if (/** @type {HTMLElement} */ (event.target).classList.contains("twist")) {
    if (!open.delete(node)) open.add(node);
    listRows();
    return focus(node);
  }
  focus(node);
  choose(node, placeOf(node));
}

/** Gives a row the focus. @param {number} node */
function focus(node) {
  focused = node;
  scrollTo(node);
  drawRows();
  drawn.get(node)?.focus({ preventScroll: true });
}

/** @param {KeyboardEvent} event */
function step(event) {
  const current = Number(/** @type {HTMLElement} */ (event.target).dataset.node);
  const element = state.tree?.elements.get(current);
  const at = places.get(current);
  if (!element || at === undefined) return;
  const onePage = Math.max(1, Math.floor((shown?.tree.clientHeight ?? 0) / ROW_HEIGHT) - 1);
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: onePage, PageUp: -onePage, Home: -rows.length, End: rows.length }[event.key];
  /** @type {number | undefined} */
  let next;
  if (by !== undefined) next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)][0];
  else if (event.key === "ArrowRight" && element.children.length) {
    next = open.has(current) ? element.children[0] : current;
    open.add(current);
  } else if (event.key === "ArrowLeft") {
    next = open.delete(current) ? current : element.parent;
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    return choose(current, placeOf(current));
  } else return;
  event.preventDefault();
  if (next === undefined || !state.tree?.elements.has(next)) return;
  if (by === undefined) listRows();
  focus(next);
}

/** The record around an element. @param {number} node */
function placeOf(node) {
  const records = state.result?.answer?.regions?.[0]?.records ?? [];
  const around = new Set(state.tree?.path(node).map(element => element.node));
  const at = records.findIndex((/** @type {any} */ record) =>
    record.xpaths.some((/** @type {string} */ xpath) => around.has(state.tree?.at(xpath) ?? -1)));
  return at < 0 ? {} : { record: at };
}
