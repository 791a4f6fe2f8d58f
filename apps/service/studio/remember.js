// @ts-check
/**
 * What a person loses when a part of the screen is drawn anew: the focus, the selection, and what was typed or chosen.
 * An answer may come at any time, so all of it is put back.
 */

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/** Text of an element that is compared, at most. */
const MAX_TEXT = 80;

/** What an element is called, to find it again after it was drawn anew. @param {Element} element */
function signature(element) {
  const isField = element.matches("input, textarea, select");
  const name = element.getAttribute("aria-label") ?? (isField ? element.getAttribute("placeholder") : element.textContent) ?? "";
  return [element.tagName, element.getAttribute("role"), element.getAttribute("type"), name.slice(0, MAX_TEXT)].join("\n");
}

/**
 * The element that was drawn in place of another one: the head of the same column, or the one with its id.
 * @param {HTMLElement} element
 * @returns {HTMLElement | null}
 */
export function successor(element) {
  if (element.isConnected) return element;
  const { id, dataset } = element;
  const same = dataset.name === undefined ? null
    : /** @type {HTMLElement | null} */ (document.querySelector(`#panel [data-name="${CSS.escape(dataset.name)}"]`));
  return same ?? (id ? document.getElementById(id) : null);
}

/**
 * A way to find an element again: as its successor, or by how many elements of the same name are before it.
 * @param {Element} place
 * @param {HTMLElement} element
 * @returns {() => HTMLElement | null}
 */
function finder(place, element) {
  if (element.id) return () => successor(element);
  const wanted = signature(element);
  const tag = element.tagName;
  const same = () => [...place.querySelectorAll(tag)].filter(one => signature(one) === wanted);
  const at = same().indexOf(element);
  return () => {
    const now = same();
    return /** @type {HTMLElement | null} */ (now[Math.min(at, now.length - 1)] ?? null);
  };
}

/** Whether a person has changed a field. @param {Field} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement) return [...field.options].some(option => option.selected !== option.defaultSelected);
  if (field instanceof HTMLInputElement && field.type === "file") return Boolean(field.files?.length);
  if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) return false;
  return field.value !== field.defaultValue;
}

/** Puts what was typed or chosen into a new field, unless that has another value than the old one had. @param {Field} old @param {Element | null} field */
function refill(old, field) {
  if (field === old) return;
  if (old instanceof HTMLSelectElement && field instanceof HTMLSelectElement) {
    if ([...field.options].some(option => option.value === old.value)) field.value = old.value;
  } else if (old instanceof HTMLInputElement && field instanceof HTMLInputElement) {
    if (old.type === "file") field.files = old.files;
    else if (field.defaultValue === old.defaultValue) field.value = old.value;
  }
}

/** The selection in a text field. @param {Element | null} field @returns {[number, number] | null} */
function selection(field) {
  if (!(field instanceof HTMLInputElement) && !(field instanceof HTMLTextAreaElement)) return null;
  const { selectionStart: start, selectionEnd: end } = field;
  return start === null || end === null ? null : [start, end];
}

/**
 * Remembers what a person has in a part of the screen that is about to be drawn anew. Call the result afterwards: it puts
 * everything back. The focus stays where it is, if it has gone elsewhere.
 * @param {Element} place
 * @returns {(keepsTexts?: boolean) => void}
 */
export function remember(place) {
  const active = document.activeElement;
  const isHere = active instanceof HTMLElement && active !== place && place.contains(active);
  const find = isHere ? finder(place, active) : null;
  const selected = isHere ? selection(active) : null;
  const fields = /** @type {Field[]} */ ([...place.querySelectorAll("input[id], select[id]")]);
  const changed = fields.filter(isChanged);
  return (keepsTexts = true) => {
    if (keepsTexts) for (const old of changed) refill(old, document.getElementById(old.id));
    if (!find || (document.activeElement !== document.body && document.activeElement !== null)) return;
    const next = find();
    next?.focus({ preventScroll: true });
    if (selected && (next instanceof HTMLInputElement || next instanceof HTMLTextAreaElement)) next.setSelectionRange(...selected);
  };
}
