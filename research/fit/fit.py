"""Fits the scores and probabilities of the combined extractor on a corpus and writes them as a Rust table.

In: a corpus folder, its scorer, the output of `copal-lab candidates CORPUS --part opened` for lists and negatives, and the
same for a corpus of pages made from it (`make derive`). Out: crates/copal-extract/src/lists/rank/weights.rs, and a report.
The folds are by site of origin, so that no page is scored with weights that were fitted on its site.

    python3 research/fit/fit.py CORPUS --scorer SCORER --lists lists.jsonl --negatives negatives.jsonl \\
        --made DERIVED --made-lists lists.jsonl --made-negatives negatives.jsonl [--write FILE]
"""

import argparse
import hashlib
import importlib.util
import json
import os
import pickle

import numpy as np
import trees

FOLDS = 5
TEMPERATURE = 0.2
# what a page made by program weighs, against 1 of a real one: there are seven of them for each real page
MADE_WEIGHT = 0.1
NEW_KINDS = ('shops', 'media', 'public', 'meetings')
# whether RDR proposed a list is not used for the ranking: lists that RDR cut short would come first
NOT_RANKED = {'by_rdr', 'content_coverage', 'plain_before', 'labels', 'here_links', 'score', 'gap'}
NAMES, UNRANKED = [], []
ALONE = 5.0


def load_scorer(path):
    spec = importlib.util.spec_from_file_location('score', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def site_number(site, salt):
    return int(hashlib.sha1((salt + site).encode()).hexdigest(), 16)


def read_pages(path, corpus, scorer, cache=None, weight=1.0):
    """Pages with their candidates' features and records; with a scorer also their F1 (main lists only) and the share of
    their records that are records of the gold."""
    if cache and os.path.exists(cache):
        with open(cache, 'rb') as file:
            return pickle.load(file)
    index = [json.loads(line) for line in open(os.path.join(corpus, 'index.jsonl'), encoding='utf-8')]
    rows = {row['id']: row for row in index}
    pages = []
    for line in open(path, encoding='utf-8'):
        page = json.loads(line)
        if page.get('error') or not page['candidates']:
            continue
        row = rows[page['id']]
        site = row.get('domain') or row.get('site') or page['id']
        one = {'id': page['id'], 'site': site, 'source': row['source'], 'weight': weight, 'f1': None, 'share': None, 'main': False,
               'features': np.array([one['features'] for one in page['candidates']]),
               'records': [one['records'] for one in page['candidates']]}
        if scorer:
            gold = json.load(open(os.path.join(corpus, page['id'] + '.json'), encoding='utf-8'))
            one['main'] = gold.get('main', True)
            one['f1'], one['share'] = scores_of_all(page, scorer.Gold(gold['records']), scorer)
        pages.append(one)
    if cache:
        with open(cache, 'wb') as file:
            pickle.dump(pages, file)
    return pages


def scores_of_all(page, gold, scorer):
    nodes = np.array([leaf[0] for leaf in page['leaves']])
    texts = [leaf[1] for leaf in page['leaves']]

    def text(parts):
        out = []
        for start, end in parts:
            a, b = np.searchsorted(nodes, [start, end])
            out.extend(texts[a:b])
        return ' '.join(out)
    known, out, share = {}, [], []
    for one in page['candidates']:
        records = []
        for parts in one['records']:
            key = str(parts)
            if key not in known:
                known[key] = text(parts)
            records.append({'text': known[key]})
        pairs, n = scorer.match(gold, records)
        out.append(scorer.f1(len(pairs), n, len(gold)))
        share.append(len(pairs) / max(n, 1))
    return np.array(out), np.array(share)


def standardise(x, mean, deviation):
    return np.clip((x - mean) / deviation, -4, 4)


def fit_rank(pages, l2=0.02, rounds=250, rate=0.05):
    """Weights by which the candidate with the best F1 comes first: cross-entropy against a soft choice of the best."""
    everything = np.vstack([page['features'] for page in pages])
    mean, deviation = everything.mean(0), everything.std(0) + 1e-6
    xs = [standardise(page['features'], mean, deviation) for page in pages]
    targets = []
    for page in pages:
        t = np.exp((page['f1'] - page['f1'].max()) / TEMPERATURE)
        # a page without a right candidate is not an example
        targets.append((t / t.sum(), page['f1'].max() * page['weight']))
    total = sum(page['weight'] for page in pages)
    w = np.zeros(everything.shape[1])
    m, v = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, rounds + 1):
        gradient = l2 * w
        for x, (t, weight) in zip(xs, targets):
            s = x @ w
            p = np.exp(s - s.max())
            p /= p.sum()
            gradient = gradient + weight * (x.T @ (p - t)) / total
        m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient ** 2
        w -= rate * (m / (1 - 0.9 ** step)) / (np.sqrt(v / (1 - 0.999 ** step)) + 1e-8)
        w[UNRANKED] = 0
    return mean, deviation, w


def choose(model, features):
    mean, deviation, w = model[:3]
    return int(np.argmax(standardise(features, mean, deviation) @ w))


def order(model, page, regions=24):
    """Candidates as `combined::find` keeps them: best first, none that shares nodes with a better one; with their standing."""
    mean, deviation, w = model[:3]
    scores = standardise(page['features'], mean, deviation) @ w
    taken, kept = [], []
    for i in np.argsort(-scores, kind='stable'):
        spans = [tuple(part) for parts in page['records'][i] for part in parts]
        if any(a < d and c < b for a, b in spans for c, d in taken):
            continue
        taken.extend(spans)
        kept.append(i)
        if len(kept) == regions:
            break
    rows = page['features'][kept].copy()
    s = scores[kept]
    rows[:, NAMES.index('score')] = s
    rows[:, NAMES.index('gap')] = [s[k] - s[1 if k == 0 else 0] if len(s) > 1 else ALONE for k in range(len(s))]
    return kept, rows


def summary(name, scores):
    s = np.array(scores)
    if len(s):
        print(f'{name:28} {len(s):4} pages  macro {s.mean():.3f}  perfect {(s > .999).mean():.3f}  >=.9 {(s >= .9).mean():.3f}')


def rust(name, doc, model, names):
    mean, deviation, w = model[:3]
    bias = model[3] if len(model) > 3 else 0.0
    rows = ''.join(f'        (Feature::{feature}, {a:.5f}, {d:.6f}, {x:.5f}),\n'
                   for feature, a, d, x in zip(names, mean, deviation, w))
    return (f'/// {doc}\npub(super) static {name}: LinearModel = LinearModel {{\n    bias: {bias:.5f},\n    terms: &[\n{rows}    ],\n}};\n')


def fold_of(site):
    return site_number(site, 'fold') % FOLDS


def key(page, candidate):
    """A name for a region: its page, and the positions of its first and last records."""
    return region_key(page['id'], page['records'][candidate])


def region_key(page, records):
    return f'{page} {records[0][0][0]} {records[-1][-1][1]} {len(records)}'


def fit_probabilities(name, rows):
    """Trees over rows of (features, answer, page, key), answer nan if there is none; the report is out of fold."""
    x, y = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=float)
    weights = np.array([row[2]['weight'] for row in rows])
    fitted = trees.fit(x, y, [fold_of(row[2]['site']) for row in rows], weights)
    p, real = fitted[3], ~np.isnan(y) & (weights >= 1)
    trees.reliability(f'{name}, folds by site', p[real], y[real])
    return fitted, p, y


def report_choice(name, choice, pages):
    """How good the chosen lists are, by source."""
    summary(name, [choice[page['id']] for page in pages if page['weight'] >= 1])
    summary('  new kinds', [choice[page['id']] for page in pages if page['source'] in NEW_KINDS])
    for source in sorted({page['source'] for page in pages}):
        summary('  ' + source, [choice[page['id']] for page in pages if page['source'] == source])


def main():
    global NAMES, UNRANKED
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--lists', required=True)
    parser.add_argument('--negatives', required=True)
    parser.add_argument('--made', required=True, help='corpus of pages made from this one')
    parser.add_argument('--made-lists', required=True)
    parser.add_argument('--made-negatives', required=True)
    parser.add_argument('--cache', help='keep the scored candidates of the lists in files that begin with this')
    parser.add_argument('--unseen', help='write what is said of each region by trees that have not seen its site to this file')
    parser.add_argument('--write', help='write the weights to this file')
    args = parser.parse_args()
    scorer = load_scorer(args.scorer)
    NAMES = json.loads(open(args.lists, encoding='utf-8').readline())['names']
    UNRANKED = [i for i, name in enumerate(NAMES) if name in NOT_RANKED]

    def cache(name):
        return args.cache and f'{args.cache}.{name}.pickle'
    every = read_pages(args.lists, args.corpus, scorer, cache('lists'))
    every += read_pages(args.made_lists, args.made, scorer, cache('made'), MADE_WEIGHT)
    negatives = read_pages(args.negatives, args.corpus, None)
    negatives += read_pages(args.made_negatives, args.made, None, weight=MADE_WEIGHT)
    lists = [page for page in every if page['main']]
    report_choice('best candidates', {page['id']: page['f1'].max() for page in lists}, lists)
    # the list that each page would get from weights that were not fitted on its site
    models = [fit_rank([page for page in lists if fold_of(page['site']) != fold]) for fold in range(FOLDS)]
    model = fit_rank(lists)
    ranked = {page['id']: order(models[fold_of(page['site'])], page) for page in every + negatives}
    report_choice('chosen, 5 folds by site', {page['id']: page['f1'][ranked[page['id']][0][0]] for page in lists}, lists)
    main_rows, right_rows, record_rows = [], [], []
    for page in lists:
        best, rows = ranked[page['id']]
        f1 = page['f1'][best[0]]
        right_rows.append((rows[0], int(f1 >= 0.9), page, key(page, best[0])))
        # a page whose list was missed is neither a positive nor a negative example
        main_rows.append((rows[0], 1 if f1 >= 0.5 else np.nan, page, key(page, best[0])))
    for page in negatives:
        best, rows = ranked[page['id']]
        main_rows.append((rows[0], 0, page, key(page, best[0])))
        right_rows.append((rows[0], 0, page, key(page, best[0])))
    for page in every:
        if not page['main'] and page['weight'] >= 1:
            best, rows = ranked[page['id']]
            record_rows.extend((row, int(page['share'][i] >= 0.5), page, key(page, i)) for i, row in zip(best, rows))
    unseen = {}

    def fit_unseen(what, name, rows):
        fitted, p, y = fit_probabilities(name, rows)
        unseen.update({f'{what} {row[3]}': float(said) for row, said in zip(rows, p) if row[2]['weight'] >= 1})
        return fitted, p, y
    main_list, p, y = fit_unseen('main', 'main list', main_rows)
    sources = np.array([row[2]['source'] for row in main_rows])
    real = np.array([row[2]['weight'] >= 1 for row in main_rows])
    for cut in (0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        kept = {'lists': real, 'new kinds': np.isin(sources, NEW_KINDS), 'thin-2': sources == 'thin-2', 'inset': sources == 'inset'}
        refused = {'negatives': real, 'none': sources == 'none', 'removed': sources == 'removed'}
        print(f'  at {cut}: kept ' + ', '.join(f'{name} {(p[(y == 1) & rows] >= cut).mean():.3f}' for name, rows in kept.items())
              + '; refused ' + ', '.join(f'{name} {(p[(y == 0) & rows] < cut).mean():.3f}' for name, rows in refused.items()))
    right = fit_unseen('primary', 'region right (F1 >= .9)', right_rows)[0]
    records = fit_unseen('secondary', 'list of records', record_rows)[0]
    if args.unseen:
        with open(args.unseen, 'w', encoding='utf-8') as file:
            json.dump(unseen, file)
    for name, weight in sorted(zip(NAMES, model[2]), key=lambda x: -abs(x[1])):
        print(f'  {name:18} {weight:+.3f}')
    if args.write:
        camel = [''.join(word.capitalize() for word in name.split('_')) for name in NAMES]
        ranked_only = [i for i in range(len(NAMES)) if i not in UNRANKED]
        part = [model[k][ranked_only] for k in range(3)]
        with open(args.write, 'w', encoding='utf-8') as file:
            file.write('//! Weights of the scores and probabilities, written by `make fit`; do not edit.\n\n'
                       '#![allow(clippy::unreadable_literal)]\n\n'
                       'use super::models::{LinearModel, TreeModel};\nuse crate::lists::features::vector::Feature;\n\n')
            file.write(rust('RANK', 'How good a candidate is.', part, [camel[i] for i in ranked_only]) + '\n')
            file.write(trees.rust('MAIN_LIST', 'Whether the best region is a main list.', main_list, camel) + '\n')
            file.write(trees.rust('RIGHT', 'Whether the boundaries of a main list are right.', right, camel) + '\n')
            file.write(trees.rust('RECORDS', 'Whether another region is a list of records.', records, camel))


if __name__ == '__main__':
    main()
