#!/usr/bin/env python3
"""Which forms that are sent by POST copal would send, against what they are for.

usage: posted_forms.py CORPUS PRED.jsonl

CORPUS holds `<id>.html` and `<id>.json` (forms with their types); PRED.jsonl comes from `copal-lab eval --task forms`. A
form is counted as sent if its type is search with the confidence that `copal site` asks for. `copal site` also looks at
the words of its URL and buttons and at its fields, which only makes it send fewer.
"""

import json
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

MIN_CONFIDENCE = 0.9


class FormMethods(HTMLParser):
    def __init__(self):
        super().__init__()
        self.methods = []

    def handle_starttag(self, tag, attributes):
        if tag == "form":
            self.methods.append((dict(attributes).get("method") or "get").lower())


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    corpus, predictions = Path(sys.argv[1]), Path(sys.argv[2])
    posted, sent, searches = 0, Counter(), Counter()
    for line in predictions.read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        truth = json.loads((corpus / f"{page['id']}.json").read_text(encoding="utf-8"))["forms"]
        types = {form["index"]: form["type"] for form in truth}
        parser = FormMethods()
        parser.feed((corpus / f"{page['id']}.html").read_text(encoding="utf-8", errors="replace"))
        for form in page["forms"]:
            index = form["index"]
            if index is None or index >= len(parser.methods) or parser.methods[index] != "post":
                continue
            posted += 1
            is_sent = form["type"] == "search" and form["confidence"] >= MIN_CONFIDENCE
            true_type = types.get(index) or "not labelled"
            sent[true_type] += is_sent
            searches["sent" if is_sent else "left"] += true_type == "search"
    print(f"{posted} forms are sent by POST; sent, by true type: {dict(+sent)}; true searches: {dict(searches)}")


if __name__ == "__main__":
    main()
