"""Fits the probabilities of records, columns and cells on a corpus and writes them as a Rust table.

In: a corpus folder (dev pages only), its scorer, the output of `copal-lab confidence CORPUS --min-confidence 0` for
lists and negatives, and the probability of each region from trees of fit.py that were not fitted on its site (`--unseen`),
because trees are too sure about sites that they were fitted on. Out:
crates/copal-extract/src/table/confidence/confidence_weights.rs, and reliability tables: out of fold by site, and on the
sites that are never used for fitting.

What counts as right:
- a record, if the scorer matches it with a record of the gold; no record of a page without a list is right
- a cell of a matched record, if its column is assigned to a column of the gold and the values are equal; it counts half if
  one value contains the other (as in the scorer)
- a column, if the mean agreement of its cells in matched records is one half or more

Columns and cells are judged only on pages whose gold has nearly all text of the records (COVERED). If the gold has only
some of the fields, an additional column is not wrong.

    python3 research/fit/fit_confidence.py CORPUS --scorer SCORER --lists l.jsonl --negatives n.jsonl --unseen u.json [--write FILE]
"""

import argparse
import json
import os
from collections import defaultdict

import numpy as np
import trees
from fit import FOLDS, fold_of, load_scorer, region_key, site_number, standardise

COVERED = 0.9  # least share of the matched records' letters that the gold's fields have
HELD = 5  # one site of five is never fitted on
SHOWN = 0.1  # MIN_POSSIBLE of the combined method: most lists below it are not shown as main lists
L2 = 0.03
# measures whose sign is fixed: with few sites, a free sign would be fitted to the sites
RISING = {'region', 'likeness', 'filled', 'support', 'column'}
FALLING = {'longer', 'shorter', 'links', 'images', 'more_nodes', 'fewer_nodes', 'first', 'last', 'rare', 'misfit', 'unlike_several'}


def is_held(site):
    return site_number(site, 'held') % HELD == 0


class Rows:
    """Measures with answers from 0 to 1, and their origin. All pages have the same weight, however many rows they have, and
    so have all groups of rows within a page."""

    def __init__(self):
        self.x, self.y, self.sites, self.pages = [], [], [], []

    def add(self, measures, answer, site, page):
        self.x.append(measures)
        self.y.append(answer)
        self.sites.append(site)
        self.pages.append(page)

    def done(self, groups=None):
        self.x, self.y = np.array(self.x, dtype=float), np.array(self.y, dtype=float)
        self.sites, self.pages = np.array(self.sites), np.array(self.pages)
        self.folds = np.array([fold_of(site) for site in self.sites])
        self.held = np.array([is_held(site) for site in self.sites])
        self.weight = np.ones(len(self.y)) if groups is None else 1 / np.bincount(groups)[groups]
        _, place = np.unique(self.pages, return_inverse=True)
        self.weight /= np.bincount(place, weights=self.weight)[place]
        return self


def fit(x, y, weight, names, rounds=800, rate=0.03):
    """A logistic regression with the given signs: (mean, deviation, weights, bias)."""
    weight = weight / weight.sum()
    mean = weight @ x
    deviation = np.sqrt(weight @ (x - mean) ** 2) + 1e-6
    z = standardise(x, mean, deviation)
    least = np.array([0 if name in RISING else -np.inf for name in names])
    most = np.array([0 if name in FALLING else np.inf for name in names])
    w, bias = np.zeros(x.shape[1]), 0.0
    m, v = np.zeros(len(w) + 1), np.zeros(len(w) + 1)
    for step in range(1, rounds + 1):
        error = weight * (probability(z @ w + bias) - y)
        gradient = np.append(z.T @ error + L2 * w, error.sum())
        m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient ** 2
        change = rate * (m / (1 - 0.9 ** step)) / (np.sqrt(v / (1 - 0.999 ** step)) + 1e-8)
        w, bias = np.clip(w - change[:-1], least, most), bias - change[-1]
    return mean, deviation, w, bias


def logits(model, x):
    mean, deviation, w, bias = model
    return standardise(x, mean, deviation) @ w + bias


def probability(logit):
    return 1 / (1 + np.exp(-logit))


def logit(p):
    p = min(max(p, 0.005), 0.995)
    return float(np.log(p / (1 - p)))


def fit_rows(what, rows, names):
    """The model of the fitted sites, and predictions for all rows by models that were not fitted on their site."""
    inside = ~rows.held
    said = np.zeros(len(rows.y))
    for fold in range(FOLDS):
        others, here = inside & (rows.folds != fold), inside & (rows.folds == fold)
        if here.any():
            said[here] = logits(fit(rows.x[others], rows.y[others], rows.weight[others], names), rows.x[here])
    model = fit(rows.x[inside], rows.y[inside], rows.weight[inside], names)
    said[rows.held] = logits(model, rows.x[rows.held])
    p = probability(said)
    for part, where in (('folds by site', inside), ('sites never fitted', rows.held)):
        trees.reliability(f'{what}, {part}', p[where], rows.y[where])
        print(f'  weighed as fitted: {calibration(p, rows, where):.3f} over {len(set(rows.pages[where]))} pages '
              f'of {len(set(rows.sites[where]))} sites')
    chance(p, rows)
    for name, weight in sorted(zip(names, model[2]), key=lambda one: -abs(one[1])):
        print(f'  {name:18} {weight:+.3f}')
    return model, said


def calibration(p, rows, where, bins=10):
    """The expected calibration error, with rows weighted so that all pages count the same."""
    p, y, weight = p[where], rows.y[where], rows.weight[where]
    place = np.minimum((p * bins).astype(int), bins - 1)
    gaps = np.bincount(place, weights=weight * (p - y), minlength=bins)
    return np.abs(gaps).sum() / weight.sum()


def chance(p, rows, draws=400):
    """The error on as few sites as are never fitted, drawn at random from the fitted ones."""
    sites = np.array(sorted(set(rows.sites[~rows.held])))
    number = len(set(rows.sites[rows.held]))
    drawn = np.random.default_rng(1)
    errors = [calibration(p, rows, np.isin(rows.sites, drawn.choice(sites, number, replace=False))) for _ in range(draws)]
    print(f'  {number} sites drawn from the folds: median {np.median(errors):.3f}, 95% below {np.quantile(errors, .95):.3f}')


def cells_of(scorer, gold, region, pairs):
    """The share of the records' letters that are in fields of the gold, and {(record, column): agreement} with the scorer's
    assignment of columns."""
    told = letters = 0
    total, each = defaultdict(float), {}
    for i, j in pairs:
        record = region['records'][i]
        fields = {name: scorer.values(value) for name, value in (gold.records[j].get('fields') or {}).items()}
        own = scorer.squash(record['text'])
        told += min(len(own), sum(len(x) for value in fields.values() for x in value if x in own))
        letters += len(own)
        for c, texts in enumerate(record['texts']):
            values = [x for x in scorer.values(texts) if x in own]
            if values and region['columns'][c] is not None:
                each[i, c] = {name: scorer.agreement(values, value) for name, value in fields.items() if value}
                for name, agreement in each[i, c].items():
                    if agreement:
                        total[c, name] += agreement
    rows, names = sorted({c for c, _ in total}), sorted({name for _, name in total})
    assigned = scorer.hungarian([[total.get((c, name), 0.) for name in names] for c in rows])
    assigned = {rows[a]: names[b] for a, b in assigned}
    return told / max(letters, 1), {(i, c): found.get(assigned.get(c), 0.) for (i, c), found in each.items()}


class Answers:
    """What is right and what is not on all pages."""

    def __init__(self, scorer, unseen):
        self.scorer, self.unseen = scorer, unseen
        self.records, self.columns, self.cells = Rows(), Rows(), Rows()
        self.column_of_cell = []
        self.told_apart = 0

    def add(self, page, gold, site):
        """`gold` is None for pages without a list."""
        main = gold is None or gold.get('main', True)
        found = self.scorer.Gold(gold['records']) if gold else None
        for region in page['regions']:
            # on other pages the gold has several lists, or a list that is not the main one
            if (region['role'] in ('primary', 'possible')) != main:
                continue
            key = region_key(page['id'], [one['parts'] for one in region['records']])
            # the confidence of a possible list is that it is the main one
            what = 'main' if region['role'] == 'possible' else region['role']
            sure = self.unseen.get(f'{what} {key}')
            if sure is None or main and self.unseen[f'main {key}'] < SHOWN:
                self.told_apart += sure is None
                continue
            self.add_region(region, found, main, logit(sure), (site, page['id']))

    def add_region(self, region, gold, main, sure, where):
        pairs = self.scorer.match(gold, region['records'])[0] if gold else []
        matched = {i for i, _ in pairs}
        for i, record in enumerate(region['records']):
            if self.scorer.letters(record['text']):
                self.records.add([sure, *record['measures'][1:]], i in matched, *where)
        if not main or not pairs or not any(one.get('fields') for one in gold.records):
            return
        covered, agreement = cells_of(self.scorer, gold, region, pairs)
        if covered < COVERED:
            return
        for c in sorted({c for _, c in agreement}):
            own = {i: right for (i, k), right in agreement.items() if k == c}
            self.columns.add([sure, *region['columns'][c][1:]], np.mean(list(own.values())) >= 0.5, *where)
            for i, right in own.items():
                self.cells.add(region['records'][i]['cells'][c], right, *where)
                self.column_of_cell.append(len(self.columns.y) - 1)


def rust(name, doc, model, names):
    mean, deviation, w, bias = model
    rows = ''.join(f'        ("{measure}", {a:.5f}, {d:.6f}, {x:.5f}),\n' for measure, a, d, x in zip(names, mean, deviation, w + 0.0))
    return f'\n/// {doc}\npub(super) static {name}: ConfidenceModel = ConfidenceModel {{\n    bias: {bias:.5f},\n    terms: &[\n{rows}    ],\n}};\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    for name in ('--scorer', '--lists', '--negatives', '--unseen'):
        parser.add_argument(name, required=True)
    parser.add_argument('--write', help='write the weights to this file')
    args = parser.parse_args()
    index = [json.loads(line) for line in open(os.path.join(args.corpus, 'index.jsonl'), encoding='utf-8')]
    sites = {row['id']: row.get('domain') or row.get('site') or row['id'] for row in index}
    answers = Answers(load_scorer(args.scorer), json.load(open(args.unseen, encoding='utf-8')))
    names = {}
    for path in (args.lists, args.negatives):
        for line in open(path, encoding='utf-8'):
            page = json.loads(line)
            if page.get('error'):
                continue
            names.update(page['names'])
            gold = None
            if path == args.lists:
                gold = json.load(open(os.path.join(args.corpus, page['id'] + '.json'), encoding='utf-8'))
            if gold is None or gold.get('complete', True):
                answers.add(page, gold, sites[page['id']])
    print(f'{answers.told_apart} regions left out: by weights that have not seen the site another one is there')
    record, _ = fit_rows('record', answers.records.done(), names['record'])
    column, said = fit_rows('column', answers.columns.done(), names['column'])
    # rare columns have few cells, and would not count. A cell's column, as it is judged by a model that has not seen the site
    columns = np.array(answers.column_of_cell)
    answers.cells.done(columns).x[:, names['cell'].index('column')] = said[columns]
    cell, _ = fit_rows('cell', answers.cells, names['cell'])
    if args.write:
        with open(args.write, 'w', encoding='utf-8') as file:
            file.write('//! Weights of the probabilities of records, columns and cells, written by `make fit`; do not edit.\n\n'
                       '#![allow(clippy::unreadable_literal)]\n\nuse super::linear::ConfidenceModel;\n')
            file.write(rust('RECORD_WEIGHTS', 'Whether the boundaries of a record are right.', record, names['record']))
            file.write(rust('COLUMN_WEIGHTS', 'Whether the cells of a column are one field.', column, names['column']))
            file.write(rust('CELL_WEIGHTS', 'Whether a cell of a right record is right.', cell, names['cell']))


if __name__ == '__main__':
    main()
