// @ts-check
/** The elements of a page, for XPaths and the tree view. */

export class PageTree {
  /** @param {[number, number, string, Record<string, string>][]} elements @param {any[][]} shown */
  constructor(elements, shown) {
    /** @type {Map<number, {node: number, parent: number, tag: string, attributes: Record<string, string>, children: number[]}>} */
    this.elements = new Map();
    /** @type {number[]} */
    this.roots = [];
    /** Texts by the element that shows them. @type {Map<number, string>} */
    this.texts = new Map();
    for (const [node, parent, tag, attributes] of elements) {
      this.elements.set(node, { node, parent, tag, attributes, children: [] });
      const above = this.elements.get(parent);
      if (above) above.children.push(node);
      else this.roots.push(node);
    }
    for (const [, parent, text, attributes] of shown) {
      const own = attributes === undefined ? text.trim() : "";
      if (own) this.texts.set(parent, `${this.texts.get(parent) ?? ""} ${own}`.trim());
    }
    /** @type {Map<string, number | null>} */
    this.known = new Map();
    /** Children by their tags, for parents that an XPath went through; `null` is the document. @type {Map<number | null, Map<string, number[]>>} */
    this.byTag = new Map();
  }

  /**
   * The element at an XPath as the service writes them; `null` if there is none.
   * @param {string | null | undefined} xpath
   * @returns {number | null}
   */
  at(xpath) {
    if (!xpath || xpath === "/") return null;
    const kept = this.known.get(xpath);
    if (kept !== undefined) return kept;
    const cut = lastStep(xpath);
    const parent = cut > 0 ? this.at(xpath.slice(0, cut)) : null;
    const match = /^\/(?:\*\[name\(\)=(['"])(.*)\1\]|([^[\]]+))(?:\[(\d+)\])?$/.exec(xpath.slice(cut));
    const tag = match?.[2] ?? match?.[3];
    const same = cut > 0 && parent === null ? [] : this.children(parent).get(tag ?? "") ?? [];
    const found = same[Number(match?.[4] ?? 1) - 1] ?? null;
    this.known.set(xpath, found);
    return found;
  }

  /** The children of an element, by their tags. A list has thousands of siblings, so that they are sorted once. @param {number | null} parent */
  children(parent) {
    let byTag = this.byTag.get(parent);
    if (!byTag) {
      byTag = new Map();
      for (const child of parent === null ? this.roots : this.elements.get(parent)?.children ?? []) {
        const tag = this.elements.get(child)?.tag ?? "";
        const same = byTag.get(tag);
        if (same) same.push(child);
        else byTag.set(tag, [child]);
      }
      this.byTag.set(parent, byTag);
    }
    return byTag;
  }

  /** An element and those around it, from the outside in. @param {number} node */
  path(node) {
    const path = [];
    for (let at = this.elements.get(node); at; at = this.elements.get(at.parent)) path.unshift(at);
    return path;
  }

  /** The beginning of the text in an element. @param {number} node @param {number} [most] */
  textOf(node, most = 60) {
    let text = "";
    const waiting = [node];
    while (waiting.length && text.length < most) {
      const at = /** @type {number} */ (waiting.pop());
      text = `${text} ${this.texts.get(at) ?? ""}`.trim();
      waiting.push(...(this.elements.get(at)?.children ?? []).slice().reverse());
    }
    return text.replace(/\s+/g, " ").slice(0, most);
  }
}

/** Where the last step of an XPath begins. Names in quotes may contain slashes. @param {string} xpath */
function lastStep(xpath) {
  let quote = "";
  let at = 0;
  for (let i = 0; i < xpath.length; i++) {
    const c = xpath[i];
    if (quote) quote = c === quote ? "" : quote;
    else if (c === "'" || c === '"') quote = c;
    else if (c === "/") at = i;
  }
  return at;
}
