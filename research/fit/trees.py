"""Probabilities from boosted trees of depth two, calibrated, and written as a Rust table.

Small trees can express what a sum cannot: much prose before a list is evidence against it only if the list is small.
"""

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier

# many examples per leaf: with five, the trees learned single sites (docs/decisions/0003)
TREES = 200
MIN_LEAF = 20
FEATURE_SHARE = 0.2
FOLDS = 5


def boosted(x, y, weights):
    model = GradientBoostingClassifier(n_estimators=TREES, max_depth=2, learning_rate=0.06, subsample=0.6,
                                       max_features=FEATURE_SHARE, min_samples_leaf=MIN_LEAF, random_state=1)
    y = np.asarray(y)
    # both answers weigh the same
    share = (weights * y).sum() / weights.sum()
    balance = np.where(y == 1, 0.5 / max(share, 1e-6), 0.5 / max(1 - share, 1e-6))
    return model.fit(x, y, sample_weight=weights * balance)


def out_of_fold(x, y, folds, weights):
    """Raw sums of each row from a model that was not fitted on its fold. Rows without an answer (nan) are not fitted on."""
    raw = np.zeros(len(y))
    known = ~np.isnan(y)
    for fold in range(FOLDS):
        here = folds == fold
        if here.any():
            raw[here] = boosted(x[known & ~here], y[known & ~here], weights[known & ~here]).decision_function(x[here])
    return raw


def calibrate(raw, y, rounds=4000, rate=0.05):
    """Platt's slope and shift, by gradient descent on smoothed targets."""
    n1, n0 = y.sum(), len(y) - y.sum()
    target = np.where(y == 1, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
    slope, shift = 1.0, 0.0
    for _ in range(rounds):
        error = 1 / (1 + np.exp(-(slope * raw + shift))) - target
        slope, shift = slope - rate * (error * raw).mean(), shift - rate * error.mean()
    return slope, shift


def fit(x, y, folds, weights=None, calibrated=None):
    """(model, slope, shift, probabilities of each row out of its fold). The probabilities are calibrated on the rows that
    `calibrated` selects, or on all."""
    x, y, folds = np.asarray(x), np.asarray(y, dtype=float), np.asarray(folds)
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    raw = out_of_fold(x, y, folds, weights)
    known = ~np.isnan(y)
    real = known if calibrated is None else known & calibrated
    slope, shift = calibrate(raw[real], y[real])
    return boosted(x[known], y[known], weights[known]), slope, shift, 1 / (1 + np.exp(-(slope * raw + shift)))


def reliability(name, p, y, bins=10):
    """Prints a reliability table, and returns the expected calibration error."""
    p, y = np.asarray(p), np.asarray(y)
    error = 0.0
    print(f'{name}: said, true, number')
    for k in range(bins):
        here = (p >= k / bins) & ((p < (k + 1) / bins) | (k == bins - 1))
        if here.any():
            error += here.mean() * abs(p[here].mean() - y[here].mean())
            print(f'  {k / bins:.1f}-{(k + 1) / bins:.1f}  {p[here].mean():.3f}  {y[here].mean():.3f}  {here.sum()}')
    print(f'  expected calibration error {error:.3f} over {len(p)}')
    return error


def rust(name, doc, fitted, features):
    model, slope, shift, _ = fitted
    bias = float(model.decision_function(np.zeros((1, len(features))))[0])
    rate = model.learning_rate
    rows = []
    total = 0.0
    zero = np.zeros(len(features))
    for (tree,) in model.estimators_:
        t = tree.tree_
        value = t.value[:, 0, 0] * rate

        def branch(node):
            if t.children_left[node] < 0:
                return f'(Feature::{features[0]}, f64::INFINITY, {value[node]:.5f}, {value[node]:.5f})'
            low, high = t.children_left[node], t.children_right[node]
            return f'(Feature::{features[t.feature[node]]}, {t.threshold[node]:.6f}, {value[low]:.5f}, {value[high]:.5f})'

        if t.children_left[0] < 0:
            rows.append(f'(Feature::{features[0]}, f64::INFINITY, {branch(0)}, {branch(0)})')
        else:
            low, high = t.children_left[0], t.children_right[0]
            rows.append(f'(Feature::{features[t.feature[0]]}, {t.threshold[0]:.6f}, {branch(low)}, {branch(high)})')
        total += float(tree.predict(zero.reshape(1, -1).astype(np.float32))[0]) * rate
    lines = ''.join(f'        {row},\n' for row in rows)
    # one line per tree: rustfmt would need thirteen
    return (f'/// {doc}\n#[rustfmt::skip]\npub(super) static {name}: TreeModel = TreeModel {{\n    bias: {bias - total:.5f},\n    slope: {slope:.5f},\n'
            f'    shift: {shift:.5f},\n    trees: &[\n{lines}    ],\n}};\n')
