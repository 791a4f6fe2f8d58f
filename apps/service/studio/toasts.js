// @ts-check
/** Short messages at the edge of the window. Screen readers read them out. */
import { h } from "./dom.js";

/**
 * @param {string} text
 * @param {string | null} [hint]
 * @param {boolean} [isError]
 * @param {{label: string, act: () => void} | null} [offer] what can be done now
 */
export function toast(text, hint = null, isError = false, offer = null) {
  const place = document.getElementById("toasts");
  const message = h("div.toast", { class: isError ? "error" : "" },
    h("p", null, text), hint ? h("p.hint", null, hint) : null,
    offer ? h("button.offer", { type: "button", onclick: () => { message.remove(); offer.act(); } }, offer.label) : null,
    h("button.icon", { type: "button", "aria-label": "Close this message", onclick: () => message.remove() }, "×"));
  place?.append(message);
  while (place && place.children.length > 4) place.firstElementChild?.remove();
  setTimeout(() => message.remove(), isError || offer ? 20_000 : 6_000);
}

/** Removes messages about what went wrong: they are about an earlier action. */
export function clearErrors() {
  document.querySelectorAll("#toasts .error").forEach(one => one.remove());
}

/** Shows what went wrong; nothing if it was cancelled. @param {any} error */
export function complain(error) {
  if (error?.name === "AbortError") return;
  toast(error?.message ?? String(error), error?.hint ?? null, true);
}
