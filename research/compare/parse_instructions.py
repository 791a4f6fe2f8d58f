#!/usr/bin/env python3
"""Instructions of copal's parse and of html5ever alone on the same pages, counted with callgrind: a busy machine does not change them.

    cargo build --release -p copal-dom --example parse_cost
    research/compare/parse_instructions.py FOLDER_OR_PAGE... [--pages FILE] [--every N] [--slowest N] [--selectolax]

Prints instructions per byte of HTML and the ratio, over all pages; with --slowest also for the N pages whose parse costs most
per byte (two runs for each page, so it takes a while). --pages names a file with one path per line, for example of the pages that
may be looked at; --every takes each Nth page. With --selectolax also the parse of lexbor, as the difference between N and 2N
parses in one process.
"""
import argparse
import pathlib
import re
import subprocess
import sys

from instructions import count
from shared import ROOT, copal_binary, html_files, print_table


def pages_of(places, listed, every):
    """The pages in a fixed order."""
    places = [*places, *(listed.read_text().split() if listed else [])]
    return [file for place in map(pathlib.Path, places) for file in (html_files(place) if place.is_dir() else [place])][::every]


def cost(program, parser, pages):
    """Instructions of the parse itself: those of a run that only decodes are taken off."""
    files = [str(page) for page in pages]
    return count([program, parser, *files])[0] - count([program, 'decode', *files])[0]


LEXBOR = '''
import sys
from selectolax.lexbor import LexborHTMLParser
texts = [open(page, 'rb').read() for page in sys.argv[2:]]
for _ in range(int(sys.argv[1])):
    for text in texts:
        LexborHTMLParser(text)
'''


def lexbor_cost(pages):
    """Instructions of one parse of all pages by lexbor."""
    once, twice = (count([sys.executable, '-c', LEXBOR, str(times), *map(str, pages)])[0] for times in (1, 2))
    return twice - once


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument('places', nargs='*')
    ap.add_argument('--program', default=str(ROOT / 'target/release/examples/parse_cost'))
    ap.add_argument('--pages', type=pathlib.Path)
    ap.add_argument('--every', type=int, default=1)
    ap.add_argument('--slowest', type=int, default=0)
    ap.add_argument('--selectolax', action='store_true')
    args = ap.parse_args()
    program = copal_binary(args.program)
    pages = pages_of(args.places, args.pages, args.every)
    said = subprocess.run([program, 'copal', *map(str, pages)], capture_output=True, text=True, check=True).stdout
    size = int(re.match(r'(\d+) bytes', said)[1])
    alone, ours, page = (cost(program, parser, pages) for parser in ('html5ever', 'copal', 'page'))
    rows = [('html5ever alone', alone), ('copal: parse to arena', ours), ('copal: parse, styles, index', page)]
    if args.selectolax:
        rows.append(('lexbor: parse', lexbor_cost(pages)))
    print(f'{len(pages)} pages, {said.strip()}')
    print_table(['', 'instructions per byte', 'of html5ever'], [[name, f'{n / size:.1f}', f'{n / alone:.3f}'] for name, n in rows])
    if args.slowest:
        each = [(cost(program, 'copal', [page]) / page.stat().st_size, page) for page in pages]
        rows = [[page.name, f'{per_byte:.1f}'] for per_byte, page in sorted(each, reverse=True)[:args.slowest]]
        print_table(['most instructions per byte', ''], rows)


if __name__ == '__main__':
    main()
