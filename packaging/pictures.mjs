// Makes the pictures of the README: a page beside the terminal, and the HTML report.
//
//   node packaging/pictures.mjs COPAL CHROMIUM PACKAGES FOLDER      (make pictures)
//
// PACKAGES is a folder in which playwright-core is installed. The pictures of the studio are made by
// apps/cli/tests/studio/pictures.mjs.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [copal, chromiumProgram, packages, folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: pictures.mjs COPAL CHROMIUM PACKAGES FOLDER");
  process.exit(2);
}
const { chromium } = createRequire(pathToFileURL(join(resolve(packages), "package.json")))("playwright-core");
const PAGE = "examples/shop.html";
const ROWS = 14;
const work = mkdtempSync(join(tmpdir(), "copal-pictures-"));

const escaped = text => text.replace(/[&<>]/g, c => `&#${c.charCodeAt(0)};`);

/** What a terminal of this width shows. */
function terminal(width) {
  const text = execFileSync(copal, ["extract", PAGE], { encoding: "utf8", env: { ...process.env, COLUMNS: String(width) } });
  return `$ copal extract ${PAGE}\n${text.split("\n").slice(0, ROWS).join("\n")}\n…`;
}

/** The page and the terminal side by side. */
const beside = (picture, text) => `<!DOCTYPE html><meta charset="utf-8"><style>
  body { margin: 0; padding: 24px; display: flex; gap: 24px; align-items: center; background: #eceae5; }
  figure { margin: 0; border-radius: 10px; overflow: hidden; box-shadow: 0 6px 24px rgb(0 0 0 / .25); }
  figure img { display: block; width: 520px; }
  pre { margin: 0; padding: 18px 20px; background: #1b1a18; color: #ece8e0; font: 13px/1.35 "DejaVu Sans Mono", monospace; }
</style><figure><img src="data:image/png;base64,${picture.toString("base64")}"></figure><figure><pre>${escaped(text)}</pre></figure>`;

const browser = await chromium.launch({ executablePath: chromiumProgram, args: ["--no-sandbox"] });
try {
  // the page of the example has neither style nor images of its own on disk
  const shop = await browser.newPage({ viewport: { width: 900, height: 640 } });
  await shop.setContent(readFileSync(PAGE, "utf8").replace(/<link rel="stylesheet"[^>]*>/g, "").replace("</head>", `<style>
    body { font: 14px/1.4 sans-serif; margin: 16px; } img { display: none; } ul { padding-left: 16px; } h3 { margin: 2px 0; font-size: 14px; }
    .main-nav ul, .account, .breadcrumb { display: flex; gap: 12px; list-style: none; padding: 0; }
    .layout { display: grid; grid-template-columns: 150px 1fr; gap: 20px; font-size: 12px; }
    .row { display: grid !important; grid-template-columns: repeat(3, 1fr); gap: 10px; } .row > * { width: auto !important; border: 1px solid #ddd; border-radius: 6px; padding: 8px; }
  </style></head>`), { waitUntil: "domcontentloaded" });
  const picture = await shop.screenshot();
  const both = await browser.newPage({ viewport: { width: 1500, height: 420 } });
  await both.setContent(beside(picture, terminal(104)));
  await both.screenshot({ path: join(folder, "terminal.png"), fullPage: true });

  const report = join(work, "report.html");
  execFileSync(copal, ["extract", PAGE, "--quiet", "-o", report]);
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, colorScheme: "light" });
  await page.goto(pathToFileURL(report).href);
  await page.screenshot({ path: join(folder, "report.png") });
} finally {
  await browser.close();
  rmSync(work, { recursive: true });
}
