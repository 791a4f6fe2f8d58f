#!/usr/bin/env python3
"""Instructions of a whole extraction, parse included, against html5ever's parse alone on the same pages, counted with callgrind.

    cargo build --release && cargo build --release -p copal-dom --example parse_cost
    research/compare/extract_instructions.py FOLDER_OR_PAGE... [--pages FILE] [--every N] [--slowest N]

Each page is extracted in a run of its own (`copal extract PAGE --format csv`), and the instructions of the same command with a page
that has only a title are taken off each: what is left is reading, parsing, finding, and writing. Prints instructions per byte of HTML and ratios, over all pages, and the
N pages with the highest ratio. With --selectolax also the parse of lexbor, as the difference between N and 2N parses in one process.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

from instructions import count
from parse_instructions import cost, lexbor_cost, pages_of
from shared import ROOT, copal_binary, print_table

def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument('places', nargs='*')
    ap.add_argument('--copal')
    ap.add_argument('--program', default=str(ROOT / 'target/release/examples/parse_cost'))
    ap.add_argument('--pages', type=pathlib.Path)
    ap.add_argument('--every', type=int, default=1)
    ap.add_argument('--slowest', type=int, default=0)
    ap.add_argument('--selectolax', action='store_true')
    args = ap.parse_args()
    copal, program = copal_binary(args.copal), copal_binary(args.program)
    pages = pages_of(args.places, args.pages, args.every)
    said = subprocess.run([program, 'copal', *map(str, pages)], capture_output=True, text=True, check=True).stdout
    size = int(re.match(r'(\d+) bytes', said)[1])
    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder) / 'empty.html'
        empty.write_text('<!DOCTYPE html><title>t</title>')
        start = count([copal, 'extract', str(empty), '--format', 'csv'])[0]
    each = [count([copal, 'extract', str(page), '--format', 'csv'])[0] - start for page in pages]
    alone, parse, whole = cost(program, 'html5ever', pages), cost(program, 'copal', pages), sum(each)
    rows = [('html5ever alone', alone), ('copal: parse to arena', parse), ('copal: everything', whole)]
    if args.selectolax:
        rows.append(('lexbor: parse', lexbor_cost(pages)))
    print(f'{len(pages)} pages, {size:,} bytes; a start, {start:,} instructions, is taken off every page')
    print_table(['', 'instructions per byte', 'of html5ever'], [[name, f'{n / size:.1f}', f'{n / alone:.3f}'] for name, n in rows])
    if args.slowest:
        ratios = sorted(((n / cost(program, 'html5ever', [page]), page) for n, page in zip(each, pages)), reverse=True)
        print_table(['highest ratio to html5ever', ''], [[page.name, f'{ratio:.2f}'] for ratio, page in ratios[:args.slowest]])


if __name__ == '__main__':
    main()
