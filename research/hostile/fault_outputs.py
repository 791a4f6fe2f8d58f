"""The outputs that faults are tried on: what each writes, what may be there after a fault, and what must be there in the end."""

import csv
import http.server
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import threading

import hostile_inputs

PAGES, RECORDS = 60, 6
LISTED, EACH = 30, 6
PATIENCE = 600


class Shop(http.server.BaseHTTPRequestHandler):
    """A list of kettles on several pages, and a page for each."""

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/robots.txt":
            self.send_error(404)
            return
        number = int(query.removeprefix("page=") or 1) if query.removeprefix("page=").isdigit() or not query else 1
        items = "".join(
            f"<li class=item><h3><a href='/kettle/{n}'>Copper kettle model {n}</a></h3><span class=price>£{n}.99</span>"
            f"<p class=about>Made by hand in workshop {n}.</p></li>" for n in range(EACH * (number - 1) + 1, EACH * number + 1)
        )
        following = f"<a rel=next href='/kettles?page={number + 1}'>Next page</a>" if number * EACH < LISTED else ""
        body = {
            "/": "<h1>Kettle shop</h1><p>Welcome.</p>",
            "/kettles": f"<h1>Kettles</h1><p>{EACH * (number - 1) + 1}-{EACH * number} of {LISTED} kettles</p><ul class=kettles>{items}</ul>{following}",
        }.get(path, f"<h1>Copper kettle model {path.rsplit('/', 1)[1]}</h1><p>Made by hand.</p>")
        page = f"<!doctype html><html lang=en><title>Kettles</title><nav><a href=/>Home</a> <a href=/kettles>All kettles</a></nav><main>{body}</main>".encode()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)
        except ConnectionError:
            # the client was killed
            pass

    def log_message(self, *_):
        pass


def start_shop():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


class Fault(Exception):
    """What a fault broke."""


def check(holds, message):
    if not holds:
        raise Fault(message)


def make_inputs(folder):
    (folder / "pages").mkdir()
    for page in range(PAGES):
        (folder / f"pages/{page:03}.html").write_bytes(hostile_inputs.good_list(1 + RECORDS * page, RECORDS))
    records = [hostile_inputs.warc(f"https://a.example/{page}", hostile_inputs.response(hostile_inputs.good_list(1 + RECORDS * page, RECORDS))) for page in range(PAGES)]
    (folder / "crawl.warc").write_bytes(b"".join(records))
    (folder / "page.html").write_bytes(hostile_inputs.good_list())


class Runner:
    def __init__(self, copal, folder, shop):
        self.copal, self.folder, self.shop = copal, folder, shop

    def command(self, line):
        line = line.replace("$SHOP", self.shop)
        return [self.copal, *line.split()]

    def environment(self, more=None):
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8", **(more or {})}

    def start(self, line, limit=None, user=None, environment=None, under=()):
        def prepare():
            if limit is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            if user is not None:
                os.setgid(user)
                os.setuid(user)

        return subprocess.Popen(
            [*under, *self.command(line)], cwd=self.folder, env=self.environment(environment), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=prepare,
        )

    def run(self, line, **more):
        process = self.start(line, **more)
        out, errors = process.communicate(timeout=PATIENCE)
        check(b"panicked" not in errors and b"internal error" not in errors, f"{line}: {errors[-300:]!r}")
        check(process.returncode >= 0, f"{line}: ended by signal {-process.returncode}")
        return process.returncode, out, errors

    def complete(self, line):
        code, _, errors = self.run(line)
        check(code == 0, f"{line}: exit code {code}: {errors[-300:]!r}")

    def clear(self, *names):
        for name in names:
            path = self.folder / name
            for found in [path, *self.folder.glob(name + "-*")]:
                shutil.rmtree(found, ignore_errors=True) if found.is_dir() else found.unlink(missing_ok=True)


# What each output must look like when it is complete, and what may be there after a kill.


def rows_of_csv(path):
    with open(path, newline="") as file:
        return [row["title"] for row in csv.DictReader(file)]


def stored_titles(path, whole_pages=RECORDS):
    connection = sqlite3.connect(path)
    try:
        check(connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok", f"{path.name} is damaged")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'records'").fetchone():
            return []
        titles = [row[0] for row in connection.execute("SELECT title FROM records")]
        check(len(titles) == len(set(titles)), f"{path.name} has records twice")
        check(len(titles) % whole_pages == 0, f"{path.name} has {len(titles)} records, which is part of a page")
        return titles
    finally:
        connection.close()


def lamps():
    return sorted(f"Lamp {n}" for n in range(1, PAGES * RECORDS + 1))


def kettles():
    return sorted(f"Copper kettle model {n}" for n in range(1, LISTED + 1))


class FileOutput:
    """A file that is written completely or not at all."""

    old = b"what was there before\n"

    def __init__(self, line, name):
        self.line, self.name = line, name

    def prepare(self, runner):
        runner.clear(self.name)
        runner.complete(self.line)
        self.whole = (runner.folder / self.name).read_bytes()

    def before(self, runner):
        (runner.folder / self.name).write_bytes(self.old)

    def after(self, runner):
        found = (runner.folder / self.name).read_bytes()
        check(found == self.old or self.is_whole(found), f"{self.name} is half-written: {len(found)} bytes")
        return found != self.old

    def is_whole(self, found):
        # workbooks and reports contain the time of the run
        return found == self.whole or self.name.endswith((".xlsx", ".html")) and abs(len(found) - len(self.whole)) < 200

    def again(self, runner):
        runner.complete(self.line)
        check(self.is_whole((runner.folder / self.name).read_bytes()), f"{self.name} differs after the second run")
        left = [path.name for path in runner.folder.iterdir() if path.name.startswith(".copal-")]
        check(not left, f"temporary files stay: {left}")


class AppendedOutput(FileOutput):
    """A CSV file that grows: all new rows or none."""

    def prepare(self, runner):
        runner.clear(self.name)
        runner.complete(self.line)
        self.old = (runner.folder / self.name).read_bytes()
        runner.complete(self.line)
        self.whole = (runner.folder / self.name).read_bytes()

    def again(self, runner):
        (runner.folder / self.name).write_bytes(self.old)
        super().again(runner)


class SiteReportOutput(FileOutput):
    """The report of a site and its wrapper. The report tells whether the run was continued, so that it is compared by its ends."""

    other = "site.copal.yaml"

    def before(self, runner):
        runner.clear("reported.sqlite", "reported.sqlite.frontier", "reported-cache")
        (runner.folder / self.other).write_bytes(self.old)
        super().before(runner)

    def prepare(self, runner):
        self.before(runner)
        runner.complete(self.line)
        self.whole = (runner.folder / self.name).read_bytes()
        self.wrapper = (runner.folder / self.other).read_bytes()

    def after(self, runner):
        found = (runner.folder / self.other).read_bytes()
        check(found in (self.old, self.wrapper), f"{self.other} is half-written: {len(found)} bytes")
        return super().after(runner)

    def is_whole(self, found):
        return found[:60] == self.whole[:60] and found[-60:] == self.whole[-60:] and b"Copper kettle model" in found


class DatabaseOutput:
    """A database that has complete pages after a kill, and all of them once after the next run."""

    def __init__(self, line, name, titles, whole_pages, more=()):
        self.line, self.name, self.titles, self.whole_pages, self.more = line, name, titles, whole_pages, more

    def prepare(self, runner):
        self.before(runner)
        runner.complete(self.line)
        self.again(runner)

    def before(self, runner):
        runner.clear(self.name, *self.more)

    def after(self, runner):
        path = runner.folder / self.name
        return path.exists() and 0 < len(stored_titles(path, self.whole_pages)) < len(self.titles)

    def again(self, runner):
        runner.complete(self.line)
        found = sorted(stored_titles(runner.folder / self.name, self.whole_pages))
        check(found == self.titles, f"{self.name}: {len(found)} records instead of {len(self.titles)}")


class PartsOutput:
    """An archive in parts: after the next run, the rows of a run that was not killed."""

    def __init__(self, name, more=""):
        self.line, self.name = f"extract crawl.warc --long -o {name}/ --part-pages 8 --format csv --resume --quiet{more}", name

    def prepare(self, runner):
        self.before(runner)
        runner.complete(self.line)
        self.whole = self.rows(runner)

    def rows(self, runner):
        return [(path.name, path.read_bytes()) for path in sorted((runner.folder / self.name).glob("*.csv"))]

    def before(self, runner):
        runner.clear(self.name)

    def after(self, runner):
        found = dict(self.rows(runner)) if (runner.folder / self.name).exists() else {}
        whole = dict(self.whole)
        for name, content in found.items():
            check(whole.get(name) == content, f"part {name} is half-written")
        return 0 < len(found) < len(whole)

    def again(self, runner):
        runner.complete(self.line)
        check(self.rows(runner) == self.whole, "the parts differ from those of a run that was not killed")


def outputs():
    own = "--allow-private --delay 0 --quiet"
    yield FileOutput("extract pages -o list.csv --quiet", "list.csv")
    yield FileOutput("extract pages -o list.jsonl --quiet", "list.jsonl")
    yield FileOutput("extract pages -o list.json --quiet", "list.json")
    yield FileOutput("extract pages -o list.md --quiet", "list.md")
    yield FileOutput("extract page.html --explain -o report.html --quiet", "report.html")
    yield AppendedOutput("extract pages -o grown.csv --append --quiet", "grown.csv")
    yield FileOutput("learn page.html -o shop.copal.yaml --quiet", "shop.copal.yaml")
    yield DatabaseOutput("extract pages -o data.sqlite --quiet -j 1", "data.sqlite", lamps(), RECORDS)
    yield PartsOutput("cells")
    yield PartsOutput("template-cells", " --by-template")
    yield DatabaseOutput("watch pages -o watched.sqlite --quiet -j 1", "watched.sqlite", lamps(), RECORDS)
    yield FileOutput(f"extract $SHOP/kettles --follow all -o kettles.csv {own} --no-cache", "kettles.csv")
    yield DatabaseOutput(f"extract $SHOP/kettles --follow all -o kettles.sqlite {own} --cache-dir cache", "kettles.sqlite", kettles(), EACH, ["cache"])
    yield DatabaseOutput(f"site $SHOP/ -o site.sqlite {own} --cache-dir site-cache", "site.sqlite", kettles(), 1, ["site-cache", "site.sqlite.frontier"])
    yield SiteReportOutput(f"site $SHOP/ -o reported.sqlite --report site-report.html --wrapper site.copal.yaml {own} --cache-dir reported-cache", "site-report.html")
