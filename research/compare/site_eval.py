#!/usr/bin/env python3
"""Runs `copal site` on real applications on loopback and compares the number of records with what they hold.

usage: site_eval.py COPAL SITES_TSV [APP …] [--start root|list] [-- OPTION …]

SITES_TSV has the columns app, url and records; the applications must be running. An application that does not answer is
left out, and the last line says how many were. `--start root` begins at `/` of the host, as a user would who does not
know where the list is. Options after `--` are given to copal. Only records are scored: the applications give counts and no attribute truth.
"""

import csv
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

TIMEOUT_SECONDS = 900


def answers(url):
    try:
        urllib.request.urlopen(url, timeout=5)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def stored_records(database):
    try:
        return sqlite3.connect(database).execute("SELECT count(*) FROM records").fetchone()[0]
    except sqlite3.Error:
        return 0


def run(copal, url, options):
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder, "site.sqlite")
        line = [copal, "--no-config", "site", url, "--allow-private", "--delay", "0", "--cache-dir", f"{folder}/cache"]
        began = time.monotonic()
        ended = subprocess.run(
            [*line, "-o", str(database), *options], capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
        seconds = time.monotonic() - began
        lines = ended.stderr.strip().splitlines() or [""]
        summary = next((one for one in lines if one.endswith("]")), lines[-1])
        return stored_records(database), summary, seconds


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1 :]
    start = "list"
    if "--start" in arguments:
        at = arguments.index("--start")
        start = arguments[at + 1]
        del arguments[at : at + 2]
    if len(arguments) < 2:
        sys.exit(__doc__)
    copal, table, *apps = arguments
    with open(table, encoding="utf-8") as file:
        sites = [row for row in csv.DictReader(file, delimiter="\t") if not apps or row["app"] in apps]
    effective = left_out = 0
    print("| application | start | records | true | seconds | result |\n|---|---|---|---|---|---|")
    for site in sites:
        url = site["url"] if start == "list" else urllib.parse.urljoin(site["url"], "/")
        if not answers(url):
            left_out += 1
            continue
        records, summary, seconds = run(copal, url, options)
        true = int(site["records"])
        effective += records == true
        print(f"| {site['app']} | {start} | {records} | {true} | {seconds:.0f} | {summary} |", flush=True)
    print(f"\n{effective} of {len(sites) - left_out} have exactly the true number of records; {left_out} did not answer")


if __name__ == "__main__":
    main()
