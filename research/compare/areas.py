#!/usr/bin/env python3
"""Checks whether copal finds the right data area on generated detail pages (research/generate/details.py).

    research/compare/areas.py [PAGES] [--copal BINARY] [--wrong]

Reads the pages of each template together, then the first page of each template alone, and compares `area` with the mark. Prints
the share of pages whose area is exactly the marked element, and the shares that are too large (above it) and too small (below).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from shared import ROOT, copal_binary


def areas_of(copal, files):
    """File to area."""
    command = [copal, 'extract', '--kind', 'detail', '--format', 'pages', '--quiet', *map(str, files)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return {page['page']['source']: page.get('area') or '' for page in map(json.loads, lines)}


def verdict(area, mark):
    if area == mark:
        return 'exact'
    if mark.startswith(area + '/'):
        return 'above'
    return 'below' if area.startswith(mark + '/') else 'beside'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('pages', nargs='?', type=pathlib.Path)
    parser.add_argument('--copal')
    parser.add_argument('--wrong', action='store_true', help='print every wrong area')
    args = parser.parse_args()
    copal = copal_binary(args.copal)
    with tempfile.TemporaryDirectory() as folder:
        pages = args.pages or pathlib.Path(folder)
        if not args.pages:
            subprocess.run([sys.executable, str(ROOT / 'research/generate/details.py'), str(pages)], check=True)
        marks = json.loads((pages / 'areas.json').read_text())
        for name, most in [('together', None), ('alone', 1)]:
            counts, total = {}, 0
            for template in sorted({mark.split('/')[0] for mark in marks}):
                files = sorted((pages / template).glob('*.html'))[:most]
                for file, area in areas_of(copal, files).items():
                    mark = marks[f'{template}/{pathlib.Path(file).name}']
                    what = verdict(area, mark)
                    counts[what], total = counts.get(what, 0) + 1, total + 1
                    if args.wrong and what != 'exact':
                        print(f'{name} {template} {what}: {area} for {mark}')
            shares = ', '.join(f'{what} {count / total:.3f}' for what, count in sorted(counts.items()))
            print(f'{name}: {total} pages: {shares}')


if __name__ == '__main__':
    main()
