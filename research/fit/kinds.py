"""The decision between list and object: its features, its fit, and what the pipeline does with it.

The features are those of `objects/list_or_object.rs`, computed from a candidate and from the dump of `copal-lab kinds`, so
that they can be had for the list that weights without the page's site would choose. `Kind.decide` repeats
`objects/page_kind.rs` and `pipeline/kind.rs`.
"""

import collections

import numpy as np
from sklearn.linear_model import LogisticRegression

NAMES = ['main_list_logit', 'records', 'coverage', 'labels', 'labels_in_list', 'labelled_records', 'one_declared',
         'many_declared', 'declared_article', 'paragraphs', 'object_type', 'h1', 'headline_in_list', 'price']
MIN_DOUBT = 0.02
MAX_TABLE_ROWS = 60
MAX_VALUE_CHARS = 120
# a site weighs at most as much as this many pages
PAGES_PER_SITE = 4
MIN_OBJECT_EVIDENCE = 0.75


def is_inside(records, node):
    return node is not None and any(start <= node < end for parts in records for start, end in parts)


def labelled_share(side, records):
    records, count = records[:MAX_TABLE_ROWS], 0
    for parts in records:
        own = [label for label in side['labels'] if is_inside([parts], label[0])]
        count += len(own) == 1 and own[0][3] <= MAX_VALUE_CHARS
    return count / max(len(records), 1)


def features(side, records, coverage, probability):
    shown = [label for label in side['labels'] if not label[1]]
    inside = sum(is_inside(records, label[0]) for label in shown)
    facts = side['facts']
    p = min(max(probability, MIN_DOUBT), 1 - MIN_DOUBT)
    return [np.log(p / (1 - p)), np.log(1 + min(len(records), 50)) / 4, coverage, min(len(shown) - inside, 10) / 10,
            min(inside, 10) / 10, labelled_share(side, records), 1 <= facts['declared_count'] <= 2,
            facts['declared_count'] > 2, facts['declared_article'], min(facts['paragraphs'], 12) / 12, facts['object_type'],
            side['headline'] is not None and facts['h1'], is_inside(records, side['headline']),
            side['price'] is not None and not is_inside(records, side['price'])]


def object_evidence(side):
    """The formula of `page_kind.rs` on a page without a primary list."""
    facts = side['facts']
    declared = facts['declared_count']
    labels = sum(0.5 if outside else 1.0 for _, outside, own, _ in side['labels'] if own)
    evidence = 0.18 * min(labels, 10) + (1.5 if 1 <= declared <= 2 else 0.4 if declared > 2 else 0)
    if declared == 0 and facts['declared_article'] and facts['paragraphs'] >= 6:
        evidence -= 2.3
    elif declared == 0 and not facts['declared_article'] and facts['paragraphs'] >= 12:
        evidence -= 1.5
    evidence += 1.0 if facts['object_type'] else 0.0 if facts['plain_type'] else 0.2
    if side['headline'] is not None:
        evidence += 0.4 if facts['h1'] else 0.2
        evidence += 0.4 if side['price'] is not None else 0
    return evidence


def site_weights(answers, sites):
    """What each page weighs, so that no site has more than a few pages."""
    count = collections.Counter(zip(answers, sites))
    return np.array([min(1, PAGES_PER_SITE / count[key]) for key in zip(answers, sites)])


def fit(x, y, sites):
    """A logistic regression in which lists and objects weigh the same."""
    x, y = np.asarray(x, dtype=float), np.asarray(y)
    weights = site_weights(y, sites)
    for kind in (0, 1):
        weights[y == kind] *= len(y) / 2 / max(weights[y == kind].sum(), 1e-9)
    return LogisticRegression(C=1.0, max_iter=4000).fit(x, y, sample_weight=weights)


def is_object(side, records, role, list_probability, min_list):
    """True if the pipeline takes the page for an object."""
    if role == 'primary' or object_evidence(side) < MIN_OBJECT_EVIDENCE:
        return False
    is_table = len(records) <= MAX_TABLE_ROWS and labelled_share(side, records) >= 0.7
    return role is None or is_table or list_probability <= min_list


def rust(model):
    return ('//! Weights of the decision between list and object, written by `make fit`; do not edit.\n\n'
            '/// The number of features.\n'
            f'pub(super) const KIND_FEATURE_COUNT: usize = {len(NAMES)};\n'
            '/// What is added to the weighted sum.\n'
            f'pub(super) const LIST_BIAS: f64 = {model.intercept_[0]:.4f};\n'
            '/// A weight per feature; positive ones speak for a list.\n'
            'pub(super) const LIST_WEIGHTS: [f64; KIND_FEATURE_COUNT] = ['
            + ', '.join(f'{value:.4f}' for value in model.coef_[0]) + '];\n')
