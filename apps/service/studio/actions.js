// @ts-check
/** What a person does with the current page: each action asks the service and changes the state. */
import { post } from "./api.js";
import { painted } from "./dom.js";
import { tell } from "./frame_link.js";
import { previewOfCorrection, previewOfList } from "./preview.js";
import { begin, decide, newWork, state, step, takeBack, update } from "./store.js";
import { clearErrors, complain, toast } from "./toasts.js";

/** The running request; a newer one cancels it. @type {AbortController | null} */
let running = null;

/** The running request about a section; a newer one cancels it. @type {AbortController | null} */
let pointing = null;

/** What every request about the current page contains. */
export const pageBody = () => ({ html: state.page.source, ...(state.page.url ? { url: state.page.url } : {}) });

/**
 * Runs work that may take long: shows what is done, and can be cancelled. What went wrong before is forgotten.
 * @template T
 * @param {string} text
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T | null>}
 */
export async function busy(text, work) {
  clearErrors();
  const controller = new AbortController();
  const entry = { text, cancel: () => controller.abort() };
  update({ busy: entry });
  try {
    return await work(controller.signal);
  } catch (error) {
    complain(error);
    return null;
  } finally {
    if (state.busy === entry) update({ busy: null });
  }
}

/** Pages of the same template, as requests contain them. */
export const morePages = () => state.moreObjects.map(one =>
  ({ html: one.source, ...(one.url ? { url: one.url } : {}), name: one.name }));

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

/** What runs last; false if the service refused it. @type {Promise<boolean>} */
let latest = Promise.resolve(true);

/** Waits until the service has answered everything; false if it refused the last thing. */
export async function settled() {
  for (;;) {
    const run = latest;
    const isDone = await run;
    if (run === latest) return isDone;
  }
}

/** Asks for the wrapper and the table that follow from what was decided. @param {string} [what] the work, in words for people */
export const refresh = what => { latest = ask(what).then(outcome => outcome !== "refused"); return latest; };

/** @returns {Promise<"answered" | "refused" | "overtaken">} */
async function ask(what = "Learning the list") {
  running?.abort();
  if (!state.page || state.work.kind === "section") {
    update({ pending: null });
    return "answered";
  }
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
    const result = await post("/v1/correct", body, controller.signal);
    if (running !== controller) return "overtaken";
    if (!work.corrections.length && work.wrapperText === null) {
      learned = { page, pages: moreObjects, choice: choiceOf(work), wrapper: result.wrapper };
    }
    keepAnswer(work, result);
    update({ result, problem: null, pending: null });
    for (const note of result.notes ?? []) if (work.corrections.length) toast(note);
    return "answered";
  } catch (error) {
    const { name, message, hint = null } = /** @type {any} */ (error);
    if (name === "AbortError" || running !== controller) return "overtaken";
    const isFirst = !work.corrections.length && work.wrapperText === null;
    update({ problem: { message, hint }, pending: null, ...(isFirst ? { result: null } : {}) });
    return "refused";
  }
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
 */
export const correct = (correction, record) => { latest = follow(correction, record === undefined ? [] : [record]); return latest; };

/** @param {any} correction @param {number[]} records those that were clicked @param {any[]} [before] earlier corrections */
async function follow(correction, records, before = state.work.corrections) {
  const preview = previewOfCorrection(state.result, correction, records);
  decide({ corrections: [...before, correction] });
  update({ problem: null, ...(preview ? { result: preview } : {}) });
  let outcome = await ask("Changing the table");
  if (outcome !== "refused") return true;
  const { message, hint = null } = state.problem ?? { message: "This cannot be done." };
  toast(message.replace(/^correction \d+: /, ""), hint, true);
  // an earlier correction that was not yet answered may be the one that is refused
  while (outcome === "refused" && takeBack()) {
    update({ problem: null });
    outcome = showKnown() ? "answered" : await ask("Changing the table");
  }
  return false;
}

/** @param {boolean} back */
export function undo(back) {
  if (!step(back)) return toast(back ? "There is nothing to undo." : "There is nothing to redo.");
  update({ problem: null, tool: "look", examples: [] });
  if (!showKnown()) refresh("Changing the table");
}

/** Uses a wrapper that was edited by hand. @param {string} text */
export async function useWrapperText(text) {
  decide({ wrapperText: text, corrections: [], examples: [] });
  await refresh("Reading the page");
}

/** Points at an element or a pattern. @param {{node: number} | {pattern: string}} target */
export async function pointAt(target) {
  pointing?.abort();
  const controller = new AbortController();
  pointing = controller;
  update({ pending: "Reading the section" });
  try {
    await painted();
    const body = { ...pageBody(), ...target, options: { max_rows: 50 } };
    const pointed = await post("/v1/point", body, controller.signal);
    update({ pointed, side: "point", problem: null, pending: null });
    tell({ type: "scroll", node: pointed.node, block: "center" });
  } catch (error) {
    const { name, message, hint = null } = /** @type {any} */ (error);
    if (name !== "AbortError") update({ problem: { message, hint }, pending: null });
  }
}

/** Accepts the section that was pointed at as the result. */
export function acceptSection() {
  decide({ kind: "section", wrapperText: state.pointed.wrapper, corrections: [], examples: [] });
  const result = { ...state.pointed, notes: [] };
  keepAnswer(state.work, result);
  update({ result, panel: "table", problem: null, tool: "look" });
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
  correct({ add: { name, node, from } }).then(isDone => { if (isDone) requestAnimationFrame(() => showColumn(name)); });
}

/** Scrolls the table to a column, and puts the focus on its name: it is likely to be renamed. @param {string} name */
function showColumn(name) {
  const head = [...document.querySelectorAll("#panel .data .name")]
    .find(one => /** @type {HTMLElement} */ (one).dataset.name === name);
  head?.scrollIntoView({ block: "nearest", inline: "nearest" });
  /** @type {HTMLElement | undefined} */ (head)?.focus({ preventScroll: true });
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

/** Reads the sections of the page. */
export async function loadSections() {
  if (state.sections || !state.page) return;
  try {
    const answer = await post("/v1/sections", pageBody());
    update({ sections: answer.pages[0].sections });
  } catch (error) {
    complain(error);
  }
}

/**
 * Begins with a page that was opened.
 * @param {any} page
 * @param {any} found
 * @param {import("./page_tree.js").PageTree} tree
 */
export function beginWith(page, found, tree) {
  const isObject = found?.page?.kind === "object" || found?.page?.kind === "detail";
  answers.clear();
  begin({ ...newWork(), kind: isObject ? "object" : "list" });
  update({
    page, found, tree, result: isObject ? null : previewOfList(found?.regions?.[0]), problem: null, pending: null, sections: null, pointed: null, selected: null, tool: "look",
    pictures: [], examples: [], view: "page", side: "lists", panel: "table", moreObjects: [],
  });
}
