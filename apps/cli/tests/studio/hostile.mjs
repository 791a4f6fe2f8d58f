// Hostile pages: hundreds of generated payloads, none of which may run or ask for anything; and forbidden URLs.
import assert from "node:assert/strict";
import { api, run, site, start, studio, until } from "./support.mjs";

const CANARY = `${site}/canary`;
const RUN = `pwn();new Image().src='${CANARY}'`;
const EVENTS = ["onerror", "onload", "onclick", "onmouseover", "onfocus", "ontoggle", "onanimationstart", "onpointerover",
  "onbegin", "onscroll", "onpageshow", "onbeforetoggle", "onfocusin", "ontransitionend", "onauxclick", "onwheel"];
const CARRIERS = ["img src=x", "svg", "body", "input autofocus", "details open", "video src=x autoplay", "audio src=x autoplay",
  "iframe src=about:blank", "marquee", "a href=# tabindex=0", "div style='animation:x 1s' tabindex=0", "select autofocus",
  "textarea autofocus", "object data=x", "embed src=x", "math href=#", "style", "table background=x", "button autofocus",
  "form", "x-custom tabindex=0", "dialog open", "link rel=stylesheet href=x", "frameset"];
const SCRIPTS = ["javascript:pwn()", "JaVaScRiPt:pwn()", "java\tscript:pwn()", "\u0001javascript:pwn()", "&#106;avascript:pwn()",
  "javascript&colon;pwn()", "data:text/html,<script>pwn()</script>", "data:image/svg+xml,<svg onload=pwn()>", "vbscript:pwn()", CANARY];
const PLACES = ["<a href=\"U\">x</a>", "<iframe src=\"U\"></iframe>", "<form action=\"U\"><input type=submit></form>",
  "<button form=f formaction=\"U\">x</button>", "<object data=\"U\"></object>", "<embed src=\"U\">", "<img src=\"U\">", "<img srcset=\"U 1x\">",
  "<link rel=stylesheet href=\"U\">", "<link rel=prefetch href=\"U\">", "<base href=\"U\"><img src=a>", "<meta http-equiv=refresh content=\"0;url=U\">",
  "<svg><image href=\"U\" /></svg>", "<svg><use xlink:href=\"U\"/></svg>", "<svg><a xlink:href=\"U\"><text>x</text></a></svg>",
  "<video poster=\"U\"></video>", "<body background=\"U\">", "<input type=image src=\"U\">", "<map><area href=\"U\"></map>",
  "<script src=\"U\"></script>", "<iframe srcdoc=\"<img src='U'>\"></iframe>", "<a ping=\"U\" href=#>x</a>", "<track src=\"U\">"];
const STYLES = ["@import 'U';", "@import url(U);", "body{background:url(U)}", "*{list-style-image:url(U)}", "p{cursor:url(U),auto}",
  "@font-face{font-family:x;src:url(U)}*{font-family:x}", "p{content:url(U)}", "p{behavior:url(U)}", "p{-moz-binding:url(U)}",
  "p{width:expression(pwn())}", "p{mask:url(U)}", "p{filter:url(U)}", "p::before{content:image-set('U' 1x)}", "p{border-image:url(U)}"];
const TRICKS = ["<script>R</script>", "<SCRIPT>R</SCRIPT>", "<script\n>R</script\n>", "<svg><script>R</script></svg>",
  "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=R&gt;\">",
  "<svg></p><style><a id=\"</style><img src=1 onerror=R>\">", "<noscript><p title=\"</noscript><img src=x onerror=R>\">",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=R>", "<template><script>R</script></template>",
  "<textarea><img title=\"</textarea><img src=x onerror=R>\"></textarea>", "<title><img title=\"</title><img src=x onerror=R>\">",
  "<xmp><img title=\"</xmp><img src=x onerror=R>\">", "<plaintext><script>R</script>", "<!--><img src=x onerror=R>-->",
  "<svg><foreignObject><iframe srcdoc='<script>R</script>'></iframe></foreignObject></svg>", "<svg><animate onbegin=R attributeName=x dur=1s>",
  "<svg><set attributeName=href to='javascript:pwn()'/></svg>", "<p name=body>x</p><img name=body><form name=head></form>",
  "<div id=dataset></div><img name=getElementById><img name=createElement>", "<input name=documentElement><form id=parent></form>",
  "<p class=\"</style><script>R</script>\">x", "<p style=\"background:url(U)\">x", "<p style=\"x:expression(R)\">x",
  "<p data-n=1 data-copal-record onclick=R>x", "<a href=\"#\" target=_top onclick=R>x</a>", "<p title='\"><script>R</script>'>x",
  "&lt;script&gt;R&lt;/script&gt;", "<p>]]><script>R</script>", "\u2028<script>R</script>", "<isindex action=javascript:pwn() type=image>",
  "<portal src=U></portal>", "<fencedframe src=U></fencedframe>", "<link rel=import href=U>", "<script type=importmap>{\"imports\":{\"a\":\"U\"}}</script>",
  "<script type=speculationrules>{\"prefetch\":[{\"source\":\"list\",\"urls\":[\"U\"]}]}</script>", "<meta http-equiv=Content-Security-Policy content='script-src *'><script>R</script>"];

const payloads = [
  ...CARRIERS.flatMap(tag => EVENTS.map(event => `<${tag} ${event}="${RUN}">x`)),
  ...PLACES.flatMap(place => SCRIPTS.map(url => place.replaceAll("U", url))),
  ...STYLES.flatMap(css => [`<style>${css.replaceAll("U", CANARY)}</style><p>x`, `<link rel=stylesheet href="data:text/css,${encodeURIComponent(css.replaceAll("U", CANARY))}"><p>x`]),
  ...TRICKS.map(html => html.replaceAll("R", RUN).replaceAll("U", CANARY)),
];

/** Does what a person could do with everything in the document. */
const provoke = () => {
  for (const element of document.querySelectorAll("*")) {
    for (const kind of ["mouseover", "pointerover", "focus", "focusin", "click", "auxclick", "scroll", "wheel", "toggle", "load", "error", "animationstart", "transitionend"]) {
      element.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }));
    }
    element.focus?.();
  }
};

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
