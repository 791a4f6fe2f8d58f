// @ts-check
/** The wrapper as text: every correction changes it, and it can be edited by hand. Errors point at the line. */
import { useWrapperText } from "./actions.js";
import { button, download, empty, h } from "./dom.js";
import { state, touch } from "./store.js";
import { problemBox } from "./table_view.js";

/** Text that was typed and not yet used, and the wrapper that it was made of. @type {{text: string, of: string} | null} */
let typed = null;
/** @type {any} */
let ofPage = null;

export function wrapperView() {
  const text = state.result?.wrapper ?? state.work.wrapperText;
  if (!text) {
    return [state.pending ? h("p.note.pad", { role: "status" }, "Learning the list …")
      : empty("There is no wrapper yet.", h("p", null, "It is written as soon as there is a table."))];
  }
  if (state.page !== ofPage || typed?.text === text) typed = null;
  ofPage = state.page;
  // the table shows a correction before the service has answered it with a new wrapper
  const isStale = state.pending !== null || Boolean(state.result?.isPreview) || Boolean(state.problem?.isPassing);
  const isOld = typed !== null && typed.of !== text && !isStale;
  const discard = () => { typed = null; touch("typed"); };
  const numbers = h("pre.numbers", { "aria-hidden": "true" });
  const area = /** @type {HTMLTextAreaElement} */ (h("textarea.code", {
    id: "wrapper", spellcheck: "false", "aria-label": "Wrapper", value: typed?.text ?? text, wrap: "off",
    readonly: isStale && typed === null,
    oninput: () => { typed = { text: area.value, of: typed?.of ?? text }; number(); apply.disabled = isStale; },
    onscroll: () => { numbers.scrollTop = area.scrollTop; },
    onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter" && event.ctrlKey) use(); },
  }));
  const wrong = Number(/line (\d+)/.exec(state.problem?.message ?? "")?.[1] ?? lineOfKey(typed?.text ?? text, state.problem?.message));
  const number = () => numbers.replaceChildren(...area.value.split("\n").map((_, at) =>
    h("span", { class: at + 1 === wrong ? "wrong" : "" }, `${at + 1}\n`)));
  const use = () => { if (!isStale) useWrapperText(area.value); };
  const apply = /** @type {HTMLButtonElement} */ (button("Use this text", use, {
    class: "primary", disabled: typed === null || isStale, title: "Ctrl Enter", id: "use-wrapper",
  }));
  number();
  if (wrong) requestAnimationFrame(() => goTo(area, wrong));
  return [
    h("div.toolbar", null, h("strong.summary", null, "Wrapper"),
      h("span.quiet", null, isStale ? "The last correction is not in it yet …" : "Where the records and columns are. Each correction changes it."),
      h("span.spring"),
      button("Download", () => download("wrapper.copal.yaml", new Blob([text], { type: "application/yaml" })), { disabled: isStale }),
      typed ? button("Discard my changes", discard, { id: "discard-wrapper" }) : null, apply),
    isOld ? h("p.problem", { role: "status" }, "The wrapper has changed since you began to edit. Your text replaces those changes.") : null,
    problemBox(),
    h("div.editor", null, numbers, area),
  ];
}

/**
 * The line of a key that a message names (`columns: …`); 0 if it names none.
 * @param {string} text
 * @param {string | undefined} message
 */
function lineOfKey(text, message) {
  const quoted = /"([^"]{1,80})"/.exec(message ?? "")?.[1];
  if (!quoted) return 0;
  return text.split("\n").findIndex(line => line.includes(quoted)) + 1;
}

/** @param {HTMLTextAreaElement} area @param {number} line */
function goTo(area, line) {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  area.scrollTop = Math.max(0, (line - 4) * (area.scrollHeight / Math.max(1, lines.length)));
}
