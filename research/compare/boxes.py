#!/usr/bin/env python3
"""Whether boxes help to choose the main list: boxes.py CORPUS --scorer SCORER --unopened FILE [--lab PROGRAM] [--pages N]

Shows list pages of opened sites that have stylesheets inside in a headless Chromium, without network and without the pages'
own scripts, and writes into each element where it is. `copal-lab candidates` then gives the candidates of these pages with
their features. The candidate with the best fitted score is compared with the one that is best if measures of boxes are
added to the score:

  area      share of the page's area that the records cover (AMBER, Definition 12)
  central   how near the middle of the list is to the middle of the page, horizontally (AMBER, Definition 12)
  columns   share of records whose left edge is one of the three most frequent ones, less the number of these edges
            (DEUDS' basic blocks)
  widths    share of records as wide as the median record, within 5%
  size      share of records whose area is within 200% of the median one (AMBER, Definition 10)
  gaps      share of gaps between neighbours that are like the median gap, within 8 pixels (DEUDS)
  order     share of neighbours in the reading order of a grid: below, or to the right in the same row

Weights are chosen by the F1 of other sites (five folds by site). F1 is the scorer's.
"""
import argparse
import hashlib
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'fit'))
import fit  # noqa: E402
from shared import ROOT, print_table  # noqa: E402

SCRIPT = '''addEventListener('load', () => { for (const e of document.querySelectorAll('*')) {
  const r = e.getBoundingClientRect();
  if (r.width * r.height > 0) e.setAttribute('data-copal-box', [r.x + scrollX, r.y + scrollY, r.width, r.height].map(Math.round).join(' '));
} });'''
MEASURES = ['area', 'central', 'columns', 'widths', 'size', 'gaps', 'order']
WEIGHTS = [0, 0.1, 0.2, 0.4, 0.8, 1.6]
FOLDS = 5


def shown(browser, text, folder):
    """The page as the browser prints it, with boxes; None if it does not."""
    head = ("<meta charset=utf-8><meta http-equiv=Content-Security-Policy content=\"script-src 'nonce-copal'\">"
            f'<script nonce=copal>{SCRIPT}</script>')
    match = re.search(r'<head[^>]*>|<!doctype[^>]*>', text, re.IGNORECASE)
    at = match.end() if match else 0
    file = folder / 'page.html'
    file.write_text(text[:at] + head + text[at:], encoding='utf-8')
    command = [browser, '--headless=new', '--no-sandbox', '--disable-gpu', '--dump-dom', '--window-size=1280,1024',
               '--host-resolver-rules=MAP * ~NOTFOUND', '--virtual-time-budget=5000', '--no-first-run',
               f'--user-data-dir={folder / "profile"}', f'file://{file}']
    try:
        printed = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120).stdout
    except subprocess.TimeoutExpired:
        return None
    printed = printed.decode('utf-8', 'replace')
    return printed if 'data-copal-box' in printed else None


def styled_pages(corpus, unopened, count):
    """Opened list pages with most CSS inside, at most two per site."""
    closed = set(pathlib.Path(unopened).read_text().split())
    found, sites = [], {}
    for line in open(corpus / 'index.jsonl', encoding='utf-8'):
        row = json.loads(line)
        site = row.get('domain') or row.get('site')
        if row['task'] != 'lists' or site in closed:
            continue
        text = (corpus / f'{row["id"]}.html').read_bytes().decode('utf-8', 'replace')
        css = sum(len(style) for style in re.findall(r'<style[^>]*>(.*?)</style>', text, re.DOTALL | re.IGNORECASE))
        found.append((css, row, text))
    found.sort(key=lambda one: -one[0])
    kept = []
    for css, row, text in found:
        site = row.get('domain') or row.get('site')
        if css > 500 and sites.get(site, 0) < 2 and len(kept) < count:
            sites[site] = sites.get(site, 0) + 1
            kept.append((row, text))
    return kept


def union(rects):
    left, top = min(r[0] for r in rects), min(r[1] for r in rects)
    right, bottom = max(r[0] + r[2] for r in rects), max(r[1] + r[3] for r in rects)
    return left, top, right - left, bottom - top


def measures(records, boxes, page_box):
    """The measures of one candidate."""
    rects = []
    for parts in records:
        inside = []
        for start, end in parts:
            node = start
            # the top elements of the part
            while node < end:
                if node in boxes:
                    inside.append(boxes[node])
                    node = boxes['end'].get(node, node + 1)
                else:
                    node += 1
        if inside:
            rects.append(union(inside))
    if len(rects) < 2:
        return [0.0] * len(MEASURES)
    count = len(rects)
    areas = [r[2] * r[3] for r in rects]
    all_of = union(rects)
    middle = statistics.median(areas)
    width = statistics.median(r[2] for r in rects)
    lefts = sorted((sum(abs(r[0] - other[0]) <= 3 for other in rects) for r in rects), reverse=True)
    edges = len({round(r[0] / 6) for r in rects})
    gaps = [after[1] - (before[1] + before[3]) if after[1] > before[1] + before[3] / 2 else after[0] - (before[0] + before[2])
            for before, after in zip(rects, rects[1:])]
    gap = statistics.median(gaps)
    ordered = [after[1] >= before[1] + before[3] / 2 or abs(after[1] - before[1]) < before[3] / 2 and after[0] > before[0]
               for before, after in zip(rects, rects[1:])]
    page_area = page_box[2] * page_box[3] or 1
    off_centre = abs(all_of[0] + all_of[2] / 2 - (page_box[0] + page_box[2] / 2)) / (page_box[2] / 2 or 1)
    return [min(1.0, sum(areas) / page_area), 1 - min(1.0, off_centre), lefts[min(2, count - 1)] / count - 0.1 * min(edges, 10),
            sum(abs(r[2] - width) <= 0.05 * width for r in rects) / count,
            sum(middle / 2 <= area <= 2 * middle for area in areas) / count,
            sum(abs(one - gap) <= 8 for one in gaps) / len(gaps), sum(ordered) / len(ordered)]


def box_features(line):
    """The measures of all candidates of a page."""
    page = json.loads(line)
    boxes = {node: tuple(map(float, text.split())) for node, text in page['boxes']}
    nodes = sorted(boxes)
    # an element ends where the next one begins that is not inside it; the ranges of records tell their ends only
    ends = {}
    for candidate in page['candidates']:
        for parts in candidate['records']:
            for start, end in parts:
                ends[start] = max(end, ends.get(start, 0))
    boxes['end'] = ends
    page_box = union([boxes[node] for node in nodes])
    return [measures(candidate['records'], boxes, page_box) for candidate in page['candidates']]


def rank_weights():
    """Mean, deviation and weight of the features of the fitted score."""
    text = (ROOT / 'crates/copal-extract/src/lists/rank/weights.rs').read_text()
    table = text[text.index('static RANK'):]
    table = table[:table.index('};')]
    found = re.findall(r'\(Feature::(\w+), (-?[\d.]+), (-?[\d.]+), (-?[\d.]+)\)', table)
    name = lambda camel: re.sub(r'(?<!^)([A-Z])', r'_\1', camel).lower()
    return {name(one[0]): tuple(map(float, one[1:])) for one in found}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--unopened', required=True)
    parser.add_argument('--lab', default=str(ROOT / 'target' / 'debug' / 'copal-lab'))
    parser.add_argument('--browser', default='chromium')
    parser.add_argument('--pages', type=int, default=60)
    parser.add_argument('--keep', type=pathlib.Path, help='folder that keeps what the browser printed')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.keep or pathlib.Path(name)
        made = folder / 'corpus'
        if not (made / 'index.jsonl').exists():
            rows = []
            for row, text in styled_pages(arguments.corpus, arguments.unopened, arguments.pages):
                printed = shown(arguments.browser, text, pathlib.Path(name))
                if printed is None:
                    continue
                target = made / f'{row["id"]}.html'
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(printed, encoding='utf-8')
                shutil.copy(arguments.corpus / f'{row["id"]}.json', made / f'{row["id"]}.json')
                rows.append(json.dumps(row))
            (made / 'index.jsonl').write_text('\n'.join(rows) + '\n')
        dump = folder / 'lists.jsonl'
        subprocess.run([arguments.lab, 'candidates', str(made), '--unopened', arguments.unopened, '--part', 'opened', '--task',
                        'lists', '-o', str(dump)], check=True)
        scorer = fit.load_scorer(arguments.scorer)
        pages = [page for page in fit.read_pages(str(dump), str(made), 'lists', scorer) if page['main']]
        fit.read_names(str(dump))
        lines = {json.loads(line)['id']: line for line in open(dump, encoding='utf-8')}
    weights = rank_weights()
    for page in pages:
        features = np.array(page['features'])
        score = np.zeros(len(features))
        for at, feature in enumerate(fit.NAMES):
            if feature in weights:
                mean, deviation, weight = weights[feature]
                score += weight * np.clip((features[:, at] - mean) / deviation, -4, 4)
        page['score'] = score
        page['boxes'] = np.array(box_features(lines[page['id']]))

    def chosen(page, weighing):
        return page['f1'][int(np.argmax(page['score'] + page['boxes'] @ weighing))]

    def mean_f1(some, weighing):
        return float(np.mean([chosen(page, weighing) for page in some])) if some else 0.0
    none = np.zeros(len(MEASURES))
    rows = [['none', f'{mean_f1(pages, none):.4f}', '', '']]
    folds = [int(hashlib.sha1(page['site'].encode()).hexdigest(), 16) % FOLDS for page in pages]
    for at, measure in enumerate(MEASURES + ['all']):
        units = [np.eye(len(MEASURES))[at]] if measure != 'all' else [np.full(len(MEASURES), 1 / 3)]
        options = [unit * weight for unit in units for weight in WEIGHTS]
        best = max(mean_f1(pages, option) for option in options)
        held, used = [], []
        for fold in range(FOLDS):
            others = [page for page, own in zip(pages, folds) if own != fold]
            option = max(options, key=lambda option: (mean_f1(others, option), -option.sum()))
            used.append(option.max())
            held += [chosen(page, option) for page, own in zip(pages, folds) if own == fold]
        rows.append([measure, f'{float(np.mean(held)):.4f}', f'{best:.4f}', ' '.join(f'{one:.1f}' for one in used)])
    best_possible = float(np.mean([page['f1'].max() for page in pages]))
    print_table(['measure', 'F1, weights of other sites', 'F1, best weight here', 'weights of the folds'], rows,
                f'{len(pages)} pages; the best candidate of each page has {best_possible:.4f}')


if __name__ == '__main__':
    main()
