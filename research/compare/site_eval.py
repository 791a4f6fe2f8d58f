#!/usr/bin/env python3
"""Runs `copal site` on real applications on loopback and compares the records with what the applications hold.

usage: site_eval.py COPAL SITES_TSV [APP …] [--start root|list] [--data FOLDER] [--domains] [-- OPTION …]

SITES_TSV has the columns app, url and records; the applications must be running. An application that does not answer is
left out, and the last lines say how many were. `--start root` begins at `/` of the host, as a user would who does not
know where the list is. `--data` is the folder in which the applications run: the true values of attributes are read from
their own databases there (site_truth.py). Without it, or for an application that has no such reader, only the number of
records is compared, and the column of exact values says so. `--domains` gives copal
the domain of those applications that have one of the built-in domains. Options after `--` are given to copal.

Effective: every true record, and at least 97% of the values of its attributes exact.
"""

import csv
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import site_truth

TIMEOUT_SECONDS = 900
MIN_EXACT = 0.97
# what a user knows who wants the records of a shop, of an estate agent or of a job board
DOMAINS = {"oscar": "products", "datasette": "real-estate", "reactadmin": "jobs"}


def answers(url):
    try:
        urllib.request.urlopen(url, timeout=5)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def stored_rows(database):
    try:
        return site_truth.stored_rows(database)
    except sqlite3.Error:
        return []


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
        return stored_rows(database), summary, seconds


def option(arguments, name, default=None):
    """The value of an option, which is removed from the arguments."""
    if name not in arguments:
        return default
    at = arguments.index(name)
    value = arguments[at + 1]
    del arguments[at : at + 2]
    return value


def judged(rows, true_count, true_records):
    """Whether a site is effective, and the share of exact values in words."""
    if not true_records:
        return len(rows) == true_count, "records only"
    found, exact = site_truth.scores(true_records, rows)
    share = sum(exact.values()) / (len(exact) * len(true_records))
    worst = [f"{name} {count}" for name, count in exact.items() if count < MIN_EXACT * len(true_records)]
    words = f"{share:.3f} of {len(exact)} attributes" + (f" ({', '.join(worst)})" if worst else "")
    return found == len(true_records) and share >= MIN_EXACT, words


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1 :]
    start = option(arguments, "--start", "list")
    data = option(arguments, "--data")
    uses_domains = "--domains" in arguments
    if uses_domains:
        arguments.remove("--domains")
    if len(arguments) < 2:
        sys.exit(__doc__)
    copal, table, *apps = arguments
    with open(table, encoding="utf-8") as file:
        sites = [row for row in csv.DictReader(file, delimiter="\t") if not apps or row["app"] in apps]
    effective = left_out = 0
    print("| application | start | records | true | exact values | requests per record | seconds | result |")
    print("|---|---|---|---|---|---|---|---|")
    for site in sites:
        url = site["url"] if start == "list" else urllib.parse.urljoin(site["url"], "/")
        if not answers(url):
            left_out += 1
            continue
        domain = DOMAINS.get(site["app"]) if uses_domains else None
        rows, summary, seconds = run(copal, url, options + (["--domain", domain] if domain else []))
        true_records = site_truth.truth(site["app"], data) if data else []
        is_effective, exact = judged(rows, int(site["records"]), true_records)
        effective += is_effective
        requests = re.search(r"from (\d+) page", summary)
        per_record = f"{int(requests[1]) / len(rows):.2f}" if requests and rows else "-"
        cells = [site["app"], start, len(rows), site["records"], exact, per_record, f"{seconds:.0f}", summary]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    print(f"\n{effective} of {len(sites) - left_out} are effective; {left_out} did not answer")


if __name__ == "__main__":
    main()
