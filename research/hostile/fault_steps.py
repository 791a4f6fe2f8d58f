"""Faults at every step of writing, made by strace: a kill, or an error, at the N-th call of each kind.

The command is the one that is published: the calls of the system are where its outputs change, so that no failpoints are
needed in it. A kill comes right before the call.
"""

import collections
import http.client
import json
import os
import re
import shutil
import signal
import threading
import time
from pathlib import Path

import hostile_inputs
from fault_outputs import RECORDS, Fault, FileOutput, PartsOutput, check, outputs

WRITES = ["write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "ftruncate", "mkdir"]
# a failed write of any other kind may be that of a pipe or a terminal
FAILING = ["pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2", "ftruncate"]
CALL = re.compile(r"^(\d+) +([a-z0-9]+)\(", re.MULTILINE)
MOST_STEPS = 12


def tracing(injection, log="/dev/null", calls=WRITES):
    more = ["-e", f"inject={injection}"] if injection else []
    return ["strace", "-f", "-qq", "-o", log, "-e", f"trace={','.join(calls)}", "-e", "signal=none", *more]


def positions(most):
    """All from 1 to `most`, or some of them evenly, with the first and the last ones."""
    if most <= MOST_STEPS:
        return range(1, most + 1)
    return sorted({1, 2, most - 1, most, *(1 + most * step // MOST_STEPS for step in range(MOST_STEPS))})


def steps_of(log):
    """How often each kind of call is made by the thread that makes it most often: strace counts by thread."""
    counts = collections.Counter(CALL.findall(log.read_text(errors="replace")))
    most = collections.Counter()
    for (_, call), count in counts.items():
        most[call] = max(most[call], count)
    return most


class RepairOutput(FileOutput):
    """A wrapper and its version before, which is kept next to it."""

    old = b""

    def __init__(self):
        super().__init__("repair lamps.copal.yaml new0.html new1.html new2.html --quiet", "lamps.copal.yaml")

    def prepare(self, runner):
        page = "<li class=item><a class=name href=/p/{0}>Lamp {0} of oak</a><span class=price>£{0}.50</span><p>Bright, {0}00 lumen</p></li>"
        changed = "<article><div class=cost><b>£{0}.50</b></div><h3><a href=/p/{0}>Lamp {0} of oak</a></h3><section>Bright, {0}00 lumen</section></article>"
        for number, (name, item) in enumerate([("old", page), ("new0", changed), ("new1", changed), ("new2", changed)]):
            items = "".join(item.format(n) for n in range(10 if number < 2 else 20 * number, 30 if number < 2 else 20 * number + 20))
            (runner.folder / f"{name}.html").write_text(f"<!doctype html><title>Lamps</title><main><ul>{items}</ul></main>")
        runner.clear(self.name)
        runner.complete("learn old.html -o lamps.copal.yaml --quiet")
        self.old = (runner.folder / self.name).read_bytes()
        self.before(runner)
        runner.complete(self.line)
        self.whole = (runner.folder / self.name).read_bytes()

    def before(self, runner):
        super().before(runner)
        for path in runner.folder.glob("lamps.copal.v*.yaml"):
            path.unlink()

    def after(self, runner):
        for path in runner.folder.glob("lamps.copal.v*.yaml"):
            check(path.read_bytes() == self.old, f"the copy {path.name} is half-written")
        return super().after(runner)

    def is_whole(self, found):
        # the date of the change is in it
        return self.undated(found) == self.undated(self.whole)

    @staticmethod
    def undated(text):
        return re.sub(rb"\d{4}-\d\d-\d\d(T[\d:.]+Z?)?", b"", text)

    def again(self, runner):
        if (runner.folder / self.name).read_bytes() == self.old:
            super().again(runner)


class WorkspaceOutput:
    """Wrappers with versions, drafts, a database and a job of a server. What it has confirmed is there after a kill."""

    line, name = "serve --port 0 --dir workspace --workers 2 --quiet", "workspace"
    wrapper = hostile_inputs.WRAPPER
    job_pages = 6

    def prepare(self, runner):
        pass

    def session(self, runner, under):
        """Starts a server and uses it until it ends or everything is done. Returns what it confirmed."""
        line = self.line.replace(" --quiet", "")
        process = runner.start(line, under=under)
        confirmed = {"versions": set(), "drafts": [], "job": None}
        try:
            first = process.stderr.readline().decode()
            if "http://" not in first:
                return confirmed
            address = first.split("http://")[1].split(",")[0].strip()
            threading.Thread(target=process.stderr.read, daemon=True).start()
            for number in range(1, 4):
                text = self.wrapper + f"# text {number}\n"
                status, body = self.ask(address, "PUT", "/v1/wrappers/shop", text, "application/yaml")
                if status == 201:
                    confirmed["versions"].add((body["version"], number))
                draft = json.dumps({"draft": "x" * 20_000, "number": number})
                status, _ = self.ask(address, "PUT", "/v1/drafts/work", draft, "application/json")
                if status == 204:
                    confirmed["drafts"].append(number)
            pages = [{"html": hostile_inputs.good_list(1 + RECORDS * n, RECORDS).decode(), "name": f"page {n}"} for n in range(self.job_pages)]
            job = json.dumps({"pages": pages, "options": {"fields": ["title"]}})
            status, body = self.ask(address, "POST", "/v1/jobs", job, "application/json")
            confirmed["job"] = body.get("id") if status == 202 else None
            self.await_job(address, confirmed["job"])
        except (OSError, http.client.HTTPException, ValueError):
            # killed
            pass
        finally:
            # strace ends with the server that it started, but would leave it running if it was ended itself
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
            for server in children.read_text().split() if children.exists() else []:
                os.kill(int(server), signal.SIGTERM)
            process.wait(120)
        return confirmed

    @staticmethod
    def ask(address, method, path, body=None, kind="application/json"):
        connection = http.client.HTTPConnection(address, timeout=120)
        try:
            connection.request(method, path, body, {"Content-Type": kind} if body else {})
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
            return answer.status, json.loads(text) if text.startswith("{") and not path.endswith("/records") else text
        finally:
            connection.close()

    def await_job(self, address, job):
        for _ in range(2000):
            status, body = self.ask(address, "GET", f"/v1/jobs/{job}")
            if status != 200 or body["state"] != "running":
                return body
            time.sleep(0.03)
        raise Fault("the job does not end")

    def before(self, runner):
        shutil.rmtree(runner.folder / self.name, ignore_errors=True)

    def attempt(self, runner, under):
        """A session, then everything that it confirmed, in a session of its own."""
        confirmed = self.session(runner, under)
        versions = runner.folder / "workspace/wrappers/shop"
        for path in versions.glob("v*.yaml") if versions.exists() else []:
            text = path.read_text()
            check(text.startswith(self.wrapper) and text.rstrip()[-1] in "123", f"{path.name} is half-written: {len(text)} bytes")
        for version, number in confirmed["versions"]:
            check((versions / f"v{version}.yaml").exists(), f"version {version} is lost")
            check((versions / f"v{version}.yaml").read_text().endswith(f"# text {number}\n"), f"version {version} was changed")
        if confirmed["drafts"]:
            draft = json.loads((runner.folder / "workspace/drafts/work.json").read_text())
            check(draft["number"] >= confirmed["drafts"][-1] and len(draft["draft"]) == 20_000, "the draft is lost")
        process = runner.start(self.line.replace(" --quiet", ""))
        try:
            first = process.stderr.readline().decode()
            check("http://" in first, f"the next server does not start: {first}")
            address = first.split("http://")[1].split(",")[0].strip()
            threading.Thread(target=process.stderr.read, daemon=True).start()
            if versions.exists() and list(versions.glob("v*.yaml")):
                status, text = self.ask(address, "GET", "/v1/wrappers/shop")
                check(status == 200 and str(text).startswith(self.wrapper), f"the current version cannot be read: {status}")
            if confirmed["job"]:
                done = self.await_job(address, confirmed["job"])
                check(done["state"] == "done" and done["done"] == self.job_pages and done["failed"] == 0, f"the job ended as {done}")
                _, records = self.ask(address, "GET", f"/v1/jobs/{confirmed['job']}/records")
                titles = re.findall(r"Lamp (\d+)", records)
                check(sorted(map(int, titles)) == list(range(1, self.job_pages * RECORDS + 1)), f"{len(titles)} records of the job")
            left = [path.name for path in (runner.folder / "workspace").rglob(".copal-*")]
            status, _ = self.ask(address, "PUT", "/v1/wrappers/shop", self.wrapper + "# text 3\n", "application/yaml")
            check(status == 201, f"the next version cannot be written: {status}")
            status, _ = self.ask(address, "PUT", "/v1/drafts/work", "{}", "application/json")
            check(status == 204, f"the next draft cannot be written: {status}")
            stays = [path.name for path in (runner.folder / "workspace").rglob(".copal-*")]
            check(not stays, f"temporary files stay: {stays} (after the kill: {left})")
        finally:
            process.terminate()
            process.wait(60)


def write_steps(runner, failures):
    """Kills before each step of writing of every output, and calls that fail."""
    if not shutil.which("strace"):
        print("steps of writing: not run, strace is missing (Debian: apt install strace)")
        return
    log = runner.folder.parent / "calls"
    total = collections.Counter()
    for output in [*outputs(), RepairOutput(), WorkspaceOutput()]:
        done = collections.Counter()
        try:
            output.prepare(runner)
            output.before(runner)
            if isinstance(output, WorkspaceOutput):
                output.attempt(runner, tracing(None, str(log)))
            else:
                process = runner.start(output.line, under=tracing(None, str(log)))
                _, errors = process.communicate()
                check(process.returncode == 0, f"under strace: {process.returncode} {errors[-200:]!r}")
            if isinstance(output, FileOutput):
                calls = [call for _, call in CALL.findall(log.read_text(errors="replace"))]
                renamed = max(at for at, call in enumerate(calls) if call.startswith("rename") or call.startswith("link"))
                check("fsync" in calls[renamed:], "the folder is not synced after the rename")
        except Fault as fault:
            failures.append(f"{output.name}: {fault}")
            continue
        for call, most in steps_of(log).items():
            # the calls of workers are counted too: one that is killed while it answers costs its page, and is reported
            if call == "write" and isinstance(output, PartsOutput):
                continue
            for position in positions(most):
                try_step(runner, output, f"{call}:signal=SIGKILL:when={position}", "kills", done, failures)
                if call in FAILING and not isinstance(output, WorkspaceOutput):
                    error = ("ENOSPC", "EIO")[position % 2]
                    try_step(runner, output, f"{call}:error={error}:when={position}", "errors", done, failures)
        total.update(done)
        print(f"  {done['kills']:4} kills  {done['errors']:4} errors  {done['between']:4} with a part or the whole  {output.line}", flush=True)
    print(f"steps of writing: {total['kills']} kills, {total['errors']} calls that failed")


def try_step(runner, output, injection, kind, done, failures):
    try:
        output.before(runner)
        if isinstance(output, WorkspaceOutput):
            output.attempt(runner, tracing(injection))
            done[kind] += 1
            return
        process = runner.start(output.line, under=tracing(injection))
        _, errors = process.communicate()
        done[kind] += 1
        done["between"] += bool(output.after(runner))
        if kind == "errors":
            check(process.returncode in (0, 3, 4), f"exit code {process.returncode}: {errors[-300:]!r}")
            check(b"panicked" not in errors, f"{errors[-300:]!r}")
        output.again(runner)
    except Fault as fault:
        failures.append(f"{injection}, {output.line}: {fault}")


def full_file_system(runner, failures, capacity):
    """Runs on a file system of its own that has room for some pages of memory, then for none."""
    tried = refused = 0
    filler = runner.folder / "filler"
    for output in [*outputs(), RepairOutput()]:
        try:
            output.prepare(runner)
        except Fault as fault:
            failures.append(f"{output.name}: {fault}")
            continue
        path = runner.folder / output.name
        size = sum(file.stat().st_size for file in path.rglob("*")) if path.is_dir() else path.stat().st_size
        for share in (0, 0.25, 0.5, 1, 2, 3):
            room = -(-int(size * share) // 4096) * 4096
            try:
                output.before(runner)
                fill(filler, room)
                code, _, errors = runner.run(output.line)
                tried += 1
                refused += code != 0
                if code:
                    check(code in (3, 4), f"exit code {code}: {errors[-200:]!r}")
                    check(b"error" in errors or b"cannot" in errors or b"could not" in errors, f"no reason: {errors[-200:]!r}")
                # to read a database takes room too
                filler.unlink()
                output.after(runner)
                output.again(runner)
            except Fault as fault:
                failures.append(f"room for {room} bytes, {output.line}: {fault}")
            finally:
                filler.unlink(missing_ok=True)
    print(f"full file system of {capacity}: {tried} runs, {refused} of them refused with a reason")


def fill(path, room):
    """Leaves this many bytes of the file system."""
    with open(path, "wb") as file:
        usage = os.statvfs(path)
        left = usage.f_bavail * usage.f_frsize - room
        if left > 0:
            os.posix_fallocate(file.fileno(), 0, left)
