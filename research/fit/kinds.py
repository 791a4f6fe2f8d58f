"""The decisions between list and object and between object and nothing: features, fits, and what the pipeline does with them.

The features are those of `objects/list_or_object.rs` and `objects/object_or_nothing.rs`, computed from a candidate and from
the dump of `copal-lab kinds`, so that they can be had for the list that weights without the page's site would choose.
`is_object` repeats `objects/page_kind.rs` and `pipeline/kind.rs`.
"""

import collections

import numpy as np
from sklearn.linear_model import LogisticRegression

NAMES = ['main_list_logit', 'records', 'coverage', 'labels', 'labels_in_list', 'labelled_records', 'one_declared',
         'many_declared', 'declared_article', 'paragraphs', 'object_type', 'h1', 'headline_in_list', 'price']
OBJECT_NAMES = ['labels', 'labels_outside', 'one_declared', 'many_declared', 'article_text', 'paragraphs', 'object_type',
                'other_type', 'headline', 'h1', 'price']
MIN_DOUBT = 0.02
MAX_TABLE_ROWS = 60
MAX_VALUE_CHARS = 120
# a site weighs at most as much as this many pages
PAGES_PER_SITE = 4
# the threshold of page_kind.rs
MIN_OBJECT = 0.3


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


def object_features(side):
    """What tells an object from a page that is about nothing in particular."""
    facts, declared = side['facts'], side['facts']['declared_count']
    own = [outside for _, outside, is_own, _ in side['labels'] if is_own]
    paragraphs = min(facts['paragraphs'], 12) / 12
    # many sites declare every page as an article
    article_text = facts['declared_article'] * min(2 * paragraphs, 1)
    has_headline, other_type = side['headline'] is not None, not facts['plain_type'] and not facts['object_type']
    return [np.log1p(own.count(False)), np.log1p(own.count(True)), 1 <= declared <= 2, declared > 2,
            article_text, paragraphs, facts['object_type'], other_type, has_headline,
            has_headline and facts['h1'], has_headline and side['price'] is not None]


def site_weights(answers, sites):
    """What each page weighs, so that no site has more than a few pages."""
    count = collections.Counter(zip(answers, sites))
    return np.array([min(1.0, PAGES_PER_SITE / count[key]) for key in zip(answers, sites)])


def fit(x, y, sites):
    """A logistic regression in which lists and objects weigh the same."""
    x, y = np.asarray(x, dtype=float), np.asarray(y)
    weights = site_weights(y, sites)
    for kind in (0, 1):
        weights[y == kind] *= len(y) / 2 / max(weights[y == kind].sum(), 1e-9)
    return LogisticRegression(C=1.0, max_iter=4000).fit(x, y, sample_weight=weights)


def declares_object(side):
    """True if the page says that it is about one object."""
    return bool(side['facts']['object_type'] or 1 <= side['facts']['declared_count'] <= 2)


def is_object(role, declares, object_probability, list_probability, min_object, min_list):
    """True if the pipeline takes the page for an object."""
    if role == 'primary' and not declares or object_probability < min_object:
        return False
    return role is None or list_probability <= min_list


def table(prefix, doc, model):
    weights = ', '.join(f'{value:.4f}' for value in model.coef_[0])
    return (f'/// What is added to the weighted sum.\npub(super) const {prefix}_BIAS: f64 = {model.intercept_[0]:.4f};\n'
            f'/// A weight per feature; positive ones speak for {doc}.\n'
            f'pub(super) const {prefix}_WEIGHTS: [f64; {len(model.coef_[0])}] = [{weights}];\n')


def rust(kind, objects):
    return ('//! Weights of the decisions between list and object and between object and nothing, written by `make fit`; do not\n'
            '//! edit.\n\n' + table('LIST', 'a list', kind) + table('OBJECT', 'an object', objects))
