#!/usr/bin/env python3
"""Plots how much noise AMBER tolerates (Figures 7.12 and 7.13 of the thesis) and the sweeps of its thresholds.

In: noise.csv of `copal-lab noise`. Out: one SVG per domain in the same folder. Standard library only.
"""
import argparse
import csv
import pathlib
import sys
from collections import defaultdict
from html import escape

WIDTH, HEIGHT, LEFT, TOP, PLOT_W, PLOT_H = 1010, 620, 50, 50, 260, 200
GAP_X, GAP_Y = 60, 90
MEASURES = [('area_f1', 'areas', '#4477aa'), ('record_f1', 'records', '#228833'), ('attribute_f1', 'attributes', '#cc3311')]
# experiment, title, label of the axis, whether the clean run is its first point
PANELS = [
    ('pivot-added', 'false pivots', '% of the true ones', True),
    ('pivot-removed', 'missing pivots', '% of the true ones', True),
    ('keep', 'least support to keep', 'share of records', False),
    ('others-added', 'false other attributes', '% of the true ones', True),
    ('others-removed', 'missing other attributes', '% of the true ones', True),
    ('infer', 'least support to infer', 'share of records', False),
]


def text(x, y, words, anchor='middle', size=12, fill='#333333'):
    """A piece of text."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{fill}">{escape(words)}</text>'


def panel(left, top, title, axis, rows):
    """One plot; rows have x and the three measures."""
    out = [text(left + PLOT_W / 2, top - 10, title, size=14), text(left + PLOT_W / 2, top + PLOT_H + 34, axis)]
    first, last = min(row['x'] for row in rows), max(row['x'] for row in rows)
    spread = (last - first) or 1

    def place(row, measure):
        return left + PLOT_W * (row['x'] - first) / spread, top + PLOT_H * (1 - row[measure])

    for tenth in range(0, 11, 2):
        y = top + PLOT_H * (1 - tenth / 10)
        out.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + PLOT_W}" y2="{y:.1f}" stroke="#dddddd"/>')
        out.append(text(left - 6, y + 4, f'{tenth / 10:.1f}', 'end', 11))
    for row in rows:
        out.append(text(place(row, 'area_f1')[0], top + PLOT_H + 16, f'{row["x"]:g}', size=11))
    for measure, _, colour in MEASURES:
        points = [place(row, measure) for row in rows]
        line = ' '.join(f'{x:.1f},{y:.1f}' for x, y in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points)
    return out


def draw(domain, rows):
    """The SVG of one domain."""
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    clean = [row for row in rows if row['experiment'] == 'clean']
    for at, (experiment, title, axis, from_clean) in enumerate(PANELS):
        own = [row for row in rows if row['experiment'] == experiment]
        if own:
            left, top = LEFT + at % 3 * (PLOT_W + GAP_X), TOP + at // 3 * (PLOT_H + GAP_Y)
            out += panel(left, top, f'{domain}: {title}', axis, (clean if from_clean else []) + own)
    for at, (_, name, colour) in enumerate(MEASURES):
        x = LEFT + at * 140
        out.append(f'<rect x="{x}" y="{HEIGHT - 24}" width="14" height="14" fill="{colour}"/>')
        out.append(text(x + 20, HEIGHT - 12, f'F1 of {name}', 'start'))
    return '\n'.join(out + ['</svg>', ''])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('table', type=pathlib.Path, help='noise.csv of the bench')
    table = parser.parse_args().table
    if not table.is_file():
        print(f'{table}: not found: run the bench first (make noise)', file=sys.stderr)
        return 3
    domains = defaultdict(list)
    with table.open(newline='', encoding='utf-8') as lines:
        for row in csv.DictReader(lines):
            numbers = {name: float(row[name]) for name in ['x'] + [measure for measure, _, _ in MEASURES]}
            domains[row['domain']].append({**row, **numbers})
    for domain, rows in domains.items():
        path = table.with_name(f'noise-{domain}.svg')
        path.write_text(draw(domain, rows), encoding='utf-8')
        print(f'wrote {path}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
