// @ts-check
/** The tree of the page's elements. Enter or a click does what a click on the page does. */
import { choose } from "./actions.js";
import { h, short } from "./dom.js";
import { tell } from "./frame_link.js";
import { state, update } from "./store.js";

/** Elements that are open. @type {Set<number>} */
let open = new Set();
/** The page that they belong to. @type {any} */
let page = null;
/** @type {number | null} */
let focused = null;
/** Rows that are shown at most. */
const MAX_ROWS = 1500;

/** Opens everything around an element. @param {number} node */
export function reveal(node) {
  for (const element of state.tree?.path(node).slice(0, -1) ?? []) open.add(element.node);
  focused = node;
}

export function elementsPanel() {
  const { tree } = state;
  if (!tree) return [];
  if (page !== state.page) {
    page = state.page;
    open = new Set();
    focused = null;
    for (const root of tree.roots) open.add(root);
    const body = [...tree.elements.values()].find(element => element.tag === "body");
    if (body) open.add(body.node);
  }
  if (state.selected !== null && focused !== state.selected) reveal(state.selected);
  const rows = visible();
  const list = h("div.tree", { role: "tree", "aria-label": "Elements of the page", onkeydown: step },
    rows.slice(0, MAX_ROWS).map(([node, depth]) => row(node, depth)));
  requestAnimationFrame(() => list.querySelector(".selected")?.scrollIntoView({ block: "nearest" }));
  return [h("p.note", null, "Arrows walk the tree, Enter clicks."), list,
    rows.length > MAX_ROWS ? h("p.note", null, `… and ${rows.length - MAX_ROWS} more`) : null];
}

/** The rows that are shown: elements and their depths. @returns {[number, number][]} */
function visible() {
  /** @type {[number, number][]} */
  const rows = [];
  /** @type {[number, number][]} */
  const waiting = (state.tree?.roots ?? []).map(root => /** @type {[number, number]} */ ([root, 0])).reverse();
  while (waiting.length) {
    const [node, depth] = /** @type {[number, number]} */ (waiting.pop());
    rows.push([node, depth]);
    if (open.has(node)) for (const child of (state.tree?.elements.get(node)?.children ?? []).slice().reverse()) waiting.push([child, depth + 1]);
  }
  return rows;
}

/** @param {number} node @param {number} depth */
function row(node, depth) {
  const element = /** @type {any} */ (state.tree?.elements.get(node));
  const isFocused = (focused ?? state.tree?.roots[0]) === node;
  const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${short(String(value), 24)}"`).join("");
  const hasChildren = element.children.length > 0;
  return h("div.node", {
    role: "treeitem", "data-node": node, "aria-level": depth + 1, tabindex: isFocused ? "0" : "-1",
    "aria-expanded": hasChildren ? String(open.has(node)) : null, "aria-selected": String(state.selected === node),
    class: state.selected === node ? "selected" : "", "--depth": depth,
    onclick: (/** @type {MouseEvent} */ event) => click(event, node),
    onmouseenter: () => tell({ type: "lit", nodes: [node] }), onmouseleave: () => tell({ type: "lit", nodes: [] }),
    onfocus: () => { tell({ type: "lit", nodes: [node] }); tell({ type: "scroll", node }); },
  },
  h("span.twist", { "aria-hidden": "true" }, hasChildren ? (open.has(node) ? "▾" : "▸") : ""),
  h("code", null, h("b", null, element.tag), h("i", null, short(attributes, 60))),
  h("span.text", null, short(state.tree?.texts.get(node) ?? "", 50)));
}

/** @param {MouseEvent} event @param {number} node */
function click(event, node) {
  if (/** @type {HTMLElement} */ (event.target).classList.contains("twist")) {
    if (!open.delete(node)) open.add(node);
    return redraw(node);
  }
  focused = node;
  tell({ type: "scroll", node });
  choose(node, {});
}

/** @param {number} node */
function redraw(node) {
  focused = node;
  update({ side: "elements" });
  requestAnimationFrame(() => requestAnimationFrame(() =>
    /** @type {HTMLElement | null} */ (document.querySelector(`.tree [data-node="${node}"]`))?.focus()));
}

/** @param {KeyboardEvent} event */
function step(event) {
  const current = Number(/** @type {HTMLElement} */ (event.target).dataset.node);
  const rows = visible().map(([node]) => node);
  const at = rows.indexOf(current);
  const element = state.tree?.elements.get(current);
  if (!element) return;
  /** @type {number | undefined} */
  let next;
  if (event.key === "ArrowDown") next = rows[at + 1];
  else if (event.key === "ArrowUp") next = rows[at - 1];
  else if (event.key === "Home") next = rows[0];
  else if (event.key === "ArrowRight") {
    next = open.has(current) ? element.children[0] : current;
    if (element.children.length) open.add(current);
  } else if (event.key === "ArrowLeft") {
    next = open.delete(current) ? current : element.parent;
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(current, placeOf(current));
    return redraw(current);
  } else return;
  event.preventDefault();
  if (next !== undefined && state.tree?.elements.has(next)) redraw(next);
}

/** The record around an element. @param {number} node */
function placeOf(node) {
  const records = state.result?.answer?.regions?.[0]?.records ?? [];
  const around = new Set(state.tree?.path(node).map(element => element.node));
  const at = records.findIndex((/** @type {any} */ record) =>
    record.xpaths.some((/** @type {string} */ xpath) => around.has(state.tree?.at(xpath) ?? -1)));
  return at < 0 ? {} : { record: at };
}
