"""Judges the whole decision as users see it, on pages whose site (or whose source) the weights have not seen.

In: the same as `fit.py`. For each fold, everything is fitted on the other pages: ranking, probability of a main list, its
calibration, and the decision between list and object. The left-out pages then get a role as `combined.rs`, `page_kind.rs` and
`pipeline/kind.rs` give it. Out: macro F1 of what is shown and of what is `primary`, refusals, and intervals by bootstrap over
sites. With `--by source`, all pages of a source are left out together, which shows what happens on a kind of page that
nobody tuned to. Lists of embedded data are not known here.

    python3 research/fit/judge.py CORPUS --scorer SCORER --dumps FOLDER --made DERIVED [--by source]
"""

import collections

import fit
import kinds
import numpy as np
import trees

# the thresholds of combined.rs and page_kind.rs
MIN_PRIMARY = 0.55
MIN_POSSIBLE = 0.1
MIN_POSSIBLE_OF_RECORDS = 0.03
MIN_CLEAR_RECORDS = 0.7
MIN_LIST_OVER_OBJECT = 0.3
INNER_FOLDS = 4
LEFT_OUT_SOURCES = ('courts', 'fadwa', 'media', 'shops', 'public', 'meetings', 'politicians', 'none', 'aeb', 'wcxb')


def group_of(page, by):
    """The group that a page is left out with; made pages follow their origin."""
    source = page['origin'].split('/')[1]
    return f'fold {fit.fold_of(page["site"])}' if by == 'site' else source if source in LEFT_OUT_SOURCES else None


def decisions(pages, by):
    """For each left-out page: its F1 if it is shown, the probability of a main list, and that of a list over an object."""
    out = {}
    for group in sorted({group_of(page, by) for page in pages} - {None}):
        seen = [page for page in pages if group_of(page, by) != group]
        rank = fit.fit_rank([page for page in seen if fit.is_list(page)])
        rows = fit.main_rows_of(seen, {page['id']: fit.order(rank, page, 6) for page in seen})
        x, y = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=float)
        own = [row[2] for row in rows]
        inner = [fit.site_number(page['site'], 'inner') % INNER_FOLDS for page in own]
        model, slope, shift, p = trees.fit(x, y, inner, fit.tree_weights(own), fit.is_calibrated(own))
        kind, objects = fit.fit_kind(rows, p), fit.fit_object(seen)
        are_records = fit_records(seen, rank)
        left_out = [page for page in pages if group_of(page, by) == group]
        rows = fit.main_rows_of(left_out, {page['id']: fit.order(rank, page, 6) for page in left_out})
        raw = model.decision_function(np.array([row[0] for row in rows]))
        said_records = dict(zip((row[2]['id'] for row in rows), are_records(np.array([row[0] for row in rows]))))
        for (_, _, page, _, candidate), p in zip(rows, 1 / (1 + np.exp(-(slope * raw + shift)))):
            said = {'page': page, 'f1': page['f1'][candidate] if fit.is_list(page) else None, 'main': p,
                    'records': page['records'][candidate], 'list': 1.0, 'object': 0.0,
                    'are_records': said_records[page['id']], 'declares': False}
            if page['side']:
                coverage = page['features'][candidate, fit.NAMES.index('coverage')]
                features = kinds.features(page['side'], page['records'][candidate], coverage, p)
                said['list'] = kind.predict_proba([np.array(features, dtype=float)])[0, 1]
                said['declares'] = kinds.declares_object(page['side'])
                features = kinds.object_features(page['side'])
                said['object'] = objects.predict_proba([np.array(features, dtype=float)])[0, 1]
            out[page['id']] = said
    return out


def fit_records(pages, rank):
    """The probability of a list of records, as a function of rows of features."""
    rows = fit.record_rows_of(pages, {page['id']: fit.order(rank, page) for page in pages
                                       if page['task'] == 'lists' and page['real'] and not page['main']})
    own = [row[2] for row in rows]
    inner = [fit.site_number(page['site'], 'inner') % INNER_FOLDS for page in own]
    answers = np.array([row[1] for row in rows], dtype=float)
    model, slope, shift, _ = trees.fit(np.array([row[0] for row in rows]), answers, inner, fit.tree_weights(own))
    return lambda x: 1 / (1 + np.exp(-(slope * model.decision_function(x) + shift)))


def role_of(said, primary, possible, min_list):
    is_clear = said['are_records'] >= MIN_CLEAR_RECORDS
    possible = min(possible, MIN_POSSIBLE_OF_RECORDS) if is_clear else possible
    role = 'primary' if said['main'] >= primary else 'possible' if said['main'] >= possible else None
    is_object = kinds.is_object(role, said['declares'], said['object'], said['list'], kinds.MIN_OBJECT, min_list)
    return (None if is_object else role), is_object


def report(name, said, primary=MIN_PRIMARY, possible=MIN_POSSIBLE, min_list=MIN_LIST_OVER_OBJECT, details=True):
    print(f'{name}: primary from {primary}, possible from {possible}, list over object from {min_list}')
    lists, others, real = collections.defaultdict(list), collections.defaultdict(list), []
    for one in said.values():
        page = one['page']
        role, is_object = role_of(one, primary, possible, min_list)
        if fit.is_list(page):
            shown, sure = one['f1'] * (role is not None), one['f1'] * (role == 'primary')
            row = shown, sure, one['f1'], page['f1'].max(), shown > 0.999, role is None and one['f1'] >= 0.5
            groups = [page['source']] + ['all'] * page['real'] + ['new kinds'] * (page['source'] in fit.NEW_KINDS)
            if page['real']:
                real.append((page['site'], shown, sure))
                groups += [f'language {page["language"][:2].lower()}'] if page['language'] else []
                groups += [f'{len(one["records"])} records'] if len(one['records']) <= 3 else []
            for group in groups:
                lists[group].append(row)
        else:
            task = page['task'] if page['real'] else 'removed'
            for group in {task, page['source']} if task == 'negatives' else {task}:
                others[group].append((role != 'primary', role is None, is_object))
    for group, rows in sorted(lists.items(), key=lambda item: (item[0] not in ('all', 'new kinds'), item[0])):
        if details or group in ('all', 'new kinds'):
            s = np.mean(np.array(rows, dtype=float), axis=0)
            print(f'  {group:16} {len(rows):4} pages  shown {s[0]:.3f}  primary {s[1]:.3f}  never refusing {s[2]:.3f}  '
                  f'best candidate {s[3]:.3f}  perfect {s[4]:.3f}  right list refused {s[5]:.3f}')
    for group, rows in sorted(others.items()):
        s = np.mean(np.array(rows, dtype=float), axis=0)
        print(f'  {group:16} {len(rows):4} pages  no primary {s[0]:.3f}  nothing shown {s[1]:.3f}  object {s[2]:.3f}')
    sites = collections.defaultdict(list)
    for site, shown, sure in real:
        sites[site].append((shown, sure))
    sites, random = list(sites.values()), np.random.default_rng(0)
    means = [np.concatenate([sites[k] for k in random.integers(0, len(sites), len(sites))]).mean(0) for _ in range(1000)]
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    print(f'  95% over {len(sites)} sites: shown [{low[0]:.3f}, {high[0]:.3f}]  primary [{low[1]:.3f}, {high[1]:.3f}]', flush=True)


def main():
    parser = fit.arguments(__doc__)
    parser.add_argument('--by', choices=('site', 'source'), default='site')
    parser.add_argument('--sweep', action='store_true', help='also print the report for other thresholds')
    args = parser.parse_args()
    said = decisions(fit.read_all(args), args.by)
    report(f'left out by {args.by}', said)
    if args.sweep:
        for primary in (0.3, 0.4, 0.5, 0.6):
            for possible in (0.03, 0.05, 0.1):
                for min_list in (0.2, 0.3, 0.5):
                    report('sweep', said, primary, possible, min_list, details=False)


if __name__ == '__main__':
    main()
