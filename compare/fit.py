"""Fits the linear scores of the combined extractor on a corpus and writes them as a Rust table.

In: a corpus folder (dev pages only), its scorer, and the dumps of `copal eval CORPUS --candidates` for lists and
negatives. Out: crates/copal-extract/src/combined/weights.rs, and a report: pages folded by site, so that no site is
scored with weights that have seen it. A fixed part of the sites (by a hash of the site's name) is never fitted on.

    python3 compare/fit.py CORPUS --scorer SCORER --lists lists.jsonl --negatives negatives.jsonl [--write]
"""

import argparse
import hashlib
import importlib.util
import json
import os
import pickle

import numpy as np

FOLDS = 5
HELD = 5  # one site of five is never fitted on
TEMPERATURE = 0.35
# RDR's list alone says too much: with it lists that it cut short come first
NOT_RANKED = {'by_rdr'}
UNRANKED = []


def load_scorer(path):
    spec = importlib.util.spec_from_file_location('score', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def site_number(site, salt):
    return int(hashlib.sha1((salt + site).encode()).hexdigest(), 16)


def read_pages(path, corpus, scorer, sites, cache):
    """[(id, site, features, F1 of each candidate)] of the pages with gold of a main list; F1 None for negatives."""
    if cache and os.path.exists(cache):
        with open(cache, 'rb') as file:
            return pickle.load(file)
    pages = []
    for line in open(path, encoding='utf-8'):
        page = json.loads(line)
        if page.get('error') or not page['candidates']:
            continue
        features = np.array([one['features'] for one in page['candidates']])
        scores = None
        if scorer:
            gold = json.load(open(os.path.join(corpus, page['id'] + '.json'), encoding='utf-8'))
            if not gold.get('main', True):
                continue
            scores = np.array(f1_of_all(page, scorer.Gold(gold['records']), scorer))
        pages.append((page['id'], sites[page['id']], features, scores))
    if cache:
        with open(cache, 'wb') as file:
            pickle.dump(pages, file)
    return pages


def f1_of_all(page, gold, scorer):
    nodes = np.array([leaf[0] for leaf in page['leaves']])
    texts = [leaf[1] for leaf in page['leaves']]

    def text(parts):
        out = []
        for start, end in parts:
            a, b = np.searchsorted(nodes, [start, end])
            out.extend(texts[a:b])
        return ' '.join(out)
    known, out = {}, []
    for one in page['candidates']:
        records = []
        for parts in one['records']:
            key = str(parts)
            if key not in known:
                known[key] = text(parts)
            records.append({'text': known[key]})
        pairs, n = scorer.match(gold, records)
        out.append(scorer.f1(len(pairs), n, len(gold)))
    return out


def standardise(x, mean, deviation):
    return np.clip((x - mean) / deviation, -4, 4)


def fit_rank(pages, l2=0.03, rounds=200, rate=0.05):
    """Weights by which the candidate with the best F1 comes first: cross-entropy against a soft choice of the best."""
    everything = np.vstack([page[2] for page in pages])
    mean, deviation = everything.mean(0), everything.std(0) + 1e-6
    xs = [standardise(page[2], mean, deviation) for page in pages]
    targets = []
    for page in pages:
        t = np.exp((page[3] - page[3].max()) / TEMPERATURE)
        # a page on which nothing is right teaches nothing
        targets.append((t / t.sum(), page[3].max()))
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


def fit_list(rows, labels, l2=0.01, rounds=600, rate=0.05):
    """Logistic regression: is the best candidate of a page a main list? Both kinds of pages weigh the same."""
    x = np.array(rows)
    y = np.array(labels, float)
    mean, deviation = x.mean(0), x.std(0) + 1e-6
    z = standardise(x, mean, deviation)
    weight = np.where(y > 0.5, 0.5 / y.mean(), 0.5 / (1 - y).mean())
    w, b = np.zeros(x.shape[1]), 0.0
    m, v = np.zeros(len(w) + 1), np.zeros(len(w) + 1)
    for step in range(1, rounds + 1):
        p = 1 / (1 + np.exp(-(z @ w + b)))
        error = weight * (p - y) / len(y)
        g = np.append(z.T @ error + l2 * w, error.sum())
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g ** 2
        move = rate * (m / (1 - 0.9 ** step)) / (np.sqrt(v / (1 - 0.999 ** step)) + 1e-8)
        w, b = w - move[:-1], b - move[-1]
    return mean, deviation, w, b


def choose(model, features):
    mean, deviation, w = model[:3]
    return int(np.argmax(standardise(features, mean, deviation) @ w))


def probability(model, features):
    mean, deviation, w, b = model
    return 1 / (1 + np.exp(-(standardise(features, mean, deviation) @ w + b)))


def summary(name, scores):
    s = np.array(scores)
    if len(s):
        print(f'{name:28} {len(s):4} pages  macro {s.mean():.3f}  perfect {(s > .999).mean():.3f}  >=.9 {(s >= .9).mean():.3f}')


def rust(name, doc, model, names):
    mean, deviation, w = model[:3]
    bias = model[3] if len(model) > 3 else 0.0
    camel = [''.join(word.capitalize() for word in feature.split('_')) for feature in names]
    rows = ''.join(f'        (Feature::{feature}, {a:.5f}, {d:.6f}, {x:.5f}),\n'
                   for feature, a, d, x in zip(camel, mean, deviation, w))
    return (f'/// {doc}\npub(super) static {name}: Linear = Linear {{\n    bias: {bias:.5f},\n    terms: &[\n{rows}    ],\n}};\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--lists', required=True)
    parser.add_argument('--negatives', required=True)
    parser.add_argument('--cache', help='keep the scored candidates of the lists here')
    parser.add_argument('--write', help='write the weights to this file')
    args = parser.parse_args()
    scorer = load_scorer(args.scorer)
    index = [json.loads(line) for line in open(os.path.join(args.corpus, 'index.jsonl'), encoding='utf-8')]
    sites = {row['id']: row.get('domain') or row.get('site') or row['id'] for row in index}
    names = json.loads(open(args.lists, encoding='utf-8').readline())['names']
    global UNRANKED
    UNRANKED = [i for i, name in enumerate(names) if name in NOT_RANKED]
    lists = read_pages(args.lists, args.corpus, scorer, sites, args.cache)
    negatives = read_pages(args.negatives, args.corpus, None, sites, None)
    kept = [page for page in lists if site_number(page[1], 'held') % HELD]
    held = [page for page in lists if not site_number(page[1], 'held') % HELD]
    summary('oracle, fitted sites', [page[3].max() for page in kept])
    summary('oracle, sites never fitted', [page[3].max() for page in held])
    # folds by site over the fitted part
    scores, rows = [], []
    for fold in range(FOLDS):
        inside = [page for page in kept if site_number(page[1], 'fold') % FOLDS != fold]
        model = fit_rank(inside)
        for page in kept:
            if site_number(page[1], 'fold') % FOLDS == fold:
                best = choose(model, page[2])
                scores.append(page[3][best])
    summary('5 folds by site', scores)
    model = fit_rank(kept)
    summary('fitted on themselves', [page[3][choose(model, page[2])] for page in kept])
    summary('sites never fitted', [page[3][choose(model, page[2])] for page in held])
    for page in kept:
        best = choose(model, page[2])
        if page[3][best] >= 0.5:
            rows.append((page[2][best], 1, page[1]))
    for page in negatives:
        if site_number(page[1], 'held') % HELD:
            rows.append((page[2][choose(model, page[2])], 0, page[1]))
    right = []
    for fold in range(FOLDS):
        inside = [row for row in rows if site_number(row[2], 'fold') % FOLDS != fold]
        listing = fit_list([row[0] for row in inside], [row[1] for row in inside])
        for row in rows:
            if site_number(row[2], 'fold') % FOLDS == fold:
                right.append((row[1], probability(listing, row[0])))
    right = np.array(right)
    for cut in (0.3, 0.5, 0.7):
        found, refused = (right[right[:, 0] == 1, 1] >= cut).mean(), (right[right[:, 0] == 0, 1] < cut).mean()
        print(f'at {cut}: lists kept {found:.3f}, negatives refused {refused:.3f} (5 folds by site)')
    listing = fit_list([row[0] for row in rows], [row[1] for row in rows])
    for name, weight, other in sorted(zip(names, model[2], listing[2]), key=lambda x: -abs(x[1])):
        print(f'  {name:18} rank {weight:+.3f}  list {other:+.3f}')
    if args.write:
        with open(args.write, 'w', encoding='utf-8') as file:
            file.write('//! Weights of the linear scores, written by `make fit`; do not edit.\n\n#![allow(clippy::unreadable_literal)]\n\nuse super::features::Feature;\nuse super::rank::Linear;\n\n')
            file.write(rust('RANK', 'How good a candidate is.', model, names) + '\n')
            file.write(rust('LIST', 'Whether the best candidate is a main list.', listing, names))


if __name__ == '__main__':
    main()
