// Hostile pages: hundreds of generated payloads, none of which may run or ask for anything; and forbidden URLs.
import assert from "node:assert/strict";
import { payloadsFor, provoke } from "./payloads.mjs";
import { api, run, site, start, studio, until } from "./support.mjs";

const payloads = payloadsFor(`${site}/canary`);

/** The frame with the page, which may load after the table is there. */
const frameOf = page => until("the frame", async () => {
  const frame = page.frames().find(frame => frame.url().endsWith("/studio/frame"));
  return await frame?.evaluate(() => document.querySelectorAll("[data-n]").length > 0).catch(() => false) ? frame : null;
});

await run({
  async "the payloads do run where nothing stops them"(page) {
    await page.addInitScript(() => { window.ran = 0; window.pwn = () => { window.ran++; }; });
    await page.route(`${site}/**`, route => route.abort());
    let ran = 0;
    for (const html of payloads.slice(0, 60)) {
      await page.goto("about:blank");
      await page.evaluate(html => { document.write(html); document.close(); }, html).catch(() => {});
      await page.evaluate(provoke).catch(() => {});
      ran += await page.evaluate(() => window.ran > 0).catch(() => 0) ? 1 : 0;
    }
    assert.ok(ran > 20, `only ${ran} of 60 payloads ran in an open page: the test could not fail`);
  },

  async "none of the payloads runs or asks for anything"(page) {
    assert.ok(payloads.length >= 300, `${payloads.length} payloads`);
    const requests = [];
    // what the policy blocks is not sent; the site of this test also counts what reaches it
    const isOutside = request => !request.url().startsWith(studio) && !request.url().startsWith("data:");
    page.on("requestfinished", request => { if (isOutside(request)) requests.push(request.url()); });
    page.on("requestfailed", request => { if (isOutside(request) && !/csp|^origin$/i.test(request.failure()?.errorText)) requests.push(`${request.url()} ${request.failure()?.errorText}`); });
    page.on("dialog", dialog => { requests.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
    page.on("popup", popup => requests.push(`popup ${popup.url()}`));
    await page.addInitScript(() => {
      window.pwn = () => { (window.parent ?? window).postMessage("pwned", "*"); window.top.postMessage("pwned", "*"); };
      window.addEventListener("message", event => { if (event.data === "pwned") window.pwned = (window.pwned ?? 0) + 1; });
    });
    await start(page);
    await page.locator(".example", { hasText: "Trains" }).click();
    await page.locator("#panel .data tbody tr").first().waitFor();
    const frame = await frameOf(page);
    for (const [number, html] of payloads.entries()) {
      const { status, json } = await api("POST", "/v1/view", { html });
      if (status !== 200) continue;
      await page.evaluate(async view => {
        const { tell } = await import("/studio/frame_link.js");
        tell({ type: "page", shown: view.shown, styles: view.styles });
      }, json);
      await frame.evaluate(provoke);
      assert.deepEqual([await page.evaluate(() => window.pwned ?? 0), requests], [0, []], `payload ${number}: ${html}`);
    }
    await page.waitForTimeout(500);
    assert.deepEqual([await page.evaluate(() => window.pwned ?? 0), requests], [0, []]);
    // even markup that nobody cleaned does not run in the frame
    await frame.evaluate(all => { document.body.innerHTML = all; }, payloads.slice(0, 400).join("\n")).catch(() => {});
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => window.pwned ?? 0), 0);
    assert.deepEqual(requests, []);
    console.log(`ok ${payloads.length} payloads`);
  },

  async "the frame has no origin and its parent trusts no other window"(page) {
    await start(page);
    await page.locator(".example", { hasText: "Lamps" }).click();
    await page.locator("#panel .data tbody tr").first().waitFor();
    const frame = await frameOf(page);
    assert.equal(await frame.evaluate(() => window.origin), "null");
    for (const reach of ["parent.document.title", "localStorage.length", "document.cookie", "parent.location.href"]) {
      assert.match(await frame.evaluate(code => { try { return String(eval(code)); } catch (error) { return `refused ${error.name}`; } }, reach).catch(() => "refused"), /refused/, reach);
    }
    assert.equal(await frame.evaluate(() => fetch("/v1/drafts").then(() => "sent", () => "refused")), "refused");
    // a message of another window is ignored
    await page.evaluate(() => window.postMessage({ type: "click", node: 5 }, "*"));
    await page.waitForTimeout(100);
    assert.equal(await page.locator(".tree").count(), 0);
  },
});
