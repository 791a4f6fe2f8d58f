// Times of the studio for people to read: from a dropped file of 500 KB to its table, and until a click is answered.
// node times.mjs STUDIO SITE CHROMIUM
import { columns, run, shown, start, table, until } from "./support.mjs";

/** Clicks per median. */
const CLICKS = 50;

/** A page of about 500 KB with a list. */
function largePage() {
  const card = n => `<div class="card"><h2><a href="/lamp/${n}">Lamp number ${n}, with a name of some length</a></h2>
    <p class="note">Oak and brass, ${n} in stock, delivered within ${1 + n % 9} days to every town of the country.
    Its shade is made of linen in one of six colours, and its cable is ${1 + n % 4} metres long.</p>
    <span class="maker">Maker ${n % 40}</span> <span class="price">£${n}.50</span></div>`;
  const cards = [];
  for (let n = 1; cards.join("").length < 500_000; n += 1) cards.push(...Array.from({ length: 40 }, (_, at) => card(40 * n + at)));
  return `<!DOCTYPE html><html lang="en"><head><title>Many lamps</title></head><body><h1>Lamps</h1>${cards.join("\n")}</body></html>`;
}

const median = times => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
const line = (what, times) => console.log(`ok ${what}: median ${Math.round(median(times))} ms of ${times.length}, most ${Math.round(Math.max(...times))} ms`);

/** Milliseconds until something is true, looked at in every frame of the page. */
const timed = async (page, act, isDone) => {
  const begun = performance.now();
  await act();
  await page.waitForFunction(isDone, null, { polling: "raf" });
  return performance.now() - begun;
};

await run({
  async times(page) {
    const html = largePage();
    const file = { name: "lamps.html", mimeType: "text/html", buffer: Buffer.from(html) };
    const opened = [];
    for (let time = 0; time < 3; time++) {
      await start(page);
      opened.push(await timed(page, () => page.locator("#file").setInputFiles(file),
        () => document.querySelectorAll("#panel .data tbody tr").length > 50));
      await page.locator("a.brand").click();
    }
    line(`from a file of ${Math.round(html.length / 1000)} KB to its table`, opened);
    await start(page);
    await page.locator("#file").setInputFiles(file);
    await until("a table", async () => (await table(page)).length === 100);
    // measured in the page: what a person waits for after the browser has received the click
    const answered = (what, clicks) => page.evaluate(async ([selectors, times]) => {
      const all = [];
      for (let time = 0; time < times; time++) {
        const element = document.querySelector(selectors[time % selectors.length]);
        const begun = performance.now();
        element.click();
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
        all.push(performance.now() - begun);
      }
      return all;
    }, [clicks, CLICKS]).then(times => line(what, times));
    await answered("a click on a tab shows its panel", ["#tab-Result-keep", "#tab-Result-table"]);
    await answered("a click on a side tab shows its panel", ["#tab-On\\ the\\ page-elements", "#tab-On\\ the\\ page-lists"]);
    await answered("a click on the number of a record shows it on the page", ["#panel tr:nth-child(40) button", "#panel tr:nth-child(3) button"]);
    const pointed = [];
    await page.getByRole("tab", { name: "Elements" }).click();
    for (let time = 0; time < CLICKS; time++) {
      const begun = performance.now();
      await shown(page).locator(".maker").nth(time).dispatchEvent("click");
      await page.locator(".tree .selected").first().waitFor();
      pointed.push(performance.now() - begun);
    }
    line("a click on the page selects the element, driver included", pointed);
    const corrections = [];
    for (let time = 0; time < 6; time++) {
      const before = (await columns(page)).join();
      const begun = performance.now();
      await page.getByRole("button", { name: time % 2 ? /^Undo/ : /^maker|^Maker/ }).first().click();
      if (time % 2 === 0) await page.getByRole("menuitem", { name: "Hide" }).click();
      await until("an answer", async () => (await columns(page)).join() !== before);
      corrections.push(performance.now() - begun);
    }
    line("a correction changes the table", corrections);
  },
});
