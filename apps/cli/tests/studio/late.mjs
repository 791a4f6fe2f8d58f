// Answers that come late: a person goes on meanwhile, and nothing that was done, typed or focused is lost.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { api, columnMenu, columns, drawn, hold, open, run, shown, site, start, studio, table, until, wrapperText } from "./support.mjs";

const count = async (page, number) => until(`${number} records`, async () => (await table(page)).length === number);
const settled = page => page.locator("#panel[aria-busy='false']").waitFor();
const isTo = path => request => request.postData()?.includes(path) ?? false;
const focusedText = page => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);

async function rename(page, from, to) {
  await columnMenu(page, from, "Rename …");
  await page.getByLabel("New name").fill(to);
  await page.keyboard.press("Enter");
  await until("a new name", async () => (await columns(page)).includes(to));
}

await run({
  async "a draft that is read late does not replace the page that was opened meanwhile"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await settled(page);
    await until("a draft", async () => (await api("GET", "/v1/drafts/studio-current")).json?.name);
    const drafts = await hold(page, "**/v1/drafts/studio-current", request => request.method() === "GET");
    await page.reload();
    await drafts.arrived;
    await open(page, "/trains.html");
    await drafts.release();
    await drawn(page);
    await count(page, 5);
    assert.equal(await page.locator(".desk").getAttribute("data-page"), `${site}/trains.html`);
  },

  async "a correction is kept that is made while a reloaded page is learned"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await rename(page, "price", "cost");
    await until("a draft", async () => (await api("GET", "/v1/drafts/studio-current")).json?.work?.corrections?.length === 1);
    await page.reload();
    await until("the corrected table", async () => (await columns(page)).includes("cost"));
    const answers = await hold(page, "**/v1/correct");
    await columnMenu(page, "url", "Hide");
    await answers.arrived;
    await until("a hidden column", async () => !(await columns(page)).includes("url"));
    // a moment later the page is left: what was decided is kept all the same
    await page.reload();
    await answers.release();
    await until("both corrections", async () => {
      const names = await columns(page);
      return names.includes("cost") && !names.includes("url");
    });
    await settled(page);
    assert.match(await wrapperText(page), /name: cost/);
  },

  async "a draft that the first studio saved is opened, and one of a later studio is named"(page) {
    const older = JSON.parse(readFileSync(new URL("older-draft.json", import.meta.url), "utf8"));
    await api("PUT", "/v1/drafts/studio-current", older);
    await page.goto(studio);
    await count(page, 5);
    await until("the corrected table", async () => (await columns(page)).includes("cost"));
    await page.getByRole("button", { name: /^Undo/ }).click();
    await until("the old name", async () => (await columns(page)).includes("price"));
    // from now on it is a draft of today, which a reload opens too
    await until("a draft", async () => (await api("GET", "/v1/drafts/studio-current")).json?.version === 2);
    await page.reload();
    await count(page, 5);
    await until("a draft with its source", async () => (await api("GET", "/v1/drafts/studio-current")).json?.sourceId);
    // what the page saves when it is left comes before
    await page.goto("about:blank");
    await until("a saved draft", async () => (await api("GET", "/v1/drafts/studio-current")).json?.version === 2);
    await api("PUT", "/v1/drafts/studio-current", { ...older, version: 99 });
    await page.goto(studio);
    await page.getByText("of another version of copal").waitFor();
  },

  async "a file is there again after two reloads, with a correction between them"(page) {
    const items = Array.from({ length: 9 }, (_, at) => `<li><b>Lamp ${at}</b> <i>Oak ${at}</i> <u>£${at}.50</u></li>`).join("");
    const html = `<!DOCTYPE html><title>Lamps</title><body><h1>Lamps</h1><ul>${items}</ul></body>`;
    await start(page);
    await page.locator("#file").setInputFiles({ name: "file.html", mimeType: "text/html", buffer: Buffer.from(html) });
    await count(page, 9);
    await settled(page);
    await until("a draft", async () => (await api("GET", "/v1/drafts/studio-current")).json?.sourceId);
    const sources = await hold(page, "**/v1/drafts/studio-source", request => request.method() === "PUT");
    await page.reload();
    await count(page, 9);
    await rename(page, "price", "cost");
    await page.reload();
    await until("the correction", async () => (await columns(page)).includes("cost"));
    await sources.release();
  },

  async "of two pages that are opened the second one stays"(page) {
    await start(page);
    const first = await hold(page, "**/v1/view", isTo("/lamps.html"));
    await page.getByLabel("URL of a page").fill(`${site}/lamps.html`);
    await page.keyboard.press("Enter");
    await first.arrived;
    await open(page, "/trains.html");
    await count(page, 5);
    await first.release();
    await drawn(page);
    assert.equal(await page.locator(".desk").getAttribute("data-page"), `${site}/trains.html`);
    // and lists that are found late are not shown beside the next page
    const lists = await hold(page, "**/v1/extract", isTo("lamps.html"));
    await page.getByLabel("URL of a page").fill(`${site}/lamps.html`);
    await page.keyboard.press("Enter");
    await lists.arrived;
    assert.equal((await table(page)).length, 0, "the table of the page before is gone");
    await open(page, "/shop.html");
    await count(page, 22);
    await lists.release();
    await drawn(page);
    assert.equal((await table(page)).length, 22);
    // sections of another page are not shown either
    const sections = await hold(page, "**/v1/sections");
    await page.keyboard.press("Alt+2");
    await sections.arrived;
    await open(page, "/trains.html");
    await sections.release();
    await page.keyboard.press("Alt+2");
    await page.getByRole("button", { name: /^paragraph.*Fares in rupees/ }).waitFor();
  },

  async "a person who goes to another view or tab stays there"(page) {
    await start(page);
    const view = await hold(page, "**/v1/view");
    await page.getByLabel("URL of a page").fill(`${site}/lamps.html`);
    await page.keyboard.press("Enter");
    await view.arrived;
    await page.keyboard.press("Alt+6");
    await page.getByRole("heading", { name: "Library" }).waitFor();
    await view.release();
    await until("an opened page", async () => !(await page.locator(".progress").count()));
    await drawn(page);
    assert.equal(await page.getByRole("heading", { name: "Library" }).count(), 1);
    await page.keyboard.press("Alt+5");
    await count(page, 9);
    await settled(page);
    const tried = await hold(page, "**/v1/check");
    await page.keyboard.press("Alt+y");
    await page.getByLabel("Another page").fill(`${site}/lamps-2.html`);
    await page.keyboard.press("Enter");
    await tried.arrived;
    await page.keyboard.press("Alt+w");
    await page.locator("#wrapper").waitFor();
    await tried.release();
    await until("it was tried", async () => !(await page.locator(".progress").count()));
    await drawn(page);
    assert.equal(await page.locator("#wrapper").count(), 1);
    await page.keyboard.press("Alt+y");
    await page.getByText(/8 records\. It fits/).waitFor();
    assert.equal(await page.getByLabel("Another page").inputValue(), `${site}/lamps-2.html`, "the address stays");
    // records that are stored late do not lead away from the table
    const stored = await hold(page, "**/v1/apply");
    await page.keyboard.press("Alt+k");
    await page.getByLabel("Database", { exact: true }).fill("late");
    await page.getByRole("button", { name: "Store 9 records" }).click();
    await stored.arrived;
    await page.keyboard.press("Alt+t");
    await stored.release();
    await page.getByRole("button", { name: "Look at it" }).waitFor();
    assert.equal((await table(page)).length, 9);
    await page.getByRole("button", { name: "Look at it" }).click();
    await page.getByRole("heading", { name: "9 records in the table records" }).waitFor();
  },

  async "corrections are kept when the service cannot be asked"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await settled(page);
    await rename(page, "price", "cost");
    await settled(page);
    await page.route("**/v1/correct", route => route.abort());
    await columnMenu(page, "url", "Hide");
    await page.locator("#toasts .error", { hasText: "Your correction is kept" }).waitFor();
    assert.ok(!(await columns(page)).includes("url"), "the table keeps it");
    await page.keyboard.press("Alt+w");
    await page.getByText("The last correction is not in it yet").waitFor();
    await page.keyboard.press("Alt+t");
    await page.unroute("**/v1/correct");
    // a service that has too much to do is asked again by itself
    let refusals = 0;
    await page.route("**/v1/correct", route => {
      refusals += 1;
      if (refusals > 1) return route.fallback();
      return route.fulfill({ status: 503, contentType: "application/problem+json", body: JSON.stringify({ detail: "too many requests" }) });
    });
    await page.locator("#try-again").click();
    await until("a second request", () => refusals === 2);
    await settled(page);
    await until("no problem", async () => !(await page.locator("#panel .problem").count()));
    const text = await wrapperText(page);
    assert.match(text, /name: cost/);
    assert.doesNotMatch(text, /name: url/);
    await page.getByRole("tab", { name: "Table" }).click();
    assert.deepEqual((await columns(page)).includes("url"), false);
    assert.ok(await page.locator("#undo").isEnabled());
  },

  async "a person need not wait: what was decided stays, and is sent again"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await settled(page);
    const answers = await hold(page, "**/v1/correct");
    await rename(page, "price", "cost");
    await answers.arrived;
    await page.getByRole("button", { name: "Stop waiting" }).click();
    await page.getByText("You stopped this.").waitFor();
    assert.ok((await columns(page)).includes("cost"));
    await answers.release();
    // storing sends it first
    await page.keyboard.press("Alt+k");
    await page.getByLabel("Database", { exact: true }).fill("stopped");
    await page.getByRole("button", { name: "Store 9 records" }).click();
    await page.getByRole("heading", { name: "9 records in the table records" }).waitFor();
    const stored = await page.locator("main th").allTextContents();
    assert.ok(stored.includes("cost") && !stored.includes("price"), stored.join());
  },

  async "focus, selection and typed texts survive an answer"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await settled(page);
    const answers = await hold(page, "**/v1/correct");
    await page.getByRole("button", { name: "Add a column" }).click();
    await shown(page).locator(".price").first().click();
    await answers.arrived;
    await page.getByRole("button", { name: "Show record 3 on the page" }).focus();
    await answers.release();
    await until("a column", async () => (await columns(page)).includes("column_1"));
    await drawn(page);
    assert.equal(await focusedText(page), "Show record 3 on the page");
    // a name that is typed, and a key that is chosen, while the table changes
    const later = await hold(page, "**/v1/correct");
    await columnMenu(page, "column_1", "Hide");
    await later.arrived;
    await page.keyboard.press("Alt+k");
    const database = page.getByLabel("Database", { exact: true });
    await database.fill("half of");
    await database.evaluate(field => field.setSelectionRange(0, 4));
    await page.locator("#key").selectOption("title");
    await database.evaluate(field => { field.focus(); field.setSelectionRange(0, 4); });
    await later.release();
    await settled(page);
    await drawn(page);
    await page.keyboard.type("all");
    assert.equal(await database.inputValue(), "all of");
    assert.equal(await page.locator("#key").inputValue(), "title");
  },

  async "a button that is pressed while an answer comes is clicked"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await settled(page);
    const answers = await hold(page, "**/v1/correct");
    await columnMenu(page, "url", "Hide");
    await answers.arrived;
    const box = await page.getByRole("button", { name: "Exclude records" }).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    const answered = page.waitForResponse("**/v1/correct");
    await answers.release();
    await (await answered).finished();
    await drawn(page);
    assert.equal(await page.locator("#panel").getAttribute("aria-busy"), "true", "nothing is drawn while a button is pressed");
    await page.mouse.up();
    await page.getByText("Click the records that do not belong.").waitFor();
    await settled(page);
  },

  async "a wrapper is edited when it has all corrections, and its edited text stays"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await settled(page);
    const answers = await hold(page, "**/v1/correct");
    await columnMenu(page, "url", "Hide");
    await answers.arrived;
    await page.keyboard.press("Alt+w");
    await page.locator("#wrapper[readonly]").waitFor();
    await answers.release();
    await page.locator("#wrapper:not([readonly])").waitFor();
    const text = await page.locator("#wrapper").inputValue();
    assert.doesNotMatch(text, /name: url/);
    await page.locator("#wrapper").fill(text.replace("name: price", "name: amount"));
    await page.keyboard.press("Alt+t");
    await rename(page, "note", "remark");
    await settled(page);
    await page.keyboard.press("Alt+w");
    await page.getByText("The wrapper has changed since you began to edit.").waitFor();
    assert.match(await page.locator("#wrapper").inputValue(), /name: amount/);
    await page.getByRole("button", { name: "Discard my changes" }).click();
    await until("the wrapper of the corrections", async () => /name: remark/.test(await page.locator("#wrapper").inputValue()));
  },

  async "the learner's late answer belongs to the attribute that asked"(page) {
    await start(page);
    await open(page, "/places.html");
    await settled(page);
    await page.keyboard.press("Alt+8");
    await page.locator("#domain").selectOption("real-estate");
    await shown(page).locator("[data-copal-annotation]").first().waitFor();
    const questions = await hold(page, "**/v1/questions", request => request.postDataJSON().attribute === "location");
    await page.getByRole("button", { name: /^location/ }).click();
    await questions.arrived;
    await page.getByRole("button", { name: /^price/ }).first().click();
    const heading = page.locator(".learner h2");
    await until("another attribute", async () => (await heading.textContent()) === "price");
    await page.locator(".learner [aria-busy=false]").waitFor();
    const before = await page.locator(".learner").textContent();
    await questions.release();
    await drawn(page);
    assert.equal(await page.locator(".learner").textContent(), before);
    // the choice of the domain stays the same element: letters that are typed into it belong together
    const reading = await hold(page, "**/v1/extract");
    const choice = page.locator("#domain");
    await choice.evaluate(field => { field.dataset.kept = "yes"; field.focus(); });
    await page.keyboard.press("b");
    await reading.arrived;
    await reading.release();
    await page.getByRole("button", { name: /^author/ }).waitFor();
    await until("the attributes of the page", () => shown(page).locator("[data-copal-annotation]").count());
    assert.deepEqual(await choice.evaluate(field => [field.value, field.dataset.kept, document.activeElement === field]), ["books", "yes", true]);
  },
});
