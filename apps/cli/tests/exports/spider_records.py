"""The records of pages by an exported spider's own function: SPIDER URL PAGE…, a line of JSON a page."""

import importlib.util
import json
import pathlib
import sys

import parsel

spec = importlib.util.spec_from_file_location("spider", sys.argv[1])
spider = importlib.util.module_from_spec(spec)
spec.loader.exec_module(spider)
for page in sys.argv[3:]:
    selector = parsel.Selector(pathlib.Path(page).read_text(encoding="utf-8"))
    print(json.dumps(spider.records(selector, sys.argv[2])))
