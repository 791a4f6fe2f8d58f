// Uses the demo as people do. node demo.mjs ADDRESS CHROMIUM ROOT
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";
import { payloadsFor, provoke } from "./payloads.mjs";

const [address, program, root] = process.argv.slice(2);
// compiling the program takes seconds on a busy machine
const PATIENCE = 180_000;

/** The table as a list of rows, the names of the columns first. */
const table = page => page.locator("#table tr").evaluateAll(rows =>
  rows.map(row => [...row.children].map(cell => cell.firstChild?.textContent ?? "")));

const status = (page, text) => page.locator("#status", { hasText: text }).waitFor({ timeout: PATIENCE });

const download = async (page, name) => {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
};

/** What a page would ask for if a payload ran in it. */
const CANARY = "https://canary.example/asked";
const PAYLOADS_PER_PAGE = 100;

/** A list with a payload in each text, label, class name and link of its records. */
const pageWith = payloads => {
  const safe = text => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const records = payloads.map(safe).map((text, i) => `<li class="item ${text}"><h3><a href="${text}">Lamp ${i} ${text}</a></h3>
    <b class="${text}">£${i}.50</b><dl><dt>${text}</dt><dd>${text} ${i}</dd></dl><p title="${text}">${text}</p></li>`);
  return `<!doctype html><title>${safe(payloads[0])}</title><ul class="${safe(payloads[1])}">${records.join("")}</ul>`;
};

const payloadsAreShown = async page => {
  const payloads = payloadsFor(CANARY);
  const blocked = [];
  await page.exposeFunction("reportBlocked", directive => blocked.push(directive));
  await page.evaluate(() => {
    window.ran = 0;
    window.pwn = () => { window.ran++; };
    document.addEventListener("securitypolicyviolation", event => window.reportBlocked(event.effectiveDirective));
  });
  let shown = 0;
  for (let from = 0; from < payloads.length; from += PAYLOADS_PER_PAGE) {
    const part = payloads.slice(from, from + PAYLOADS_PER_PAGE);
    await page.locator("#source").fill(pageWith(part));
    await page.getByRole("button", { name: "Extract" }).click();
    await status(page, "Found");
    const lists = page.locator("#lists button");
    for (let at = 0; at < await lists.count(); at++) {
      await lists.nth(at).click();
      const text = await page.locator("#table").textContent();
      if (at === 0) shown += part.filter(payload => text.includes(payload.slice(0, 12).trim())).length;
      await page.locator("#table").evaluate(provoke);
    }
  }
  assert.ok(shown > payloads.length * 0.9, `only ${shown} of ${payloads.length} payloads are in the tables`);
  // what a policy had to stop would have been markup
  assert.deepEqual([await page.evaluate(() => window.ran), blocked], [0, []]);
};

const tests = {
  "the example becomes a table, CSV and JSON": async page => {
    await page.getByRole("button", { name: "Try an example" }).click();
    await status(page, "Found");
    const rows = await table(page);
    assert.ok(rows[0].includes("title") && rows[0].includes("price"), rows[0].join());
    assert.equal(rows.length, 23);
    assert.ok(rows[1].includes("Oak bedside table with drawer") && rows[1].includes("£149.00"), rows[1].join());
    const csv = await download(page, "Download CSV");
    assert.equal(csv.name, "copal.csv");
    assert.equal(csv.text.trim().split("\n").length, 23);
    assert.match(csv.text, /https:\/\/shop\.example\/home\/wool-blanket-herringbone/);
    const json = JSON.parse((await download(page, "Download JSON")).text);
    assert.equal(json.copal, 1);
    assert.equal(json.regions[0].records.length, 22);
  },
  "a chosen file, a domain, another list": async page => {
    await page.locator("#domain").selectOption("jobs");
    await page.locator("#file").setInputFiles(`${root}/examples/jobs.html`);
    await status(page, "Found");
    assert.ok((await table(page))[0].includes("company"), (await table(page))[0].join());
    const lists = page.locator("#lists button");
    if (await lists.count() > 1) {
      await lists.nth(1).click();
      assert.equal(await lists.nth(1).getAttribute("aria-pressed"), "true");
      assert.match(await page.locator("#summary").textContent(), /^List 2/);
    }
  },
  "a part of a page that is pasted": async page => {
    const items = ["Mara Holm", "Ifan Prys", "Lena Roth", "Tom Ward", "Ana Cruz"].map((name, i) =>
      `<li><a href="/p/${i}">${name}</a> <span class="price">€${i + 10}.50</span></li>`).join("");
    await page.locator("#source").evaluate((field, html) => {
      const data = new DataTransfer();
      data.setData("text/html", html);
      data.setData("text/plain", "Mara Holm €10.50");
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, `<ul>${items}</ul>`);
    await page.getByRole("button", { name: "Extract" }).click();
    await status(page, "Found");
    assert.equal((await table(page)).length, 6);
  },
  "a dropped file": async page => {
    const text = await readFile(`${root}/examples/thai-news.html`, "utf8");
    const data = await page.evaluateHandle(html => {
      const data = new DataTransfer();
      data.items.add(new File([html], "news.html", { type: "text/html" }));
      return data;
    }, text);
    await page.dispatchEvent("#drop", "drop", { dataTransfer: data });
    await status(page, "Found");
  },
  "errors are said, and the next page works": async page => {
    await page.getByRole("button", { name: "Extract" }).click();
    await status(page, "Choose a file");
    await page.locator("#source").fill("%PDF-1.7");
    await page.getByRole("button", { name: "Extract" }).click();
    await status(page, "Copal cannot read this");
    await page.locator("#source").fill("<p>Nothing here.</p>");
    await page.getByRole("button", { name: "Extract" }).click();
    await status(page, "No list found");
    await page.getByRole("button", { name: "Try an example" }).click();
    await status(page, "Found");
  },
  "a hostile page: deep, large, and full of markup in its texts": async page => {
    const rows = Array.from({ length: 3000 }, (_, i) =>
      `<div class=r><b>&lt;img src=x onerror=alert(1)&gt; ${i}</b><i>£${i}</i></div>`).join("");
    await page.locator("#source").fill("<div>".repeat(20_000) + rows);
    await page.getByRole("button", { name: "Extract" }).click();
    await page.locator("#status", { hasText: /Found|No list|cannot/ }).waitFor({ timeout: PATIENCE });
    assert.equal(await page.locator("#table img").count(), 0);
    await page.locator("#source").fill(`<main>${rows}</main>`);
    await page.getByRole("button", { name: "Extract" }).click();
    await status(page, "Found");
    // long tables are cut on the page, not in the file
    assert.equal((await table(page)).length, 501);
    assert.equal((await download(page, "Download CSV")).text.trim().split("\n").length, 3001);
    assert.equal(await page.locator("#table img").count(), 0);
  },
  "payloads in every text and name of a page are shown, and none runs": payloadsAreShown,
  "a run can be stopped, and the next one works": async page => {
    await page.getByRole("button", { name: "Try an example" }).click();
    // stopped at once, while the program is compiled or runs
    await page.evaluate(() => document.getElementById("stop").click());
    await status(page, "Stopped");
    assert.equal(await page.locator("#stop").isVisible(), false, "there is nothing to stop");
    await page.getByRole("button", { name: "Extract" }).click();
    await status(page, "Found");
  },
  "nothing can be sent": async page => {
    const refused = await page.evaluate(async () => {
      const violations = [];
      document.addEventListener("securitypolicyviolation", event => violations.push(event.effectiveDirective));
      await fetch("https://example.com/").catch(() => {});
      const image = new Image();
      image.src = "https://example.com/x.png";
      await new Promise(resolve => { image.onerror = resolve; });
      // events are dispatched after the requests fail
      for (let i = 0; i < 600 && violations.length < 2; i++) await new Promise(resolve => setTimeout(resolve, 100));
      return violations.sort();
    });
    assert.deepEqual(refused, ["connect-src", "img-src"]);
  },
};

const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const context = await browser.newContext({ acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems = [], requests = [];
  page.on("pageerror", error => problems.push(error.message));
  page.on("request", request => requests.push(request.url()));
  try {
    await page.goto(address);
    await test(page);
    assert.deepEqual(problems, [], "errors of scripts");
    if (name !== "nothing can be sent") {
      const own = new URL(".", address).href;
      const others = requests.filter(url => !url.startsWith(own) && !url.startsWith("blob:"));
      assert.deepEqual(others, [], "requests to others");
    }
    console.log(`ok ${name}: ${await page.locator("#status").textContent()}`);
  } catch (error) {
    failed += 1;
    console.log(`failed ${name}: ${error.stack}\n${problems.join("\n")}\n${await page.locator("#status").textContent()}`);
  }
  await context.close();
}
await browser.close();
process.exit(failed ? 1 : 0);
