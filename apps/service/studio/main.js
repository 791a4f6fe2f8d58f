// @ts-check
/** Starts the studio, and draws what has changed. */
import { ApiProblem, get, setToken } from "./api.js";
import { dataView } from "./data_view.js";
import { domainView } from "./domain_view.js";
import { button, h, iconButton, labelled, tabs } from "./dom.js";
import { dropDraft, keepDrafts, loadDraft, loadRecent } from "./drafts.js";
import { elementsPanel, renewElements } from "./elements_panel.js";
import { keepView } from "./keep_view.js";
import { listenToKeys } from "./keys.js";
import { libraryView } from "./library_view.js";
import { listsPanel, renewLists } from "./lists_panel.js";
import { asUrl, goBy, isOpening, loadPictures, openStart, openText, openUrl } from "./open_page.js";
import { pageView } from "./page_view.js";
import { pointPanel } from "./point_view.js";
import { listenToPresses } from "./pressing.js";
import { remember } from "./remember.js";
import { sectionsPanel } from "./sections_panel.js";
import { state, subscribe, update } from "./store.js";
import { renewTable, tableView } from "./table_view.js";
import { complain } from "./toasts.js";
import { tryView } from "./try_view.js";
import { listenToDrops, welcomeView } from "./welcome_view.js";
import { wrapperView } from "./wrapper_view.js";

/**
 * A tab: what it shows, and what that depends on. `renew` changes what is shown already, if that is enough.
 * @typedef {{key: string, label: string, content: () => any, depends: string[], renew?: (changed: Set<string>) => boolean}} Tab
 */

/** @type {Tab[]} */
const SIDES = [
  { key: "lists", label: "Lists", content: listsPanel, depends: ["found", "result", "work", "tool", "reasons"], renew: renewLists },
  { key: "sections", label: "Sections", content: sectionsPanel, depends: ["sections"] },
  { key: "elements", label: "Elements", content: elementsPanel, depends: ["selected"], renew: renewElements },
  { key: "point", label: "Point", content: pointPanel, depends: ["pointed", "tool", "problem", "pointing"] },
];
/** @type {Tab[]} */
const PANELS = [
  { key: "table", label: "Table", content: tableView, renew: renewTable,
    depends: ["found", "result", "problem", "work", "tool", "moreObjects", "pending", "busy", "rows", "objects"] },
  { key: "wrapper", label: "Wrapper", content: wrapperView, depends: ["result", "problem", "work", "pending", "typed"] },
  { key: "try", label: "Try", content: tryView, depends: ["result", "tried"] },
  { key: "keep", label: "Keep", content: keepView, depends: ["found", "result", "work", "moreObjects"] },
];
/** @type {[typeof state.view, string][]} */
const VIEWS = [["page", "Page"], ["library", "Library"], ["data", "Data"], ["domains", "Domains"]];

const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));
const work = /** @type {HTMLElement} */ (document.getElementById("work"));
/** @type {{side: HTMLElement, panel: HTMLElement, root: HTMLElement} | null} */
let desk = null;

function drawBar() {
  const putBack = remember(bar);
  const address = /** @type {HTMLInputElement} */ (h("input", {
    id: "address", type: "text", inputmode: "url", autocomplete: "url", spellcheck: "false",
    "aria-label": "URL of a page", placeholder: "https://… a page with a list",
    value: typedAddress ?? state.page?.url ?? "", oninput: () => { typedAddress = address.value; },
  }));
  const open = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!address.value.trim()) return;
    // an address that could not be opened stays, to be corrected
    openUrl(asUrl(address.value)).then(opened => { if (opened) typedAddress = null; });
  };
  const { urls, at } = state.visited;
  bar.replaceChildren(
    h("a.brand", { href: "/", onclick: close, "aria-label": "copal studio: start" },
      h("img", { src: "/studio/icon.svg", alt: "", width: 22, height: 22 }), "copal"),
    h("nav", { "aria-label": "Views" }, VIEWS.map(([key, label], at) => button(label, () => update({ view: key }), {
      id: `view-${key}`, title: `Alt ${at + 5}`, "aria-current": state.view === key ? "page" : null,
    }))),
    iconButton("←", "Back", () => goBy(-1), { disabled: at <= 0 }),
    iconButton("→", "Forward", () => goBy(1), { disabled: at >= urls.length - 1 }),
    state.busy ? iconButton("✕", "Stop", () => state.busy?.cancel?.()) : iconButton("⟳", "Reload",
      () => { if (state.page?.url) openUrl(state.page.url, true); }, { disabled: !state.page?.url }),
    h("form.address", { onsubmit: open, role: "search" }, address,
      check("render", "as a browser shows it", "Show the page in Chromium first, so that its scripts run. "
        + "Without this, only pages that need it are shown there.", on => update({ render: on })),
      check("images", "images", "Load the images of the page. The site then sees that you look at it.", switchImages),
      h("button.primary", { type: "submit" }, "Open")),
    iconButton("◐", "Light or dark", toggleTheme));
  if (state.busy) {
    bar.append(h("div.progress", { role: "status" },
      h("span.spinner", { "aria-hidden": "true" }), state.busy.text, " …"));
  }
  // the address is kept here
  putBack(false);
}

/**
 * A switch.
 * @param {"render" | "images"} key
 * @param {string} label
 * @param {string} title
 * @param {(on: boolean) => void} onChange
 */
const check = (key, label, title, onChange) => h("label.check", { title }, h("input", {
  id: `switch-${key}`, type: "checkbox", checked: state[key],
  onchange: (/** @type {any} */ event) => onChange(event.target.checked),
}), label);

/** @param {boolean} on */
function switchImages(on) {
  update({ images: on, ...(on ? {} : { pictures: [] }) });
  if (on && !state.pictures.length) loadPictures();
}

/** @type {string | null} */
let typedAddress = null;

/** @param {Event} event */
function close(event) {
  event.preventDefault();
  dropDraft();
  update({ page: null, tree: null, found: null, result: null, problem: null, pictures: [], view: "page" });
}

function toggleTheme() {
  const root = document.documentElement;
  const isSystemDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : isSystemDark;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("copal-theme", root.dataset.theme);
}

function drawWork() {
  if (state.view === "page" && state.page) {
    shownView = null;
    if (!desk) {
      const side = h("aside.side", { "aria-label": "What is on the page" });
      const panel = h("section.panel", { id: "panel", "aria-label": "Result" });
      desk = { side, panel, root: h("div.desk", null) };
    }
    desk.root.dataset.page = state.page.url ?? state.page.name;
    if (!desk.root.isConnected) {
      desk.root.replaceChildren(desk.side, pageView(), desk.panel);
      work.replaceChildren(desk.root);
    }
    return;
  }
  const view = { page: welcomeView, library: libraryView, data: dataView, domains: domainView }[state.view];
  const putBack = remember(work);
  const next = view();
  if (work.firstElementChild !== next) work.replaceChildren(next);
  putBack(shownView === state.view);
  shownView = state.view;
}

/** The view that is on the screen. @type {typeof state.view | null} */
let shownView = null;

/** @param {Tab[]} tabs @param {string} current */
const currentTab = (tabs, current) => tabs.find(({ key }) => key === current) ?? tabs[0];

/** Where a tab is scrolled to: itself, and what scrolls in it. @param {Element | null} content @returns {Element[]} */
const scrollers = content => content ? [content, ...content.querySelectorAll(":scope > .scroll")] : [];

/**
 * @param {HTMLElement} place @param {string} name @param {Tab[]} entries
 * @param {string} current @param {(key: string) => void} choose
 * @param {boolean} isSamePage what was typed stays, if the tab does
 */
function drawTabs(place, name, entries, current, choose, isSamePage) {
  const { label, content } = currentTab(entries, current);
  const before = place.querySelector(".content");
  const isSame = before?.getAttribute("aria-label") === label;
  const scrolled = isSame ? scrollers(before).map(one => [one.scrollTop, one.scrollLeft]) : [];
  const putBack = remember(place);
  const body = h("div.content", { role: "tabpanel", "aria-label": label });
  body.append(...[content()].flat(3).filter(one => one !== null && one !== undefined && one !== false));
  place.replaceChildren(tabs(name, entries.map(({ key, label }) => [key, label]), current, choose), body);
  // only what was scrolled: the browser would have to lay out everything at once
  scrollers(scrolled.length ? body : null).forEach((one, at) => {
    const [top, left] = scrolled[at] ?? [0, 0];
    if (top) one.scrollTop = top;
    if (left) one.scrollLeft = left;
  });
  putBack(isSame && isSamePage);
}

/** What each part of the screen depends on. @type {Record<string, string[]>} */
const DEPENDS = {
  bar: ["view", "busy", "page", "visited", "render", "images"],
  // these draw a tab anew; what else it depends on is said there
  side: ["side", "page", "view"],
  panel: ["panel", "page", "view"],
};

/** @param {Set<string>} changed */
function draw(changed) {
  const has = (/** @type {string[]} */ keys) => keys.some(key => changed.has(key));
  if (has(DEPENDS.bar)) drawBar();
  const isDesk = state.view === "page" && state.page;
  if (has(["view", "page"]) || (!isDesk && has(["recent", "overlay", "news"]))) drawWork();
  if (!isDesk || !desk) return;
  // a pattern that is being typed must not lose its field
  const isTyping = document.activeElement?.id === "pattern" && !changed.has("side");
  const side = currentTab(SIDES, state.side);
  if (isTyping) {
    if (has(["pointed", "problem", "pointing"])) drawMatches();
  } else if (has(DEPENDS.side) || (has(side.depends) && !side.renew?.(changed))) {
    drawTabs(desk.side, "On the page", SIDES, state.side, side => update({ side }), !has(["page"]));
  }
  const panel = currentTab(PANELS, state.panel);
  if (has(DEPENDS.panel) || (has(panel.depends) && !panel.renew?.(changed))) {
    drawTabs(desk.panel, "Result", PANELS, state.panel, panel => update({ panel }), !has(["page"]));
  }
  desk.panel.setAttribute("aria-busy", String(state.pending !== null));
}

/** Updates what is known about a pattern while it is typed. */
function drawMatches() {
  const fresh = h("div", null, pointPanel());
  const old = document.getElementById("matches");
  const matches = fresh.querySelector("#matches");
  if (old && matches) old.replaceWith(matches);
  const field = /** @type {HTMLElement | null} */ (document.getElementById("pattern"));
  field?.setAttribute("aria-invalid", String(Boolean(state.problem)));
  if (state.problem) document.getElementById("matches")?.replaceChildren(state.problem.message);
}

/** Asks for the token of a service that needs one. */
function askToken() {
  const field = /** @type {HTMLInputElement} */ (h("input", { type: "password", required: true, autocomplete: "off" }));
  work.replaceChildren(h("form.card.token", {
    onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); setToken(field.value.trim()); start(); },
  }, h("h1", null, "This service needs its token"),
  labelled("Token", field, "It is in the file that the service was started with (--token-file)."),
  h("button.primary", { type: "submit" }, "Go on")));
  field.focus();
}

async function start() {
  try {
    await get("/v1/drafts");
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return askToken();
    complain(error);
  }
  await loadRecent();
  update({ view: "page" });
  const draft = await loadDraft();
  const navigations = performance.getEntriesByType("navigation");
  const isReload = navigations.some(entry => /** @type {any} */ (entry).type === "reload");
  if (!isReload && await openStart().catch(() => false)) return;
  // a person may have opened a page meanwhile
  if (!isOpening() && (draft?.source || draft?.url)) await resume(draft);
}

/** Goes on with a draft. @param {any} draft */
const resume = draft => draft.source ? openText(draft.source, draft.name, draft.url, draft) : openUrl(draft.url, false, draft);

document.documentElement.dataset.theme = localStorage.getItem("copal-theme") ?? "";
if (!document.documentElement.dataset.theme) delete document.documentElement.dataset.theme;
subscribe(draw);
listenToKeys();
listenToPresses();
listenToDrops();
keepDrafts();
start();
