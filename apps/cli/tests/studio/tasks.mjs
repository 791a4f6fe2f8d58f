// The five tasks of a first use, only through the page, with a picture of each step for people to look at.
// node tasks.mjs STUDIO SITE CHROMIUM FOLDER
import { clickShown, columnMenu, open, pictures, run, shown, start, studio, table, until } from "./support.mjs";

const tasks = (scheme, width, height) => {
  let step = 0;
  const picture = async (page, name) => {
    await page.waitForTimeout(250);
    step += 1;
    await page.screenshot({ path: `${pictures}/task-${width}-${scheme}-${String(step).padStart(2, "0")}-${name}.png` });
  };
  return async page => {
    await page.setViewportSize({ width, height });
    // as on the first day: nothing has been answered yet
    await fetch(`${studio}/v1/drafts/terms-real-estate-location`, { method: "DELETE" });
    await page.emulateMedia({ colorScheme: scheme });
    await start(page);
    await picture(page, "start");
    // 1. get this list into SQLite
    await open(page, "/lamps.html");
    await until("a table", async () => (await table(page)).length === 9);
    await picture(page, "list");
    await page.getByRole("button", { name: /Keep these records/ }).click();
    await picture(page, "keep");
    await page.getByRole("button", { name: /^Store/ }).click();
    await page.getByRole("heading", { name: /records in the table records/ }).waitFor();
    await picture(page, "stored");
    // 2. fix a wrong column
    await page.getByRole("button", { name: "Page", exact: true }).click();
    await page.getByRole("tab", { name: "Table" }).click();
    await page.locator("#panel th .name", { hasText: "note" }).first().click();
    await picture(page, "column-menu");
    await page.keyboard.press("Escape");
    await columnMenu(page, "note", "Split …");
    await picture(page, "split");
    await page.getByLabel(/Names of the pieces/).fill("material, stock");
    await page.getByRole("button", { name: "OK" }).click();
    await page.locator("#panel th .name", { hasText: "stock" }).waitFor();
    await page.getByRole("button", { name: "Exclude records" }).click();
    await clickShown(page, ".ad h2");
    await until("a record less", async () => (await table(page)).length === 8);
    await picture(page, "corrected");
    // 3. teach a section
    await page.getByRole("tab", { name: "Point" }).click();
    await picture(page, "point");
    await page.getByRole("button", { name: "Point at a section" }).click();
    await clickShown(page, "h1");
    await page.locator("#pattern").waitFor();
    await picture(page, "pattern");
    await page.getByRole("button", { name: "Read this section" }).click();
    await until("a section", async () => (await table(page)).length === 1);
    await picture(page, "section");
    // 4. compare two runs
    await page.getByRole("button", { name: /^Undo/ }).click();
    await until("the list", async () => (await table(page)).length === 8);
    await page.getByRole("tab", { name: "Keep" }).click();
    await page.getByRole("button", { name: /^Store/ }).click();
    await page.locator("#differences").waitFor();
    await picture(page, "differences");
    // 5. answer the learner
    await page.getByRole("button", { name: "Page", exact: true }).click();
    await open(page, "/places.html");
    await page.getByRole("button", { name: "Domains", exact: true }).click();
    await picture(page, "domains");
    await page.locator("#domain").selectOption("real-estate");
    await shown(page).locator("[data-copal-annotation]").first().waitFor();
    await page.getByRole("button", { name: /^location/ }).click();
    await page.getByLabel(/^Teach a value/).waitFor();
    await picture(page, "attribute");
    for (const place of ["Chadlow", "Brill Magna"]) {
      await page.getByLabel(/^Teach a value/).fill(place);
      await page.keyboard.press("Enter");
      await accepted(page, place).waitFor();
    }
    await page.locator(".question .term").waitFor();
    await picture(page, "question");
    await page.locator("#yes").click();
    await picture(page, "answered");
    // the rest of the studio
    await page.getByRole("button", { name: "Page", exact: true }).click();
    await open(page, "/books/1.html");
    await picture(page, "object");
    await page.getByRole("button", { name: "Library", exact: true }).click();
    await picture(page, "library");
  };
};

/** A term in the list of those that were accepted. */
const accepted = (page, term) => page.getByRole("list", { name: "Accepted", exact: true }).getByText(term, { exact: true });

await run({
  "light 1280": tasks("light", 1280, 800),
  "dark 2560": tasks("dark", 2560, 1300),
});
