#!/usr/bin/env python3
"""Runs the copal command on hostile inputs, each in a process of its own, and asserts bounds on every run.

    research/hostile/hostile_set.py --copal target/release/copal [--part N] [--only NAME] [-o results.tsv]

A run fails if it ends by a signal or a panic, uses more processor time, memory or output than its bound, or, in a
mixed run, loses a good page. Processor time is bounded, not the clock, so that a busy machine changes nothing.
--part N runs N of the cases, spread over all commands. Exit code 1 if a run fails.
"""

import argparse
import http.client
import json
import os
import re
import resource
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import hostile_features
import hostile_inputs
from hostile_cases import all_cases

# A run may take this much. Builds without optimisation get the same: the bound is far above what is needed.
MAX_CPU_SECONDS = 60
MAX_RESIDENT_MB = 1024
# for less than a megabyte of input
MAX_SMALL_RESIDENT_MB = 200
MAX_ADDRESS_SPACE_GB = 8
MAX_FILE_MB = 300
MAX_OUTPUT_MB = 100
# a run that hangs without using the processor is ended
MAX_WALL_SECONDS = 900
FAULT = re.compile(rb"panicked at|internal error|stack overflow|memory allocation of|SIG[A-Z]+")


class HostileServer:
    """Sends the response that a function makes of the path, and closes the connection."""

    def __init__(self, respond):
        self.respond = respond
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with connection:
            try:
                connection.settimeout(60)
                head = b""
                while b"\r\n\r\n" not in head and len(head) < 100_000:
                    part = connection.recv(4096)
                    if not part:
                        return
                    head += part
                connection.sendall(self.respond(head.split(b" ")[1]))
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass


def start_servers():
    """The URL of each server by the variable that command lines have for it: one for single responses, one for each site."""
    responses = hostile_inputs.responses()
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    named = lambda path: responses.get(path.decode(errors="replace").lstrip("/").split("?")[0], missing)
    servers = {f"$SITE/{name}/": HostileServer(respond).url + "/" for name, respond in hostile_features.site_pages().items()}
    return {**servers, "$SERVER": HostileServer(named).url}


def limit_process():
    os.setsid()
    gigabyte = 1 << 30
    resource.setrlimit(resource.RLIMIT_CPU, (4 * MAX_CPU_SECONDS, 4 * MAX_CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_SPACE_GB * gigabyte, MAX_ADDRESS_SPACE_GB * gigabyte))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_MB << 20, MAX_FILE_MB << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def launch():
    """Starts the command lines that arrive on standard input, one at a time, and answers with what they used.

    A process of its own: the peak of a child's memory includes what its parent had when it started it, and the parent that
    makes the inputs has a lot.
    """
    for line in sys.stdin:
        task = json.loads(line)
        with open(task["output"], "wb") as sink:
            process = subprocess.Popen(
                ["/bin/sh", "-c", task["line"]], cwd=task["folder"], env=task["environment"], stdin=subprocess.DEVNULL,
                stdout=sink, stderr=subprocess.STDOUT, preexec_fn=limit_process,
            )
            timer = threading.Timer(MAX_WALL_SECONDS, lambda number=process.pid: os.killpg(number, 9))
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        print(json.dumps([process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024]), flush=True)


class Launcher:
    def __init__(self):
        self.process = subprocess.Popen([sys.executable, __file__, "--launcher"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, **task):
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def run_process(case, copal, servers, launcher):
    """Returns exit code, processor seconds, resident megabytes, output bytes and the output."""
    folder = Path(tempfile.mkdtemp(prefix="copal-hostile-"))
    try:
        for name, content in case.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        line = case.line.replace("copal ", shlex.quote(copal) + " ")
        for variable, url in servers.items():
            line = line.replace(variable, url)
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"}
        output = folder / ".output"
        code, cpu, memory = launcher.run(line=line, folder=str(folder), environment=environment, output=str(output))
        sizes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        written = sizes - sum(len(content) for content in case.files.values())
        return code, cpu, memory, written, output.read_bytes()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def faults_of(case, code, cpu, memory, written, text):
    faults = []
    if code not in case.codes:
        faults.append(f"exit code {code}")
    if FAULT.search(text):
        faults.append("message: " + FAULT.search(text).group().decode())
    if cpu > MAX_CPU_SECONDS:
        faults.append(f"{cpu:.0f} s of processor time")
    is_small = sum(len(content) for content in case.files.values()) < 1_000_000
    if memory > (MAX_SMALL_RESIDENT_MB if is_small else MAX_RESIDENT_MB):
        faults.append(f"{memory:.0f} MB")
    if written > MAX_OUTPUT_MB << 20:
        faults.append(f"{written >> 20} MB written")
    lost = [text_wanted for text_wanted in case.wanted if text_wanted not in text]
    if lost:
        faults.append(f"{len(lost)} of {len(case.wanted)} records of good pages are missing")
    return faults


class Service:
    """One server for all bodies; every answer is checked, and the server has to be healthy to the end."""

    def __init__(self, copal):
        self.folder = tempfile.mkdtemp(prefix="copal-hostile-")
        self.process = subprocess.Popen(
            [copal, "serve", "--port", "0", "--dir", self.folder], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "HOME": self.folder}, stdin=subprocess.DEVNULL,
        )
        line = self.process.stderr.readline().decode()
        self.address = line.split("http://")[1].split(",")[0].strip()
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def run(self, case):
        faults = []
        connection = http.client.HTTPConnection(self.address, timeout=MAX_WALL_SECONDS)
        before = self.cpu()
        try:
            method, _, endpoint = case.line.rpartition(" ")
            connection.request(method or "POST", f"/v1/{endpoint}", case.files["body"], {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            # a page that is too expensive ends its worker, not the service: 503 says so
            if not 200 <= answer.status < 500 and answer.status not in (503, 504):
                faults.append(f"status {answer.status}: {text[:200]!r}")
            if answer.status == 400 and b"unknown field" in text and "unknown" not in case.name:
                faults.append(f"the request is wrong: {text[:200]!r}")
        except (OSError, http.client.HTTPException) as error:
            text = b""
            faults.append(f"no answer: {error}")
        finally:
            connection.close()
        if self.process.poll() is not None:
            faults.append("the service has ended")
        if len(text) > MAX_OUTPUT_MB << 20:
            faults.append(f"{len(text) >> 20} MB answered")
        return faults, self.cpu() - before, self.memory(), len(text)

    def own(self):
        """The service and its workers."""
        children = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        found = [self.process.pid]
        for file in children:
            found += [int(number) for number in file.read_text().split()]
        return found

    def cpu(self):
        """Processor seconds of the service and of workers that have ended; one that still runs is counted later."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        most = 0
        for number in self.own():
            try:
                status = Path(f"/proc/{number}/status").read_text()
            except OSError:
                continue
            peak = re.search(r"VmHWM:\s+(\d+) kB", status)
            most = max(most, int(peak.group(1)) / 1024 if peak else 0)
        return most

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copal", default="target/debug/copal")
    parser.add_argument("--part", type=int, help="run this many cases")
    parser.add_argument("--only", help="run the cases whose name has this (a regular expression)")
    parser.add_argument("--demo", help="the program of the demo, built for this machine: also run it")
    parser.add_argument("-o", "--output", help="write a line per case here")
    parser.add_argument("--launcher", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.launcher:
        return launch()
    launcher = Launcher()
    copal = os.path.abspath(arguments.copal)
    cases = list(all_cases(arguments.demo and shlex.quote(os.path.abspath(arguments.demo))))
    every = len(cases)
    if arguments.only:
        cases = [case for case in cases if re.search(arguments.only, case.name)]
    if arguments.part and arguments.part < len(cases):
        # evenly over all commands, and the same cases each time
        step = max(1, len(cases) // arguments.part)
        cases = cases[::step][: arguments.part]
    servers = start_servers()
    features = subprocess.run([copal, "--version"], capture_output=True, text=True).stdout
    if "serve" not in features or "mcp" not in features:
        print("the service and the MCP server are not in this build: their cases are left out")
        cases = [case for case in cases if not case.service and not case.name.startswith("mcp/")]
    service = Service(copal) if any(case.service for case in cases) else None
    results, failed = [], []
    began = time.monotonic()
    for number, case in enumerate(cases):
        if case.service:
            faults, cpu, memory, written = service.run(case)
        else:
            code, cpu, memory, written, text = run_process(case, copal, servers, launcher)
            faults = faults_of(case, code, cpu, memory, written, text)
        results.append((case.name, cpu, memory, written, "; ".join(faults)))
        if faults:
            failed.append(case.name)
            print(f"FAILED {case.name}: {'; '.join(faults)}", flush=True)
            if not case.service:
                print("   ", case.line, "\n   ", text[-300:].decode(errors="replace"), flush=True)
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{len(cases)}", end="", file=sys.stderr)
    launcher.stop()
    if service:
        service.stop()
    if arguments.output:
        with open(arguments.output, "w") as file:
            file.write("case\tcpu_seconds\tmegabytes\tbytes_written\tfaults\n")
            file.writelines(f"{name}\t{cpu:.3f}\t{memory:.1f}\t{written}\t{faults}\n" for name, cpu, memory, written, faults in results)
    for what, column, unit in (("processor time", 1, "s"), ("memory", 2, "MB"), ("output", 3, "bytes")):
        values = [result[column] for result in results]
        worst = max(results, key=lambda result: result[column])
        print(f"{what}: median {percentile(values, 0.5):.2f}, 99th percentile {percentile(values, 0.99):.2f}, worst {worst[column]:.2f} {unit} ({worst[0]})")
    print(f"{len(results)} of {every} hostile runs in {time.monotonic() - began:.0f} s, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
