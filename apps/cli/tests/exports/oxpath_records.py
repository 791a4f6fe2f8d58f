"""What an OXPath expression means, evaluated by lxml: EXPRESSION PAGE [EXPRESSION PAGE…], a line of JSON a page.

Of the language there is only what exports have: a path to the records with a marker, then optional predicates with a
path, a marker and what is read there, one a line. Each part is XPath 1.0.
"""

import json
import pathlib
import re
import sys

import lxml.html


def with_bodies(page):
    for row in page.xpath("//table/tr"):
        before = row.getprevious()
        body = before if before is not None and before.tag == "tbody" else row.makeelement("tbody")
        if body is not before:
            row.addprevious(body)
        body.append(row)
    return page


for expression, name in zip(sys.argv[1::2], sys.argv[2::2]):
    page = with_bodies(lxml.html.document_fromstring(pathlib.Path(name).read_text(encoding="utf-8")))
    head, *columns = pathlib.Path(expression).read_text(encoding="utf-8").strip().split("\n  [? ")
    path = re.fullmatch(r'doc\("[^"]*"\)(.*):<record>', head).group(1)
    out = []
    for record in page.xpath(path):
        row = {}
        for column in columns:
            where, name, value = re.fullmatch(r"(.*):<([A-Za-z_][\w-]*)=(.*)>\]", column).groups()
            # a text has no element of its own to ask at
            texts = [
                page.xpath(value.replace("normalize-space(.)", "normalize-space($text)"), text=str(node))
                if isinstance(node, str)
                else node.xpath(value)
                for node in record.xpath(where)
            ]
            if texts:
                row[name] = texts
        out.append(row)
    print(json.dumps(out))
