#!/usr/bin/env python3
"""Script-injection payloads in HTML reports of pages and of sites, opened in a real browser: none may run or ask for anything.

    research/hostile/report_payloads.py --copal target/debug/copal

The payloads stand in the texts, titles, labels, class names and links of pages. copal writes reports of these pages, and
explores a site that has them and writes its report; the reports are shown in Chromium. What runs, or loads anything, asks for /canary. As a control, the same payloads are markup of
a page of their own, and some of them run. Exit code 1 if one runs in a report, or none in the control.
"""

import argparse
import html
import http.server
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

EVENTS = ["onerror", "onload", "onclick", "onmouseover", "onfocus", "ontoggle", "onanimationstart", "onpointerover", "onbegin", "onscroll", "onpageshow", "onfocusin"]
CARRIERS = ["img src=x", "svg", "body", "input autofocus", "details open", "video src=x autoplay", "audio src=x", "iframe src=about:blank", "marquee", "a href=# tabindex=0",
            "div style='animation:x 1s'", "select autofocus", "textarea autofocus", "object data=x", "embed src=x", "math href=#", "style", "button autofocus", "form", "x-custom", "dialog open", "link rel=stylesheet href=x"]
URLS = ["javascript:RUN", "JaVaScRiPt:RUN", "java\tscript:RUN", "&#106;avascript:RUN", "data:text/html,<script>RUN</script>", "data:image/svg+xml,<svg onload=RUN>", "vbscript:RUN", "CANARY"]
PLACES = ['<a href="U">x</a>', '<iframe src="U"></iframe>', '<form action="U"><input type=submit></form>', '<object data="U"></object>', '<embed src="U">', '<img src="U">', '<link rel=stylesheet href="U">',
          '<base href="U"><img src=a>', '<meta http-equiv=refresh content="0;url=U">', '<svg><image href="U" /></svg>', '<video poster="U"></video>', '<script src="U"></script>', "<iframe srcdoc=\"<img src='U'>\"></iframe>"]
TRICKS = ["<script>RUN</script>", "</script><script>RUN</script>", "</style><script>RUN</script>", "</title><script>RUN</script>", "</textarea><script>RUN</script>", "</template><script>RUN</script>", "--><script>RUN</script>",
          "]]><script>RUN</script>", "\"><img src=x onerror=RUN>", "'><img src=x onerror=RUN>", "` onmouseover=RUN x=`", "\" autofocus onfocus=RUN x=\"", "<svg><style><img src=x onerror=RUN></style></svg>",
          "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=RUN&gt;\">", "<noscript><p title=\"</noscript><img src=x onerror=RUN>\">", "\u2028<script>RUN</script>", "&lt;script&gt;RUN&lt;/script&gt;",
          "<style>@import 'CANARY';</style>", "<style>body{background:url(CANARY)}</style>", "}</style><style>*{background:url(CANARY)}", "url(CANARY)", "expression(RUN)", "{{constructor.constructor('RUN')()}}", "${RUN}"]
PER_PAGE = 32


def payloads(canary):
    run = f"new(Image)().src='{canary}'"
    made = [f'<{carrier} {event}="RUN">x' for carrier in CARRIERS for event in EVENTS]
    made += [place.replace("U", url) for place in PLACES for url in URLS]
    return [text.replace("RUN", run).replace("CANARY", canary) for text in [*made, *TRICKS]]


def page_of(found):
    """A list whose records contain the payloads in every place that a report shows."""
    def record(number, text):
        safe = html.escape(text)
        return (f'<li class="item {safe}" id="{safe}"><h3><a href="{safe}">Lamp {number} {safe}</a></h3><img src="/l/{number}.png" alt="{safe}" title="{safe}">'
                f"<span class=price>£{number}.50</span><dl><dt>{safe}</dt><dd>{safe}</dd></dl><p>{safe}</p></li>")
    items = "".join(record(number, text) for number, text in enumerate(found, 1))
    return f'<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(found[0])}</title><h1>{html.escape(found[1])}</h1><ul class="list {html.escape(found[2])}">{items}</ul>'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copal", default="target/debug/copal")
    copal = os.path.abspath(parser.parse_args().copal)
    asked, served = [], {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            body = served.get(self.path)
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_port}"
    every = payloads(f"{origin}/canary")
    failures = []
    with tempfile.TemporaryDirectory(prefix="copal-reports-") as name:
        folder = Path(name)

        def run(*words, codes=(0, 1, 4)):
            environment = {"PATH": os.environ["PATH"], "HOME": name, "LANG": "C.UTF-8"}
            ended = subprocess.run([copal, *words], cwd=folder, env=environment, capture_output=True, timeout=1800)
            if ended.returncode not in codes:
                failures.append(f"{words}: exit code {ended.returncode}: {ended.stderr[-300:]!r}")

        shown = shown_of_sites = 0
        for number in range(0, len(every), PER_PAGE):
            found = every[number : number + PER_PAGE]
            (folder / "page.html").write_text(page_of(found))
            # every list, so that what is not the main one is in the report too
            run("extract", "page.html", "--all", "--explain", "--url", f"{origin}/", "-o", "report.html", "-q")
            report = (folder / "report.html").read_bytes()
            served[f"/report/{number}"] = report
            # where payloads contain line breaks or the like the text differs, but most must be there to be tried
            shown += sum(html.escape(text[:24]).encode() in report or text[:12].encode() in html.unescape(report.decode()).encode() for text in found)
            # the same page as the start of a site, whose report has its titles, records and links
            served[f"/shop/{number}"] = page_of(found).encode()
            run("site", f"{origin}/shop/{number}", "-o", f"site{number}.sqlite", "--report", "site.html", "--explain", "--budget", "pages=6", "--allow-private", "--delay", "0", "--no-cache", "-q", codes=(0, 1, 3, 4))
            report = (folder / "site.html").read_bytes()
            served[f"/report/site/{number}"] = report
            shown_of_sites += sum(html.escape(text[:24]).encode() in report or text[:12].encode() in html.unescape(report.decode()).encode() for text in found)
            served[f"/control/{number}"] = ("<!doctype html><body>" + "\n".join(found)).encode()
        # a site may be asked for what its links name
        asked.clear()
        own = ("--render", "chromium", "--no-browser-sandbox", "--allow-private", "--delay", "0", "--no-cache", "-q", "-j", "1", "--format", "pages")
        run("extract", *(f"{origin}{path}" for path in served if path.startswith("/report/")), *own)
        reports = sum(path.startswith("/report/") for path in asked)
        run_in_reports = [path for path in asked if path.startswith("/canary")]
        asked.clear()
        # a payload may lead to /canary, which is not there
        run("extract", *(f"{origin}{path}" for path in served if path.startswith("/control/")), *own, codes=(0, 1, 3, 4))
        run_in_control = sum(path.startswith("/canary") for path in asked)
    wanted = 2 * -(-len(every) // PER_PAGE)
    if reports < wanted:
        failures.append(f"{reports} of {wanted} reports were opened")
    if shown < len(every) * 9 // 10:
        failures.append(f"only {shown} payloads are in the reports")
    if shown_of_sites < len(every) // 2:
        failures.append(f"only {shown_of_sites} payloads are in the reports of sites")
    if run_in_reports:
        failures.append(f"{len(run_in_reports)} requests from reports")
    if run_in_control < 5:
        failures.append(f"only {run_in_control} requests from the control")
    for failure in failures:
        print("FAILED", failure)
    print(f"{len(every)} payloads, {shown} of them in reports of pages, {shown_of_sites} in reports of sites, {reports} reports opened: {len(run_in_reports)} requests; {run_in_control} from the control; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
