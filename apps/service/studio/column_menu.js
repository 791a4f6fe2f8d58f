// @ts-check
/** What can be done with a column: rename, retype, move, split, hide. */
import { correct } from "./actions.js";
import { button, h, labelled } from "./dom.js";
import { successor } from "./remember.js";

/** The value types of wrappers. */
const TYPES = ["money", "number", "percent", "date", "phone", "email", "url", "postcode", "rating", "count", "area",
  "distance", "duration", "isbn", "yes-no", "language"];

/**
 * Asks for something in a dialog at an element.
 * @param {HTMLElement} at
 * @param {string} title
 * @param {any[]} content
 * @param {() => void} onAccept
 */
function dialogAt(at, title, content, onAccept) {
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", {
    "aria-label": title, onclose: () => { dialog.remove(); successor(at)?.focus(); },
  },
  h("form", { method: "dialog", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); dialog.close(); onAccept(); } },
    h("h2", null, title), content,
    h("div.actions", null, h("button.primary", { type: "submit" }, "OK"), button("Cancel", () => dialog.close())))));
  document.body.append(dialog);
  dialog.showModal();
  const field = /** @type {HTMLInputElement | null} */ (dialog.querySelector("input, select"));
  field?.focus();
  if (field?.select) field.select();
}

/** @param {HTMLElement} at @param {string} name */
export function renameColumn(at, name) {
  const field = /** @type {HTMLInputElement} */ (h("input", { type: "text", value: name, required: true, maxlength: 200 }));
  dialogAt(at, `Rename ${name}`, [labelled("New name", field)], () => {
    const to = field.value.trim();
    if (to && to !== name) correct({ rename: { column: name, to } });
  });
}

/** @param {HTMLElement} at @param {any} column */
function retypeColumn(at, column) {
  const field = /** @type {HTMLSelectElement} */ (h("select", null,
    ["", ...TYPES].map(type => h("option", { value: type, selected: type === (column.type ?? "") }, type || "text"))));
  dialogAt(at, `Type of ${column.name}`, [
    labelled("Type", field, "Values of this type are read as numbers, dates and so on."),
  ], () => correct({ type: { column: column.name, to: field.value || null } }));
}

/** @param {HTMLElement} at @param {string} name */
function splitColumn(at, name) {
  const separator = /** @type {HTMLInputElement} */ (h("input", { type: "text", value: ", ", required: true }));
  const names = /** @type {HTMLInputElement} */ (h("input", { type: "text", value: `${name}_1, ${name}_2`, required: true }));
  dialogAt(at, `Split ${name}`, [
    labelled("Split at", separator, "For example a comma, · or a word. Spaces count."),
    labelled("Names of the pieces", names, "Separated by commas. Leave a name empty to drop a piece."),
  ], () => correct({
    split: { column: name, at: separator.value, names: names.value.split(",").map(one => one.trim()) },
  }));
}

/** @param {HTMLElement} at @param {any} column @param {string[]} names @param {((by: number) => void) | null} move */
export function openColumnMenu(at, column, names, move) {
  document.querySelector(".menu")?.remove();
  const { name } = column;
  /** @type {[string, () => void][]} */
  const entries = [
    ["Rename …", () => renameColumn(at, name)],
    ["Change the type …", () => retypeColumn(at, column)],
    ["Split …", () => splitColumn(at, name)],
    ...(move ? /** @type {[string, () => void][]} */ ([["Move left", () => move(-1)], ["Move right", () => move(1)]]) : []),
    ["Hide", () => { correct({ hide: { column: name } }); }],
  ];
  const close = () => { menu.remove(); window.removeEventListener("pointerdown", outside, true); };
  const outside = (/** @type {Event} */ event) => { if (!menu.contains(/** @type {Node} */ (event.target))) close(); };
  const menu = h("div.menu", {
    role: "menu", "aria-label": `Column ${name}`,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const items = [...menu.querySelectorAll("button")];
      const now = items.indexOf(/** @type {any} */ (document.activeElement));
      if (event.key === "ArrowDown") items[(now + 1) % items.length].focus();
      else if (event.key === "ArrowUp") items[(now + items.length - 1) % items.length].focus();
      else if (event.key === "Escape" || event.key === "Tab") { close(); successor(at)?.focus(); }
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  }, entries.map(([label, run]) => h("button", { type: "button", role: "menuitem", tabindex: "-1", onclick: () => { close(); successor(at)?.focus(); run(); } }, label)));
  document.body.append(menu);
  const box = at.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(4, Math.min(box.left, innerWidth - width - 8))}px`;
  menu.style.top = `${box.bottom + height < innerHeight ? box.bottom + 2 : Math.max(4, box.top - height - 2)}px`;
  /** @type {HTMLElement} */ (menu.firstElementChild).focus();
  window.addEventListener("pointerdown", outside, true);
}
