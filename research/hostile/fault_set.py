#!/usr/bin/env python3
"""Faults while copal runs: kills, steps of writing that fail, a full disk, closed folders, a clock that jumps.

    research/hostile/fault_set.py --copal target/release/copal [--kills N] [--seed N] [--only kills|steps|disk|full|folders|clock]

After every fault, what was there before is there, or what should be there is, and nothing in between; the same command,
run again, completes it without losing or doubling a record. Exit code 1 if anything else happens.
"""

import argparse
import collections
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fault_outputs import AppendedOutput, Fault, FileOutput, Runner, check, make_inputs, outputs, start_shop, stored_titles
from fault_steps import full_file_system, write_steps

# of the file system that is filled
CAPACITY = "64m"
LIBFAKETIME = ["/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1"]


def kills(runner, count, seed, failures):
    chance = random.Random(seed)
    made = list(outputs())
    whole = {}
    for output in made:
        try:
            output.prepare(runner)
            output.before(runner)
            began = time.monotonic()
            runner.complete(output.line)
            whole[output] = time.monotonic() - began
        except Fault as fault:
            failures.append(f"{output.name}: {fault}")
    done, between = collections.Counter(), collections.Counter()
    for number in range(count):
        output = made[number % len(made)]
        if output not in whole:
            continue
        try:
            output.before(runner)
            process = runner.start(output.line)
            time.sleep(whole[output] * chance.random())
            process.kill()
            process.communicate()
            done[output.name] += 1
            between[output.name] += bool(output.after(runner))
            # most kills are followed by a second run, in the state that the kill left
            if number // len(made) % 3 != 2:
                output.again(runner)
        except Fault as fault:
            failures.append(f"kill {number}, {output.line}: {fault}")
    for output in made:
        print(f"  {done[output.name]:4} kills  {between[output.name]:4} while writing  {output.line}")
    print(f"kills: {sum(done.values())}, of which {sum(between.values())} left a part or came after the file was complete")


def full_disk(runner, failures):
    """Writes fail after a number of bytes, at up to 25 positions of every output."""
    tried = refused = 0
    for output in outputs():
        if output.name in ("site.sqlite", "site-report.html", "cells", "template-cells"):
            continue
        try:
            output.prepare(runner)
        except Fault as fault:
            failures.append(f"{output.name}: {fault}")
            continue
        size = (runner.folder / output.name).stat().st_size
        for position in sorted({0, 1, 7, *(size * step // 20 for step in range(21))}):
            try:
                output.before(runner)
                limit = position + (len(output.old) if isinstance(output, AppendedOutput) else 0)
                code, _, errors = runner.run(output.line, limit=limit)
                tried += 1
                output.after(runner)
                if code:
                    refused += 1
                    check(code in (3, 4), f"exit code {code}: {errors[-200:]!r}")
                    check(b"cannot write" in errors or b"could not" in errors or b"error" in errors, f"no reason: {errors[-200:]!r}")
                if position % 3 == 0:
                    output.again(runner)
            except Fault as fault:
                failures.append(f"full disk after {position} bytes, {output.line}: {fault}")
    print(f"full disk: {tried} runs, {refused} of them refused with a reason")


def closed_folders(runner, failures):
    """Folders that may be read but not written. Root may write everything, so that another user runs copal."""
    user = 65534 if os.getuid() == 0 else None
    os.chmod(runner.folder, 0o755)
    tried = 0
    for output in outputs():
        try:
            output.before(runner)
            if isinstance(output, FileOutput):
                (runner.folder / output.name).write_bytes(FileOutput.old)
            before = sorted(path.name for path in runner.folder.iterdir())
            if user is None:
                os.chmod(runner.folder, 0o555)
            code, _, errors = runner.run(output.line, user=user)
            os.chmod(runner.folder, 0o755)
            tried += 1
            check(code == 3, f"exit code {code}: {errors[-200:]!r}")
            check(sorted(path.name for path in runner.folder.iterdir()) == before, "files were made or removed")
            if isinstance(output, FileOutput):
                check((runner.folder / output.name).read_bytes() == FileOutput.old, "the file was changed")
        except Fault as fault:
            os.chmod(runner.folder, 0o755)
            failures.append(f"closed folder, {output.line}: {fault}")
    print(f"folders that cannot be written: {tried} runs")


def clock_jumps(runner, failures):
    """Runs that follow each other in other years, also backwards, and clocks that run fast or stand."""
    library = next((path for path in LIBFAKETIME if os.path.exists(path)), None)
    if library is None:
        print("clock jumps: not run, libfaketime is missing (Debian: apt install faketime)")
        return
    times = ["@2030-01-01 00:00:00", "@1971-01-01 00:00:00", "@2026-02-28 23:59:59", "@2039-01-20 00:00:00", "@2100-03-01 00:00:00", "@1999-12-31 23:59:59", "-400d", "+0 x50", "+0 x0.02"]
    # only the clock of the calendar: the other one never jumps
    environment = {"LD_PRELOAD": library, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}
    tried = 0
    for output in outputs():
        try:
            output.before(runner)
            if isinstance(output, AppendedOutput):
                continue
            for moment in times:
                code, _, errors = runner.run(output.line, environment={**environment, "FAKETIME": moment})
                tried += 1
                check(code == 0, f"{moment}: exit code {code}: {errors[-200:]!r}")
            if hasattr(output, "titles"):
                found = sorted(stored_titles(runner.folder / output.name, output.whole_pages))
                check(found == output.titles, f"{len(found)} records instead of {len(output.titles)}")
        except Fault as fault:
            failures.append(f"clock, {output.line}: {fault}")
    print(f"clock jumps: {tried} runs")


def full_apart(arguments, failures):
    """In a process of its own, which has the file system alone."""
    ended = subprocess.run([sys.executable, __file__, "--copal", arguments.copal, "--only", "full"])
    if ended.returncode:
        failures.append("full file system: see above")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copal", default="target/debug/copal")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=27, help="of the moments of the kills")
    parser.add_argument("--only", choices=["kills", "steps", "disk", "full", "folders", "clock"])
    parser.add_argument("--apart", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only == "full" and not arguments.apart:
        # the file system vanishes with the namespace
        apart = ["unshare", "--user", "--map-root-user", "--mount", sys.executable, *sys.argv, "--apart"]
        return subprocess.run(apart).returncode
    folder = Path(tempfile.mkdtemp(prefix="copal-faults-"))
    # where the other user can run it
    copal = folder / "bin" / "copal"
    copal.parent.mkdir()
    shutil.copy(arguments.copal, copal)
    work = folder / "work"
    work.mkdir()
    os.chmod(folder, 0o755)
    if arguments.apart:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={CAPACITY}", "copal-faults", work]).returncode:
            print("full file system: not run, none can be mounted")
            return 0
    make_inputs(work)
    runner = Runner(str(copal), work, start_shop())
    failures = []
    try:
        parts = {
            "kills": lambda: kills(runner, arguments.kills, arguments.seed, failures),
            "steps": lambda: write_steps(runner, failures),
            "disk": lambda: full_disk(runner, failures),
            "full": lambda: full_file_system(runner, failures, CAPACITY) if arguments.apart else full_apart(arguments, failures),
            "folders": lambda: closed_folders(runner, failures),
            "clock": lambda: clock_jumps(runner, failures),
        }
        for name, part in parts.items():
            if arguments.only in (None, name):
                part()
                sys.stdout.flush()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for failure in failures:
        print("FAILED", failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
