// @ts-check
/** What a domain knows about an attribute: its labels, and the terms of its gazetteers, which can be searched. */
import { get } from "./api.js";
import { h, labelled } from "./dom.js";
import { complain } from "./toasts.js";

/** Terms that are shown at once. */
const MOST = 60;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** What was searched for, by attribute. @type {Map<string, string>} */
const searched = new Map();

/** @param {string} domain @param {string} attribute */
export function gazetteerView(domain, attribute) {
  const key = `${domain}.${attribute}`;
  const list = h("ul.terms", { "aria-label": "Terms of the gazetteer" });
  const note = h("p.note", { role: "status" });
  const labels = h("p.note");
  const field = /** @type {HTMLInputElement} */ (h("input", {
    type: "search", id: "gazetteer-search", value: searched.get(key) ?? "", placeholder: "part of a term",
    oninput: () => { clearTimeout(timer); timer = setTimeout(load, 200); },
  }));
  const load = async () => {
    searched.set(key, field.value);
    const query = new URLSearchParams({ attribute, contains: field.value.trim(), most: String(MOST) });
    try {
      const answer = await get(`/v1/domains/${encodeURIComponent(domain)}/terms?${query}`);
      list.replaceChildren(...answer.terms.map((/** @type {string} */ term) => h("li", null, term)));
      note.textContent = answer.total === 0 ? "It has no gazetteer: its values are found by rules or by their places."
        : answer.matching > answer.terms.length ? `${answer.terms.length} of ${answer.matching} terms are shown`
          : `${answer.matching} of ${answer.total} terms`;
      labels.textContent = answer.labels.length ? `Labels: ${answer.labels.slice(0, 20).join(", ")}` : "";
    } catch (error) { complain(error); }
  };
  const details = /** @type {HTMLDetailsElement} */ (h("details", {
    open: searched.has(key), ontoggle: () => { if (details.open && !searched.has(key)) load(); },
  }, h("summary", null, "Gazetteer"), labels, labelled("Search", field), note, list));
  if (searched.has(key)) load();
  return details;
}
