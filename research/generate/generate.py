#!/usr/bin/env python3
"""Generates result pages of property and car sites with exact gold, in the format of the evaluation corpora.

In: a seed. Out: a folder with index.jsonl, lists/<source>/<name>.html and .json, places.txt and places.tsv. The same
seed gives the same bytes. With --check it reads such a folder and reports what is wrong with it.
"""
import argparse
import importlib
import json
import pathlib
import random
import sys

import check
import frame
from car import cars
from gold import gold
from home import homes
from item import PLACES
from marks import strip
from templates.base import TEMPLATES
from tree import read
from website import Site

MODULES = [f'{kind}_{split}_{part}' for kind in ('homes', 'cars') for split in ('seen', 'unseen') for part in (1, 2)]
EXAMPLE = """example:
  python3 generate.py corpus --seed 1 --pages-per-template 2
  python3 generate.py --check corpus
  copal-lab eval corpus --only lists/real-estate-seen --domain real-estate -o seen.pred.jsonl
  python3 attributes.py corpus seen.pred.jsonl --split seen"""


def load_templates():
    """All templates in the order of kind and number."""
    for name in MODULES:
        importlib.import_module(f'templates.{name}')
    return [TEMPLATES[key] for key in sorted(TEMPLATES)]


def make_items(template, rng, count):
    """Records for a page of this template."""
    if template.kind == 'real-estate':
        return homes(rng, count, template.rent, template.missing, template.poa)
    return cars(rng, count, template.missing, template.poa)


def make_page(template, seed, number):
    """(HTML, gold, site, places) of one page."""
    rng = random.Random(f'{seed} {template.kind} {template.name} {number}')
    items = make_items(template, rng, rng.randint(*template.count))
    site = Site(template.kind, template.number, random.Random(f'taste {template.kind} {template.name}'), rng, items, template.old)
    site.others = homes(rng, 4, template.rent) if template.kind == 'real-estate' else cars(rng, 4)
    marked = frame.page(site, template.make(items, site))
    page = read(marked)
    if page.faults:
        raise ValueError(f'{template.kind} {template.name}: {page.faults[:3]}')
    url = f'https://www.{site.host}/search?page={number}'
    return strip(marked), gold(page, url), site, [item.place for item in items]


def write_corpus(out, seed, pages, splits):
    """Writes the folder. Returns the number of pages and records."""
    index, used, records = [], {}, 0
    for template in load_templates():
        if template.split not in splits:
            continue
        source = f'{template.kind}-{template.split}'
        folder = out / 'lists' / source
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, pages + 1):
            html, answer, site, places = make_page(template, seed, number)
            name = f'{template.name}-{number}'
            (folder / f'{name}.html').write_text(html, encoding='utf-8', newline='\n')
            (folder / f'{name}.json').write_text(json.dumps(answer, ensure_ascii=False, indent=1) + '\n', encoding='utf-8', newline='\n')
            index.append({
                'id': f'lists/{source}/{name}', 'task': 'lists', 'source': source, 'site': f'{template.kind}-{template.name}',
                'domain': site.host, 'vertical': template.kind, 'template': template.name, 'split': template.split,
                'licence': 'MIT OR Apache-2.0', 'n_records': len(answer['records']), 'gold': 'generated', 'language': 'en',
                'bytes': len(html.encode()), 'main': True,
            })
            records += len(answer['records'])
            for place in places:
                used[place.name] = used.get(place.name, 0) + 1
    lines = ''.join(json.dumps(line, ensure_ascii=False, sort_keys=True) + '\n' for line in index)
    (out / 'index.jsonl').write_text(lines, encoding='utf-8', newline='\n')
    write_places(out, used)
    return len(index), records


def write_places(out, used):
    """The places of all records: names alone, and a table with kind, county, real or invented, and how often."""
    rows = [place for place in PLACES if place.name in used]
    (out / 'places.txt').write_text(''.join(f'{name}\n' for name in sorted(used)), encoding='utf-8', newline='\n')
    (out / 'places.tsv').write_text('name\tkind\tcounty\treal\trecords\n' + ''.join(
        f'{place.name}\t{place.kind or "-"}\t{place.county}\t{"real" if place.kind else "invented"}\t{used[place.name]}\n'
        for place in sorted(rows, key=lambda place: place.name)), encoding='utf-8', newline='\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0], epilog=EXAMPLE,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', metavar='OUT', type=pathlib.Path, help='folder to write, or to check')
    parser.add_argument('--seed', default='1', help='same seed, same pages (default 1)')
    parser.add_argument('--pages-per-template', type=int, default=2, metavar='N', help='pages of every template (default 2)')
    parser.add_argument('--split', choices=['seen', 'unseen'], help='only these templates')
    parser.add_argument('--check', action='store_true', help='write nothing: check the folder')
    options = parser.parse_args()
    if options.check:
        faults = check.faults(options.out)
        for fault in faults[:40]:
            print(fault)
        print(f'{options.out}: {len(faults)} faults' if faults else f'{options.out}: no fault')
        return 1 if faults else 0
    if options.pages_per_template < 1:
        parser.error('--pages-per-template: expected 1 or more')
    splits = [options.split] if options.split else ['seen', 'unseen']
    pages, records = write_corpus(options.out, options.seed, options.pages_per_template, splits)
    print(f'{options.out}: {pages} pages, {records} records')
    return 0


if __name__ == '__main__':
    sys.exit(main())
