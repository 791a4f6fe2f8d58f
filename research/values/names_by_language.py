#!/usr/bin/env python3
"""Accepted column names by the language of the page, beside tables.py, which counts them by source.

    names_by_language.py SCORE_DIR CORPUS PREDICTIONS.jsonl

A wanted column counts as in tables.py: it was found under a name that the gold accepts. `accepted` of score.py splits names at
every character that is not an ASCII letter or digit, so that a header such as `区域` is not accepted even where the gold accepts
exactly that word; the second figure also counts names that are equal to an accepted one. SCORE_DIR is the folder of score.py and
tables.py; only the opened sites are read.
"""
import collections, sys


def main():
    score_dir, corpus, predictions = sys.argv[1:4]
    sys.path.insert(0, score_dir)
    import score, tables
    score.choose_part('opened')
    original = score.accepted
    plain = lambda name: score.norm(name).replace('_', ' ')
    equal = lambda name, names: original(name, names) or any(plain(name) == plain(n) for n in names)
    preds = {p['id']: p for p in score.read_jsonl(predictions)}
    count = collections.defaultdict(lambda: [0, 0, 0])
    for row, gold in score.load(corpus, 'lists', None):
        regions = (preds.get(row['id']) or {}).get('regions') or []
        region = next((r for r in regions if r.get('role') == 'primary'), None)
        if not (region and gold.get('main', True) and gold.get('names')):
            continue
        truth = score.Gold(gold['records'])
        pairs, _ = score.match(truth, region.get('records') or [])
        rows = tables.rows_of(truth, region, pairs)
        for at, accepted in enumerate((original, equal)):
            score.accepted = accepted
            named, wanted = tables.cells(rows, gold['names'])[4:]
            for language in ('all', (row.get('language') or 'unknown')[:2]):
                count[language][at] += named
                count[language][2] += wanted * (at == 0)
    score.accepted = original
    print('%-8s %7s %9s %9s' % ('language', 'wanted', 'accepted', 'or equal'))
    for language, (named, or_equal, wanted) in sorted(count.items(), key=lambda x: -x[1][2]):
        print('%-8s %7d %9.3f %9.3f' % (language, wanted, named / wanted, or_equal / wanted))


if __name__ == '__main__':
    main()
