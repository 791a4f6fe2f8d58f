"""Fits the choice between candidates for a field, and writes its weights as a Rust table.

In: a corpus folder and dumps of `copal-lab fields CORPUS` (with different --together, and with domains of
`masked_domains.py`). Out: the report, and the table. A page and attribute is one example: the candidates and the choice
of none compete in a softmax, and the right ones are those that agree with the gold. The weights stay near those that
were set by hand, as far as the examples do not contradict them.

The report judges every example twice: by weights that have not seen its site, and by weights that have not seen its
vertical (fitted on seven verticals of SWDE, tried on the eighth).

    python3 research/fit/fit_fields.py CORPUS DUMP... [--each-site] [--write FILE]
"""

import argparse
import collections
import hashlib
import json
import os
import unicodedata

import numpy as np

FOLDS = 5
# the scores that a candidate must reach, as in field_choice.rs
MIN_SCORE, MIN_SINGLE_PAGE_SCORE = 2.0, 1.0
# differences of scores that matter
TEMPERATURE = 0.5
# an example without a right candidate, or of an attribute that the page lacks
ABSENT_WEIGHT = 0.15
EXAMPLES_PER_SITE = 60
# weights set by hand, which the fit starts from and stays near; the first seven are those of the thesis
HAND_SET = {'dc': 1.06, 'rpr': 1.03, 'ta': 1.03, 'tps': 1.01, 'lp': 1.0, 'ce': 1.0, 'ir': 1.0, 'of_site': -2.5,
            'of_list': -0.8, 'long': 0.2, 'instalment': -1.2, 'price_range': -1.2, 'explicit_label': 1.4,
            'label_line': 1.0, 'heading_of_section': 1.2, 'heading_of_value': 0.4, 'recognised_after_label': 0.6,
            'recognised': 0.3, 'declared': 1.8, 'headline': 3.6, 'title': 0.9, 'class': 0.7, 'weak_label': -0.8,
            'label_rank': -0.3, 'most_of_line': 0.5, 'in_line': -1.0, 'in_paragraph': -1.6, 'outside': -2.5,
            'doubtful': -0.8, 'static_after_explicit_label': -0.5, 'static_after_label': -2.0, 'static_text': -2.5,
            'near_headline': 0.6, 'near_above_headline': 0.4, 'above_headline': -0.2, 'recognised_in_headline': 0.5,
            'bold': 0.1, 'large': 0.1}
# gold names of attributes that our domains call otherwise
ALIASES = {'count_bedrooms': ['bedrooms'], 'count_bathrooms': ['bathrooms'], 'price_string': ['price'],
           'address_string': ['location', 'address'], 'postal_code': ['postcode'], 'city': ['town'], 'region': ['county'],
           'street_address': ['street'], 'constructed_area': ['floor_area', 'area'], 'instructions_list': ['instructions']}


def fold_of(site):
    return int(hashlib.sha1(site.encode()).hexdigest(), 16) % FOLDS


def plain(text):
    text = unicodedata.normalize('NFKC', str(text)).casefold()
    return ' '.join(''.join(c for c in text if unicodedata.category(c) != 'Cf').split())


def agrees(texts, wanted):
    def same(a, b):
        return a == b or (a in b or b in a) and 2 * min(len(a), len(b)) >= max(len(a), len(b))
    return any(same(plain(x), w) for x in texts if plain(x) for w in wanted)


def read(corpus, dumps):
    index = {}
    for line in open(os.path.join(corpus, 'index.jsonl'), encoding='utf-8'):
        row = json.loads(line)
        index[row['id']] = row
    gold, schema = {}, collections.defaultdict(set)
    examples, names = [], None
    rows = [json.loads(line) for dump in dumps for line in open(dump, encoding='utf-8')]
    for row in rows:
        if row['id'] not in gold:
            with open(os.path.join(corpus, row['id'] + '.json'), encoding='utf-8') as file:
                gold[row['id']] = json.load(file)
            page = gold[row['id']]
            schema[index[row['id']]['source'], page.get('vertical')] |= set(page['fields'])
    for row in rows:
        page, known = gold[row['id']], index[row['id']]
        wanted = schema[known['source'], page.get('vertical')]
        name = next((x for x in sorted(wanted) if row['attribute'] in [x, *ALIASES.get(x, [])]), None)
        if name is None or name in (page.get('hidden') or {}):
            continue
        values = {plain(x) for x in page['fields'].get(name, [])}
        # only SWDE says which attributes a page does not have
        if not values and known['source'] != 'swde':
            continue
        names = names or row['names']
        features = np.array([x['features'] for x in row['candidates']])
        right = np.array([bool(values) and agrees(x['texts'], values) for x in row['candidates']])
        examples.append({'site': known.get('domain') or known['site'], 'vertical': f"{known['source']}/{page.get('vertical')}",
                         'features': features, 'right': right, 'has_value': bool(values),
                         'least': MIN_SCORE if row['pages'] > 1 else MIN_SINGLE_PAGE_SCORE})
    return examples, names


def weights_of(examples):
    sites = collections.Counter(x['site'] for x in examples)
    return [min(1, EXAMPLES_PER_SITE / sites[x['site']]) * (1 if x['right'].any() else ABSENT_WEIGHT) for x in examples]


def fitted(examples, start, strength, rounds=150, step=0.05):
    """Gradient descent (Adam) on the softmax loss, with a penalty for leaving `start`."""
    features = np.vstack([x['features'] for x in examples])
    right = np.concatenate([x['right'] for x in examples])
    sizes = np.array([len(x['right']) for x in examples])
    owner = np.repeat(np.arange(len(examples)), sizes)
    least = np.array([x['least'] for x in examples]) / TEMPERATURE
    any_right = np.array([x['right'].any() for x in examples])
    weight = np.array(weights_of(examples))
    total = weight.sum()
    w = start.copy()
    mean, square = np.zeros_like(w), np.zeros_like(w)
    for k in range(1, rounds + 1):
        score = features @ w / TEMPERATURE
        top = np.maximum(np.maximum.reduceat(score, np.concatenate([[0], np.cumsum(sizes)[:-1]])), least)
        e = np.exp(score - top[owner])
        none = np.exp(least - top)
        all_sum = np.bincount(owner, e, len(examples)) + none
        right_sum = np.bincount(owner, e * right, len(examples))
        target = np.where(any_right[owner], e * right / np.maximum(right_sum[owner], 1e-12), 0)
        gradient = features.T @ ((e / all_sum[owner] - target) * weight[owner]) / TEMPERATURE / total
        gradient += strength * (w - start)
        mean, square = .9 * mean + .1 * gradient, .999 * square + .001 * gradient ** 2
        w -= step * (mean / (1 - .9 ** k)) / (np.sqrt(square / (1 - .999 ** k)) + 1e-8)
    return w


def judged(examples, w):
    """Right choices, choices, and values that there are to choose."""
    right = chosen = values = 0
    for x in examples:
        score = x['features'] @ w
        best = int(np.argmax(score))
        values += x['has_value']
        if score[best] >= x['least']:
            chosen += 1
            right += bool(x['right'][best])
    return np.array([right, chosen, values])


def f1(counts):
    return 2 * counts[0] / max(counts[1] + counts[2], 1)


def left_out(examples, start, strength, group_of):
    """Counts of the weights in use and of fitted ones, per group that was left out of the fit."""
    groups = sorted({group_of(x) for x in examples})
    result = {}
    for group in groups:
        held = [x for x in examples if group_of(x) == group]
        w = fitted([x for x in examples if group_of(x) != group], start, strength)
        result[group] = (judged(held, start), judged(held, w))
    return result


def interval(values, draws=10000):
    """95% interval of the mean, by bootstrap over groups."""
    random = np.random.default_rng(1)
    means = random.choice(values, (draws, len(values))).mean(axis=1)
    return np.percentile(means, [2.5, 97.5])


def report(title, result):
    print(title)
    totals = [sum(x[k] for x in result.values()) for k in (0, 1)]
    for group, (before, after) in sorted(result.items(), key=lambda x: str(x[0])):
        print(f'  {str(group):24} {f1(before):.3f} -> {f1(after):.3f}  of {before[2]} values')
    print(f'  {"all":24} {f1(totals[0]):.3f} -> {f1(totals[1]):.3f}')
    means = [np.mean([f1(x[k]) for x in result.values()]) for k in (0, 1)]
    low, high = interval([f1(x[1]) for x in result.values()])
    print(f'  {"mean over groups":24} {means[0]:.3f} -> {means[1]:.3f} [{low:.3f}, {high:.3f}]')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('dumps', nargs='+')
    parser.add_argument('--strength', type=float, default=0.1, help='how much it costs to leave the weights set by hand')
    parser.add_argument('--each-site', action='store_true', help='leave out one site at a time instead of a fifth of them')
    parser.add_argument('--write', metavar='FILE')
    args = parser.parse_args()
    examples, names = read(args.corpus, args.dumps)
    start = np.array([HAND_SET[name] for name in names])
    print(f'{len(examples)} pages and attributes of {len({x["site"] for x in examples})} sites')
    group = (lambda x: x['site']) if args.each_site else (lambda x: fold_of(x['site']))
    report('weights that have not seen the site', left_out(examples, start, args.strength, group))
    swde = [x for x in examples if x['vertical'].startswith('swde/')]
    report('weights that have not seen the vertical', left_out(swde, start, args.strength, lambda x: x['vertical']))
    w = fitted(examples, start, args.strength)
    for name, before, after in zip(names, start, w):
        print(f'  {name:28} {before:+6.2f} -> {after:+6.2f}')
    if args.write:
        with open(args.write, 'w', encoding='utf-8') as file:
            file.write('//! Weights of the choice between field candidates, written by `research/fit/fit_fields.py`; do not edit.\n\n'
                       '/// The number of features.\n'
                       f'pub(super) const CHOICE_FEATURE_COUNT: usize = {len(names)};\n'
                       '/// A weight per feature.\n'
                       'pub(super) const CHOICE_WEIGHTS: [f64; CHOICE_FEATURE_COUNT] = ['
                       + ', '.join(f'{x:.3f}' for x in w) + '];\n')


if __name__ == '__main__':
    main()
