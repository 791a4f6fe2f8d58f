// @ts-check
/** What a person does with the current page: each action asks the service and changes the state. */
import { post } from "./api.js";
import { painted } from "./dom.js";
import { tell } from "./frame_link.js";
import { MAX_FOUND_RECORDS, previewOfCorrection, previewOfList } from "./preview.js";
import { morePages, pageBody } from "./requests.js";
import { pointAt, pointSettled, stopPointing } from "./section_actions.js";
import { begin, canUndo, decide, newWork, restore, state, step, takeBack, update } from "./store.js";
import { toast } from "./toasts.js";

/** The running request; a newer one cancels it. @type {AbortController | null} */
let running = null;

/** The options that choose the list, or say that the page is an object. */
function listOptions() {
  const { work } = state;
  if (work.kind === "object") return { kind: "object" };
  return work.examples.length || work.wrapperText !== null ? {} : { list: work.list ?? 1, navigation: true };
}

/** The wrapper of the chosen list without corrections. @type {{page: any, pages: any[], choice: string, wrapper: string} | null} */
let learned = null;

/** What chooses the list. @param {import("./store.js").Work} work */
const choiceOf = ({ kind, list, examples }) => JSON.stringify([kind, list, examples]);

/** Answers that are kept, so that undo and redo need no request. */
const MAX_ANSWERS = 12;
/** Answers of the service by what was decided, the oldest first. @type {Map<import("./store.js").Work, {page: any, pages: any[], result: any}>} */
const answers = new Map();

/** @param {import("./store.js").Work} work @param {any} result */
function keepAnswer(work, result) {
  answers.delete(work);
  answers.set(work, { page: state.page, pages: state.moreObjects, result });
  const [oldest] = answers.keys();
  if (answers.size > MAX_ANSWERS && oldest) answers.delete(oldest);
}

/** Shows the answer for what was decided, if it is known. */
function showKnown() {
  const known = answers.get(state.work);
  if (!known || known.page !== state.page || known.pages !== state.moreObjects) return false;
  running?.abort();
  running = null;
  update({ result: known.result, problem: null, pending: null });
  return true;
}

/**
 * How a request ended: `refused` is an answer that stays the same, `failed` one that may be another later, since the service
 * was not reached or had too much to do; an `overtaken` request was followed by a newer one.
 * @typedef {"answered" | "refused" | "failed" | "overtaken"} Outcome
 */

/** What runs last. @type {Promise<Outcome>} */
let latest = Promise.resolve("answered");

/** Waits until the service has answered everything; false, with the reason on the screen, if something has no answer. */
export async function settled() {
  if (state.problem?.isPassing) refresh();
  for (;;) {
    const run = latest;
    const outcome = await run;
    if (run !== latest) continue;
    if (outcome === "answered" || outcome === "overtaken") return true;
    if (state.problem) toast(state.problem.message, state.problem.hint, true);
    return false;
  }
}

/** Asks for the wrapper and the table that follow from what was decided. @param {string} [what] the work, in words for people */
export const refresh = what => {
  latest = ask(what);
  return latest;
};

/** Forgets what the service was asked about the page before. */
export function stopAsking() {
  running?.abort();
  running = null;
  latest = Promise.resolve("answered");
  answers.clear();
}

/** Does not wait for the service any longer. What was decided stays, and can be sent again. */
export function stopWaiting() {
  running?.abort();
  running = null;
  update({ pending: null, problem: { message: "You stopped this.", hint: "The wrapper does not have your last change yet.", isPassing: true } });
}

/** @returns {Promise<Outcome>} */
async function ask(what = "Learning the list") {
  running?.abort();
  if (!state.page) return "answered";
  const controller = new AbortController();
  running = controller;
  const { work, page, moreObjects } = state;
  const isSame = learned !== null && learned.page === page && learned.pages === moreObjects
    && learned.choice === choiceOf(work);
  // a list is learned once: corrections begin with the wrapper that was learned, which is much faster
  const wrapper = work.wrapperText ?? (work.corrections.length && isSame ? learned?.wrapper : null);
  const body = {
    ...pageBody(),
    corrections: work.corrections,
    ...(wrapper ? { wrapper_text: wrapper } : {
      ...(work.kind === "object" ? { pages: morePages() } : {}), examples: work.examples, options: listOptions(),
    }),
  };
  update({ pending: what });
  try {
    // first what has changed is shown: to send a large page takes longer
    await painted();
    const result = work.kind === "section" ? await readSection(work, controller.signal)
      : await post("/v1/correct", body, controller.signal);
    if (running !== controller) return "overtaken";
    if (work.kind !== "section" && !work.corrections.length && work.wrapperText === null) {
      learned = { page, pages: moreObjects, choice: choiceOf(work), wrapper: result.wrapper };
    }
    keepAnswer(work, result);
    update({ result, problem: null, pending: null });
    for (const note of result.notes ?? []) if (work.corrections.length) toast(note);
    return "answered";
  } catch (error) {
    const { name, message, hint = null, isPassing = false } = /** @type {any} */ (error);
    if (name === "AbortError" || running !== controller) return "overtaken";
    const isFirst = !work.corrections.length && work.wrapperText === null;
    update({ problem: { message, hint, isPassing }, pending: null, ...(isFirst && !isPassing ? { result: null } : {}) });
    return isPassing ? "failed" : "refused";
  }
}

/** Reads a section again, whose answer is no longer known. @param {import("./store.js").Work} work @param {AbortSignal} signal */
async function readSection({ wrapperText }, signal) {
  const body = { ...pageBody(), wrapper_text: wrapperText, options: { sources: true } };
  return { answer: await post("/v1/apply", body, signal), wrapper: wrapperText, notes: [] };
}

/** Chooses a list by its rank. @param {number} rank */
export function chooseList(rank) {
  decide({ kind: "list", list: rank, examples: [], corrections: [], wrapperText: null });
  update({ tool: "look", panel: "table", problem: null, result: previewOfList(state.found?.regions?.[rank - 1]) });
  showFirst();
  refresh();
}

/** Scrolls the page to the first record, so that a person sees what was chosen. */
export function showFirst() {
  const [xpath] = state.result?.answer?.regions?.[0]?.records?.[0]?.xpaths ?? [];
  const node = state.tree?.at(xpath);
  if (node != null) tell({ type: "scroll", node, block: "center" });
}

/**
 * Adds a correction. The table changes at once, if that can be told; what the service refuses is taken back.
 * @param {any} correction
 * @param {number} [record] the record that was clicked
 * @returns {Promise<Outcome>}
 */
export const correct = (correction, record) => {
  latest = follow(correction, record === undefined ? [] : [record]);
  return latest;
};

/**
 * @param {any} correction @param {number[]} records those that were clicked @param {any[]} [before] earlier corrections
 * @returns {Promise<Outcome>}
 */
async function follow(correction, records, before = state.work.corrections) {
  const preview = previewOfCorrection(state.result, correction, records);
  decide({ corrections: [...before, correction] });
  update({ problem: null, ...(preview ? { result: preview } : {}) });
  let outcome = await ask("Changing the table");
  // what the service could not be asked is not taken back
  if (outcome === "failed") toast("The service has not answered yet. Your correction is kept.", state.problem?.hint, true, tryAgain);
  if (outcome !== "refused") return outcome;
  const { message, hint = null } = state.problem ?? { message: "This cannot be done." };
  toast(message.replace(/^correction \d+: /, ""), hint, true);
  // an earlier correction that was not yet answered may be the one that is refused
  while (outcome === "refused" && takeBack()) {
    update({ problem: null });
    outcome = showKnown() ? "answered" : await ask("Changing the table");
  }
  return outcome === "answered" ? "refused" : outcome;
}

/** What can be done about a request that has failed. */
const tryAgain = { label: "Try again", act: () => { refresh("Changing the table"); } };

/** @param {boolean} back */
export function undo(back) {
  if (!step(back)) return toast(back ? "There is nothing to undo." : "There is nothing to redo.");
  update({ problem: null, tool: "look", examples: [] });
  if (!showKnown()) refresh("Changing the table");
}

/** Uses a wrapper that was edited by hand. What the service refuses stays in the editor only. @param {string} text */
export async function useWrapperText(text) {
  decide({ wrapperText: text, corrections: [], examples: [] });
  const { work } = state;
  if (await refresh("Reading the page") === "refused" && state.work === work) takeBack();
}

/** Accepts the section that was pointed at as the result. */
export async function acceptSection() {
  const { page } = state;
  // a pattern that was just typed is the one that is meant
  if (!await pointSettled() || state.page !== page) return;
  decide({ kind: "section", wrapperText: state.pointed.wrapper, corrections: [], examples: [] });
  const result = { ...state.pointed, notes: [] };
  keepAnswer(state.work, result);
  update({ result, panel: "table", problem: null, pending: null, tool: "look" });
}

/** The elements of the records of a list or section. @param {any} region @returns {number[]} */
const firstNodes = region => (region?.records ?? []).map((/** @type {any} */ one) => state.tree?.at(one.xpaths[0]))
  .filter((/** @type {any} */ node) => node != null);

/** Reads the rows of a section as the records of a list, whose columns can be corrected. */
export function readSectionAsList() {
  const nodes = firstNodes(state.result?.answer?.regions?.[0]);
  if (nodes.length < 2) return;
  // a list that was found has better names for its columns than one that two examples make
  const isRow = new Set(nodes);
  const rank = (state.found?.regions ?? []).findIndex((/** @type {any} */ region) => {
    const own = firstNodes(region);
    return own.length === Math.min(nodes.length, MAX_FOUND_RECORDS) && own.every(node => isRow.has(node));
  });
  const choice = rank < 0 ? { examples: [nodes[0], nodes[nodes.length - 1]], list: 1 } : { examples: [], list: rank + 1 };
  decide({ kind: "list", corrections: [], wrapperText: null, ...choice });
  update({ problem: null, result: rank < 0 ? null : previewOfList(state.found.regions[rank]) });
  refresh("Reading the rows as records");
}

/**
 * A click on an element, by mouse or by keyboard. What it means depends on the tool.
 * @param {number} node
 * @param {{record?: number, column?: number}} place
 */
export function choose(node, place) {
  update({ selected: node, selectedPlace: { record: place.record, column: place.column } });
  tell({ type: "selected", nodes: [node] });
  if (state.tool === "point") pointAt({ node });
  else if (state.tool === "examples") addExample(node);
  else if (state.tool === "column") addColumn(node);
  else if (state.tool === "exclude") excludeRecord(node, place);
  else if (state.tool === "include") includeRecord(node, place);
}

/** @param {number} node */
function addExample(node) {
  const examples = [...state.examples, node];
  if (examples.length < 2) return update({ examples });
  update({ examples: [], tool: "look", panel: "table" });
  decide({ kind: "list", examples, corrections: [], wrapperText: null });
  // the table of the other list must not be corrected meanwhile
  update({ problem: null, result: null });
  refresh().then(showFirst);
}

/** Makes a column or field of what an element contains. @param {number} node */
export function addColumn(node) {
  const answer = state.result?.answer;
  const columns = (answer?.regions?.[0]?.columns ?? []).map((/** @type {any} */ one) => one.name);
  const known = new Set([...columns, ...Object.keys(answer?.fields ?? state.found?.fields ?? {})]);
  const element = state.tree?.elements.get(node);
  const base = element?.tag === "img" ? "image" : state.work.kind === "object" ? "field" : "column";
  let number = 1;
  while (known.has(`${base}_${number}`)) number++;
  const from = element?.tag === "img" ? "src" : "text";
  update({ tool: "look", panel: "table" });
  const name = `${base}_${number}`;
  const before = document.activeElement;
  correct({ add: { name, node, from } }).then(outcome => {
    if (outcome === "answered") requestAnimationFrame(() => showColumn(name, before));
  });
}

/**
 * Scrolls the table to a column, and puts the focus on its name: it is likely to be renamed. But a person who does something
 * else by now keeps the focus.
 * @param {string} name
 * @param {Element | null} before where the focus was
 */
function showColumn(name, before) {
  const head = [...document.querySelectorAll("#panel .data .name")]
    .find(one => /** @type {HTMLElement} */ (one).dataset.name === name);
  head?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const active = document.activeElement;
  if (active === before || active === document.body) /** @type {HTMLElement | undefined} */ (head)?.focus({ preventScroll: true });
}

/** @param {number} node @param {{record?: number}} place */
export function excludeRecord(node, place) {
  if (place.record === undefined) return toast("Click inside a record to exclude it.", null, true);
  const { page } = state;
  const alike = alikeRecords(place.record);
  const before = state.work;
  correct({ exclude: { records: [node] } }, place.record);
  if (!alike.length) return;
  const label = alike.length === 1 ? "Exclude it too" : `Exclude all ${alike.length} of them`;
  toast(alike.length === 1 ? "One more record looks like this one." : `${alike.length} more records look like this one.`, null, false, {
    label,
    act: () => {
      // one correction for all of them, so that the wrapper names their kind
      if (state.page === page && state.work.corrections.length === before.corrections.length + 1) {
        excludeAll([node, ...alike], before.corrections);
      }
    },
  });
}

/** Excludes records together. @param {number[]} nodes @param {any[]} corrections those before */
function excludeAll(nodes, corrections) {
  const isExcluded = new Set(nodes);
  const records = state.result?.answer?.regions?.[0]?.records ?? [];
  const places = records.map((/** @type {any} */ _, /** @type {number} */ at) => at)
    .filter((/** @type {number} */ at) => isExcluded.has(state.tree?.at(records[at].xpaths[0]) ?? -1));
  latest = follow({ exclude: { records: nodes } }, places, corrections);
}

/**
 * The elements of records that are of the same kind as one, which most records are not: the same tag and classes.
 * @param {number} record
 * @returns {number[]}
 */
function alikeRecords(record) {
  const records = state.result?.answer?.regions?.[0]?.records ?? [];
  const nodes = records.map((/** @type {any} */ one) => state.tree?.at(one.xpaths[0]) ?? -1);
  const kind = (/** @type {number} */ node) => {
    const element = state.tree?.elements.get(node);
    return `${element?.tag} ${element?.attributes.class ?? ""}`;
  };
  const same = nodes.filter((/** @type {number} */ node) => kind(node) === kind(nodes[record]));
  return 2 * same.length < nodes.length ? same.filter((/** @type {number} */ node) => node !== nodes[record]) : [];
}

/** @param {number} node @param {{record?: number}} place */
export function includeRecord(node, place) {
  if (place.record !== undefined) return toast("This record is in the table already.", "Click one that is missing.", true);
  correct({ include: { records: [node] } });
}

/**
 * Begins with a page that was opened, before anything was found on it.
 * @param {any} page
 * @param {import("./page_tree.js").PageTree} tree
 * @param {{work: import("./store.js").Work, history: any, panel?: string, side?: string} | null} kept what was decided about it earlier
 */
export function beginWith(page, tree, kept) {
  stopAsking();
  stopPointing();
  if (kept) restore(kept.history ?? {}, kept.work);
  else begin(newWork());
  update({
    page, tree, found: null, result: null, problem: null, pending: null, sections: null, pointed: null, selected: null,
    selectedPlace: {}, tool: "look", pictures: [], overlay: [], examples: [], moreObjects: [],
    side: kept?.side ?? "lists", panel: kept?.panel ?? "table",
  });
}

/**
 * Shows what was found on the page; false if a person has decided something in the meantime.
 * @param {any} found
 * @param {import("./store.js").Work} work what was decided when the page was opened
 */
export function useFound(found, work) {
  update({ found });
  if (state.work !== work || canUndo()) return false;
  const isObject = found?.page?.kind === "object" || found?.page?.kind === "detail";
  begin({ ...work, kind: isObject ? "object" : "list" });
  update({ result: isObject ? null : previewOfList(found?.regions?.[0]) });
  return true;
}
