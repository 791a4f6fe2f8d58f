// @ts-check
/** Small helpers to build elements. Texts always become text nodes, never HTML. */

/**
 * Creates an element.
 * @param {string} tag the tag, with classes after dots: `div.card.wide`
 * @param {Record<string, any> | null} [attributes] HTML attributes; `on…` are listeners, `false` and `null` are left out
 * @param {...any} children texts, elements, lists of these; `null` and `false` are left out
 * @returns {HTMLElement}
 */
export function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") setValue(element, value);
    else if (key === "class") element.className += ` ${value}`;
    else if (key.startsWith("--")) element.style.setProperty(key, value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** @param {HTMLElement} element @param {any[]} children */
function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

/** Sets the value of a field, and notes that it is not typed. @param {any} field @param {string} value */
function setValue(field, value) {
  if (field instanceof HTMLInputElement) field.defaultValue = value;
  field.value = value;
}

/** Empties a field, which may have been drawn anew since its form was sent. @param {string} id */
export function clearField(id) {
  const field = document.getElementById(id);
  if (field instanceof HTMLInputElement) field.value = "";
}

/** A button. @param {string} label @param {() => void} onClick @param {Record<string, any>} [attributes] */
export function button(label, onClick, attributes) {
  return h("button", { type: "button", onclick: onClick, ...attributes }, label);
}

/**
 * A button with a symbol, named for screen readers.
 * @param {string} symbol
 * @param {string} name
 * @param {() => void} onClick
 * @param {Record<string, any>} [attributes]
 */
export function iconButton(symbol, name, onClick, attributes) {
  return h("button.icon", { type: "button", "aria-label": name, title: name, onclick: onClick, ...attributes },
    h("span", { "aria-hidden": "true" }, symbol));
}

/** A field with its label. @param {string} label @param {HTMLElement} field @param {string} [hint] */
export function labelled(label, field, hint) {
  return h("label.field", null, h("span", null, label), field, hint ? h("small", null, hint) : null);
}

/** A message for a panel that has nothing to show. @param {string} title @param {...any} more */
export function empty(title, ...more) {
  return h("div.empty", null, h("p", null, h("strong", null, title)), more);
}

/**
 * Tabs.
 * @param {string} name
 * @param {[string, string][]} entries keys and labels
 * @param {string} current
 * @param {(key: string) => void} onChoose
 */
export function tabs(name, entries, current, onChoose) {
  const step = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const at = entries.findIndex(([key]) => key === current);
    const next = entries[(at + by + entries.length) % entries.length][0];
    onChoose(next);
    requestAnimationFrame(() => document.getElementById(`tab-${name}-${next}`)?.focus());
  };
  return h("div.tabs", { role: "tablist", "aria-label": name, onkeydown: step }, entries.map(([key, label]) =>
    h("button", {
      type: "button", role: "tab", id: `tab-${name}-${key}`, "aria-selected": String(key === current),
      tabindex: key === current ? "0" : "-1", onclick: () => onChoose(key),
    }, label)));
}

/** Waits until the browser has shown what was changed, or for a moment if the window is hidden. @returns {Promise<void>} */
export const painted = () => new Promise(resolve => {
  const later = setTimeout(resolve, 100);
  requestAnimationFrame(() => setTimeout(() => { clearTimeout(later); resolve(); }));
});

/** Downloads data under a name. @param {string} name @param {Blob} data */
export function download(name, data) {
  const url = URL.createObjectURL(data);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {number} number @param {string} one @param {string} [many] */
export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** @param {string} text @param {number} [most] */
export const short = (text, most = 80) => text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** A moment, in the manner of the person's country. @param {string | number} moment */
export const when = moment => {
  const time = new Date(moment);
  return Number.isNaN(time.getTime()) ? String(moment) : time.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
};
