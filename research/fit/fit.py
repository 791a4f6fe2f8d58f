"""Fits the scores and probabilities of the combined extractor on a corpus and writes them as Rust tables.

In: a corpus folder, its scorer, a folder with the output of `copal-lab candidates CORPUS --part opened` and of `copal-lab
kinds` for lists, negatives, objects and details, and the candidates of a corpus of pages made from it (`make derive`). Out:
crates/copal-extract/src/lists/rank/weights.rs, objects/kind_weights.rs, and a report. The folds are by site of origin, so
that no page is scored with weights that were fitted on its site. `judge.py` judges whole decisions.

    python3 research/fit/fit.py CORPUS --scorer SCORER --dumps FOLDER --made DERIVED [--write FILE --write-kinds FILE]
"""

import argparse
import hashlib
import importlib.util
import json
import os
import pickle

import kinds
import numpy as np
import trees

FOLDS = 5
TEMPERATURE = 0.2
# what a page made by program weighs, against 1 of a real one: there are seven of them for each real page
MADE_WEIGHT = 0.1
TASKS = ('lists', 'negatives', 'objects', 'details')
# negatives with these sources are detail pages
OBJECT_SOURCES = {'swde', 'products', 'recipes', 'realestate'}
# least share of the gold's texts that a page must show; the gold of some pages was read with another charset
MIN_GOLD_ON_PAGE = 0.5
# made pages whose list is hidden: none of their candidates is right
HIDDEN_SOURCES = {'tabs'}
NEW_KINDS = ('shops', 'media', 'public', 'meetings')
# whether RDR proposed a list is not used for the ranking: lists that RDR cut short would come first
# the others tell lists from pages without one; with them, the order of candidates is not better
NOT_RANKED = {'by_rdr', 'content_coverage', 'plain_before', 'labels', 'here_links', 'score', 'gap', 'labels_outside',
              'labels_in_record', 'date_share', 'price_share', 'heading_share', 'same_class', 'same_structure', 'inputs',
              'password'}
NAMES, UNRANKED = [], []
ALONE = 5.0


def load_scorer(path):
    spec = importlib.util.spec_from_file_location('score', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def site_number(site, salt):
    return int(hashlib.sha1((salt + site).encode()).hexdigest(), 16)


def read_pages(path, corpus, task, scorer=None, cache=None, real=True):
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
        if row['source'] in HIDDEN_SOURCES:
            continue
        site = row.get('domain') or row.get('site') or page['id']
        one = {'id': page['id'], 'site': site, 'source': row['source'], 'task': task, 'real': real, 'f1': None, 'share': None,
               'main': False, 'origin': row.get('origin', page['id']), 'language': row.get('language'), 'side': None,
               'features': np.array([one['features'] for one in page['candidates']]),
               'records': [one['records'] for one in page['candidates']]}
        if scorer:
            gold = json.load(open(os.path.join(corpus, page['id'] + '.json'), encoding='utf-8'))
            one['main'] = gold.get('main', True)
            one['f1'], one['share'] = scores_of_all(page, scorer.Gold(gold['records']), scorer)
            if one['f1'].max() < 0.05 and not shows_gold(page, gold, scorer):
                print(f'left out, the page does not show its gold: {page["id"]}')
                continue
        pages.append(one)
    if cache:
        with open(cache, 'wb') as file:
            pickle.dump(pages, file)
    return pages


def shows_gold(page, gold, scorer):
    shown = scorer.letters(' '.join(text for _, text in page['leaves']))
    texts = [scorer.letters(text) for record in gold['records'] for text in record['texts']]
    texts = [text for text in texts if len(text) > 2]
    return sum(text in shown for text in texts) >= MIN_GOLD_ON_PAGE * len(texts)


def read_all(args):
    """All pages of the corpus and of the one made from it, with what speaks for an object on the real ones."""
    def cache(name):
        return args.cache and f'{args.cache}.{name}.pickle'
    scorer, pages = load_scorer(args.scorer), []
    for task in TASKS:
        pages += read_pages(f'{args.dumps}/{task}.jsonl', args.corpus, task, scorer if task == 'lists' else None, cache(task))
        sides = map(json.loads, open(f'{args.dumps}/kinds.{task}.jsonl', encoding='utf-8'))
        sides = {side['id']: side for side in sides if not side.get('error')}
        for page in pages:
            page['side'] = sides.get(page['id'], page['side'])
    pages += read_pages(f'{args.dumps}/made.lists.jsonl', args.made, 'lists', scorer, cache('made.lists'), real=False)
    pages += read_pages(f'{args.dumps}/made.negatives.jsonl', args.made, 'negatives', None, cache('made.negatives'), real=False)
    read_names(f'{args.dumps}/lists.jsonl', args.without.split(',') if args.without else [], pages)
    ranked = args.ranked.split(',') if args.ranked else []
    UNRANKED[:] = [i for i in UNRANKED if NAMES[i] not in ranked]
    return pages


def read_names(path, without, pages):
    """Reads the names of the features, and removes those that are not wanted from all pages."""
    names = json.loads(open(path, encoding='utf-8').readline())['names']
    unknown = set(without) - set(names)
    if unknown:
        raise SystemExit(f'unknown features: {", ".join(sorted(unknown))}')
    kept = [i for i, name in enumerate(names) if name not in without]
    for page in pages:
        page['features'] = page['features'][:, kept]
    NAMES[:] = [names[i] for i in kept]
    UNRANKED[:] = [i for i, name in enumerate(NAMES) if name in NOT_RANKED]


def arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--dumps', required=True, help='folder with the output of copal-lab candidates and kinds')
    parser.add_argument('--made', required=True, help='corpus of pages made from this one')
    parser.add_argument('--without', help='features that are not used, with commas between them')
    parser.add_argument('--ranked', help='further features that are used for the ranking')
    parser.add_argument('--cache', help='keep the pages with their scored candidates in files that begin with this')
    return parser


def is_list(page):
    return page['task'] == 'lists' and page['main']


def is_object_page(page):
    return page['task'] in ('objects', 'details') or page['task'] == 'negatives' and page['source'] in OBJECT_SOURCES


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
    x = standardise(everything, mean, deviation).astype(np.float32)
    count = np.array([len(page['features']) for page in pages])
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    weight = np.array([1 if page['real'] else MADE_WEIGHT for page in pages])
    target = np.concatenate([np.exp((page['f1'] - page['f1'].max()) / TEMPERATURE) for page in pages])
    target /= np.repeat(np.add.reduceat(target, first), count)
    # a page without a right candidate is not an example
    weights = np.repeat(weight * [page['f1'].max() for page in pages], count) / weight.sum()
    w = np.zeros(x.shape[1])
    m, v = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, rounds + 1):
        s = x @ w.astype(np.float32)
        p = np.exp(s - np.repeat(np.maximum.reduceat(s, first), count))
        p /= np.repeat(np.add.reduceat(p, first), count)
        gradient = l2 * w + ((p - target) * weights).astype(np.float32) @ x
        m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient ** 2
        w -= rate * (m / (1 - 0.9 ** step)) / (np.sqrt(v / (1 - 0.999 ** step)) + 1e-8)
        w[UNRANKED] = 0
    return mean, deviation, w


def order(model, page, regions=24):
    """Candidates as `combined::find` keeps them: best first, none that shares nodes with a better one; with their standing."""
    mean, deviation, w = model[:3]
    scores = standardise(page['features'], mean, deviation) @ w
    taken, kept = [], []
    for i in np.argsort(-scores, kind='stable'):
        spans = [tuple(part) for parts in page['records'][i] for part in parts]
        low, high = min(span[0] for span in spans), max(span[1] for span in spans)
        if any(low < end and start < high and any(a < d and c < b for a, b in spans for c, d in other)
               for start, end, other in taken):
            continue
        taken.append((low, high, spans))
        kept.append(i)
        if len(kept) == regions:
            break
    rows = page['features'][kept].copy()
    s = scores[kept]
    rows[:, NAMES.index('score')] = s
    rows[:, NAMES.index('gap')] = [s[k] - s[1 if k == 0 else 0] if len(s) > 1 else ALONE for k in range(len(s))]
    return kept, rows


def best_region(rows):
    """The position of the best region that is not a menu, as `combined::find` takes it."""
    menu = (rows[:, NAMES.index('single_link')] >= 0.8) & (rows[:, NAMES.index('in_navigation')] >= 0.8)
    return int(np.argmin(menu))


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


def tree_weights(pages):
    """What each page weighs in the fit of the trees."""
    made = np.array([1.0 if page['real'] else MADE_WEIGHT for page in pages])
    return made * kinds.site_weights([(is_list(page), page['real']) for page in pages], [page['site'] for page in pages])


def fit_probabilities(name, rows):
    """Trees over rows of (features, answer, page, key), answer nan if there is none; the report is out of fold."""
    x, y = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=float)
    pages = [row[2] for row in rows]
    fitted = trees.fit(x, y, [fold_of(page['site']) for page in pages], tree_weights(pages), is_calibrated(pages))
    p, real = fitted[3], ~np.isnan(y) & is_calibrated(pages)
    trees.reliability(f'{name}, folds by site', p[real], y[real])
    return fitted, p, y


def is_calibrated(pages):
    """Probabilities are calibrated on real lists and negatives: there are more detail pages than users have among theirs."""
    return np.array([page['real'] and page['task'] in ('lists', 'negatives') for page in pages])


def report_choice(name, choice, pages):
    """How good the chosen lists are, by source."""
    summary(name, [choice[page['id']] for page in pages if page['real']])
    summary('  new kinds', [choice[page['id']] for page in pages if page['source'] in NEW_KINDS])
    for source in sorted({page['source'] for page in pages}):
        summary('  ' + source, [choice[page['id']] for page in pages if page['source'] == source])


def main_rows_of(pages, ranked):
    """Rows for the probability of a main list. A list page on which another region was chosen is no example."""
    rows = []
    for page in pages:
        if page['task'] == 'lists' and not page['main']:
            continue
        kept, features = ranked[page['id']]
        at = best_region(features)
        right = is_list(page) and page['f1'][kept[at]] >= 0.5
        answer = 0 if not is_list(page) else 1 if right else np.nan
        rows.append((features[at], answer, page, key(page, kept[at]), kept[at]))
    return rows


def record_rows_of(pages, ranked):
    """Rows for the probability of a list of records: all regions of pages whose gold has several."""
    rows = []
    for page in pages:
        if page['task'] == 'lists' and not page['main'] and page['real']:
            best, regions = ranked[page['id']]
            rows.extend((row, int(page['share'][i] >= 0.5), page, key(page, i)) for i, row in zip(best, regions))
    return rows


def fit_kind(rows, probabilities):
    """The decision between list and object, on what weights without the page's site would choose and say."""
    x, y, sites = [], [], []
    for (_, answer, page, _, candidate), p in zip(rows, probabilities):
        if page['side'] and answer == answer and (is_list(page) or is_object_page(page)):
            coverage = page['features'][candidate, NAMES.index('coverage')]
            x.append(kinds.features(page['side'], page['records'][candidate], coverage, p))
            y.append(int(is_list(page)))
            sites.append(page['site'])
    return kinds.fit(x, y, sites)


def fit_object(pages):
    """The decision between object and nothing, on detail pages and on pages about nothing in particular."""
    known = [page for page in pages if page['side'] and page['real'] and (is_object_page(page) or page['task'] == 'negatives')]
    x = [kinds.object_features(page['side']) for page in known]
    return kinds.fit(x, [int(is_object_page(page)) for page in known], [page['site'] for page in known])


def main():
    parser = arguments(__doc__)
    parser.add_argument('--unseen', help='write what is said of each region by trees that have not seen its site to this file')
    parser.add_argument('--write', help='write the weights of lists to this file')
    parser.add_argument('--write-kinds', help='write the weights of page kinds to this file')
    args = parser.parse_args()
    pages = read_all(args)
    lists = [page for page in pages if is_list(page)]
    report_choice('best candidates', {page['id']: page['f1'].max() for page in lists}, lists)
    # the list that each page would get from weights that were not fitted on its site
    models = [fit_rank([page for page in lists if fold_of(page['site']) != fold]) for fold in range(FOLDS)]
    model = fit_rank(lists)
    ranked = {page['id']: order(models[fold_of(page['site'])], page) for page in pages}
    report_choice('chosen, 5 folds by site', {page['id']: page['f1'][ranked[page['id']][0][0]] for page in lists}, lists)
    main_rows = main_rows_of(pages, ranked)
    right_rows = []
    for features, _, page, name, candidate in main_rows:
        if page['task'] in ('lists', 'negatives'):
            right_rows.append((features, int(is_list(page) and page['f1'][candidate] >= 0.9), page, name))
    unseen = {}

    def fit_unseen(what, name, rows):
        fitted, p, y = fit_probabilities(name, rows)
        unseen.update({f'{what} {row[3]}': float(said) for row, said in zip(rows, p) if row[2]['real']})
        return fitted, p, y
    main_list, p, _ = fit_unseen('main', 'main list', main_rows)
    right = fit_unseen('primary', 'region right (F1 >= .9)', right_rows)[0]
    records = fit_unseen('secondary', 'list of records', record_rows_of(pages, ranked))[0]
    kind = fit_kind(main_rows, p)
    objects = fit_object(pages)
    for names, fitted in ((kinds.NAMES, kind), (kinds.OBJECT_NAMES, objects)):
        for name, value in [*zip(names, fitted.coef_[0]), ('bias', fitted.intercept_[0])]:
            print(f'  {name:24} {value:+8.3f}')
    if args.unseen:
        with open(args.unseen, 'w', encoding='utf-8') as file:
            json.dump(unseen, file)
    for name, weight in sorted(zip(NAMES, model[2]), key=lambda x: -abs(x[1])):
        print(f'  {name:18} {weight:+.3f}')
    if args.write:
        write_weights(args.write, model, main_list, right, records)
    if args.write_kinds:
        with open(args.write_kinds, 'w', encoding='utf-8') as file:
            file.write(kinds.rust(kind, objects))


def write_weights(path, model, main_list, right, records):
    camel = [''.join(word.capitalize() for word in name.split('_')) for name in NAMES]
    ranked_only = [i for i in range(len(NAMES)) if i not in UNRANKED]
    part = [model[k][ranked_only] for k in range(3)]
    with open(path, 'w', encoding='utf-8') as file:
        file.write('//! Weights of the scores and probabilities, written by `make fit`; do not edit.\n\n'
                   '#![allow(clippy::unreadable_literal)]\n\n'
                   'use super::models::{LinearModel, TreeModel};\nuse crate::lists::features::vector::Feature;\n\n')
        file.write(rust('RANK', 'How good a candidate is.', part, [camel[i] for i in ranked_only]) + '\n')
        file.write(trees.rust('MAIN_LIST', 'Whether the best region is a main list.', main_list, camel) + '\n')
        file.write(trees.rust('RIGHT', 'Whether the boundaries of a main list are right.', right, camel) + '\n')
        file.write(trees.rust('RECORDS', 'Whether another region is a list of records.', records, camel))


if __name__ == '__main__':
    main()
