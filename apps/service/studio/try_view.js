// @ts-check
/** Tries the wrapper on another page, and shows by column what fits and what does not. */
import { settled } from "./actions.js";
import { post, postFile } from "./api.js";
import { button, count, empty, h, labelled } from "./dom.js";
import { asUrl, viewUrl } from "./open_page.js";
import { busy } from "./requests.js";
import { state, touch } from "./store.js";

/** @type {any} */
let tried = null;
/** @type {any} */
let ofWrapper = null;
/** The address that was typed, for this page and its tabs. */
let typed = { page: /** @type {any} */ (null), text: "" };

export function tryView() {
  if (!state.result?.wrapper) return [empty("There is no wrapper to try yet.", h("p", null, "It is written as soon as there is a table."))];
  if (ofWrapper !== state.result.wrapper) {
    ofWrapper = state.result.wrapper;
    tried = null;
  }
  if (typed.page !== state.page) typed = { page: state.page, text: "" };
  const address = /** @type {HTMLInputElement} */ (h("input", {
    id: "try-url", type: "text", inputmode: "url", placeholder: "https://… another page of the site", value: typed.text,
    oninput: () => { typed.text = address.value; },
  }));
  const file = /** @type {HTMLInputElement} */ (h("input", {
    type: "file", id: "try-file", accept: ".html,.htm,.mhtml,text/html",
  }));
  const run = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = file.files?.[0];
    if (!chosen && !address.value.trim()) return address.focus();
    if (!await settled()) return;
    const { wrapper } = state.result;
    const options = { sources: false };
    const both = await busy("Trying the wrapper on another page", async signal => {
      // a URL is opened as the page was: in the browser, if it needs one
      const page = chosen ? null : await viewUrl(asUrl(address.value), false, signal);
      const send = (/** @type {string} */ path, /** @type {any} */ body) => chosen
        ? postFile(path, chosen, chosen.name, body, signal)
        : post(path, { ...body, html: page.source, url: page.url }, signal);
      const answer = await send("/v1/apply", { wrapper_text: wrapper, options });
      const check = await send("/v1/check", { wrapper_text: wrapper });
      return { answer, check, name: chosen?.name ?? asUrl(address.value) };
    });
    // another wrapper has another outcome
    if (!both || ofWrapper !== wrapper || state.result?.wrapper !== wrapper) return;
    tried = both;
    touch("tried");
  };
  return [
    h("form.row", { onsubmit: run }, labelled("Another page", address), labelled("or a file", file),
      h("button.primary", { type: "submit" }, "Try it")),
    tried ? outcome() : h("p.note.pad", null,
      "A wrapper that fits two pages will fit the others. Give it a second page of the same kind."),
  ];
}

/** The list of an answer; an object is a list of one record. @param {any} answer */
function asRegion(answer) {
  if (!answer?.fields || answer.regions?.[0]) return answer?.regions?.[0];
  return { columns: Object.keys(answer.fields).map(name => ({ name })), records: [{ fields: answer.fields }] };
}

function outcome() {
  const region = asRegion(tried.answer);
  const before = asRegion(state.result?.answer);
  const records = region?.records ?? [];
  const { alarms = [], pages = [], drifted } = tried.check;
  const odd = [...alarms, ...(pages[0]?.odd ?? [])];
  const share = (/** @type {any[]} */ list, /** @type {string} */ name) =>
    list.length ? list.filter(record => record.fields[name] !== undefined).length / list.length : 0;
  const columns = (before?.columns ?? region?.columns ?? []).map((/** @type {any} */ column) => {
    const [here, there] = [share(before?.records ?? [], column.name), share(records, column.name)];
    const problem = odd.find((/** @type {any} */ one) => one.column === column.name)?.what;
    const fits = !problem && (there > 0 || here === 0);
    const example = records.find((/** @type {any} */ record) => record.fields[column.name] !== undefined)?.fields[column.name];
    return h("tr", { class: fits ? "" : "misfit" },
      h("td", null, h("span", { "aria-hidden": "true" }, fits ? "✓ " : "✗ "), fits ? "fits" : "does not fit"),
      h("th", { scope: "row" }, column.name),
      h("td", null, `${Math.round(here * 100)}%`), h("td", null, `${Math.round(there * 100)}%`),
      h("td", null, problem ?? String(example ?? "")));
  });
  const general = [...new Set(odd.filter((/** @type {any} */ one) => !one.column).map((/** @type {any} */ one) => one.what))];
  return h("div.scroll", { tabindex: "0", role: "region", "aria-label": "How the wrapper fits" },
    h("p.matches", { role: "status", class: drifted || !records.length ? "warn" : "good" },
      `${tried.name}: ${count(records.length, "record")}. `,
      drifted ? "It does not fit this page." : records.length ? "It fits." : "It reads nothing here."),
    general.length ? h("ul", null, general.map((/** @type {string} */ text) => h("li", null, text))) : null,
    h("table.data", null,
      h("thead", null, h("tr", null,
        ["", "column", "filled here", "filled there", "example or problem"].map(text => h("th", { scope: "col" }, text)))),
      h("tbody", null, columns)),
    drifted ? h("p.note", null,
      "Save the wrapper in the library: it can be repaired there with a page that it does not fit.") : null,
    button("Clear", () => { tried = null; touch("tried"); }));
}
