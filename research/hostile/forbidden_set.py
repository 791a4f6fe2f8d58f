#!/usr/bin/env python3
"""Forbidden URLs through every way into copal: none of them may connect.

    research/hostile/forbidden_set.py --copal target/release/copal [--every N] [--only WAY] [--no-browser]

Runs in a network namespace of its own (`forbidden_site.py`), in which a connection to any address succeeds and is noticed,
private and link-local ones too, and a name server answers what a hostile one would. The command is the one that is
published, without hooks. For each way, a control shows that a URL that is allowed is really asked for in this way. --every
N takes only each N-th URL. Exit code 1 if a connection was made, a control was not, or a run ended by a panic or a signal.
"""

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import forbidden_site
from forbidden_site import SITE

FAULT = re.compile(r"panicked at|internal error")
OWN = "--delay 0 --no-cache --timeout 20 --quiet"
SERVICE_KINDS = ("extract", "objects", "sections", "learn", "view")
# ways in which a page of the site asks for the URLs: name, arguments, URLs per page, pages per process
PAGE_WAYS = [
    ("redirect", f"extract $PAGES --format pages {OWN}", 1, 40),
    ("refresh", f"extract $PAGES --format pages {OWN}", 1, 40),
    ("next", f"extract $PAGES --follow 3 --format pages {OWN}", 1, 40),
    ("nextredirect", f"extract $PAGES --follow 3 --format pages {OWN}", 1, 40),
    ("base", f"extract $PAGES --follow 3 --format pages {OWN}", 1, 40),
    ("linked", f"extract $PAGES --follow 3 --format pages {OWN}", 1, 40),
    ("details", f"extract $PAGES --format pages --details all {OWN}", 8, 10),
    ("detailsredirect", f"extract $PAGES --format pages --details all {OWN}", 8, 10),
    ("feed", f"extract $PAGES --format pages --details all {OWN}", 8, 10),
    ("styles", f"extract $PAGES --format pages --render css --stylesheets {OWN}", 8, 10),
    ("stylesredirect", f"extract $PAGES --format pages --render css --stylesheets {OWN}", 8, 10),
    ("imports", f"extract $PAGES --format pages --render css --stylesheets {OWN}", 8, 10),
    ("linkedimports", f"extract $PAGES --format pages --render css --stylesheets {OWN}", 8, 10),
    ("watch next", f"watch $PAGES --follow 3 -o watched.sqlite {OWN}", 1, 40),
    ("sitemap", f"extract --sitemap $PAGES --format pages {OWN}", 80, 1),
    ("sitemapindex", f"extract --sitemap $PAGES --format pages {OWN}", 80, 1),
    ("links", f"site $PAGES -o site.sqlite --budget pages=60 {OWN}", 40, 1),
    ("forms", f"site $PAGES -o site.sqlite --budget pages=60 {OWN}", 10, 1),
    ("frames", f"site $PAGES -o site.sqlite --budget pages=60 {OWN}", 10, 1),
]
# commands that are given the URL
DIRECT_WAYS = {
    "extract": f"extract $URL --format csv {OWN}",
    "stylesheets": f"extract $URL --render css --stylesheets {OWN}",
    "sections": f"sections $URL {OWN}",
    "forms": f"forms $URL {OWN}",
    "learn": f"learn $URL -o learned.copal.yaml {OWN}",
    "apply": f"apply shop.copal.yaml $URL --format csv {OWN}",
    "check": f"check shop.copal.yaml $URL {OWN}",
    "repair": f"repair shop.copal.yaml $URL --dry-run {OWN}",
    "watch": f"watch $URL -o watched.sqlite {OWN}",
    "site": f"site $URL -o site.sqlite {OWN}",
    "sitemap": f"extract --sitemap $URL {OWN}",
}


class Runner:
    """Tries the ways one after the other, and counts what each of them did."""

    def __init__(self, network, arguments, folder):
        self.network, self.folder, self.copal = network, folder, os.path.abspath(arguments.copal)
        self.only, self.numbers = arguments.only, range(0, len(network.forms), arguments.every)
        self.failures, self.ways, self.tried = [], 0, 0

    def run(self, line, names):
        """Runs a command line; `names` replaces its words. Forms are arguments of their own, whatever is in them."""
        words = []
        for word in line.split():
            words += names.get(word, [word])
        for left in self.folder.glob("*.sqlite*"):
            left.unlink()
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"}
        ended = subprocess.run([self.copal, *words], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=900)
        text = (ended.stdout + ended.stderr).decode(errors="replace")
        if ended.returncode not in range(6) or FAULT.search(text):
            self.failures.append(f"{line} {names}: exit code {ended.returncode}: {text[-200:]}")
        return ended.returncode

    def way(self, name, count, control, attempts):
        """`control` and `attempts` make requests; the first must reach the site, the others nothing else."""
        if self.only and self.only not in name:
            return
        began = time.monotonic()
        asked = len(self.network.asked)
        control()
        reached = any(path.startswith("/control/") for path in self.network.asked[asked:])
        if not reached:
            self.failures.append(f"{name}: the control did not reach the site: {self.network.asked[asked:][:5]}")
        before = len(self.network.forbidden)
        attempts()
        made = self.network.forbidden[before:]
        if made:
            self.failures.append(f"{name}: {len(made)} connections, such as {sorted(set(made))[:5]}, {self.network.requests[-5:]}")
        self.ways, self.tried = self.ways + 1, self.tried + count
        print(f"{name:24} {count:5} URLs  {len(made):3} connections  control {'reached' if reached else 'NOT REACHED'}  {time.monotonic() - began:4.0f} s", flush=True)

    def argument_forms(self):
        return [self.network.forms[n] for n in self.numbers if "\0" not in self.network.forms[n]]

    def direct(self):
        for name, line in DIRECT_WAYS.items():
            found = self.argument_forms()

            def attempts(line=line, found=found):
                for form in found:
                    self.run(line, {"$URL": [form]})

            self.way(f"copal {name}", len(found), lambda line=line: self.run(line, {"$URL": [self.network.control("direct")]}), attempts)
        listed = [form for form in self.argument_forms() if "\n" not in form]
        file = self.folder / "urls.txt"

        def from_file(urls):
            file.write_text("".join(f"{url}\n" for url in urls))
            self.run(f"extract --urls urls.txt --format pages {OWN}", {})

        # one that the command refuses must not keep the others from being tried
        self.way("copal extract --urls", len(listed), lambda: from_file([self.network.control("direct")]), lambda: [from_file([url]) for url in listed])

    def pages(self):
        """Pages of the site, which the command may read, ask for the URLs."""
        for name, line, each, at_once in PAGE_WAYS:
            page = name.split()[-1]
            last = len(self.network.forms)
            if each == 1:
                groups = [str(n) for n in self.numbers]
            else:
                groups = [f"{n}-{min(n + each, last)}" for n in range(0, last, each * self.numbers.step)]
            urls = [f"{SITE}/{page}/{group}" for group in groups]

            def attempts(line=line, urls=urls, at_once=at_once):
                for at in range(0, len(urls), at_once):
                    self.run(line, {"$PAGES": urls[at : at + at_once]})

            count = sum(1 if each == 1 else int(group.split("-")[1]) - int(group.split("-")[0]) for group in groups)
            self.way(name, count, lambda line=line, page=page: self.run(line, {"$PAGES": [f"{SITE}/{page}/ok?{next(self.network.counter)}"]}), attempts)

    def hosts(self):
        """robots.txt that redirects, sitemaps that a site or its robots.txt names, and names that change their address."""
        port = forbidden_site.PORT

        def at(names):
            self.run(f"extract $PAGES --format pages {OWN}", {"$PAGES": [f"http://{name}.example:{port}/kettles" for name in names]})

        numbers = list(self.numbers)
        self.way("redirect of robots.txt", len(numbers), lambda: at(["robots-ok"]), lambda: at([f"robots-{n}" for n in numbers]))

        def site(name):
            self.run(f"site http://{name}.example:{port}/missing -o site.sqlite --budget pages=40 {OWN}", {})

        last = len(self.network.forms)
        groups = [f"{n}-{min(n + 40, last)}" for n in range(0, last, 40 * self.numbers.step)]
        self.way("sitemaps of a site", min(last, 40 * len(groups)), lambda: site("listed-ok"), lambda: [site(f"listed-{group}") for group in groups])

        def rebinding(count):
            for n in range(count):
                self.run(f"extract http://rebind-{n}.example:{port}/next/ok --follow 3 --details all --format pages {OWN}", {})
        self.way("names that change", 20, lambda: at(["robots-ok"]), lambda: rebinding(20))

    def browser(self):
        line = f"extract $PAGES --render chromium --no-browser-sandbox --format pages {OWN} -j 1"
        last = len(self.network.forms)
        groups = [f"{n}-{min(n + 30, last)}" for n in range(0, last, 30 * self.numbers.step)]
        # a browser removes user names before it asks, so that the proxy sees a public host and a port that is allowed
        self.network.tolerated = {(forbidden_site.OTHER_PUBLIC, forbidden_site.PORT)}
        self.way("scripts in the browser", min(last, 30 * len(groups)), lambda: self.run(line, {"$PAGES": [f"{SITE}/scripts/ok?{next(self.network.counter)}"]}),
                 lambda: [self.run(line, {"$PAGES": [f"{SITE}/scripts/{group}"]}) for group in groups])
        self.network.tolerated = set()
        found = self.argument_forms()

        def rendered(at_once=20):
            # a browser takes seconds to start; wrong usage would keep the others of a run from being tried
            for at in range(0, len(found), at_once):
                if self.run(line, {"$PAGES": found[at : at + at_once]}) == 2:
                    for form in found[at : at + at_once]:
                        self.run(line, {"$PAGES": [form]})

        self.way("copal extract --render", len(found), lambda: self.run(line, {"$PAGES": [self.network.control("direct")]}), rendered)

    def service(self):
        process = subprocess.Popen([self.copal, "serve", "--port", "0", "--dir", str(self.folder / "workspace"), "--delay", "0", "--timeout", "20"],
                                   stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], "HOME": str(self.folder)})
        address = process.stderr.readline().decode().split("http://")[1].split(",")[0].strip()
        threading.Thread(target=process.stderr.read, daemon=True).start()

        def post(path, body):
            connection = http.client.HTTPConnection(address, timeout=300)
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
            connection.close()
            if answer.status >= 500 and answer.status not in (502, 503, 504):
                self.failures.append(f"{path}: {answer.status}: {text[:200]}")
            return json.loads(text) if text.startswith("{") else {}

        def each(path, make, targets):
            for target in targets:
                post(path, make(target))

        try:
            found = [self.network.forms[n] for n in self.numbers]
            wrapper = (self.folder / "shop.copal.yaml").read_text()
            makers = [(f"service {kind}", f"/v1/{kind}", lambda url: {"url": url}) for kind in SERVICE_KINDS]
            makers += [(f"service {kind}", f"/v1/{kind}", lambda url: {"url": url, "wrapper_text": wrapper}) for kind in ("apply", "check", "repair")]
            for name, path, make in makers:
                self.way(name, len(found), lambda path=path, make=make: post(path, make(self.network.control("direct"))), lambda path=path, make=make: each(path, make, found))
            for page, options in (("redirect", {}), ("refresh", {}), ("next", {"follow": 3}), ("nextredirect", {"follow": 3}), ("linked", {"follow": 3})):
                urls = [f"{SITE}/{page}/{n}" for n in self.numbers]
                make = lambda url, options=options: {"url": url, "options": options}
                self.way(f"service {page}", len(urls), lambda page=page, make=make: post("/v1/extract", make(f"{SITE}/{page}/ok?{next(self.network.counter)}")), lambda urls=urls, make=make: each("/v1/extract", make, urls))
            groups = [f"{n}-{min(n + 8, len(self.network.forms))}" for n in range(0, len(self.network.forms), 8 * self.numbers.step)]
            for page in ("details", "detailsredirect"):
                make = lambda url: {"url": url, "options": {"details": 8}}
                urls = [f"{SITE}/{page}/{group}" for group in groups]
                self.way(f"service {page}", 8 * len(groups), lambda page=page, make=make: post("/v1/extract", make(f"{SITE}/{page}/ok?{next(self.network.counter)}")), lambda urls=urls, make=make: each("/v1/extract", make, urls))
            for page in ("styles", "stylesredirect"):
                make = lambda url: {"url": url, "styles": True}
                urls = [f"{SITE}/{page}/{group}" for group in groups]
                self.way(f"studio {page}", 8 * len(groups), lambda page=page, make=make: post("/v1/view", make(f"{SITE}/{page}/ok?{next(self.network.counter)}")), lambda urls=urls, make=make: each("/v1/view", make, urls))
            images = [found[at : at + 30] for at in range(0, len(found), 30)]
            self.way("studio images", len(found), lambda: post("/v1/images", {"urls": [self.network.control("image")]}), lambda: each("/v1/images", lambda urls: {"urls": urls}, images))
            hops = [[f"{SITE}/redirect/{n}" for n in self.numbers[at : at + 30]] for at in range(0, len(self.numbers), 30)]
            self.way("studio image redirects", len(found), lambda: post("/v1/images", {"urls": [f"{SITE}/redirect/ok?{next(self.network.counter)}"]}), lambda: each("/v1/images", lambda urls: {"urls": urls}, hops))

            def job(urls):
                started = post("/v1/jobs", {"urls": urls})
                for _ in range(3000):
                    connection = http.client.HTTPConnection(address, timeout=300)
                    connection.request("GET", f"/v1/jobs/{started.get('id')}")
                    if json.loads(connection.getresponse().read()).get("state") != "running":
                        return
                    time.sleep(0.1)
                self.failures.append("a job did not end")

            self.way("service job", len(found), lambda: job([self.network.control("direct")]), lambda: [job(found[at : at + 100]) for at in range(0, len(found), 100)])
            if process.poll() is not None:
                self.failures.append("the service has ended")
        finally:
            process.terminate()
            process.wait(60)

    def mcp(self):
        process = subprocess.Popen([self.copal, "mcp", "--dir", str(self.folder / "mcp"), "--root", str(self.folder / "empty"), "--delay", "0", "--timeout", "20"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={"PATH": os.environ["PATH"], "HOME": str(self.folder)})
        numbers = iter(range(1, 1_000_000))

        def send(method, parameters, answered=True):
            number = next(numbers)
            message = {"jsonrpc": "2.0", "method": method, "params": parameters, **({"id": number} if answered else {})}
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
            while answered:
                line = process.stdout.readline()
                if not line:
                    raise EOFError("the MCP server has ended")
                if json.loads(line).get("id") == number:
                    return

        def call(tool, arguments):
            send("tools/call", {"name": tool, "arguments": arguments})

        try:
            about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "forbidden", "version": "1"}}
            send("initialize", about)
            send("notifications/initialized", {}, answered=False)
            found = [self.network.forms[n] for n in self.numbers]
            tools = {
                "find_lists": lambda url: {"page": url},
                "read_list": lambda url: {"page": url, "follow": 2, "details": 2},
                "read_object": lambda url: {"page": url},
                "learn_wrapper": lambda url: {"name": "shop", "pages": [url]},
                "apply_wrapper": lambda url: {"name": "shop", "page": url},
                "store_list": lambda url: {"page": url, "database": "shop"},
            }
            for tool, make in tools.items():
                self.way(f"MCP {tool}", len(found), lambda tool=tool, make=make: call(tool, make(self.network.control("direct"))), lambda tool=tool, make=make: [call(tool, make(url)) for url in found])
            for page in ("redirect", "next", "nextredirect"):
                make = lambda n, page=page: {"page": f"{SITE}/{page}/{n}", "follow": 3}
                self.way(f"MCP {page}", len(found), lambda make=make: call("read_list", make(f"ok?{next(self.network.counter)}")), lambda make=make: [call("read_list", make(n)) for n in self.numbers])
        finally:
            process.stdin.close()
            process.wait(60)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copal", default="target/debug/copal")
    parser.add_argument("--every", type=int, default=1, help="take each N-th URL")
    parser.add_argument("--only", help="only ways whose name contains this")
    parser.add_argument("--no-browser", action="store_true")
    forbidden_site.enter()
    arguments = parser.parse_args()
    network = forbidden_site.Network()
    with tempfile.TemporaryDirectory(prefix="copal-forbidden-") as name:
        folder = Path(name)
        (folder / "empty").mkdir()
        runner = Runner(network, arguments, folder)
        # also shows that the canaries notice what is allowed
        if runner.run(f"learn {SITE}/kettles -o shop.copal.yaml {OWN}", {}) != 0:
            runner.failures.append("the site cannot be read")
        runner.run(f"extract http://127.0.0.1:{forbidden_site.PORT}/ http://to-private.example:{forbidden_site.PORT}/ http://[fd00::1]:80/ --allow-private {OWN}", {})
        if not {"127.0.0.1 port 8080", "10.0.0.1 port 8080", "fd00::1 port 80"} <= set(network.forbidden):
            runner.failures.append(f"the canaries do not notice connections: {network.forbidden}")
        network.forbidden.clear()
        runner.direct()
        runner.pages()
        runner.hosts()
        runner.service()
        runner.mcp()
        if not arguments.no_browser:
            runner.browser()
    for failure in runner.failures:
        print("FAILED", failure)
    print(f"{len(runner.numbers)} forbidden URLs, {runner.ways} ways, {runner.tried} attempts, {len(network.forbidden)} connections, {len(runner.failures)} failures")
    return 1 if runner.failures else 0


if __name__ == "__main__":
    sys.exit(main())
