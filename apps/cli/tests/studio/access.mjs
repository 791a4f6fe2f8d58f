// Accessibility: axe-core on every view, light and dark; and the whole way by keyboard alone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { clickShown, columns, open, quiet, run, site, start, table, until } from "./support.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails if there are serious faults. */
async function check(page, what) {
  await page.evaluate(`if (!window.axe) { ${axe} }`);
  const { violations, passes } = await page.evaluate(() => window.axe.run(document, { iframes: false }));
  assert.ok(passes.length > 10, `${what}: only ${passes.length} rules were checked`);
  const serious = violations.filter(one => ["serious", "critical"].includes(one.impact));
  assert.deepEqual(serious.map(one => `${one.id}: ${one.nodes.map(node => `${node.target} ${node.failureSummary}`).join("; ").slice(0, 600)}`), [], what);
}

const all = scheme => async page => {
  await page.emulateMedia({ colorScheme: scheme });
  await start(page);
  await check(page, "start");
  await open(page, "/lamps.html");
  await check(page, "table");
  for (const tab of ["Sections", "Elements", "Point", "Wrapper", "Try", "Keep"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.locator(`[role=tabpanel][aria-label="${tab}"]`).waitFor();
    await quiet(page);
    await check(page, tab);
  }
  await page.getByRole("tab", { name: "Point" }).click();
  await page.getByRole("button", { name: "Point at a section" }).click();
  await clickShown(page, ".grid .price");
  await page.locator("#pattern").waitFor();
  await check(page, "a pattern");
  await page.getByRole("tab", { name: "Table" }).click();
  await page.locator("#panel th .name").first().click();
  await check(page, "a menu");
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await check(page, "a dialog");
  await page.getByRole("button", { name: "Cancel" }).click();
  for (const view of ["Library", "Data", "Domains"]) {
    await page.getByRole("button", { name: view, exact: true }).click();
    await page.getByRole("heading", { name: view }).or(page.locator("#domain")).first().waitFor();
    await quiet(page);
    await check(page, view);
  }
  await page.getByRole("button", { name: "Page", exact: true }).click();
  await open(page, "/books/1.html");
  await quiet(page);
  await check(page, "an object");
};

/** Presses Tab until the focused element is the wanted one. */
async function tabTo(page, what, isWanted) {
  for (let step = 0; step < 200; step++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(isWanted)) return;
  }
  assert.fail(`Tab does not lead to ${what}`);
}

await run({
  "no serious faults in light colours": all("light"),
  "no serious faults in dark colours": all("dark"),

  async "everything works by keyboard alone"(page) {
    await start(page);
    await page.keyboard.press("Control+l");
    await page.keyboard.type(`${site}/lamps.html`);
    await page.keyboard.press("Enter");
    await until("a table", async () => (await table(page)).length === 9);
    // a column is added from the tree of elements
    await page.keyboard.press("Alt+c");
    await page.keyboard.press("Alt+3");
    await tabTo(page, "the tree", () => document.activeElement?.getAttribute("role") === "treeitem");
    const focused = () => page.evaluate(() => document.activeElement?.querySelector("code")?.textContent ?? "");
    for (let step = 0; step < 60 && !(await focused()).includes("class=\"price\""); step++) {
      await page.keyboard.press("ArrowRight");
      if (!(await focused()).includes("class=\"price\"")) await page.keyboard.press("ArrowDown");
    }
    assert.match(await focused(), /class="price"/);
    await page.keyboard.press("Enter");
    await until("a new column", async () => (await columns(page)).includes("column_1"));
    // its name has the focus: it is renamed and moved
    await page.locator("#panel .name[data-name='column_1']:focus").waitFor();
    await page.keyboard.press("F2");
    await page.keyboard.type("cost");
    await page.keyboard.press("Enter");
    await until("a new name", async () => (await columns(page)).includes("cost"));
    // and keeps the focus when the table is drawn anew
    await page.locator("#panel[aria-busy='false'] .name[data-name='cost']:focus").waitFor();
    await page.keyboard.press("Alt+ArrowLeft");
    await until("a moved column", async () => (await columns(page)).at(-2) === "cost");
    await page.locator("#panel .name[data-name='cost']:focus").waitFor();
    await page.keyboard.press("Control+z");
    await until("an undone step", async () => (await columns(page)).at(-1) === "cost");
    // and the records are kept
    await page.keyboard.press("Alt+k");
    await tabTo(page, "the database", () => document.activeElement?.id === "database");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("by-keyboard");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "9 records in the table records" }).waitFor();
  },

  async "every view is reached and used by keyboard"(page) {
    await start(page);
    await page.keyboard.press("Control+l");
    await page.keyboard.type(`${site}/lamps.html`);
    await page.keyboard.press("Enter");
    await until("a table", async () => (await table(page)).length === 9);
    // the wrapper is saved, checked and looked at
    await page.keyboard.press("Alt+k");
    await tabTo(page, "the name", () => document.activeElement?.id === "wrapper-name");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("keys");
    await page.keyboard.press("Enter");
    await page.getByText("Saved as keys").waitFor();
    await page.keyboard.press("Alt+6");
    const card = page.getByRole("article", { name: "keys" });
    await card.waitFor();
    await tabTo(page, "the check", () => document.activeElement?.textContent === "Check"
      && document.activeElement.closest("article")?.getAttribute("aria-label") === "keys");
    await page.keyboard.press("Enter");
    await card.getByText("fine", { exact: true }).waitFor();
    // data and domains
    await page.keyboard.press("Alt+7");
    await page.getByRole("heading", { name: "Data" }).waitFor();
    await page.keyboard.press("Alt+8");
    await page.locator("#domain").waitFor();
    await tabTo(page, "the domain", () => document.activeElement?.id === "domain");
    // one letter: browsers take letters together only if they follow within a second
    await page.keyboard.press("b");
    await page.getByRole("button", { name: /^author/ }).waitFor();
    // tools, records that are excluded from the tree, and the list of keys
    await page.keyboard.press("Alt+5");
    await page.keyboard.press("Alt+x");
    await page.getByText("Click the records that do not belong.").waitFor();
    await page.keyboard.press("Alt+i");
    await page.getByText(/Click a record that is missing/).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("dialog").count(), 0);
  },
});
