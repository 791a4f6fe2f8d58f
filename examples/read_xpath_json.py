"""Reads pages with what `copal export --to xpath-json` wrote: PATHS URL PAGE…, a line of JSON a page.

Needs lxml. docs/export.md says what the parts of the file mean; this is all of it.
"""

import json
import pathlib
import sys
from urllib.parse import urljoin

import lxml.html

SEPARATORS = "|\xa6\xb7\xbb\u2022\u203a\u2027\u2219\u22c5\u25cf"


def with_bodies(page):
    """`tbody` around rows, as browsers read tables and lxml does not."""
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


def visible(paths, node):
    """The visible text: spaces collapsed, one between elements whose words would touch, no separators at its ends."""
    out = ""
    for text in [node] if isinstance(node, str) else node.xpath(paths["text"]):
        touch = out[-1:].isalnum() and text[:1].isalnum() and text.getparent().tag not in ("b", "i", "em", "strong", "sup", "sub")
        out += (" " if touch else "") + text
    return " ".join(out.replace("\u200b", " ").split()).lstrip(" ,;" + SEPARATORS).rstrip(" " + SEPARATORS)


def value(paths, column, node, url):
    names = column.get("attribute")
    if names is None:
        text = visible(paths, node)
    else:
        found = (node.get(name, "").strip() for name in ([names] if isinstance(names, str) else names))
        text = next((address for address in found if address and not address.startswith("data:")), "")
    cut = column.get("cut", {})
    if "after" in cut:
        text = text.partition(cut["after"])[2]
    if "before" in cut:
        text = text.partition(cut["before"])[0]
    if "split" in cut:
        text = "".join(text.split(cut["split"])[cut["piece"] - 1 : cut["piece"]])
    return urljoin(url, text.strip()) if names and text else text.strip()


def column_cells(paths, column, records, url):
    """The first XPath is asked; where it finds much less than expected the others are, one after the other."""
    cells = []
    for xpath in [column["xpath"], *column.get("otherwise", [])]:
        found = [[value(paths, column, node, url) for node in record.xpath(xpath)] for record in records]
        found = [[text for text in cell if text][: None if column.get("many") else 1] for cell in found]
        cells = [cell or more for cell, more in zip(cells, found)] or found
        if sum(map(bool, cells)) >= (column.get("presence", 0) - 0.3) * len(records):
            break
    return cells


def records_of(page, way):
    """Of several regions the one with most records; a record inside of another is none."""
    best = []
    for region in page.xpath(way["region"])[:10]:
        found = []
        for record in region.xpath(way["record"]):
            if not any(around in found for around in record.iterancestors()):
                found.append(record)
        best = max(best, found, key=len)
    return best


def read(paths, page, url):
    for rule in paths["lists"]:
        for way in [rule, *rule.get("otherwise", [])]:
            records = records_of(page, way)
            columns = rule["columns"]
            table = {name: column_cells(paths, column, records, url) for name, column in columns.items()}
            expected = [table[name] for name, column in columns.items() if column.get("presence", 0) >= 0.9]
            there = sum(bool(cell) for cells in expected for cell in cells)
            if records and 2 * there >= len(expected) * len(records):
                rows = [{name: cells[at] for name, cells in table.items() if cells[at]} for at in range(len(records))]
                return [{name: cell[0] if len(cell) == 1 else cell for name, cell in row.items()} for row in rows]
    return []


if __name__ == "__main__":
    wrapper = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    for name in sys.argv[3:]:
        html = with_bodies(lxml.html.document_fromstring(pathlib.Path(name).read_text(encoding="utf-8")))
        print(json.dumps(read(wrapper, html, sys.argv[2])))
