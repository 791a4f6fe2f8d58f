// What the tests of the studio share: a browser, a page that reports its errors, and steps that people take.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

/** From the test: the studio, the site with the pages, the browser, a folder for pictures. */
export const [studio, site, program, pictures] = process.argv.slice(2);

/** Up to how many milliseconds each request to the service waits, to find tests and views that depend on fast answers. */
const DELAY = Number(process.env.COPAL_STUDIO_DELAY ?? 0);

/** Runs tests one after the other, each in a browser context of its own. */
export async function run(tests, options = {}) {
  const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
  const problems = [];
  for (const [name, test] of Object.entries(tests)) {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    if (DELAY) await page.route(`${studio}/v1/**`, (route, request) => setTimeout(() => route.continue(), DELAY * Math.random() * (request.method() === "GET" ? 1 : 2)));
    const errors = [];
    page.on("pageerror", error => errors.push(error.message));
    try {
      await test(page, context);
      assert.deepEqual(errors, [], "errors of scripts");
      console.log(`ok ${name}`);
    } catch (error) {
      problems.push(name);
      console.log(`failed ${name}: ${error.stack}\n${errors.join("\n")}`);
      if (pictures) await page.screenshot({ path: `${pictures}/failed-${name.replace(/\W+/g, "-")}.png` }).catch(() => {});
    }
    // first the page, which saves its draft a moment after each change
    await context.close();
    await fetch(`${studio}/v1/drafts/studio-current`, { method: "DELETE" });
  }
  await browser.close();
  process.exit(problems.length ? 1 : 0);
}

/** Opens the studio. */
export async function start(page) {
  await page.goto(studio);
  await page.getByRole("heading", { name: "Turn a web page into a table" }).waitFor();
}

/** Opens a page of the site by its address. */
export async function open(page, path, check = true) {
  await page.getByLabel("URL of a page").fill(site + path);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  if (check) await page.locator("#panel .data tbody tr").first().waitFor();
}

/** The frame with the page. */
export const shown = page => page.frameLocator("iframe[title='The page']");

/** Clicks an element of the page. */
export const clickShown = (page, selector, at = 0) => shown(page).locator(selector).nth(at).click();

/** The table as a list of rows, without the numbers. */
export const table = page => page.locator("#panel .data tbody tr").evaluateAll(rows =>
  rows.map(row => [...row.querySelectorAll("td")].map(cell => cell.textContent)));

/** The names of the columns. */
export const columns = page => page.locator("#panel .data thead .name").evaluateAll(names => names.map(name => name.firstChild.textContent));

/** Waits until something about the page is true. */
export async function until(what, isTrue) {
  const end = Date.now() + 60_000;
  for (;;) {
    const now = await isTrue();
    if (now) return now;
    if (Date.now() > end) assert.fail(`not within 60 seconds: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** Shows the wrapper, and returns its text when it has all corrections. */
export async function wrapperText(page) {
  await page.getByRole("tab", { name: "Wrapper" }).click();
  await page.locator("#panel[aria-busy='false'] #wrapper").waitFor();
  return page.locator("#wrapper").inputValue();
}

/** Chooses an entry of a column's menu. */
export async function columnMenu(page, column, entry) {
  await page.locator("#panel th .name", { hasText: column }).first().click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** Answers the API. */
export async function api(method, path, body) {
  const response = await fetch(studio + path, { method, headers: body ? { "content-type": "application/json" } : {}, body: body && JSON.stringify(body) });
  return { status: response.status, json: await response.json().catch(() => null) };
}
