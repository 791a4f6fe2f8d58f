#!/usr/bin/env python3
"""How many clicks a person needs in the studio to correct a list, on pages whose first answer is wrong.

    studio_clicks.py CORPUS --scorer score.py --service http://127.0.0.1:8095 [--pages 20] [--seed 1] [--only PREFIX]

Opened sites only. A page counts if its gold has an XPath for every record and its records are complete and the main
list. The corrections of the studio are tried through the API that its clicks use, cheapest first:

- another list of the side list: 1 click
- two example records: 3 clicks (the tool and two records: the first two, or the first and the last)
- after either, records that do not belong, and records that are missing (the neighbours of one come along): 1 click for
  the tool and 1 per record

Storing takes 2 more ("Keep these records" and "Store"). Opening a page takes none: its URL is typed. A list is right if
it has as many records as the gold and each is, contains, or is inside another gold record.
"""
import argparse
import importlib.util
import json
import pathlib
import random
import re
import statistics
import urllib.error
import urllib.request

MAX_CLICKS = 10
KEEP_CLICKS = 2


def post(service, path, body):
    data = json.dumps(body).encode()
    request = urllib.request.Request(service + path, data, {"content-type": "application/json"})
    try:
        return json.load(urllib.request.urlopen(request, timeout=120))
    except urllib.error.HTTPError:
        return None


class Tree:
    """Elements by number, as `/v1/view` lists them."""

    def __init__(self, elements):
        self.parent, self.tag, self.children = {}, {}, {0: []}
        for node, parent, tag, _ in elements:
            self.parent[node], self.tag[node] = parent, tag
            self.children.setdefault(parent, []).append(node)

    def at(self, xpath):
        node = 0
        for step in re.findall(r"/([^/]+)", xpath or ""):
            name, number = re.fullmatch(r"([^\[]+)(?:\[(\d+)\])?", step).groups() if "name()" not in step else (None, None)
            same = [child for child in self.children.get(node, []) if self.tag[child] == name]
            if len(same) < int(number or 1):
                return None
            node = same[int(number or 1) - 1]
        return node or None

    def above(self, node):
        while node:
            yield node
            node = self.parent.get(node)

    def first_leaf(self, node):
        while self.children.get(node):
            node = self.children[node][0]
        return node


def is_right(tree, gold, tops):
    """Whether records (lists of elements) are the gold's, one by one."""
    if len(tops) != len(gold):
        return False
    left = set(gold)
    for nodes in tops:
        around = {up for node in nodes for up in tree.above(node)}
        hit = next((one for one in left if one in around or set(tree.above(one)) & set(nodes)), None)
        if hit is None:
            return False
        left.discard(hit)
    return True


def record_tops(tree, region):
    tops = [[tree.at(xpath) for xpath in record["xpaths"]] for record in region["records"]]
    return [[node for node in nodes if node] for nodes in tops]


def differences(tree, gold, tops):
    """Records that the gold does not have, and records that only the gold has."""
    wrong = []
    left = set(gold)
    for nodes in tops:
        around = {up for node in nodes for up in tree.above(node)}
        hit = next((one for one in left if one in around or set(tree.above(one)) & set(nodes)), None)
        left.discard(hit)
        if hit is None and nodes:
            wrong.append(nodes[0])
    return wrong, sorted(left)


def clicks(service, page, gold_xpaths):
    """Clicks until the list is right; 0 if it is at once, None if the gold is not on the page, 99 if never."""
    view = post(service, "/v1/view", page)
    if not view:
        return None
    tree = Tree(view["elements"])
    gold = [tree.at(xpath) for xpath in gold_xpaths]
    if None in gold or len(set(gold)) != len(gold):
        return None
    page = {**page, "html": view["source"]}

    def tried(body):
        answer = post(service, "/v1/correct", {**page, **body})
        region = ((answer or {}).get("answer") or {}).get("regions") or [None]
        return record_tops(tree, region[0]) if region[0] else []

    first = {"options": {"list": 1, "navigation": True}}
    if is_right(tree, gold, tried(first)):
        return 0
    options = {"all": True, "navigation": True, "max_rows": 2000}
    found = post(service, "/v1/extract", {**page, "options": options}) or {"regions": []}
    ways = [(0, first)]
    for at in range(1, len(found["regions"])):
        ways.append((1, {"options": {"list": at + 1, "navigation": True}}))
    leaf = [tree.first_leaf(node) for node in gold]
    for pair in [leaf[:2], [leaf[0], leaf[-1]], [gold[0], gold[1]]] if len(gold) > 1 else []:
        ways.append((3, {"examples": pair}))
    best = 99
    for cost, body in ways:
        tops = tried(body)
        if is_right(tree, gold, tops):
            best = min(best, cost)
            continue
        best = min(best, corrected(tree, gold, tops, cost, best, lambda made: tried({**body, "corrections": made})))
    return best


def corrected(tree, gold, tops, spent, best, tried):
    """Clicks after records are taken in and excluded, one at a time; 99 if that does not help."""
    corrections, tool = [], None
    extra, missing = differences(tree, gold, tops) if tops else ([], [])
    while (extra or missing) and spent < min(best, MAX_CLICKS):
        # what is missing first: what comes along with it may have to be excluded
        now, records = ("include", missing) if missing else ("exclude", extra)
        node = tree.first_leaf(records[0]) if now == "include" else records[0]
        corrections.append({now: {"records": [node]}})
        spent += 1 + (tool != now)
        tool = now
        tops = tried(corrections)
        if is_right(tree, gold, tops):
            return spent
        before = len(extra), len(missing)
        extra, missing = differences(tree, gold, tops) if tops else ([], [])
        if (len(extra), len(missing)) == before:
            break
    return 99


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus")
    parser.add_argument("--scorer", required=True)
    parser.add_argument("--service", required=True)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    arguments = parser.parse_args()
    spec = importlib.util.spec_from_file_location("score", arguments.scorer)
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    score.choose_part("opened")
    pages = []
    for row, gold in score.load(arguments.corpus, "lists", arguments.only):
        xpaths = [record.get("xpath") for record in gold["records"]]
        if gold.get("main", True) and gold.get("complete", True) and len(xpaths) > 2 and all(isinstance(one, str) for one in xpaths):
            pages.append((row["id"], gold, xpaths))
    random.Random(arguments.seed).shuffle(pages)
    wrong, right, left_out = [], 0, 0
    for name, gold, xpaths in pages:
        file = pathlib.Path(arguments.corpus) / f"{name}.html"
        html = file.read_bytes().decode("utf-8", errors="replace")
        spent = clicks(arguments.service, {"html": html, **({"url": gold["url"]} if gold.get("url") else {})}, xpaths)
        if spent is None:
            left_out += 1
        elif spent == 0:
            right += 1
        else:
            wrong.append((name, spent + KEEP_CLICKS if spent < 99 else None))
            print(f"{name}\t{wrong[-1][1] or 'not within ' + str(MAX_CLICKS)}", flush=True)
        if len(wrong) >= arguments.pages:
            break
    done = sorted(clicks for _, clicks in wrong if clicks)
    print(f"{right} right at once, {len(wrong)} wrong, {left_out} left out (gold not found in the tree)")
    if done:
        print(f"corrected: {len(done)} of {len(wrong)}; clicks: median {statistics.median(done)}, most {done[-1]}")


if __name__ == "__main__":
    main()
