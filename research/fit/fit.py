"""Fits the scores and probabilities of the combined extractor on a corpus and writes them as a Rust table.

In: a corpus folder (dev pages only), its scorer, and the output of `copal-lab candidates CORPUS` for lists and
negatives. Out: crates/copal-extract/src/lists/rank/weights.rs, and a report. The folds are by site, so that no page is
scored with weights that were fitted on its site. A fixed part of the sites (by a hash of their names) is never used for
fitting.

    python3 research/fit/fit.py CORPUS --scorer SCORER --lists lists.jsonl --negatives negatives.jsonl [--write]
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
HELD = 5  # one site of five is never fitted on
TEMPERATURE = 0.35
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


def read_pages(path, corpus, scorer, sites, cache):
    """Pages with their candidates' features and records; with a scorer also their F1 (main lists only) and the share of
    their records that are records of the gold."""
    if cache and os.path.exists(cache):
        with open(cache, 'rb') as file:
            return pickle.load(file)
    pages = []
    for line in open(path, encoding='utf-8'):
        page = json.loads(line)
        if page.get('error') or not page['candidates']:
            continue
        one = {'id': page['id'], 'site': sites[page['id']], 'f1': None, 'share': None, 'main': False,
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


def fit_rank(pages, l2=0.03, rounds=200, rate=0.05):
    """Weights by which the candidate with the best F1 comes first: cross-entropy against a soft choice of the best."""
    everything = np.vstack([page['features'] for page in pages])
    mean, deviation = everything.mean(0), everything.std(0) + 1e-6
    xs = [standardise(page['features'], mean, deviation) for page in pages]
    targets = []
    for page in pages:
        t = np.exp((page['f1'] - page['f1'].max()) / TEMPERATURE)
        # a page without a right candidate is not an example
        targets.append((t / t.sum(), page['f1'].max()))
    w = np.zeros(everything.shape[1])
    m, v = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, rounds + 1):
        gradient = l2 * w
        for x, (t, weight) in zip(xs, targets):
            s = x @ w
            p = np.exp(s - s.max())
            p /= p.sum()
            gradient = gradient + weight * (x.T @ (p - t)) / len(xs)
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


def is_held(site):
    return site_number(site, 'held') % HELD == 0


def key(page, candidate):
    """A name for a region: its page, and the positions of its first and last records."""
    return region_key(page['id'], page['records'][candidate])


def region_key(page, records):
    return f'{page} {records[0][0][0]} {records[-1][-1][1]} {len(records)}'


def fit_probabilities(name, rows, held):
    """Trees over rows of (features, answer, site, key), answer nan if there is none; the report is out of fold, and for the
    sites never fitted."""
    x, y = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=float)
    fitted = trees.fit(x, y, [fold_of(row[2]) for row in rows])
    model, slope, shift, p = fitted
    trees.reliability(f'{name}, folds by site', p[~np.isnan(y)], y[~np.isnan(y)])
    hx, hy = np.array([row[0] for row in held]), np.array([row[1] for row in held], dtype=float)
    hp = 1 / (1 + np.exp(-(slope * model.decision_function(hx) + shift)))
    trees.reliability(f'{name}, sites never fitted', hp[~np.isnan(hy)], hy[~np.isnan(hy)])
    return fitted, p, y, hp, hy


def main():
    global NAMES, UNRANKED
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--lists', required=True)
    parser.add_argument('--negatives', required=True)
    parser.add_argument('--cache', help='keep the scored candidates of the lists here')
    parser.add_argument('--unseen', help='write what is said of each region by trees that have not seen its site to this file')
    parser.add_argument('--write', help='write the weights to this file')
    args = parser.parse_args()
    scorer = load_scorer(args.scorer)
    index = [json.loads(line) for line in open(os.path.join(args.corpus, 'index.jsonl'), encoding='utf-8')]
    sites = {row['id']: row.get('domain') or row.get('site') or row['id'] for row in index}
    NAMES = json.loads(open(args.lists, encoding='utf-8').readline())['names']
    UNRANKED = [i for i, name in enumerate(NAMES) if name in NOT_RANKED]
    every = read_pages(args.lists, args.corpus, scorer, sites, args.cache)
    negatives = read_pages(args.negatives, args.corpus, None, sites, None)
    lists = [page for page in every if page['main']]
    kept = [page for page in lists if not is_held(page['site'])]
    held = [page for page in lists if is_held(page['site'])]
    summary('oracle, fitted sites', [page['f1'].max() for page in kept])
    summary('oracle, sites never fitted', [page['f1'].max() for page in held])
    # the list that each page would get from weights that were not fitted on its site
    models = [fit_rank([page for page in kept if fold_of(page['site']) != fold]) for fold in range(FOLDS)]
    summary('5 folds by site', [page['f1'][choose(models[fold_of(page['site'])], page['features'])] for page in kept])
    model = fit_rank(kept)
    summary('fitted on themselves', [page['f1'][choose(model, page['features'])] for page in kept])
    summary('sites never fitted', [page['f1'][choose(model, page['features'])] for page in held])

    def ranked(page):
        own = model if is_held(page['site']) else models[fold_of(page['site'])]
        return order(own, page)
    main_rows, right_rows, record_rows = [], [], []
    for page in lists:
        best, rows = ranked(page)
        f1 = page['f1'][best[0]]
        right_rows.append((rows[0], int(f1 >= 0.9), page['site'], key(page, best[0])))
        # a page whose list was missed is neither a positive nor a negative example
        main_rows.append((rows[0], 1 if f1 >= 0.5 else np.nan, page['site'], key(page, best[0])))
    for page in negatives:
        best, rows = ranked(page)
        main_rows.append((rows[0], 0, page['site'], key(page, best[0])))
        right_rows.append((rows[0], 0, page['site'], key(page, best[0])))
    for page in every:
        if not page['main']:
            best, rows = ranked(page)
            record_rows.extend((row, int(page['share'][i] >= 0.5), page['site'], key(page, i)) for i, row in zip(best, rows))

    def split(rows):
        return [row for row in rows if not is_held(row[2])], [row for row in rows if is_held(row[2])]
    unseen = {}

    def fit_unseen(what, name, rows):
        inside, outside = split(rows)
        found = fit_probabilities(name, inside, outside)
        unseen.update({f'{what} {row[3]}': float(p) for row, p in zip(inside + outside, [*found[1], *found[3]])})
        return found
    main_list, p, y, hp, hy = fit_unseen('main', 'main list', main_rows)
    for cut in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        print(f'  at {cut}: lists kept {(p[y == 1] >= cut).mean():.3f}, negatives refused {(p[y == 0] < cut).mean():.3f} (folds); '
              f'{(hp[hy == 1] >= cut).mean():.3f}, {(hp[hy == 0] < cut).mean():.3f} (never fitted)')
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
