// @ts-check
/** Domains (AMBER): attributes on the page, terms that the learner found, and its questions. */
import { busy, pageBody } from "./actions.js";
import { get, post, putJson } from "./api.js";
import { colour } from "./colours.js";
import { button, count, empty, h, labelled } from "./dom.js";
import { readDraft } from "./drafts.js";
import { tell } from "./frame_link.js";
import { pageView } from "./page_view.js";
import { state, update } from "./store.js";
import { complain } from "./toasts.js";

/** @type {any} */
let domains = null;
/** What is shown: domain, attribute, annotations, learner's answer, kept terms. @type {any} */
let shown = { domain: "", attribute: "", annotations: [], learner: null, kept: {} };

/** Where the terms of an attribute are kept. */
const draft = () => `terms-${shown.domain}-${shown.attribute}`.slice(0, 64);

export function domainView() {
  if (!domains) {
    get("/v1/domains").then(answer => { domains = answer.domains; update({ view: "domains" }); }, complain);
    return h("section.wide", null, h("h1", null, "Domains"), h("p.note", { role: "status" }, "Reading the domains …"));
  }
  const choose = /** @type {HTMLSelectElement} */ (h("select", { id: "domain", onchange: () => openDomain(choose.value) },
    h("option", { value: "" }, "choose a domain"),
    domains.map((/** @type {any} */ one) => h("option", { value: one.name, selected: one.name === shown.domain }, one.name))));
  const side = h("div.side", { role: "region", "aria-label": "Domain", tabindex: "0" }, h("div.pad", null, labelled("Domain", choose), domainSide()));
  if (!state.page) {
    return h("section.wide", null, h("h1", null, "Domains"), labelled("Domain", choose), domainSide(),
      empty("Open a page to see a domain's attributes on it.", button("Open a page", () => update({ view: "page" }), { class: "primary" })));
  }
  return h("div.domains", null, side, pageView(), h("aside.learner", { "aria-label": "Learner", tabindex: "0" }, learnerPanel()));
}

function domainSide() {
  const domain = domains.find((/** @type {any} */ one) => one.name === shown.domain);
  if (!domain) return h("p.note", null, "A domain is a named set of typed fields, such as books or jobs.");
  const found = (/** @type {string} */ name) => shown.annotations.filter((/** @type {any} */ one) => one.type === name).length;
  const attributes = domain.attributes.map((/** @type {any} */ attribute, /** @type {number} */ at) => ({ attribute, at }))
    .sort((/** @type {any} */ one, /** @type {any} */ other) => found(other.attribute.name) - found(one.attribute.name));
  return h("ul.attributes", null, attributes.map((/** @type {any} */ { attribute, at }) =>
    h("li", { "--colour": colour(at) }, h("button.list", {
      type: "button", "aria-pressed": String(attribute.name === shown.attribute), onclick: () => openAttribute(attribute.name),
      onmouseenter: () => light(attribute.name), onmouseleave: () => tell({ type: "lit", nodes: [] }),
    }, h("strong", null, attribute.name), h("span.role", null, attribute.type), h("span.columns", null, `${found(attribute.name)} on this page`)))));
}

/** @param {string} attribute */
function light(attribute) {
  const nodes = shown.annotations.filter((/** @type {any} */ one) => one.type === attribute).map((/** @type {any} */ one) => state.tree?.at(one.xpath));
  tell({ type: "lit", nodes: nodes.filter((/** @type {any} */ node) => node != null) });
}

/** @param {string} name */
async function openDomain(name) {
  shown = { domain: name, attribute: "", annotations: [], learner: null, kept: {} };
  if (name && state.page) {
    const answer = await busy(`Reading the page as ${name}`, signal =>
      post("/v1/extract", { ...pageBody(), options: { domain: name, explain: true, max_rows: 1 } }, signal));
    const attributes = domains.find((/** @type {any} */ one) => one.name === name).attributes.map((/** @type {any} */ one) => one.name);
    shown.annotations = (answer?.explain?.annotations ?? []).filter((/** @type {any} */ one) => attributes.includes(one.type) && !one.label);
    drawAnnotations(attributes);
  }
  update({ view: "domains" });
}

/** @param {string[]} attributes */
function drawAnnotations(attributes) {
  const cells = shown.annotations.map((/** @type {any} */ one) => {
    const column = attributes.indexOf(one.type);
    return { node: state.tree?.at(one.xpath), colour: colour(column), tint: "transparent", annotation: `${one.type}: ${one.text}` };
  }).filter((/** @type {any} */ one) => one.node != null);
  update({ overlay: cells });
}

/** @param {string} attribute */
async function openAttribute(attribute) {
  shown.attribute = attribute;
  shown.kept = await readDraft(draft()).catch(() => null);
  shown.kept = { accepted: [], refused: [], ...shown.kept };
  await ask();
}

async function ask() {
  shown.learner = state.page ? await busy("Asking the learner", signal => post("/v1/questions", {
    ...pageBody(), attribute: shown.attribute, accepted: shown.kept.accepted, refused: shown.kept.refused, options: { domain: shown.domain },
  }, signal)) : null;
  update({ view: "domains" });
}

/** @param {string} text @param {boolean} isAccepted */
async function answer(text, isAccepted) {
  shown.kept[isAccepted ? "accepted" : "refused"].push(text);
  await putJson(`/v1/drafts/${draft()}`, shown.kept).catch(complain);
  shown.learner.questions = shown.learner.questions.filter((/** @type {any} */ one) => one.text !== text);
  if (shown.learner.questions.length) update({ view: "domains" });
  else await ask();
}

function learnerPanel() {
  if (!shown.attribute) return empty("Choose an attribute.", h("p", null, "The learner looks for values that the domain does not know yet, and asks about those it is not sure of."));
  const { learner, kept } = shown;
  const [question] = learner?.questions ?? [];
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (question && (event.key === "y" || event.key === "n")) answer(question.text, event.key === "y");
  };
  return h("div.pad", { onkeydown: key },
    h("h2", null, shown.attribute),
    question ? h("div.card.question", null,
      h("p", null, question.kind === "label" ? "Is this a label of " : "Does this belong to ", h("strong", null, shown.attribute), "?"),
      h("p.term", null, question.text),
      question.context ? h("p.note", null, `from “${question.context}”`) : null,
      question.confidence !== undefined ? h("p.note", null, `${Math.round(question.confidence * 100)}% sure`) : null,
      h("div.actions", null, button("Yes (y)", () => answer(question.text, true), { class: "primary", id: "yes" }), button("No (n)", () => answer(question.text, false), { id: "no" })),
      h("p.note", null, count(learner.questions.length - 1, "more question"))) : h("p.note", { role: "status" }, "The learner has no questions about this page."),
    termForm(),
    terms("Found on this page", (learner?.learned ?? []).map((/** @type {any} */ one) => `${one.text} (${Math.round(one.confidence * 100)}%)`)),
    terms("Accepted", kept.accepted ?? []), terms("Refused", kept.refused ?? []));
}

/** A field for terms that the person knows. */
function termForm() {
  const field = /** @type {HTMLInputElement} */ (h("input", { id: "known-term", placeholder: "a value you know" }));
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text || shown.kept.accepted.includes(text)) return;
    shown.kept.accepted.push(text);
    await putJson(`/v1/drafts/${draft()}`, shown.kept).catch(complain);
    await ask();
    document.getElementById("known-term")?.focus();
  };
  return h("form.actions", { onsubmit: add }, labelled(`Teach a value of ${shown.attribute}`, field, "The learner looks for values in the same places."),
    h("button", { type: "submit" }, "Teach"));
}

/** @param {string} title @param {string[]} list */
const terms = (title, list) => h("details", { open: list.length > 0 }, h("summary", null, `${title} (${list.length})`),
  h("ul.terms", null, list.map(text => h("li", null, text))));
