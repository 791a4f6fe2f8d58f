// What the tests of the studio share: a browser, a page that reports its errors, and steps that people take.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

/** From the test: the studio, the site with the pages, the browser, a folder for pictures. */
export const [studio, site, program, pictures] = process.argv.slice(2);

/** Up to how many milliseconds requests and answers wait, to find tests and views that depend on fast answers. */
const DELAY = Number(process.env.COPAL_STUDIO_DELAY ?? 0);
/** How much slower the processor of the page is. */
const THROTTLE = Number(process.env.COPAL_STUDIO_THROTTLE ?? 1);

/** Milliseconds after which something that should happen counts as missing: a slow machine needs long. */
const PATIENCE = 180_000;

const pause = () => new Promise(resolve => { setTimeout(resolve, DELAY * Math.random()); });

/** Makes the service and the page slow, as far as the environment says so. */
async function slowDown(page, context) {
  if (DELAY) {
    await page.route(`${studio}/v1/**`, async route => {
      await pause();
      try {
        const response = await route.fetch({ timeout: PATIENCE });
        await pause();
        await route.fulfill({ response });
      } catch { /* the page has cancelled the request */ }
    });
  }
  if (THROTTLE > 1) {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
  }
}

/** Ends what a page still sends: drafts must not arrive in the next test. */
async function endRequests(page, requests) {
  await page.evaluate(() => { window.fetch = () => new Promise(() => {}); }).catch(() => {});
  await until("the last answer", () => requests.size === 0).catch(() => {});
}

/** Runs tests one after the other, each in a browser context of its own. */
export async function run(tests, options = {}) {
  const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
  const problems = [];
  for (const [name, test] of Object.entries(tests)) {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    await slowDown(page, context);
    const errors = [];
    page.on("pageerror", error => errors.push(error.message));
    const drafts = new Set();
    page.on("request", request => { if (request.method() === "PUT") drafts.add(request); });
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, request => drafts.delete(request));
    try {
      await test(page, context);
      assert.deepEqual(errors, [], "errors of scripts");
      console.log(`ok ${name}`);
    } catch (error) {
      problems.push(name);
      console.log(`failed ${name}: ${error.stack}\n${errors.join("\n")}`);
      if (pictures) await page.screenshot({ path: `${pictures}/failed-${name.replace(/\W+/g, "-")}.png` }).catch(() => {});
    }
    await endRequests(page, drafts);
    await context.close();
    await fetch(`${studio}/v1/drafts/studio-current`, { method: "DELETE" });
  }
  await browser.close();
  process.exit(problems.length ? 1 : 0);
}

/** Holds the requests to a path until the result is called, with what is to be answered instead of the service's answer. */
export async function hold(page, url, what = () => true) {
  let release = () => {};
  const held = new Promise(resolve => { release = resolve; });
  let arrive = () => {};
  const arrived = new Promise(resolve => { arrive = resolve; });
  const handler = async route => {
    if (!what(route.request())) return route.fallback();
    arrive();
    const answer = await held;
    await (answer ? route.fulfill(answer) : route.fallback()).catch(() => {});
  };
  await page.route(url, handler);
  return { arrived, release: async answer => { release(answer); await page.unroute(url, handler); } };
}

/** Waits until the page has handled what arrived, and has drawn it. */
export const drawn = page => page.evaluate(() => new Promise(resolve => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100)));
}));

/** Opens the studio. */
export async function start(page) {
  await page.goto(studio);
  await page.getByRole("heading", { name: "Turn a web page into a table" }).waitFor();
}

/** Opens a page of the site by its address. */
export async function open(page, path, check = true) {
  await page.getByLabel("URL of a page").fill(site + path);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  if (!check) return;
  // not those of the page that was open before
  await page.locator(`.desk[data-page="${site + path}"]`).waitFor();
  await page.locator("#panel .data tbody tr").first().waitFor();
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
  const end = Date.now() + PATIENCE;
  for (;;) {
    const now = await isTrue();
    if (now) return now;
    if (Date.now() > end) assert.fail(`not within ${PATIENCE / 1000} seconds: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** Shows the wrapper, and returns its text when it has all corrections. */
export async function wrapperText(page) {
  await page.getByRole("tab", { name: "Wrapper" }).click();
  await page.locator("#panel[aria-busy='false'] #wrapper").waitFor();
  return page.locator("#wrapper").inputValue();
}

/** Waits until nothing is read and no work runs. */
export const quiet = page => until("everything is answered", () => page.evaluate(() =>
  ![...document.querySelectorAll("[role=status]")].some(one => one.textContent.trim().endsWith("…"))
    && !document.querySelector("[aria-busy=true]")));

/** Chooses an entry of a column's menu. */
export async function columnMenu(page, column, entry) {
  await page.locator(`#panel th .name[data-name="${column}"]`).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** Answers the API. */
export async function api(method, path, body) {
  const response = await fetch(studio + path, { method, headers: body ? { "content-type": "application/json" } : {}, body: body && JSON.stringify(body) });
  return { status: response.status, json: await response.json().catch(() => null) };
}
