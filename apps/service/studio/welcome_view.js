// @ts-check
/** The first screen: where a page comes from. */
import { button, h } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { openFile, openText, openUrl } from "./open_page.js";
import { state } from "./store.js";

export function welcomeView() {
  const file = /** @type {HTMLInputElement} */ (h("input", {
    type: "file", id: "file", accept: ".html,.htm,.mhtml,.mht,text/html", class: "hidden-input",
    onchange: () => { if (file.files?.[0]) openFile(file.files[0]); },
  }));
  const paste = /** @type {HTMLTextAreaElement} */ (h("textarea", { id: "paste", rows: 3, placeholder: "<html> …", spellcheck: "false" }));
  return h("section.welcome", null,
    h("h1", null, "Turn a web page into a table"),
    h("p.lead", null, "Open a page. copal finds its list, you correct it with a few clicks, and leave with data and a wrapper that reads the site again."),
    h("div.ways", null,
      h("div.card", null, h("h2", null, "From the web"), h("p", null, "Type a URL into the field above."),
        button("Enter a URL", () => document.getElementById("address")?.focus(), { class: "primary" })),
      h("div.card.drop", null, h("h2", null, "A saved page"), h("p", null, "Drop an HTML file anywhere in this window, or choose one."),
        h("label.button", { for: "file" }, "Choose a file"), file),
      h("div.card", null, h("h2", null, "HTML"), h("label", { for: "paste" }, "Paste the source of a page."), paste,
        button("Read it", () => { if (paste.value.trim()) openText(paste.value, "pasted page"); }))),
    h("h2", null, "Examples"),
    h("div.actions", null, EXAMPLES.map(example => h("button.example", { type: "button", onclick: () => openText(example.html, example.name) },
      h("strong", null, example.name), h("span", null, example.about)))),
    state.recent.length ? [h("h2", null, "Recent pages"), h("ul.recent", null, state.recent.filter(page => page.url).map(page =>
      h("li", null, h("button.link", { type: "button", onclick: () => openUrl(/** @type {string} */ (page.url)) }, page.title || page.url), " ", h("small", null, page.url))))] : null);
}

/** Files can be dropped, and pages pasted, anywhere. */
export function listenToDrops() {
  const isFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  window.addEventListener("dragover", event => { if (isFile(event)) event.preventDefault(); });
  window.addEventListener("drop", event => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    openFile(file);
  });
  window.addEventListener("paste", event => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input, textarea")) return;
    const [file] = event.clipboardData?.files ?? [];
    const html = event.clipboardData?.getData("text/html") || event.clipboardData?.getData("text/plain") || "";
    if (file) openFile(file);
    else if (/<[a-z!]/i.test(html)) openText(html, "pasted page");
  });
}
