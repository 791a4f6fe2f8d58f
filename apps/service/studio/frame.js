// The only script of the frame that shows a page. It creates the elements of the copy that the studio sends, marks
// some of them, and reports what is pointed at. The frame has no origin: it can reach nothing but its parent.
"use strict";
(() => {
  const studio = window.parent;
  const studioOrigin = new URL(location.href).origin;
  const TAGS = new Set(("a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col " +
    "colgroup dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i " +
    "img ins kbd li main mark menu nav nobr ol p picture pre q rp rt ruby s samp search section small span strike " +
    "strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr").split(" "));
  const ATTRIBUTES = new Set(("align alt bgcolor border cellpadding cellspacing class color cols colspan datetime dir " +
    "face height hidden id lang nowrap open reversed rowspan size span start style title valign width").split(" "));
  const IMAGE = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$/;
  const MARKS = `
    [data-copal-record] { outline: 1px dashed rgba(90, 90, 110, .55) !important; outline-offset: 1px !important; }
    [data-copal-cell] { background-image: linear-gradient(var(--copal-tint), var(--copal-tint)) !important;
      box-shadow: 0 0 0 2px var(--copal-colour) !important; border-radius: 2px !important; }
    [data-copal-annotation] { box-shadow: inset 0 -3px 0 var(--copal-colour) !important; }
    [data-copal-lit] { outline: 3px solid #e08a00 !important; outline-offset: 1px !important; }
    [data-copal-selected] { outline: 2px solid #555 !important; outline-offset: 1px !important; }
    [data-copal-match] { outline: 2px solid #7a4fd0 !important; }
    [data-copal-chosen] { background: #c9ccd3 !important; outline: 2px solid #555 !important; }
    [data-copal-found] { background-color: #ffe27a !important; }
    [data-copal-pointed] { outline: 2px solid #d22 !important; outline-offset: 0 !important; cursor: crosshair !important; }
    html { scroll-behavior: auto; }`;
  /** @type {Map<number, HTMLElement>} */
  let elements = new Map();
  /** @type {WeakMap<Node, number>} */
  let numbers = new WeakMap();
  /** @type {Map<number, {record?: number, column?: number}>} */
  let places = new Map();
  /** The records and cells that are marked now, so that only differences are changed. */
  const nothing = () => ({ isRecord: new Set(), /** @type {Map<number, number>} */ columns: new Map() });
  let marked = nothing();
  const root = document.documentElement;
  /** @type {HTMLElement} */
  let body;
  /** @type {Element | null} */
  let pointed = null;

  const send = (/** @type {object} */ message) => studio.postMessage(message, studioOrigin);
  /** A stylesheet; what it imports is left out. */
  const style = (/** @type {string} */ text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  };

  /** Creates the elements of a page one by one: no text is ever parsed as HTML. */
  function show(/** @type {any[]} */ shown, /** @type {string[]} */ styles) {
    elements = new Map();
    numbers = new WeakMap();
    places = new Map();
    marked = nothing();
    document.adoptedStyleSheets = [...styles, MARKS].map(style);
    const fresh = document.createElement("body");
    for (const [number, parent, what, attributes] of shown) {
      const into = elements.get(parent) ?? fresh;
      if (attributes === undefined) {
        into.append(document.createTextNode(what));
        continue;
      }
      const element = document.createElement(TAGS.has(what) ? what : "div");
      for (const [name, value] of Object.entries(attributes)) {
        if (ATTRIBUTES.has(name) || (name === "src" && what === "img" && IMAGE.test(value))) {
          try { element.setAttribute(name, value); } catch { /* a name that no attribute can have */ }
        }
      }
      element.dataset.n = String(number);
      elements.set(number, element);
      numbers.set(element, number);
      into.append(element);
    }
    body.replaceWith(fresh);
    body = fresh;
    window.scrollTo(0, 0);
    send({ type: "shown", elements: elements.size });
  }

  /** Shows images that the studio has loaded. The policy of this frame admits no others than those in messages. */
  function picture(/** @type {[number, string][]} */ pictures) {
    for (const [node, data] of pictures) {
      const element = elements.get(node);
      if (element?.tagName === "IMG" && IMAGE.test(data)) element.setAttribute("src", data);
    }
  }

  function clear(/** @type {string} */ name) {
    for (const element of root.querySelectorAll(`[${name}]`)) element.removeAttribute(name);
  }

  const attribute = (/** @type {number[]} */ nodes, /** @type {string} */ name) => {
    clear(name);
    for (const node of nodes) elements.get(node)?.setAttribute(name, "");
  };

  /**
   * Marks records, cells and annotations. Records and cells come as numbers in a row, which cost little to send:
   * element and record; element, record and column. A large list has thousands, most of which stay as they are.
   */
  function mark(/** @type {any} */ { records, cells, colours, annotations }) {
    places = new Map();
    const isRecord = new Set();
    /** @type {Map<number, number>} */
    const columns = new Map();
    for (let at = 0; at < records.length; at += 2) {
      places.set(records[at], { record: records[at + 1] });
      isRecord.add(records[at]);
    }
    for (let at = 0; at < cells.length; at += 3) {
      places.set(cells[at], { record: cells[at + 1], column: cells[at + 2] });
      columns.set(cells[at], cells[at + 2]);
    }
    for (const node of marked.isRecord) if (!isRecord.has(node)) elements.get(node)?.removeAttribute("data-copal-record");
    for (const node of marked.columns.keys()) if (!columns.has(node)) elements.get(node)?.removeAttribute("data-copal-cell");
    for (const node of isRecord) if (!marked.isRecord.has(node)) elements.get(node)?.setAttribute("data-copal-record", "");
    for (const [node, column] of columns) {
      if (marked.columns.get(node) !== column) paint(node, "data-copal-cell", colours[column]);
    }
    marked = { isRecord, columns };
    clear("data-copal-annotation");
    for (const { node, colour, tint, annotation } of annotations) {
      const element = paint(node, "data-copal-annotation", [colour, tint]);
      if (element) element.title = annotation;
    }
  }

  function paint(/** @type {number} */ node, /** @type {string} */ name, /** @type {[string, string]} */ [colour, tint]) {
    const element = elements.get(node);
    element?.setAttribute(name, "");
    element?.style.setProperty("--copal-colour", colour);
    element?.style.setProperty("--copal-tint", tint);
    return element;
  }

  /** The number of the nearest element of the page. */
  function numberOf(/** @type {EventTarget | null} */ target) {
    let element = target instanceof Element ? target : null;
    while (element && !numbers.has(element)) element = element.parentElement;
    return element ? numbers.get(element) : undefined;
  }

  /** The record and the column that an element belongs to. */
  function placeOf(/** @type {number | undefined} */ node) {
    /** @type {{record?: number, column?: number}} */
    const place = {};
    let element = node === undefined ? null : elements.get(node) ?? null;
    while (element) {
      const own = places.get(numbers.get(element) ?? -1);
      place.column ??= own?.column;
      place.record ??= own?.record;
      element = element.parentElement;
    }
    return place;
  }

  /** Scrolls to an element; to the middle only if it is not in view. */
  function scroll(/** @type {HTMLElement | undefined} */ element, /** @type {ScrollLogicalPosition} */ block) {
    const { top = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
    const isInView = top >= 0 && top + Math.min(height, 60) <= innerHeight;
    if (block !== "center" || !isInView) element?.scrollIntoView({ block });
  }

  function find(/** @type {string} */ text, /** @type {number} */ step) {
    clear("data-copal-found");
    const wanted = text.trim().toLowerCase();
    if (!wanted) return send({ type: "found", count: 0, at: 0 });
    const hits = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && hits.length < 1000) {
      const parent = walker.currentNode.parentElement;
      if (parent && (walker.currentNode.textContent ?? "").toLowerCase().includes(wanted)) hits.push(parent);
    }
    hits.forEach(hit => hit.setAttribute("data-copal-found", ""));
    const at = hits.length ? ((step % hits.length) + hits.length) % hits.length : 0;
    hits[at]?.scrollIntoView({ block: "center" });
    send({ type: "found", count: hits.length, at });
  }

  window.addEventListener("message", event => {
    if (event.source !== studio || event.origin !== studioOrigin) return;
    const message = event.data;
    if (message.type === "page") show(message.shown, message.styles);
    else if (message.type === "marks") mark(message);
    else if (message.type === "selected") attribute(message.nodes, "data-copal-selected");
    else if (message.type === "lit") attribute(message.nodes, "data-copal-lit");
    else if (message.type === "matches") attribute(message.nodes, "data-copal-match");
    else if (message.type === "chosen") attribute(message.nodes, "data-copal-chosen");
    else if (message.type === "scroll") scroll(elements.get(message.node), message.block ?? "nearest");
    else if (message.type === "pictures") picture(message.pictures);
    else if (message.type === "find") find(message.text, message.step);
  });
  window.addEventListener("mouseover", event => {
    const node = numberOf(event.target);
    const element = node === undefined ? null : elements.get(node) ?? null;
    if (element === pointed) return;
    pointed?.removeAttribute("data-copal-pointed");
    pointed = element;
    pointed?.setAttribute("data-copal-pointed", "");
    send({ type: "hover", node, ...placeOf(node) });
  });
  root.addEventListener("mouseleave", () => {
    pointed?.removeAttribute("data-copal-pointed");
    pointed = null;
    send({ type: "hover" });
  });
  window.addEventListener("click", event => {
    event.preventDefault();
    const node = numberOf(event.target);
    if (node === undefined) return;
    // at once: the studio and the service may take longer
    attribute([node], "data-copal-selected");
    send({ type: "click", node, shift: event.shiftKey, ...placeOf(node) });
  }, true);
  window.addEventListener("keydown", event => {
    const isCommand = event.ctrlKey || event.metaKey || event.key === "Escape";
    if (isCommand && event.key !== "c") {
      send({ type: "key", key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey });
      if (event.key === "z" || event.key === "f") event.preventDefault();
    }
  });
  window.addEventListener("DOMContentLoaded", () => {
    body = document.body;
    send({ type: "ready" });
  });
})();
