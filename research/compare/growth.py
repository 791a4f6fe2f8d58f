"""Measures how the cost grows with the size of the page: instructions for 1, 2, 4 and 8 copies of its body.

    research/compare/growth.py [PAGE...] [--methods mdr,buw,rdr] [--most 64] [--check] [--copal BINARY]

Counts instructions of copal extract PAGE --format pages --method M with perf (instructions:u), else with
valgrind --tool=callgrind, and takes off what a tiny page costs. Prints the counts and the ratio of each doubling; a
ratio above 2.3 is marked, and with --check makes the exit code 1. Where neither tool works a line says so and the exit code is 0.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from instructions import count as count_with_callgrind
from shared import ROOT, TINY, copal_binary, print_table

MOST = 2.3
# a table, a list and a grid
PAGES = [ROOT / 'testdata/corpus/lists/own' / f'{name}.html' for name in ('de-events', 'en-jobs', 'en-shop-grid')]


def with_perf(command):
    """(instructions, exit code), or None if perf cannot count here."""
    try:
        done = subprocess.run(['perf', 'stat', '-x,', '-e', 'instructions:u', *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    except OSError:
        return None
    count = re.search(r'^(\d+),[^,]*,instructions', done.stderr, re.MULTILINE)
    return (int(count[1]), done.returncode) if count else None


def with_valgrind(command):
    """(instructions, exit code), or None if valgrind is missing."""
    if not shutil.which('valgrind'):
        return None
    return count_with_callgrind(command)[:2]


def longer(html, copies):
    """The page with the children of its body repeated."""
    parts = re.fullmatch(r'(.*?<body[^>]*>)(.*)(</body>.*)', html, re.DOTALL | re.IGNORECASE)
    if not parts:
        sys.exit('a page without <body> and </body> cannot be repeated')
    return parts[1] + parts[2] * copies + parts[3]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('pages', nargs='*', type=pathlib.Path, help='HTML files in UTF-8 (default: a table, a list and a grid of testdata)')
    ap.add_argument('--methods', default='mdr,buw,rdr')
    ap.add_argument('--most', type=int, default=8, help='copies of the longest page (default 8); the numbers of copies are powers of two')
    ap.add_argument('--check', action='store_true', help='fail if a ratio is above the limit')
    ap.add_argument('--copal', metavar='BINARY')
    args = ap.parse_args()
    copies_of_each = [1 << power for power in range(args.most.bit_length())]
    tool = next((tool for tool in (with_perf, with_valgrind) if tool(['true'])), None)
    if not tool:
        print('instructions cannot be counted here: neither perf (instructions:u) nor valgrind works')
        return
    copal = copal_binary(args.copal)
    print(f'millions of instructions beyond those of a tiny page, counted {tool.__name__.replace("_", " ")}')
    over = False
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'page.html'

        def count(html, method):
            file.write_text(html, encoding='utf-8')
            return tool([copal, 'extract', str(file), '--quiet', '--jobs', '1', '--format', 'pages', '--method', method])
        for method in args.methods.split(','):
            fixed, code = count(TINY, method)
            if code not in (0, 1):
                sys.exit(f'copal extract ended with {code} on a tiny page')
            for page in args.pages or PAGES:
                html = page.read_text(encoding='utf-8')
                runs = [count(longer(html, copies), method) for copies in copies_of_each]
                counts = [instructions - fixed for instructions, _ in runs]
                ratios = [after / before for before, after in zip(counts, counts[1:])]
                over |= any(ratio > MOST for ratio in ratios)
                notes = [f'over {MOST}'] * any(ratio > MOST for ratio in ratios)
                notes += ['limit hit'] * any(code == 4 for _, code in runs) + ['failed'] * any(code not in (0, 1, 4) for _, code in runs)
                notes += ['no list'] * any(code == 1 for _, code in runs)
                rows.append([f'{method} {page.stem}', *[f'{n / 1e6:.2f}' for n in counts], *[f'{r:.2f}' for r in ratios], ', '.join(notes)])
            rows.append([f'{method} tiny page', f'{fixed / 1e6:.2f}', *[''] * (2 * len(copies_of_each) - 1)])
    print_table(['', *[f'{n}x' for n in copies_of_each], *[f'{a} to {b}' for a, b in zip(copies_of_each, copies_of_each[1:])], ''], rows)
    sys.exit(args.check and over)


if __name__ == '__main__':
    main()
