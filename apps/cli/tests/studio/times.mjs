// Times of the studio for people to read: from a dropped file of 500 KB to its table, and until a click is answered.
// Nothing asserts them: other programs may use the machine. "Work" is the processor time of the studio's main thread.
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
const round = number => Math.round(number * 10) / 10;

/** Prints waits, and the work of the main thread for one of them. */
const line = (what, times, work) => console.log(`ok ${what}: median ${round(median(times))} ms of ${times.length}, `
  + `most ${round(Math.max(...times))} ms${work === undefined ? "" : `, work ${round(work / times.length)} ms`}`);

/** Runs something; the milliseconds that the main thread worked meanwhile. */
async function worked(cdp, act) {
  const read = async () => (await cdp.send("Performance.getMetrics")).metrics.find(one => one.name === "TaskDuration").value;
  const before = await read();
  const result = await act();
  return [result, 1000 * (await read() - before)];
}

/** Where the time until the table went: requests to the service, in their order. */
const requests = page => page.evaluate(() => performance.getEntriesByType("resource").filter(one => one.name.includes("/v1/"))
  .filter(one => /view|extract|correct/.test(one.name))
  .map(one => `${new URL(one.name).pathname} ${Math.round(one.startTime)}+${Math.round(one.duration)} ms ${Math.round(one.transferSize / 1000)} KB`).join(", "));

await run({
  async times(page, context) {
    const cdp = await context.newCDPSession(page);
    // processor time, not time on the clock
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const html = largePage();
    const file = { name: "lamps.html", mimeType: "text/html", buffer: Buffer.from(html) };
    const opened = [];
    const firsts = [];
    let work = 0;
    for (let time = 0; time < 3; time++) {
      await start(page);
      await page.evaluate(() => {
        performance.clearResourceTimings();
        window.seen = {};
        new MutationObserver(() => {
          const now = performance.now();
          if (document.querySelector("iframe")) window.seen.page ??= now;
          if (document.querySelectorAll("#panel .data tbody tr").length > 20) window.seen.table ??= now;
        }).observe(document.body, { childList: true, subtree: true });
        document.querySelector("#file").addEventListener("change", () => { window.seen.begun = performance.now(); }, true);
      });
      const [seen, spent] = await worked(cdp, async () => {
        await page.locator("#file").setInputFiles(file);
        await page.waitForFunction(() => window.seen.table, null, { polling: 50 });
        return page.evaluate(() => window.seen);
      });
      opened.push(seen.table - seen.begun);
      firsts.push(seen.page - seen.begun);
      work += spent;
      console.log(`ok requests: from ${Math.round(seen.begun)}, ${await requests(page)}`);
      await until("an answer", async () => (await page.locator(".busy, .progress").count()) === 0);
      await page.locator("a.brand").click();
    }
    line(`from a file of ${Math.round(html.length / 1000)} KB to the page`, firsts);
    line(`from a file of ${Math.round(html.length / 1000)} KB to its table`, opened, work);
    await start(page);
    await page.locator("#file").setInputFiles(file);
    await until("a table", async () => (await table(page)).length === 100);
    await page.waitForTimeout(3000);
    // measured in the page: what a person waits for after the browser has received the click
    const answered = async (what, selectors) => {
      const [times, spent] = await worked(cdp, () => page.evaluate(async ([selectors, times]) => {
        const all = [];
        for (let time = 0; time < times; time++) {
          const element = document.querySelector(selectors[time % selectors.length]);
          const begun = performance.now();
          element.click();
          await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
          all.push(performance.now() - begun);
        }
        return all;
      }, [selectors, CLICKS]));
      line(what, times, spent);
    };
    await answered("a click on a tab shows its panel", ["#tab-Result-keep", "#tab-Result-table"]);
    await answered("a click on a side tab shows its panel", ["#tab-On\\ the\\ page-elements", "#tab-On\\ the\\ page-lists"]);
    await answered("a click on the number of a record shows it on the page", ["#panel tr:nth-child(40) button", "#panel tr:nth-child(3) button"]);
    await answered("a click on a tool of the table", ["#panel .toolbar button:nth-of-type(3)", "#panel .toolbar button:nth-of-type(4)"]);
    await page.keyboard.press("Escape");
    // from the click in the frame to the row of the tree; both windows have the clock of the machine
    await page.getByRole("tab", { name: "Elements" }).click();
    const frame = page.frames().find(one => one.url().endsWith("/studio/frame"));
    await page.evaluate(() => {
      window.selections = [];
      let last = null;
      new MutationObserver(() => {
        const now = document.querySelector(".tree .selected");
        const node = now?.getAttribute("data-node") ?? null;
        if (node === last || node === null) return;
        last = node;
        requestAnimationFrame(() => setTimeout(() => window.selections.push(performance.timeOrigin + performance.now())));
      }).observe(document.body, { childList: true, subtree: true, attributes: true });
    });
    const pointed = [];
    const [, spent] = await worked(cdp, async () => {
      for (let time = 0; time < CLICKS; time++) {
        const begun = await frame.evaluate(at => {
          const begun = performance.timeOrigin + performance.now();
          document.querySelectorAll(".maker")[at].click();
          return begun;
        }, 3 * time);
        await page.waitForFunction(count => window.selections.length > count, time, { polling: 20 });
        pointed.push(await page.evaluate(at => window.selections[at], time) - begun);
      }
    });
    line("a click on the page selects the element in the tree", pointed, spent);
    await answered("a click on an element of the tree selects it", [".tree .node:nth-of-type(8)", ".tree .node:nth-of-type(12)"]);
    await page.getByRole("tab", { name: "Lists" }).click();
    // a correction: until something changes, and until the service has answered
    const changes = [];
    const answers = [];
    const [, correcting] = await worked(cdp, async () => {
      for (let time = 0; time < 6; time++) {
        if (time % 2 === 0) await page.getByRole("button", { name: /^maker|^Maker/ }).first().click();
        const [change, answer] = await page.evaluate(async isUndo => {
          const names = () => [...document.querySelectorAll("#panel thead .name")].map(one => one.textContent).join();
          const before = names();
          const isBusy = () => document.querySelector("#panel[aria-busy=true]") !== null;
          const button = isUndo ? document.querySelector("#panel [aria-label^=Undo]")
            : [...document.querySelectorAll("[role=menuitem]")].find(one => one.textContent === "Hide");
          const begun = performance.now();
          button.click();
          const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
          do await frame(); while (names() === before && !isBusy());
          const change = performance.now() - begun;
          while (names() === before || isBusy()) await frame();
          return [change, performance.now() - begun];
        }, time % 2 === 1);
        changes.push(change);
        answers.push(answer);
      }
    });
    line("a correction is seen", changes, correcting);
    line("a correction is answered by the service", answers);
  },
});
