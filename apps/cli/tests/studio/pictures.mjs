// Pictures of the studio for the documents and for people to look at: light, dark, narrow, every view.
// node pictures.mjs STUDIO SITE CHROMIUM FOLDER
import { clickShown, columnMenu, open, pictures, run, start, table, until } from "./support.mjs";

const picture = (page, name) => page.screenshot({ path: `${pictures}/${name}.png` });

const views = (name, scheme, width, height) => async page => {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
  await start(page);
  await picture(page, `${name}-start`);
  await open(page, "/lamps.html");
  await until("a table", async () => (await table(page)).length === 9);
  await page.locator("#panel tr[data-record='2'] td").nth(1).hover();
  await page.waitForTimeout(300);
  await picture(page, name);
  await columnMenu(page, "note", "Split");
  await picture(page, `${name}-split`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("tab", { name: "Point" }).click();
  await page.getByRole("button", { name: "Point at a section" }).click();
  await clickShown(page, ".grid .price", 1);
  await page.locator("#pattern").waitFor();
  await page.waitForTimeout(300);
  await picture(page, `${name}-point`);
  await page.getByRole("tab", { name: "Elements" }).click();
  await page.getByRole("tab", { name: "Wrapper" }).click();
  await page.waitForTimeout(300);
  await picture(page, `${name}-wrapper`);
  await page.getByRole("tab", { name: "Keep" }).click();
  await page.waitForTimeout(300);
  await picture(page, `${name}-keep`);
  await page.getByLabel("Name", { exact: true }).fill("lamps");
  await page.getByRole("button", { name: "Save in the library" }).click();
  await page.getByText("Saved as lamps").waitFor();
  for (let time = 0; time < 2; time++) {
    await page.getByRole("button", { name: "Page", exact: true }).click();
    await page.getByRole("tab", { name: "Keep" }).click();
    await page.getByLabel("Database", { exact: true }).fill("lamps");
    await page.getByRole("button", { name: /^Store/ }).click();
    await page.getByRole("heading", { name: "9 records in the table records" }).waitFor();
  }
  await page.waitForTimeout(500);
  await picture(page, `${name}-data`);
  await page.getByRole("button", { name: "Library", exact: true }).click();
  await page.getByRole("button", { name: "Check" }).first().click();
  await page.waitForTimeout(800);
  await picture(page, `${name}-library`);
  await page.getByRole("button", { name: "Page", exact: true }).click();
  await open(page, "/books/list.html");
  await page.getByRole("button", { name: "Domains", exact: true }).click();
  await page.locator("#domain").selectOption("books");
  await page.getByRole("button", { name: /^author/ }).click();
  await page.waitForTimeout(1000);
  await picture(page, `${name}-domains`);
};

await run({
  light: views("studio-light", "light", 1400, 860),
  dark: views("studio-dark", "dark", 1400, 860),
  narrow: views("studio-narrow", "light", 800, 1100),
});
