#!/usr/bin/env python3
"""Scores the types of forms and fields, with intervals by bootstrap over sites. Prints totals only.

usage: form_scores.py CORPUS PRED.jsonl [--rounds 2000] [--seed 1]

PRED.jsonl is what `copal-lab eval CORPUS --part PART --task forms` wrote: the pages of that part. Forms of one site resemble
each other, so that whole sites are drawn, with all their forms. A form without a label is not counted, nor is a field.
"""

import json
import random
import sys
from collections import defaultdict
from pathlib import Path


def option(arguments, name, default):
    """The value of an option, which is removed from the arguments."""
    if name not in arguments:
        return default
    at = arguments.index(name)
    value = int(arguments[at + 1])
    del arguments[at : at + 2]
    return value


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def counts_by_site(corpus, predictions):
    """Right forms, forms, right fields and fields of each site."""
    predicted = {page["id"]: page for page in lines(predictions)}
    sites = defaultdict(lambda: [0, 0, 0, 0])
    for row in lines(Path(corpus, "index.jsonl")):
        if row["task"] != "forms" or row["id"] not in predicted:
            continue
        gold = json.loads(Path(corpus, *f"{row['id']}.json".split("/")).read_text(encoding="utf-8"))
        found = {form.get("index"): form for form in predicted[row["id"]].get("forms") or []}
        counts = sites[row.get("domain") or row.get("site")]
        for form in gold["forms"]:
            own = found.get(form["index"]) or {}
            if form["type"]:
                counts[0] += own.get("type") == form["type"]
                counts[1] += 1
            for name, kind in form["fields"].items():
                counts[2] += (own.get("fields") or {}).get(name) == kind
                counts[3] += 1
    return list(sites.values())


def shares(counts):
    total = [sum(site[at] for site in counts) for at in range(4)]
    return [total[0] / max(total[1], 1), total[2] / max(total[3], 1)], total


def main():
    arguments = sys.argv[1:]
    rounds, seed = option(arguments, "--rounds", 2000), option(arguments, "--seed", 1)
    if len(arguments) != 2:
        sys.exit(__doc__)
    counts = counts_by_site(*arguments)
    if not counts:
        sys.exit("no page of these predictions is in the corpus")
    (of_forms, of_fields), total = shares(counts)
    chance = random.Random(seed)
    drawn = [shares(chance.choices(counts, k=len(counts)))[0] for _ in range(rounds)]
    for at, (name, share, number) in enumerate([("form types", of_forms, total[1]), ("field types", of_fields, total[3])]):
        ordered = sorted(one[at] for one in drawn)
        low, high = ordered[int(0.025 * rounds)], ordered[min(int(0.975 * rounds), rounds - 1)]
        print(f"{name}: {share:.3f} [{low:.3f}, {high:.3f}] of {number}, {len(counts)} sites")


if __name__ == "__main__":
    main()
