// From a page to data, by clicks: open, see, point, correct, try, keep, library, objects, domains.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { api, clickShown, columnMenu, columns, drawn, open, run, shown, site, start, table, until, wrapperText } from "./support.mjs";

const count = async (page, number) => until(`${number} records`, async () => (await table(page)).length === number);

/** A term in the list of those that were accepted. */
const accepted = (page, term) => page.getByRole("list", { name: "Accepted", exact: true }).getByText(term, { exact: true });

await run({
  async "the train table of DEUDS goes from its address into a database"(page) {
    await start(page);
    await open(page, "/trains.html");
    await page.getByRole("tab", { name: "Point" }).click();
    await page.getByRole("button", { name: "Point at a section" }).click();
    await clickShown(page, "table.trains td", 6);
    // a cell was hit: its parents are among the steps
    await page.locator("#pattern").waitFor();
    await page.locator("#pattern").fill("table");
    await until("ambiguity", async () => (await page.locator("#matches").textContent()).includes("ambiguous"));
    await page.locator("#pattern").fill("table.trains");
    await until("a unique pattern", async () => (await page.locator("#matches").textContent()).includes("exactly"));
    await page.getByRole("tab", { name: "Lists" }).click();
    await page.getByRole("tab", { name: "Point" }).click();
    await page.getByRole("button", { name: "Read this section" }).click();
    await count(page, 5);
    assert.deepEqual((await table(page))[1], ["12009", "Shatabdi Express", "06:25", "12:45", "1,020"]);
    await page.getByRole("button", { name: /Keep these records/ }).click();
    await page.getByLabel("Database", { exact: true }).fill("trains");
    await page.getByRole("button", { name: "Store 5 records" }).click();
    await page.getByRole("heading", { name: "5 records in the table records" }).waitFor();
    assert.ok((await page.locator("main").textContent()).includes("Golden") === false);
    await page.getByText("1 run", { exact: true }).waitFor();
  },

  async "page and table light up together"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await count(page, 9);
    await shown(page).locator(".price").nth(2).hover();
    await page.locator("#panel tr.lit[data-record='2'] td.lit").waitFor();
    assert.equal(await shown(page).locator(".price[data-copal-pointed]").count(), 1);
    await page.locator("#panel tr[data-record='4'] td").nth(1).hover();
    await shown(page).locator(".card:nth-child(5) [data-copal-lit]").first().waitFor();
    assert.equal(await shown(page).locator("[data-copal-record]").count(), 9);
    // the styles of the page are shown, its links lead nowhere
    assert.equal(await shown(page).locator(".grid").evaluate(grid => getComputedStyle(grid).display), "grid");
    assert.equal(await shown(page).locator("a[href]").count(), 0);
    await page.getByRole("searchbox", { name: "Find in page" }).fill("pendant");
    await page.getByText("1 of 1").waitFor();
  },

  async "a list is corrected with a few clicks, and every step can be undone"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await count(page, 9);
    await page.getByRole("button", { name: "Exclude records" }).click();
    await clickShown(page, ".ad h2");
    await count(page, 8);
    await columnMenu(page, "title", "Rename …");
    await page.getByLabel("New name").fill("lamp");
    await page.keyboard.press("Enter");
    await until("a new name", async () => (await columns(page)).includes("lamp"));
    await columnMenu(page, "note", "Split …");
    await page.getByLabel(/Names of the pieces/).fill("material, stock");
    await page.getByRole("button", { name: "OK" }).click();
    await until("two pieces", async () => (await columns(page)).includes("stock"));
    const stock = (await columns(page)).indexOf("stock");
    assert.equal((await table(page))[0][stock], "2 in stock");
    await columnMenu(page, "stock", "Change the type …");
    await page.locator("dialog select").selectOption("count");
    await page.getByRole("button", { name: "OK" }).click();
    await page.locator("th", { hasText: "stock" }).getByText("count").waitFor();
    await columnMenu(page, "url", "Hide");
    await until("a hidden column", async () => !(await columns(page)).includes("url"));
    await columnMenu(page, "price", "Move left");
    await until("a moved column", async () => (await columns(page)).join() === "lamp,material,price,stock");
    const text = await wrapperText(page);
    assert.match(text, /name: lamp/);
    assert.match(text, /split: ', '/);
    await page.getByRole("tab", { name: "Table" }).click();
    for (let step = 0; step < 6; step++) await page.getByRole("button", { name: /^Undo/ }).click();
    await count(page, 9);
    assert.ok((await columns(page)).includes("title"));
    await page.getByRole("button", { name: /^Redo/ }).click();
    await count(page, 8);
    // nothing is lost on reload
    await until("a saved draft", async () => (await api("GET", "/v1/drafts/studio-current")).json?.work?.corrections?.length === 1);
    await page.reload();
    await count(page, 8);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await count(page, 9);
  },

  async "records that a list misses are taken in, and the list is scrolled to"(page) {
    await start(page);
    await open(page, "/stock.html");
    await page.getByRole("button", { name: "Choose two example records" }).click();
    await clickShown(page, "#now li", 0);
    await clickShown(page, "#now li", 1);
    await count(page, 8);
    await page.getByRole("button", { name: "Take records in" }).click();
    await clickShown(page, "#soon p b", 1);
    await count(page, 11);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await count(page, 8);
    // the card of the chosen list follows the corrections
    await page.getByRole("button", { name: /^1\. / }).click();
    await columnMenu(page, "title", "Rename …");
    await page.getByLabel("New name").fill("lamp");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^1\. .*lamp/ }).waitFor();
    await until("the first record is in view", async () => {
      const box = await shown(page).locator("#now li").first().boundingBox();
      const frame = await page.locator("iframe[title='The page']").boundingBox();
      return box.y < frame.y + frame.height;
    });
  },

  async "a message about a page that cannot be opened goes away with the next page"(page) {
    await start(page);
    await page.getByLabel("URL of a page").fill(`${site}/none.html`);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.locator("#toasts .error").waitFor();
    await open(page, "/lamps.html");
    await count(page, 9);
    assert.equal(await page.locator("#toasts .error").count(), 0);
  },

  async "long work is stopped by a button or a key, and what was there stays"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await count(page, 9);
    // requests that are never answered
    await page.route("**/v1/view", () => {});
    for (const stop of [() => page.getByRole("button", { name: "Stop", exact: true }).click(), () => page.keyboard.press("Escape")]) {
      await page.getByLabel("URL of a page").fill(`${site}/shop.html`);
      await page.keyboard.press("Enter");
      await page.getByText(/^Opening /).waitFor();
      await stop();
      await until("nothing runs", async () => await page.getByText(/^Opening /).count() === 0);
    }
    assert.equal((await table(page)).length, 9);
    assert.equal(await page.locator("#toasts .error").count(), 0);
    await page.unroute("**/v1/view");
    await open(page, "/shop.html", false);
    await count(page, 22);
  },

  async "images are loaded when they are switched on"(page) {
    await start(page);
    await open(page, "/stock.html");
    assert.equal(await shown(page).locator("img[src]").count(), 0);
    await page.getByLabel("images").check();
    await shown(page).locator("img[src^='data:image/gif']").first().waitFor();
    assert.equal(await shown(page).locator("img[src]").count(), 1, "a drawing is not shown");
  },

  async "two example records choose a list, a click adds a column, columns merge"(page) {
    await start(page);
    await open(page, "/shop.html");
    await count(page, 22);
    await page.getByRole("button", { name: "Choose two example records" }).click();
    await clickShown(page, "aside ul li", 0);
    await clickShown(page, "aside ul li", 2);
    await until("another list", async () => { const rows = await table(page); return rows.length > 2 && rows.length !== 22; });
    await page.getByRole("button", { name: /^Undo/ }).click();
    await count(page, 22);
    await columnMenu(page, "brand", "Hide");
    await until("a hidden column", async () => !(await columns(page)).includes("brand"));
    await page.getByRole("button", { name: "Add a column" }).click();
    await shown(page).getByText("Korb", { exact: true }).first().click();
    await until("a new column", async () => (await columns(page)).includes("column_1"));
    const brand = (await columns(page)).indexOf("column_1");
    const rows = await table(page);
    assert.ok(rows.every(row => row[brand]), "every record has the column");
    assert.ok(rows.some(row => row[brand] === "Fell Mill"));
    const before = (await columns(page)).length;
    for (const name of ["rating", "rating_count"]) await page.getByLabel(`Choose ${name} for merging`, { exact: true }).check();
    await page.getByRole("button", { name: "Merge columns" }).click();
    await until("merged columns", async () => (await columns(page)).length === before - 1);
    const rating = (await columns(page)).indexOf("rating");
    assert.match((await table(page))[0][rating], /4\.7.*86 reviews/);
  },

  async "the wrapper can be edited, and errors point at the line"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await count(page, 9);
    const text = await wrapperText(page);
    await page.locator("#wrapper").fill(text.replace("kind: list", "kind: liste"));
    await page.getByRole("button", { name: "Use this text" }).click();
    await page.getByRole("alert").waitFor();
    const line = text.split("\n").findIndex(one => one.includes("kind: list")) + 1;
    await until("the wrong line", async () => (await page.locator(".numbers .wrong").textContent().catch(() => ""))?.trim() === String(line));
    await page.locator("#wrapper").fill(text.replace("name: price", "name: cost"));
    await page.getByRole("button", { name: "Use this text" }).click();
    await page.getByRole("tab", { name: "Table" }).click();
    await until("the edited wrapper", async () => (await columns(page)).includes("cost"));
  },

  async "a wrapper is tried, records of several pages are kept, runs are compared"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await count(page, 9);
    await page.getByRole("button", { name: "Exclude records" }).click();
    await clickShown(page, ".ad h2");
    await count(page, 8);
    await page.getByRole("tab", { name: "Try" }).click();
    await page.getByLabel("Another page").fill(`${site}/lamps-2.html`);
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText(/8 records\. It fits/).waitFor();
    await page.getByRole("tab", { name: "Keep" }).click();
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
    assert.equal((await readFile(await file.path(), "utf8")).trim().split("\n").length, 9);
    for (const [button, text] of [["Scrapy spider", "scrapy"], ["Playwright script", "playwright"]]) {
      const [exported] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
      assert.match(await readFile(await exported.path(), "utf8"), new RegExp(text));
    }
    await page.getByLabel("Name", { exact: true }).fill("lamps");
    await page.getByRole("button", { name: "Save in the library" }).click();
    await page.getByText("Saved as lamps").waitFor();
    await page.getByLabel("Database", { exact: true }).fill("lamps");
    await page.getByLabel(/^Pages/).fill("5");
    await page.getByRole("button", { name: /^Store/ }).click();
    await page.getByRole("heading", { name: "16 records in the table records" }).waitFor();
    await page.getByRole("button", { name: "Page", exact: true }).click();
    await page.getByRole("tab", { name: "Keep" }).click();
    // the form is as it was left
    assert.equal(await page.getByLabel("Database", { exact: true }).inputValue(), "lamps");
    await page.getByLabel(/^Pages/).fill("1");
    await page.getByRole("button", { name: /^Store/ }).click();
    await page.getByText(/Run 1 → 2: 0 new, 8 gone/).waitFor();
  },

  async "the library checks a wrapper, and shows what a repair changes"(page) {
    await start(page);
    await page.getByRole("button", { name: "Library" }).click();
    const card = page.getByRole("article", { name: "lamps" });
    await card.getByLabel("Page").fill(`${site}/lamps-2.html`);
    await card.getByRole("button", { name: "Check" }).click();
    await card.getByText("fine", { exact: true }).waitFor();
    await card.getByLabel("Page").fill(`${site}/trains.html`);
    await card.getByRole("button", { name: "Check" }).click();
    await card.getByText("the site has changed").waitFor();
    await card.getByRole("button", { name: "Last rows" }).click();
    await card.getByText("It reads nothing on this page.").waitFor();
    // after a redesign, the repair is shown as a difference and becomes the next version
    await card.getByLabel("Page").fill(`${site}/lamps-new.html`);
    await card.getByRole("button", { name: "Check" }).click();
    await card.getByRole("button", { name: "Repair …" }).click();
    await card.getByRole("heading", { name: "What the repair changes" }).waitFor();
    assert.match(await card.locator(".diff").textContent(), /price/);
    await card.getByRole("button", { name: "Accept the repair" }).click();
    await card.getByText("version 2").first().waitFor();
    await card.getByRole("button", { name: "Check" }).click();
    await card.getByText("fine", { exact: true }).waitFor();
    // the check is remembered, and the old version can be restored
    await page.reload();
    await page.getByRole("button", { name: "Library" }).click();
    await card.getByText(/Checked on .*as expected/).waitFor();
    await card.getByRole("button", { name: "Versions (2)" }).click();
    await card.getByRole("button", { name: "Restore version 1" }).click();
    await card.getByText("version 3").first().waitFor();
    await page.getByText("Version 1 of lamps is back, as version 3.").waitFor();
  },

  async "an object has its fields, and more pages show what differs"(page) {
    await start(page);
    await open(page, "/books/1.html");
    await page.getByText("Salt and Timber").first().waitFor();
    await page.getByLabel("Another page of this kind").fill(`${site}/books/2.html`);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("differs").first().waitFor();
    await page.getByText(/of 2 pages/).waitFor();
  },

  async "the fields of an object are changed by clicks, undone and stored"(page) {
    await start(page);
    await open(page, "/books/1.html");
    const names = () => page.locator("#panel th.field .name").evaluateAll(all => all.map(one => one.firstChild.textContent));
    const [first, second] = await names();
    await page.locator("#panel th.field .name", { hasText: first }).first().click();
    await page.getByRole("menuitem", { name: "Rename …" }).click();
    await page.getByLabel("New name").fill("book");
    await page.keyboard.press("Enter");
    await until("a new name", async () => (await names()).includes("book"));
    await page.locator("#panel th.field .name", { hasText: second }).first().click();
    await page.getByRole("menuitem", { name: "Hide" }).click();
    await until("a hidden field", async () => !(await names()).includes(second));
    await page.getByRole("button", { name: /^Undo/ }).click();
    await until("the field again", async () => (await names()).includes(second));
    await page.getByRole("button", { name: "Add a field" }).click();
    await clickShown(page, "h1");
    await until("a new field", async () => (await names()).includes("field_1"));
    await page.getByRole("button", { name: /Keep these fields/ }).click();
    await page.getByLabel("Database", { exact: true }).fill("one-book");
    await page.getByRole("button", { name: "Store 1 object" }).click();
    await page.getByRole("heading", { name: "1 record in the table objects" }).waitFor();
    assert.match(await page.locator("main").textContent(), /field_1/);
  },

  async "sections and elements are listed, a section is read"(page) {
    await start(page);
    await open(page, "/trains.html");
    await page.getByRole("tab", { name: "Sections" }).click();
    await page.getByRole("button", { name: /^paragraph/ }).click();
    await page.getByRole("button", { name: "Read this section" }).click();
    await count(page, 1);
    assert.match((await table(page))[0][0], /^Fares in rupees/);
    // the columns of a table are corrected as those of a list, and undo leads back to the section
    await page.getByRole("tab", { name: "Sections" }).click();
    await page.getByRole("button", { name: /^table.*5 rows/ }).click();
    await until("the table's pattern", async () => /train_no/.test(await page.locator("[role=tabpanel][aria-label=Point]").textContent()));
    await page.getByRole("button", { name: "Read this section" }).click();
    await count(page, 5);
    await page.getByRole("button", { name: "Correct its columns" }).click();
    await columnMenu(page, "train_no", "Rename …");
    await page.getByLabel("New name").fill("number");
    await page.keyboard.press("Enter");
    await until("a new name", async () => (await columns(page))[0] === "number");
    assert.match(await wrapperText(page), /name: number/);
    await page.getByRole("tab", { name: "Table" }).click();
    await page.locator("#undo").click();
    await until("the old name", async () => (await columns(page))[0] === "train_no");
    await page.locator("#undo").click();
    await page.getByRole("button", { name: "Correct its columns" }).waitFor();
    // the section is there again after a reload
    await until("a draft", async () => (await api("GET", "/v1/drafts/studio-current")).json?.work?.kind === "section");
    await page.reload();
    await page.getByRole("button", { name: "Correct its columns" }).waitFor();
    await count(page, 5);
    await page.getByRole("tab", { name: "Elements" }).click();
    await page.getByRole("treeitem", { name: /table.*trains/ }).waitFor();
  },

  async "a domain's attributes are on the page, and the learner's questions are answered by key"(page) {
    await start(page);
    await open(page, "/places.html");
    await page.getByRole("button", { name: "Domains" }).click();
    await page.locator("#domain").selectOption("real-estate");
    await shown(page).locator("[data-copal-annotation]").first().waitFor();
    await page.getByRole("button", { name: /^location/ }).click();
    await page.getByText("Gazetteer", { exact: true }).click();
    await page.getByLabel("Search", { exact: true }).fill("oxford");
    await page.getByRole("list", { name: "Terms of the gazetteer" }).getByText("Oxford", { exact: true }).waitFor();
    for (const place of ["Chadlow", "Brill Magna"]) {
      await page.getByLabel(/^Teach a value/).fill(place);
      await page.keyboard.press("Enter");
      await accepted(page, place).waitFor();
    }
    await page.locator(".learner [aria-busy=false]").waitFor();
    const term = page.locator(".question .term");
    const first = await term.textContent();
    await page.locator("#yes").press("y");
    await accepted(page, first).waitFor();
    const kept = async () => (await api("GET", "/v1/drafts/terms-real-estate-location")).json?.accepted.join();
    await until("kept terms", async () => await kept() === ["Chadlow", "Brill Magna", first].join());
    if (await term.count()) {
      const second = await term.textContent();
      await page.locator("#no").press("n");
      await until("a refused term", async () => (await api("GET", "/v1/drafts/terms-real-estate-location")).json.refused.includes(second));
    }
  },

  async "a correction is shown before the service answers, and taken back if it is refused"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await page.locator("#panel[aria-busy='false']").waitFor();
    const before = (await columns(page)).join();
    let answer = null;
    const held = new Promise(resolve => { answer = resolve; });
    await page.route("**/v1/correct", async route => {
      await held;
      await route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify({ detail: "correction 1: not possible here", hint: "Try another one." }) });
    });
    await columnMenu(page, "url", "Hide");
    await until("a hidden column", async () => !(await columns(page)).includes("url"));
    await page.locator("#panel[aria-busy='true']").waitFor();
    await page.getByText("Changing the table …").waitFor();
    answer();
    await page.locator("#toasts .error", { hasText: "not possible here" }).waitFor();
    await until("the column again", async () => (await columns(page)).join() === before);
    assert.ok(await page.locator("#undo").isDisabled(), "what was refused is not in the history");
    assert.ok(await page.locator("#redo").isDisabled(), "and cannot be redone");
    // two corrections before the first answer, and records that are stored meanwhile
    await page.unroute("**/v1/correct");
    let go = null;
    const gate = new Promise(resolve => { go = resolve; });
    await page.route("**/v1/correct", async route => { await gate; await route.continue().catch(() => {}); });
    await columnMenu(page, "url", "Hide");
    await columnMenu(page, "price", "Rename …");
    await page.getByLabel("New name").fill("cost");
    await page.keyboard.press("Enter");
    await until("both changes", async () => (await columns(page)).join() === "title,note,cost");
    await page.getByRole("button", { name: "Exclude records" }).click();
    await clickShown(page, ".ad h2");
    await count(page, 8);
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Keep" }).click();
    await page.getByLabel("Database", { exact: true }).fill("waiting");
    await page.getByRole("button", { name: "Store 8 records" }).click();
    go();
    await page.getByRole("heading", { name: "8 records in the table records" }).waitFor();
    const stored = await page.locator("main th").allTextContents();
    assert.ok(stored.includes("cost") && !stored.includes("price"), stored.join());
    // undo needs no request
    await page.route("**/v1/correct", route => route.abort());
    await page.getByRole("button", { name: "Page", exact: true }).click();
    await page.getByRole("tab", { name: "Table" }).click();
    await page.locator("#undo").click();
    await page.locator("#redo").click();
    await count(page, 8);
  },

  async "a click without a tool says what can be done"(page) {
    await start(page);
    await open(page, "/lamps.html");
    await page.locator("#panel[aria-busy='false']").waitFor();
    await clickShown(page, ".price", 2);
    await shown(page).locator(".price[data-copal-selected]").waitFor();
    await page.getByRole("button", { name: "Make it a column" }).click();
    await until("a column", async () => (await columns(page)).includes("column_1"));
    await page.locator("#panel .name[data-name='column_1']:focus").waitFor();
    await clickShown(page, ".ad h2");
    await page.getByRole("button", { name: "Exclude this record" }).click();
    await count(page, 8);
    await page.getByRole("button", { name: "Forget the selection" }).click();
    await until("no selection", async () => await shown(page).locator("[data-copal-selected]").count() === 0);
    // reasons are asked for when somebody wants to know
    await page.getByText("Why?").first().click();
    await page.locator(".why li").first().waitFor();
    const why = await page.locator(".why").first().textContent();
    assert.match(why, /It is the main list of the page with a probability of \d+%\..*What speaks most for it: [a-z]/s);
    assert.doesNotMatch(why, /[+-]\d|_|score/, "sentences, without names of features and weights");
    await page.getByText("Why are its columns called so?").click();
    assert.match(await page.locator(".why dl").textContent(), /price.*\./s);
    // and in the view of domains a click teaches a value
    await open(page, "/places.html");
    await count(page, 6);
    await page.locator("#panel[aria-busy='false']").waitFor();
    await page.getByRole("button", { name: "Domains", exact: true }).click();
    await page.locator("#domain").selectOption("real-estate");
    await shown(page).locator("[data-copal-annotation]").first().waitFor();
    await page.getByRole("button", { name: /^location/ }).click();
    await page.getByLabel(/^Teach a value/).waitFor();
    await shown(page).getByText("Pellingford").first().click();
    await page.getByRole("button", { name: "Teach “Pellingford” as location" }).click();
    await accepted(page, "Pellingford").waitFor();
    await api("DELETE", "/v1/drafts/terms-real-estate-location");
  },

  async "records of the same kind are excluded together"(page) {
    const item = (at, kind) => `<li class="${kind}"><b>Lamp ${at}</b> <i>Oak, ${at} in stock</i> <u>£${at}.50</u></li>`;
    const items = Array.from({ length: 20 }, (_, at) => item(at, at % 6 === 5 ? "promoted" : "lamp")).join("");
    const html = `<!DOCTYPE html><title>Lamps</title><body><h1>Lamps</h1><ul>${items}</ul></body>`;
    await start(page);
    await page.locator("#file").setInputFiles({ name: "kinds.html", mimeType: "text/html", buffer: Buffer.from(html) });
    await count(page, 20);
    await page.locator("#panel[aria-busy='false']").waitFor();
    await page.getByRole("button", { name: "Exclude records" }).click();
    await clickShown(page, ".promoted b", 1);
    await count(page, 19);
    await page.getByRole("button", { name: "Exclude all 2 of them" }).click();
    await count(page, 17);
    await page.locator("#panel[aria-busy='false']").waitFor();
    assert.equal((await table(page)).length, 17);
    assert.match(await wrapperText(page), /lamp|:not\(\.promoted\)/);
    await page.getByRole("tab", { name: "Table" }).click();
    await page.locator("#undo").click();
    await count(page, 19);
  },

  async "an answer that comes late does not lead back to the view that asked"(page) {
    await start(page);
    let release = () => {};
    const held = new Promise(resolve => { release = resolve; });
    await page.route("**/v1/databases", async route => { await held; await route.continue(); });
    await page.keyboard.press("Alt+7");
    await page.getByText("Reading the databases").waitFor();
    await page.keyboard.press("Alt+8");
    await page.locator("#domain").waitFor();
    const answered = page.waitForResponse(/\/v1\/databases$/);
    release();
    await (await answered).finished();
    await drawn(page);
    assert.equal(await page.locator("#domain").count(), 1);
    await page.keyboard.press("Alt+7");
    await until("the data", async () => !(await page.getByText("Reading the databases").count()));
    assert.equal(await page.getByRole("heading", { name: "Data" }).count(), 1);
  },

  async "a large tree has only the rows in view, and is walked by keyboard"(page) {
    const records = Array.from({ length: 2000 }, (_, at) => `<li><b>Lamp ${at}</b> <i>£${at}.50</i></li>`).join("");
    const html = `<!DOCTYPE html><title>Many</title><body><h1>Lamps</h1><ul>${records}</ul></body>`;
    await start(page);
    await page.locator("#file").setInputFiles({ name: "many.html", mimeType: "text/html", buffer: Buffer.from(html) });
    await until("a table", async () => (await table(page)).length === 100);
    await page.keyboard.press("Alt+3");
    const rows = page.locator(".tree .node");
    await rows.first().waitFor();
    // a click on the page leads to the row, wherever it is
    await shown(page).locator("li i").nth(1500).dispatchEvent("click");
    const selected = page.locator(".tree .node.selected");
    await until("the row", async () => (await selected.textContent().catch(() => "")).includes("£1500.50"));
    const inView = async locator => {
      const [row, tree] = [await locator.boundingBox(), await page.locator(".tree").boundingBox()];
      return row && row.y >= tree.y - 1 && row.y + row.height <= tree.y + tree.height + 1;
    };
    await until("it is in view", () => inView(selected));
    assert.ok(await rows.count() < 150, `${await rows.count()} rows`);
    assert.equal(await selected.getAttribute("aria-level"), "5");
    // keys: the focus stays in the tree and in view
    const focused = page.locator(".tree .node:focus");
    await selected.focus();
    await page.keyboard.press("ArrowLeft");
    assert.equal(await focused.getAttribute("aria-posinset"), "1501");
    assert.equal(await focused.getAttribute("aria-setsize"), "2000");
    assert.equal(await focused.getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await focused.getAttribute("aria-expanded"), "false");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused.getAttribute("aria-posinset"), "1502");
    await page.keyboard.press("PageDown");
    assert.ok(Number(await focused.getAttribute("aria-posinset")) > 1505);
    for (const [key, text] of [["End", "Lamp 1999"], ["Home", "html"]]) {
      await page.keyboard.press(key);
      if (key === "End") await page.keyboard.press("ArrowRight");
      if (key === "End") await page.keyboard.press("ArrowDown");
      assert.ok((await focused.textContent()).includes(text), `${key}: ${await focused.textContent()}`);
      assert.ok(await inView(focused), key);
    }
    // the row with the focus stays when it is scrolled out of view
    await page.locator(".tree").evaluate(tree => { tree.scrollTop = 20_000; });
    await until("other rows", async () => (await rows.allTextContents()).some(text => text.startsWith("▸li")));
    assert.equal(await focused.count(), 1);
    await page.keyboard.press("ArrowDown");
    await until("the second row", async () => (await focused.textContent()).includes("head"));
    await page.keyboard.press("Enter");
    await until("a selection", async () => (await selected.textContent().catch(() => "")).includes("head"));
  },
});
