"""Shared by the scripts of this folder: where the program is, pages to measure, tables."""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A page with one short list: its cost is the start of the program.
TINY = '<!DOCTYPE html><title>t</title><ul>' + '<li><a href=x>one</a> <b>1</b></li>' * 3 + '</ul>\n'


def copal_binary(given):
    """The program to measure; ends with a hint if it does not exist."""
    places = [pathlib.Path(given)] if given else [
        pathlib.Path(os.environ.get('CARGO_TARGET_DIR', ROOT / 'target')) / 'release' / 'copal']
    for place in places:
        if place.is_file():
            return str(place.resolve())
    sys.exit(f'{places[0]}: no such program: build it with cargo build --release, or name it with --copal')


def html_files(folder):
    """Every .html file below a folder, in a fixed order."""
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        sys.exit(f'{folder}: expected a folder with .html files')
    files = sorted(folder.rglob('*.html'))
    if not files:
        sys.exit(f'{folder}: no .html files below it')
    return files


def print_table(head, rows, note=None):
    """Columns as wide as they need to be; the first one is text, the others are numbers."""
    cells = [head] + [[str(cell) for cell in row] for row in rows]
    width = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for row in cells:
        print('  '.join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, width))).rstrip())
    if note:
        print(note)
    print()
