"""Fits the decision between list and object, and writes its weights as a Rust table.

In: a corpus folder and the dumps of `copal-lab kinds CORPUS --task TASK` for lists, negatives, objects and details. Of the
negatives, only pages of sources with detail pages are used. Out: the report, with pages judged by weights that have not
seen their site, and the table.

    python3 research/fit/fit_kinds.py CORPUS --dumps FOLDER --unseen unseen.json [--write FILE]
"""

import argparse
import collections
import json
import os

import numpy as np
from fit import fold_of
from sklearn.linear_model import LogisticRegression

KINDS = ['object', 'list']
OBJECT_SOURCES = {'swde', 'products', 'recipes', 'realestate'}
FOLDS = 5
# each kind weighs the same, and a site at most as much as this many pages
PAGES_PER_SITE = 4


def read(corpus, dumps, unseen):
    index = [json.loads(line) for line in open(os.path.join(corpus, 'index.jsonl'), encoding='utf-8')]
    known = {row['id']: row for row in index}
    # the probability of a main list from trees that have not seen the site; the others are too sure
    honest = {key.split()[1]: p for key, p in unseen.items() if key.startswith('main ')}
    rows = []
    for task in ('lists', 'negatives', 'objects', 'details'):
        for line in open(os.path.join(dumps, task + '.jsonl'), encoding='utf-8'):
            page = json.loads(line)
            if page.get('error'):
                continue
            row = known[page['id']]
            page['features']['main_list_probability'] = honest.get(page['id'], page['features']['main_list_probability'])
            if task == 'lists':
                if row.get('main') is False:
                    continue
                kind = 'list'
            elif task == 'negatives' and row['source'] not in OBJECT_SOURCES:
                continue
            else:
                kind = 'object'
            rows.append({'id': page['id'], 'task': task, 'source': row['source'], 'kind': KINDS.index(kind),
                         'site': row.get('domain') or row.get('site') or page['id'], 'features': page['features']})
    return rows


def weights_of(rows):
    sites = collections.Counter((row['kind'], row['site']) for row in rows)
    weight = np.array([min(1, PAGES_PER_SITE / sites[row['kind'], row['site']]) for row in rows])
    kinds = np.array([row['kind'] for row in rows])
    for kind in range(len(KINDS)):
        weight[kinds == kind] /= weight[kinds == kind].sum()
    return weight * len(rows) / len(KINDS)


def fitted(x, y, weight, strength):
    return LogisticRegression(C=strength, max_iter=4000).fit(x, y, sample_weight=weight)


def report(rows, predicted):
    groups = collections.defaultdict(lambda: [0] * len(KINDS))
    for row, kind in zip(rows, predicted):
        groups[row['task'], KINDS[row['kind']], 'all'][kind] += 1
        groups[row['task'], KINDS[row['kind']], row['source']][kind] += 1
    print(f'{"task":10} {"kind":8} {"source":14} ' + ' '.join(f'{kind:>8}' for kind in KINDS))
    for (task, kind, source), counts in sorted(groups.items()):
        print(f'{task:10} {kind:8} {source:14} ' + ' '.join(f'{count:8}' for count in counts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--dumps', required=True)
    parser.add_argument('--unseen', help='probabilities of main lists by weights that have not seen the site (fit.py --unseen)')
    parser.add_argument('--strength', type=float, default=1.0)
    parser.add_argument('--write')
    args = parser.parse_args()
    unseen = json.load(open(args.unseen, encoding='utf-8')) if args.unseen else {}
    rows = read(args.corpus, args.dumps, unseen)
    names = list(rows[0]['features'])
    x = np.array([[row['features'][name] for name in names] for row in rows])
    y = np.array([row['kind'] for row in rows])
    weight = weights_of(rows)
    folds = np.array([fold_of(row['site']) for row in rows])
    predicted = np.zeros(len(rows), dtype=int)
    for fold in range(FOLDS):
        here = folds == fold
        predicted[here] = fitted(x[~here], y[~here], weight[~here], args.strength).predict(x[here])
    print('judged by weights that have not seen the site')
    report(rows, predicted)
    model = fitted(x, y, weight, args.strength)
    for name, value in zip(names, model.coef_[0]):
        print(f'  {name:24} {value:+8.3f}')
    print(f'  {"bias":24} {model.intercept_[0]:+8.3f}')
    if args.write:
        with open(args.write, 'w', encoding='utf-8') as file:
            file.write('//! Weights of the decision between list and object, written by `research/fit/fit_kinds.py`; do not edit.\n\n'
                       '/// The number of features.\n'
                       f'pub(super) const KIND_FEATURE_COUNT: usize = {len(names)};\n'
                       '/// What is added to the weighted sum.\n'
                       f'pub(super) const LIST_BIAS: f64 = {model.intercept_[0]:.4f};\n'
                       '/// A weight per feature; positive ones speak for a list.\n'
                       'pub(super) const LIST_WEIGHTS: [f64; KIND_FEATURE_COUNT] = ['
                       + ', '.join(f'{value:.4f}' for value in model.coef_[0]) + '];\n')


if __name__ == '__main__':
    main()
