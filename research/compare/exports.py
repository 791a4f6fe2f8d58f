"""Compares the time of exported spiders with that of `copal apply`, on the same pages with the same wrappers.

    .venv-exports/bin/python research/compare/exports.py [FOLDER] [--copal target/release/copal] [--times 20]

Wrappers are learned from each page of the folder (default: our own pages). Then each page is read again and again, by
one process of `copal apply -j 1` (reading the file, parsing, writing JSON) and by the spider's `records` (parsing,
reading), both without the start of the program. Prints CPU milliseconds per page, the ratio to copal, and the pages
whose records differ.
"""

import argparse
import importlib.util
import json
import pathlib
import resource
import subprocess
import tempfile
import time

import parsel

ROOT = pathlib.Path(__file__).resolve().parents[2]


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spider_of(path):
    spec = importlib.util.spec_from_file_location("spider", path)
    spider = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(spider)
    return spider


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--copal", type=pathlib.Path, default=ROOT / "target/release/copal")
    parser.add_argument("--times", type=int, default=20)
    args = parser.parse_args()
    pages = sorted(args.folder.rglob("*.html")) if args.folder else sorted(ROOT.glob("testdata/pages/*/page.html"))
    pages += [] if args.folder else [ROOT / "examples/shop.html"]
    sums, count, size, differ = {"copal apply": 0.0, "spider, parse": 0.0, "spider, read": 0.0}, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        wrapper, spider = folder / "w.yaml", folder / "spider.py"
        for page in pages:
            if subprocess.run([args.copal, "learn", "-q", page, "-o", wrapper], capture_output=True).returncode:
                continue
            subprocess.run([args.copal, "export", "-q", wrapper, "--to", "scrapy", "-o", spider], check=True)
            html = page.read_text(encoding="utf-8", errors="replace")
            for copy in range(args.times):
                (folder / f"{copy}.html").write_text(html, encoding="utf-8")
            copies = [folder / f"{copy}.html" for copy in range(args.times)]
            command = [args.copal, "apply", "-q", "-j", "1", "--format", "pages", wrapper]
            began = children()
            subprocess.run([*command, copies[0]], capture_output=True)
            start = children()
            # each page is read several times, so that the start of the program can be subtracted
            answers = subprocess.run([*command, *copies, copies[0]], capture_output=True, text=True).stdout
            sums["copal apply"] += children() - start - (start - began)
            read = spider_of(spider).records
            for _ in range(args.times):
                at = time.process_time()
                selector = parsel.Selector(html)
                parsed = time.process_time()
                records = read(selector)
                sums["spider, parse"] += parsed - at
                sums["spider, read"] += time.process_time() - parsed
            regions = json.loads(answers.splitlines()[0])["regions"]
            differ += records != [record["fields"] for region in regions for record in region["records"]]
            count += 1
            size += len(html)
    print(f"{count} pages, {size / 1e3:.0f} kB, each {args.times} times; {differ} pages differ")
    for name, seconds in sums.items():
        each = 1000 * seconds / (count * args.times)
        print(f"  {name:14} {each:8.2f} ms a page   {seconds / sums['copal apply']:6.1f}")


main()
