// @ts-check
/** Domains (AMBER): attributes on the page, terms that the learner found, and its questions. */
import { get, post, postFile, putJson } from "./api.js";
import { colour } from "./colours.js";
import { button, clearField, count, empty, h, iconButton, labelled } from "./dom.js";
import { readDraft } from "./drafts.js";
import { tell } from "./frame_link.js";
import { gazetteerView } from "./gazetteer_view.js";
import { asUrl, viewUrl } from "./open_page.js";
import { pageView, setTeacher } from "./page_view.js";
import { remember } from "./remember.js";
import { busy, pageBody } from "./requests.js";
import { redraw, state, update } from "./store.js";
import { complain, toast } from "./toasts.js";

/** @typedef {{accepted: string[], labels: string[], refused: string[]}} KeptTerms */

/** @type {any} */
let domains = null;
/** @returns {KeptTerms} */
const noTerms = () => ({ accepted: [], labels: [], refused: [] });
/**
 * What is shown: the domain on a page, an attribute, annotations, the learner's answer, kept terms (`null` until they are
 * read). Another domain or page begins with a new one, so that answers for an older one are recognised.
 * @returns {{page: any, domain: string, attribute: string, annotations: any[], learner: any, isAsking: boolean, kept: KeptTerms | null}}
 */
const nothing = (domain = "") =>
  ({ page: state.page, domain, attribute: "", annotations: [], learner: null, isAsking: false, kept: null });
let shown = nothing();
/** More pages that the learner reads. @type {any[]} */
let morePages = [];

/** The parts of the view, which are made once. @type {{root: HTMLElement, side: HTMLElement, learner: HTMLElement} | null} */
let parts = null;

/** Where the terms of an attribute are kept. */
const draft = () => `terms-${shown.domain}-${shown.attribute}`.slice(0, 64);
const redrawDomains = () => redraw("domains");

let isReading = false;

async function readDomains() {
  isReading = true;
  try {
    domains = (await get("/v1/domains")).domains;
    redrawDomains();
  } catch (error) { complain(error); } finally { isReading = false; }
}

/** The choice of the domain. It stays the same: letters that are typed into it belong together. @type {HTMLSelectElement | null} */
let choice = null;

function domainChoice() {
  const choose = choice ??= /** @type {HTMLSelectElement} */ (h("select", { id: "domain", onchange: () => openDomain(choose.value) },
    h("option", { value: "" }, "choose a domain"),
    domains.map((/** @type {any} */ one) => h("option", { value: one.name }, one.name))));
  if (choose.value !== shown.domain) choose.value = shown.domain;
  return choose;
}

export function domainView() {
  if (!domains) {
    if (!isReading) readDomains();
    return h("section.wide", null, h("h1", null, "Domains"), h("p.note", { role: "status" }, "Reading the domains …"));
  }
  // another page was opened in the meantime
  if (shown.domain && shown.page !== state.page) openDomain(shown.domain, shown.attribute);
  const field = labelled("Domain", domainChoice());
  if (!state.page) {
    return h("section.wide", null, h("h1", null, "Domains"), field, domainSide(),
      shown.attribute ? gazetteerView(shown.domain, shown.attribute) : null,
      empty("Open a page to see a domain's attributes on it.",
        button("Open a page", () => update({ view: "page" }), { class: "primary" })));
  }
  setTeacher(!shown.domain ? null : {
    label: text => shown.attribute ? `Teach “${text}” as ${shown.attribute}` : "Choose an attribute on the left to teach this value.",
    teach: shown.attribute ? teach : null,
  });
  if (!parts) {
    const side = h("div.side", { role: "region", "aria-label": "Domain", tabindex: "0" });
    const learner = h("aside.learner", { "aria-label": "Learner", tabindex: "0" });
    parts = { root: h("div.domains", null), side, learner };
  }
  const { root, side, learner } = parts;
  const putBack = remember(root);
  side.replaceChildren(h("div.pad", null, field, domainSide(), shown.domain ? pagesList() : ""));
  learner.replaceChildren(learnerPanel());
  // a frame that moves in the document loads anew, which takes long for a large page
  if (!root.isConnected) root.replaceChildren(side, pageView(), learner);
  putBack();
  return root;
}

function domainSide() {
  const domain = domains.find((/** @type {any} */ one) => one.name === shown.domain);
  if (!domain) return h("p.note", null, "A domain is a named set of typed fields, such as books or jobs.");
  const found = (/** @type {string} */ name) => shown.annotations.filter(one => one.type === name).length;
  const attributes = domain.attributes.map((/** @type {any} */ attribute, /** @type {number} */ at) => ({ attribute, at }))
    .sort((/** @type {any} */ one, /** @type {any} */ other) => found(other.attribute.name) - found(one.attribute.name));
  return h("ul.attributes", null, attributes.map((/** @type {any} */ { attribute, at }) =>
    h("li", { "--colour": colour(at) }, h("button.list", {
      class: state.page && !found(attribute.name) ? "none" : "",
      id: `attribute-${attribute.name}`, type: "button", "aria-pressed": String(attribute.name === shown.attribute),
      onclick: () => openAttribute(attribute.name),
      onmouseenter: () => light(attribute.name), onmouseleave: () => tell({ type: "lit", nodes: [] }),
    }, h("strong", null, attribute.name), h("span.role", null, attribute.type),
    found(attribute.name) ? h("span.columns", null, `${found(attribute.name)} on this page`) : null))));
}

/** The pages that the learner reads: the one that is shown, and others of the same kind. */
function pagesList() {
  const address = /** @type {HTMLInputElement} */ (h("input", {
    id: "learner-url", type: "text", inputmode: "url", placeholder: "https://… another page",
  }));
  const file = /** @type {HTMLInputElement} */ (h("input", {
    id: "learner-file", type: "file", accept: ".html,.htm,.mhtml,text/html", "aria-label": "or a file",
  }));
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = file.files?.[0];
    if (!chosen && !address.value.trim()) return address.focus();
    const page = await busy("Reading another page", signal => chosen
      ? postFile("/v1/view", chosen, chosen.name, {}, signal) : viewUrl(asUrl(address.value), false, signal));
    if (!page) return;
    clearField("learner-url");
    clearField("learner-file");
    await usePages([...morePages, page]);
  };
  return h("details", { open: true }, h("summary", null, `Pages (${1 + morePages.length})`),
    h("ul.terms", { "aria-label": "Pages" }, h("li", null, state.page.name),
      morePages.map((page, at) => h("li", null, page.name, " ",
        iconButton("×", `Remove ${page.name}`, () => usePages(morePages.filter((_, other) => other !== at)))))),
    h("form.actions", { onsubmit: add }, labelled("Learn from another page too", address), file,
      h("button", { type: "submit" }, "Add")));
}

/** @param {any[]} pages */
async function usePages(pages) {
  morePages = pages;
  if (shown.attribute) await ask();
  else redrawDomains();
}

/** @param {string} attribute */
function light(attribute) {
  const own = shown.annotations.filter(one => one.type === attribute);
  tell({ type: "lit", nodes: own.map(one => state.tree?.at(one.xpath)).filter(node => node != null) });
}

/** Domains that were opened: an answer about an older one is not shown. */
let opened = 0;

/** @param {string} name @param {string} [attribute] */
async function openDomain(name, attribute = "") {
  const number = opened += 1;
  const own = shown = nothing(name);
  update({ overlay: [] });
  redrawDomains();
  if (name && state.page) {
    const answer = await busy(`Reading the page as ${name}`, signal =>
      post("/v1/extract", { ...pageBody(), options: { domain: name, explain: true, max_rows: 1 } }, signal));
    if (number !== opened || state.page !== own.page) return;
    const domain = domains.find((/** @type {any} */ one) => one.name === name);
    const attributes = domain.attributes.map((/** @type {any} */ one) => one.name);
    shown.annotations = (answer?.explain?.annotations ?? [])
      .filter((/** @type {any} */ one) => attributes.includes(one.type) && !one.label);
    drawAnnotations(attributes);
  }
  redrawDomains();
  if (attribute && !shown.attribute) await openAttribute(attribute);
}

/** @param {string[]} attributes */
function drawAnnotations(attributes) {
  const cells = shown.annotations.map(one => {
    const column = attributes.indexOf(one.type);
    const annotation = `${one.type}: ${one.text}`;
    return { node: state.tree?.at(one.xpath), colour: colour(column), tint: "transparent", annotation };
  });
  update({ overlay: cells.filter(one => one.node != null) });
}

/** @param {string} attribute */
async function openAttribute(attribute) {
  const own = shown = { ...shown, attribute, learner: null, kept: null, isAsking: true };
  redrawDomains();
  const kept = await readDraft(draft()).catch(() => null);
  if (shown !== own) return;
  shown.kept = { ...noTerms(), ...kept };
  redrawDomains();
  await ask();
}

/** Questions that are on their way. */
let asking = 0;

async function ask() {
  const { kept } = shown;
  if (!kept) return;
  asking += 1;
  const number = asking;
  shown.isAsking = true;
  const pages = morePages.map(page => ({ html: page.source, ...(page.url ? { url: page.url } : {}), name: page.name }));
  const learner = state.page ? await busy("Asking the learner", signal => post("/v1/questions", {
    ...pageBody(), pages, attribute: shown.attribute, accepted: kept.accepted, labels: kept.labels, refused: kept.refused,
    options: { domain: shown.domain },
  }, signal)) : null;
  // a later question has another answer
  if (number !== asking || kept !== shown.kept) return;
  shown.learner = learner;
  forgetAnswered();
  shown.isAsking = false;
  redrawDomains();
}

/** Leaves out the questions that a person has answered meanwhile. */
function forgetAnswered() {
  if (shown.learner) shown.learner.questions = shown.learner.questions.filter(isOpen);
}

/** True if a person has not decided about the term yet. @param {any} question */
const isOpen = question => question.kind === "drop"
  || !Object.values(shown.kept ?? {}).some(texts => texts.includes(question.text));

/** One after the other, so that the last answer is what is kept. @type {Promise<any>} */
let keeping = Promise.resolve();
const keep = () => {
  const [name, terms] = [draft(), structuredClone(shown.kept)];
  keeping = keeping.then(() => putJson(`/v1/drafts/${name}`, terms)).catch(complain);
  return keeping;
};

/** @param {any} question @param {boolean} isAccepted */
async function answer(question, isAccepted) {
  const { kept, learner } = shown;
  if (!kept || !learner) return;
  // a term that is to be dropped is refused by a yes
  const isWanted = isAccepted !== (question.kind === "drop");
  const place = isWanted ? (question.kind === "label" ? "labels" : "accepted") : "refused";
  kept[place].push(question.text);
  if (question.kind === "drop") kept.accepted = kept.accepted.filter(one => one !== question.text || isWanted);
  learner.questions = learner.questions.filter((/** @type {any} */ one) => one !== question);
  // the next question is shown at once, and the answer is kept meanwhile
  shown.isAsking = !learner.questions.length;
  redrawDomains();
  await keep();
  if (shown.kept === kept && !shown.learner?.questions.length) await ask();
}

/** What the learner asks. @type {Record<string, string>} */
const QUESTIONS = { term: "Does this belong to ", label: "Is this a label of ", drop: "Should this be dropped from " };

function learnerPanel() {
  if (!shown.attribute) {
    return empty(shown.domain ? "Choose an attribute on the left." : "Choose a domain on the left.", h("p", null,
      "The learner looks for values that the domain does not know yet, and asks about those it is not sure of."));
  }
  const { learner } = shown;
  const kept = shown.kept ?? noTerms();
  const [question] = learner?.questions ?? [];
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (/** @type {HTMLElement} */ (event.target).matches("input")) return;
    if (question && (event.key === "y" || event.key === "n")) answer(question, event.key === "y");
  };
  const found = (learner?.learned ?? []).map((/** @type {any} */ one) => termEntry(one.text, ` (${Math.round(one.confidence * 100)}%) `));
  const panel = h("div.pad", { onkeydown: key, tabindex: "-1", "aria-busy": String(shown.isAsking) },
    h("h2", null, shown.attribute),
    question ? questionCard(question, learner.questions.length - 1)
      : h("p.note", { role: "status" }, shown.isAsking ? "Asking the learner …" : "The learner has no questions about these pages. Teach it a value that is on "
        + "one of them, or add another page."),
    termForm(),
    terms("Found on these pages", found),
    ...[["Accepted", kept.accepted], ["Accepted labels", kept.labels], ["Refused", kept.refused]].map(([title, texts]) =>
      terms(String(title), [...texts].map(text => termEntry(text, " ")))),
    gazetteerView(shown.domain, shown.attribute));
  // so that the next question can be answered by its key at once
  if (question) requestAnimationFrame(() => { if (document.activeElement === document.body) panel.focus(); });
  return panel;
}

/** @param {any} question @param {number} more */
function questionCard(question, more) {
  return h("div.card.question", null,
    h("p", null, QUESTIONS[question.kind] ?? QUESTIONS.term, h("strong", null, shown.attribute), "?"),
    h("p.term", null, question.text),
    question.context && question.context !== question.text ? h("p.note", null, `from “${question.context}”`) : null,
    question.confidence !== undefined ? h("p.note", null, `${Math.round(question.confidence * 100)}% sure`) : null,
    h("div.actions", null,
      button("Yes (y)", () => answer(question, true), { class: "primary", id: "yes" }),
      button("No (n)", () => answer(question, false), { id: "no" })),
    h("p.note", null, more ? count(more, "more question") : "This is the last question."));
}

/** Accepts a term that the person knows. @param {string} text */
async function teach(text) {
  const { kept } = shown;
  if (!kept) return toast("The terms that you taught earlier are still being read.", "Try again in a moment.", true);
  if (kept.accepted.includes(text)) return toast(`${text} is accepted already.`);
  kept.accepted.push(text);
  forgetAnswered();
  shown.isAsking = true;
  redrawDomains();
  await keep();
  if (shown.kept === kept) await ask();
}

/** A field for terms that the person knows. */
function termForm() {
  const field = /** @type {HTMLInputElement} */ (h("input", { id: "known-term", placeholder: "a value you know" }));
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return field.focus();
    if (shown.kept) field.value = "";
    await teach(text);
  };
  return h("form.actions", { onsubmit: add },
    labelled(`Teach a value of ${shown.attribute}`, field, "Or click it on the page. The learner looks for values in the same places."),
    h("button", { type: "submit" }, "Teach"));
}

/** The elements of the page whose text is a term. @param {string} term @returns {number[]} */
function elementsOf(term) {
  const wanted = term.toLowerCase();
  return [...state.tree?.texts ?? []].filter(([, text]) => text.toLowerCase() === wanted).map(([node]) => node);
}

/** A term; those of this page are marked, and shown there. @param {string} term @param {string} [more] */
function termEntry(term, more = "") {
  const nodes = elementsOf(term);
  if (!nodes.length) return h("li", null, term, more);
  const light = (/** @type {boolean} */ on) => () => tell({ type: "lit", nodes: on ? nodes : [] });
  return h("li.here", { onmouseenter: light(true), onmouseleave: light(false) }, h("button.link", {
    type: "button", title: "Show it on the page", onclick: () => { tell({ type: "scroll", node: nodes[0], block: "center" }); light(true)(); },
  }, term), more, h("span.role", null, nodes.length > 1 ? `${nodes.length} times on this page` : "on this page"));
}

/** @param {string} title @param {HTMLElement[]} list */
const terms = (title, list) => h("details", { open: list.length > 0 }, h("summary", null, `${title} (${list.length})`),
  h("ul.terms", { "aria-label": title }, list));
