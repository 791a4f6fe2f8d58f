#!/usr/bin/env python3
"""Instructions of `copal apply` beside those of `copal extract`, counted with callgrind: a busy machine does not change them.

    research/compare/apply_instructions.py [--copal BINARY] PAGE... [--pages FILE] [--every N]

Learns a wrapper from each page, then counts the extraction of the page and the application of the wrapper to it, both as CSV. The
parse (Page::from_bytes) is taken off each run, and so is the start: what the extraction of a page with only a title takes. Reading
the wrapper file belongs to the application. Pages from which no wrapper can be learned are left out.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from instructions import count
from parse_instructions import pages_of
from shared import copal_binary, print_table


def without_parse(command):
    """(instructions of a run, and without Page::from_bytes)."""
    total, _, functions = count(command, 10**6)
    parses = [line for line in functions if 'Page::from_bytes' in line]
    return total, total - max((int(re.sub(r'\D', '', line.split()[0])) for line in parses), default=0)


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument('places', nargs='*')
    ap.add_argument('--copal')
    ap.add_argument('--pages', type=pathlib.Path)
    ap.add_argument('--every', type=int, default=1)
    args = ap.parse_args()
    copal = copal_binary(args.copal)
    rows, sums = [], [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        title, wrapper = pathlib.Path(folder) / 'title.html', pathlib.Path(folder) / 'learnt.yaml'
        title.write_text('<!DOCTYPE html><title>t</title>\n')
        start, _ = without_parse([copal, 'extract', str(title), '--format', 'csv'])
        for page in pages_of(args.places, args.pages, args.every):
            wrapper.unlink(missing_ok=True)
            subprocess.run([copal, 'learn', str(page), '-o', str(wrapper)], capture_output=True, check=False)
            if not wrapper.is_file():
                continue
            runs = [['extract', str(page)], ['apply', str(wrapper), str(page)]]
            found = [without_parse([copal, *run, '--format', 'csv']) for run in runs]
            net = [less - start for _, less in found]
            sums = [before + now for before, now in zip(sums, net)]
            millions = [f'{n / 1e6:.2f}' for n in (found[0][0], net[0], found[1][0], net[1])]
            rows.append([page.stem, *millions, f'{net[1] / net[0]:.3f}'])
    if not rows:
        sys.exit('no page from which a wrapper can be learned')
    print_table(['millions', 'extract, all', 'extract', 'apply, all', 'apply', 'ratio'], rows)
    print(f'{len(rows)} pages: extract {sums[0] / 1e6:.2f} million, apply {sums[1] / 1e6:.2f}, ratio {sums[1] / sums[0]:.3f}; start {start / 1e6:.2f}')


if __name__ == '__main__':
    main()
