"""What exported spiders' own functions read: URL SPIDER PAGE [SPIDER PAGE…], a line of JSON a page."""

import importlib.util
import json
import pathlib
import sys

import parsel

for file, page in zip(sys.argv[2::2], sys.argv[3::2]):
    spec = importlib.util.spec_from_file_location("spider", file)
    spider = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(spider)
    selector = parsel.Selector(pathlib.Path(page).read_text(encoding="utf-8"))
    print(json.dumps(spider.records(selector, sys.argv[1])))
