// Extracts the records from the pages of one site, in a browser.
//
//   npm install playwright-core
//   node FILE [URL…] [--chromium PATH] [--pages N|all]      (or CHROMIUM=PATH)
//
// Prints one line of JSON per record. `records` runs inside the page and does not depend on Playwright.
//
// Written by `copal export --to playwright`. docs/guide/wrappers.md in copal's repository describes what differs
// from `copal apply`.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Where the records and their columns are. `ways` are tried in order until one fits. In a column, the first locator
// of `find` is used; if it finds fewer values than expected, all of them vote.
const WRAPPER = []; // copal: the wrapper

// Selectors of the link to the next page. The first that finds one is followed.
const NEXT = []; // copal: the next link
// What is done on the first page before it is read: fields are filled in, elements are clicked.
const STEPS = []; // copal: the steps
// The lists of the site, which are read if no URL is given, with what is done to get to them.
const START = []; // copal: the lists of the site
const PAGES = "1"; // copal: how many pages

export function records(wrapper) {
  const SPACE = "\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const WORDS = new RegExp(`[^${SPACE}\\u200b\\ufeff]+`, "g");
  const ENDS = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "g");
  const LETTER = /[\p{Alphabetic}\p{N}]/u;
  const SEPARATORS = "|\xa6\xb7\xbb\u2022\u203a\u2027\u2219\u22c5\u25cf";
  const UNSEEN = new Set(
    ("head title meta link base script style noscript template iframe noframes object embed audio video canvas area" +
      " source col colgroup datalist option optgroup").split(" "));
  const FORMATTING = new Set(
    ("b strong i em u s small big font sub sup mark code tt kbd samp cite q del ins strike abbr acronym var dfn nobr" +
      " wbr").split(" "));
  const isText = (node) => typeof node === "string";
  const tag = (element) => element.localName;
  const words = (text) => (text.match(WORDS) ?? []).join(" ");

  // Hidden by its HTML attributes or those of an element around it. Stylesheets do not count, as in copal.
  const known = new Map();
  function isHidden(element) {
    const chain = [];
    let at = element;
    while (at && !known.has(at)) {
      chain.push(at);
      at = at.parentElement;
    }
    let hidden = at ? known.get(at) : false;
    for (const one of chain.reverse()) {
      hidden = hidden || hidesItself(one);
      known.set(one, hidden);
    }
    return hidden;
  }

  function hidesItself(element) {
    let display = null;
    let invisible = false;
    const type = (element.getAttribute("type") ?? "").toLowerCase();
    if (element.hasAttribute("hidden") || (tag(element) === "input" && type === "hidden")) display = "none";
    for (const declaration of (element.getAttribute("style") ?? "").split(";")) {
      const colon = declaration.indexOf(":");
      if (colon < 0) continue;
      const name = declaration.slice(0, colon).trim().toLowerCase();
      const value = declaration.slice(colon + 1).trim().toLowerCase();
      if (name === "display") display = value;
      else if (name === "visibility") invisible = /^(hidden|collapse)/.test(value);
    }
    return invisible || (display === null ? UNSEEN.has(tag(element)) : display.startsWith("none"));
  }

  // Elements and texts in order, without comments.
  function children(element) {
    const out = [];
    let text = "";
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) text += node.data;
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      if (text) out.push(text);
      text = "";
      out.push(node);
    }
    if (text) out.push(text);
    return out;
  }

  // Yields the visible texts in order, with the element around each. null marks a line break or an image.
  function* texts(nodes, parent) {
    const stack = [[parent, nodes, 0]];
    while (stack.length) {
      const level = stack.at(-1);
      if (level[2] === level[1].length) {
        stack.pop();
        continue;
      }
      const node = level[1][level[2]++];
      if (isText(node)) yield [node, level[0]];
      else if (!isHidden(node)) {
        if (["br", "img", "svg"].includes(tag(node))) yield [null, node];
        stack.push([node, children(node), 0]);
      }
    }
  }

  // Joins texts to one line. There is a space where the page has one and between words of different elements.
  function line(nodes, parent) {
    let [out, apart, before] = ["", false, null];
    for (const [raw, around] of texts(nodes, parent)) {
      if (raw === null) {
        apart ||= tag(around) !== "svg";
        continue;
      }
      const piece = words(raw);
      if (!piece) {
        apart = true;
        continue;
      }
      const last = [...out].at(-1) ?? "";
      const touch = LETTER.test(last) && LETTER.test([...piece][0]);
      const plain = before !== null && !FORMATTING.has(tag(before)) && !FORMATTING.has(tag(around));
      if (out && (apart || new RegExp(`^[${SPACE}]`).test(raw) || (touch && plain))) out += " ";
      out += piece;
      apart = new RegExp(`[${SPACE}]$`).test(raw);
      before = around;
    }
    return out;
  }

  // The line without separators at its ends; null if it has no letters, digits or known symbols.
  function value(nodes, parent) {
    const letters = [...line(nodes, parent)];
    let [start, end] = [0, letters.length];
    while (start < end && (" ,;" + SEPARATORS).includes(letters[start])) start++;
    while (end > start && (" " + SEPARATORS).includes(letters[end - 1])) end--;
    const text = letters.slice(start, end).join("");
    return LETTER.test(text) || /[\u2605\u2606\u2713\u2714]/.test(text) || /^\${2,5}$/.test(text) ? text : null;
  }

  function any(nodes, parent, images) {
    for (const [raw, around] of texts(nodes, parent)) {
      if (raw === null ? images && tag(around) !== "br" : words(raw)) return true;
    }
    return false;
  }

  function select(scope, css) {
    try {
      const inside = [...scope.querySelectorAll(css)];
      return scope.matches?.(css) ? [scope, ...inside] : inside;
    } catch {
      return [];
    }
  }
  const below = (scope, css) => select(scope, css).filter((element) => element !== scope);

  // A record: adjacent elements, and all nodes from the first to the last of them.
  function record(elements) {
    const parent = elements[0].parentElement;
    const nodes = parent ? children(parent) : [elements[0]];
    return { elements, parent, nodes: nodes.slice(nodes.indexOf(elements[0]), nodes.indexOf(elements.at(-1)) + 1) };
  }

  // The records that one pair of locators finds. If it finds several regions, the one with the most records counts.
  function recordsOf(rule, way) {
    let best = [];
    for (const region of below(document, way.region).slice(0, 10)) {
      const found = recordsBelow(rule, region, way);
      if (found.length > best.length) best = found;
    }
    return best;
  }

  function recordsBelow(rule, region, way) {
    let heads = [];
    for (const element of below(region, way.record)) {
      if (!isHidden(element) && !heads.at(-1)?.contains(element)) heads.push(element);
    }
    if (rule.needs !== undefined) {
      const needed = below(region, rule.needs);
      heads = heads.filter((head) => needed.some((element) => element !== head && head.contains(element)));
    }
    const out = [];
    let last = [];
    const most = rule.elements ?? 1;
    heads.forEach((head, at) => {
      if (last.some((element) => element.contains(head))) return;
      const stop = heads[at + 1];
      const elements = [head];
      let sibling = head.nextElementSibling;
      while (sibling && (most === 0 || elements.length < most) && sibling !== stop) {
        if (!isHidden(sibling)) elements.push(sibling);
        if (stop && sibling.contains(stop)) break;
        sibling = sibling.nextElementSibling;
      }
      last = elements;
      out.push(record(elements));
    });
    return out.filter((one) => any(one.nodes, one.parent, true));
  }

  // The value of an element: its URL, its image or its text.
  function read(element, from, own) {
    if (from === "href") {
      const href = tag(element) === "a" ? (element.getAttribute("href") ?? "").trim() : "";
      return href === "" || href === "#" || /^javascript:/i.test(href) ? null : href;
    }
    if (from === "src") {
      if (tag(element) !== "img") return null;
      const found = ["data-src", "src"].map((name) => (element.getAttribute(name) ?? "").trim());
      return found.find((src) => src && !src.startsWith("data:")) ?? null;
    }
    if (own === undefined) return value([element], element);
    const said = children(element).filter(isText).map((text) => value([text], element));
    return said.filter((text) => text !== null)[own - 1] ?? null;
  }

  // The part of a text that is the value; null if the text does not contain it.
  function cut(text, { after, before, split, piece }) {
    if (after !== undefined) {
      const at = text.indexOf(after);
      if (at < 0) return null;
      text = text.slice(at + after.length);
    }
    if (before !== undefined) text = text.split(before)[0];
    if (split !== undefined) text = text.split(split)[piece - 1] ?? "";
    return text.replace(ENDS, "") || null;
  }

  const bare = (text) => text.trim().replace(/:+$/, "").trimEnd();

  // The value after the first text that consists of the label alone.
  function valueAfterLabel({ parent, nodes }, label) {
    const levels = [[parent, nodes, 0]];
    while (levels.length) {
      const level = levels.at(-1);
      if (level[2] === level[1].length) {
        levels.pop();
        continue;
      }
      const node = level[1][level[2]++];
      if (!isText(node)) {
        if (!isHidden(node)) levels.push([node, children(node), 0]);
      } else if (new TextEncoder().encode(node).length <= 240 && bare(words(node)) === bare(label)) {
        const found = nextValue(levels);
        if (found !== null) return found;
      }
    }
    return null;
  }

  // The value of the next sibling that has one. Goes up as long as nothing precedes the label in its parent.
  function nextValue(levels) {
    for (const [parent, nodes, nextIndex] of [...levels].reverse()) {
      for (const node of nodes.slice(nextIndex)) {
        const found = value([node], parent);
        if (found !== null) return found;
      }
      if (any(nodes.slice(0, nextIndex - 1), parent, false)) return null;
    }
    return null;
  }

  // The values that one locator of a column finds in a record.
  function values(record, column, place) {
    const wanted = place.nth ?? 1;
    const most = column.many ? 1000 : wanted;
    let found = [];
    if (place.label !== undefined) found.push(valueAfterLabel(record, place.label));
    else {
      const scope = record.elements[(place.element ?? 1) - 1];
      for (const element of scope ? select(scope, place.css) : []) {
        const text = isHidden(element) ? null : read(element, column.from, place.text);
        if (text !== null) found.push(text);
        if (found.length === most) break;
      }
    }
    found = found.filter((text) => text !== null);
    if (column.cut) found = found.map((text) => cut(text, column.cut)).filter((text) => text !== null);
    if (column.many) return found;
    return found.length === wanted ? [found.at(-1)] : [];
  }

  // True if a column is in fewer records than chance explains (a one-sided test of proportions).
  function fell(presence, there, count) {
    const share = Math.min(Math.max(presence, 0.05), 0.95);
    return share * count - there > 2.33 * Math.sqrt(share * (1 - share) * count);
  }

  // The values of a column for each record. Only if the first locator finds too few, all locators vote.
  function cells(found, column) {
    const ask = (place) => found.map((one) => values(one, column, place));
    const [first, ...others] = column.find;
    const byPlace = [ask(first)];
    const there = byPlace[0].filter((cell) => cell.length).length;
    if (others.length && fell(column.presence ?? 0, there, found.length)) byPlace.push(...others.map(ask));
    return found.map((_, number) => {
      const said = byPlace.map((column) => column[number]);
      const same = said.map((cell) => said.filter((other) => JSON.stringify(other) === JSON.stringify(cell)).length);
      const rank = said.map((cell, at) => (cell.length ? 1000 : 0) + same[at]);
      return said[rank.indexOf(Math.max(...rank))];
    });
  }

  // True if the records have the columns that the sample pages had.
  function fits(rule, found, table) {
    const expected = table.filter((_, number) => (rule.columns[number].presence ?? 0) >= 0.9);
    if (!expected.length) return found.length > 0;
    const there = expected.flat().filter((cell) => cell.length).length;
    return there > 0 && there >= 0.5 * found.length * expected.length;
  }

  function absolute(address) {
    try {
      return new URL(address, document.baseURI).href;
    } catch {
      return address;
    }
  }

  for (const rule of wrapper) {
    for (const way of rule.ways) {
      const found = recordsOf(rule, way);
      const table = rule.columns.map((column) => cells(found, column));
      if (!fits(rule, found, table)) continue;
      const several = table.map((column) => column.some((cell) => cell.length > 1));
      return found.map((_, number) => {
        const pairs = rule.columns.flatMap((column, at) => {
          const cell = table[at][number].map((text) => (column.from === "text" ? text : absolute(text)));
          return cell.length ? [[column.name, several[at] ? cell : cell[0]]] : [];
        });
        return Object.fromEntries(pairs);
      });
    }
  }
  return [];
}

// The URL of the next page of the list; null on the last one. Runs inside the page.
export function nextPage(selectors) {
  for (const css of selectors) {
    const link = document.querySelector(css);
    if (link?.tagName === "A" && /^(https?|file):/.test(link.href)) return link.href;
  }
  return null;
}

// The element with this text that has appeared since `copalShown` was noted, the innermost one; else the shortest that
// contains it; null if there is none. Runs inside the page.
export function suggestion(text) {
  const said = (element) => element.textContent.replace(/\s+/g, " ").trim();
  const isNew = (element) => !window.copalShown.has(element) && element.checkVisibility();
  const fresh = [...document.querySelectorAll("*")].filter(isNew).filter((one) => said(one).includes(text));
  fresh.sort((a, b) => said(a).length - said(b).length);
  return fresh.findLast((one) => said(one) === text) ?? fresh[0] ?? null;
}

// Fills in a field, chooses an option or a suggestion by its text, clicks, or sends the form of a field.
async function perform(page, step) {
  if (step.fill !== undefined) {
    const field = page.locator(step.fill).first();
    const isChoice = (await field.evaluate((element) => element.localName)) === "select";
    await (isChoice ? field.selectOption({ label: step.with }) : field.fill(step.with));
    return;
  }
  if (step.choose !== undefined) {
    const field = page.locator(step.choose).first();
    await page.evaluate(() => {
      window.copalShown = new Set([...document.querySelectorAll("*")].filter((one) => one.checkVisibility()));
    });
    await field.fill("");
    // scripts show suggestions after a few letters, and may replace them once more
    await field.pressSequentially([...step.with].slice(0, 3).join(""), { delay: 50 });
    for (let attempt = 1; ; attempt++) {
      await page.waitForTimeout(300);
      const option = await page.waitForFunction(suggestion, step.with);
      try {
        return await option.asElement().click({ timeout: 3000 });
      } catch (error) {
        if (attempt === 3) throw error;
      }
    }
  }
  const target = page.locator(step.click ?? step.submit).first();
  const sent = step.click !== undefined
    ? target.click()
    : target.evaluate((element) => { (element.form ?? element).requestSubmit(); });
  await sent;
  await page.waitForLoadState("load");
}

const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

async function main(given) {
  const at = given.indexOf("--chromium");
  const path = at < 0 ? process.env.CHROMIUM : given.splice(at, 2)[1];
  const pages = given.indexOf("--pages");
  const many = pages < 0 ? PAGES : given.splice(pages, 2)[1];
  const most = many === "all" ? Infinity : Number(many);
  const starts = given.length ? given.map((url) => ({ url, steps: STEPS })) : START;
  if (!starts.length || !path) {
    console.error("usage: node FILE URL… --chromium PATH   (or CHROMIUM=PATH)");
    return 2;
  }
  const { chromium } = await import("playwright-core");
  const folder = await mkdtemp(join(tmpdir(), "copal-"));
  const args = [...FLAGS, "--disable-component-update", "--disable-sync"];
  const context = await chromium.launchPersistentContext(folder, { executablePath: path, headless: true, args });
  try {
    const page = await context.newPage();
    for (const { url, steps } of starts) {
      await page.goto(url, { waitUntil: "load" });
      for (const step of steps) await perform(page, step);
      const [seen, known] = [new Set(), new Set()];
      for (let number = 1; ; number++) {
        seen.add(page.url());
        const found = await page.evaluate(records, WRAPPER);
        const lines = found.map((record) => JSON.stringify(record));
        // a page without new records is the end: the last page may link to the first one by another URL
        if (lines.every((line) => known.has(line))) break;
        for (const line of lines) {
          console.log(line);
          known.add(line);
        }
        const next = number < most ? await page.evaluate(nextPage, NEXT) : null;
        if (!next || seen.has(next)) break;
        await page.goto(next, { waitUntil: "load" });
      }
    }
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  }
  return 0;
}

// If this file is imported, it only provides `records`.
if (process.argv[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href) {
  process.exitCode = await main(process.argv.slice(2));
}
