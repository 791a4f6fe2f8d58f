"""Extracts records with the XPaths that `copal export --to xpath-json` writes.

    python3 read_xpath_json.py URL PATHS PAGE [PATHS PAGE…]

PATHS is an exported file and PAGE an HTML file. Prints one line of JSON per page. Needs lxml.
docs/guide/wrappers.md describes the format.
"""

import json
import pathlib
import re
import sys
from urllib.parse import quote, urljoin

import lxml.html

SEPARATORS = "|\xa6\xb7\xbb\u2022\u203a\u2027\u2219\u22c5\u25cf"


def with_bodies(page):
    """Adds the `tbody` around rows that browsers add and lxml does not."""
    for table in page.xpath("//table[tr]"):
        body = None
        for child in list(table):
            if child.tag != "tr":
                body = None
                continue
            if body is None:
                body = table.makeelement("tbody")
                child.addprevious(body)
            body.append(child)
    return page


FORMATTING = frozenset("b strong i em u s small font sub sup mark code cite del ins abbr".split())


def visible(paths, node):
    """The visible text, with spaces collapsed and without separators at its ends.

    A space is added between words of different elements that would otherwise touch.
    """
    out, before, line = "", None, False
    for text in [node] if isinstance(node, str) else node.xpath("descendant-or-self::text() | .//br | .//img"):
        if not isinstance(text, str):
            line = True
            continue
        around = text.getparent().getparent() if text.is_tail else text.getparent()
        if around.xpath(paths["hidden"]):
            continue
        apart = before is not None and before.tag not in FORMATTING and around.tag not in FORMATTING
        out += (" " if line or apart and out[-1:].isalnum() and text[:1].isalnum() else "") + text
        before, line = around, False
    text = " ".join(re.sub("[\u200b\ufeff]", " ", out).split())
    text = text.lstrip(" ,;" + SEPARATORS).rstrip(" " + SEPARATORS)
    return text if any(letter.isalnum() or letter in "\u2605\u2606\u2713\u2714" for letter in text) else ""


def value(paths, column, node, url):
    names = column.get("attribute")
    if names is None:
        text = visible(paths, node)
    else:
        found = filter(None, (node.get(name, "").strip() for name in ([names] if isinstance(names, str) else names)))
        text = next((address for address in found if not address.lower().startswith(("data:", "javascript:"))), "")
        text = "" if text == "#" else text
    cut = column.get("cut", {})
    if "after" in cut:
        text = text.partition(cut["after"])[2]
    if "before" in cut:
        text = text.partition(cut["before"])[0]
    if "split" in cut:
        text = "".join(text.split(cut["split"])[cut["piece"] - 1 : cut["piece"]])
    text = text.strip()
    return quote(urljoin(url, text), safe="%/:?#[]@!$&'()*+,;=~") if names and text else text


def cell(paths, column, place, record, url):
    """The values of a column in a record: the first, the nth, or all that are visible and not empty."""
    shown = [node for node in record.xpath(place["xpath"]) if isinstance(node, str) or not node.xpath(paths["hidden"])]
    found = [text for text in (value(paths, column, node, url) for node in shown) if text]
    at = place.get("nth", 1) - 1
    return found if column.get("many") else found[at : at + 1]


def fell(presence, there, count):
    """True if a column is in fewer records than chance explains (a one-sided test of proportions)."""
    share = min(max(presence, 0.05), 0.95)
    return share * count - there > 2.33 * (share * (1 - share) * count) ** 0.5


def column_cells(paths, column, records, url):
    """The cells of a column. Further XPaths are tried in order until about as many records as expected have a value."""
    cells = [[] for _ in records]
    for place in [column, *column.get("otherwise", [])]:
        cells = [known or cell(paths, column, place, record, url) for known, record in zip(cells, records)]
        if not fell(column.get("presence", 0), sum(map(bool, cells)), len(records)):
            break
    return cells


def records_of(paths, page, way):
    """The records of the region with the most. Elements that are hidden, empty or inside another record are skipped."""
    best = []
    for region in page.xpath(way["region"])[:10]:
        found = []
        for record in region.xpath(way["record"]):
            nested = any(around in found for around in record.iterancestors())
            shows = record.xpath("normalize-space(.)!='' or .//img or .//svg")
            if shows and not nested and not record.xpath(paths["hidden"]):
                found.append(record)
        best = max(best, found, key=len)
    return best


def read(paths, page, url):
    url = urljoin(url, next(iter(page.xpath("//base/@href")), ""))
    for rule in paths["lists"]:
        for way in [rule, *rule.get("otherwise", [])]:
            records = records_of(paths, page, way)
            columns = rule["columns"]
            table = {name: column_cells(paths, column, records, url) for name, column in columns.items()}
            expected = [table[name] for name, column in columns.items() if column.get("presence", 0) >= 0.9]
            there = sum(bool(cell) for cells in expected for cell in cells)
            if records and 2 * there >= len(expected) * len(records):
                lists = {name for name, cells in table.items() if any(len(cell) > 1 for cell in cells)}
                one = lambda name, cell: cell if name in lists else cell[0]  # noqa: E731
                rows = range(len(records))
                return [{name: one(name, cells[at]) for name, cells in table.items() if cells[at]} for at in rows]
    return []


if __name__ == "__main__":
    for file, name in zip(sys.argv[2::2], sys.argv[3::2]):
        wrapper = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        html = with_bodies(lxml.html.document_fromstring(pathlib.Path(name).read_text(encoding="utf-8")))
        print(json.dumps(read(wrapper, html, sys.argv[1])))
