#!/usr/bin/env python3
"""Named F1 of detail pages by site, with an interval over sites.

    details_by_site.py SCORE_DIR CORPUS PREDICTIONS... [--source swde] [--part opened]

SCORE_DIR has score.py. Counts are those of `score.py details`. Every file of predictions is one line: pages, sites, the F1 over all
pages, the mean of the sites' F1 and its 95% interval (bootstrap over sites). The last line is the mean of the files, for predictions
that were made with different seeds.
"""
import argparse, collections, random, statistics, sys


def site_scores(score, corpus, predictions, source):
    predicted = {line['id']: line for line in score.read_jsonl(predictions)}
    rows = [(row, gold) for row, gold in score.load(corpus, 'details', None) if row['source'] == source]
    schema = collections.defaultdict(set)
    for row, gold in rows:
        schema[gold.get('vertical')] |= set(gold['fields'])
    counts = collections.defaultdict(lambda: [0, 0, 0])
    for row, gold in rows:
        fields = (predicted.get(row['id']) or {}).get('fields') or {}
        texts = {name: [score.norm(x) for x in (value if isinstance(value, list) else [value]) if x is not None and score.norm(x)]
                 for name, value in fields.items()}
        for name in schema[gold.get('vertical')]:
            want = {score.norm(x) for x in gold['fields'].get(name, [])}
            if not want and name in (gold.get('hidden') or {}):
                continue
            got = next((texts[k] for k in [name, *score.ALIAS.get(name, [])] if texts.get(k)), None)
            site = counts[gold.get('vertical'), row['site']]
            site[0] += bool(want and got and any(score.agree(x, want) for x in got))
            site[1] += bool(got)
            site[2] += bool(want)
    return len(rows), counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('score_dir')
    parser.add_argument('corpus')
    parser.add_argument('predictions', nargs='+')
    parser.add_argument('--source', default='swde')
    parser.add_argument('--part', default='opened', choices=['opened', 'unopened'])
    args = parser.parse_args()
    sys.path.insert(0, args.score_dir)
    import score
    score.choose_part(args.part)
    means = []
    for predictions in args.predictions:
        pages, counts = site_scores(score, args.corpus, predictions, args.source)
        sites = [score.f1(*count) for count in counts.values()]
        total = score.f1(*[sum(count[k] for count in counts.values()) for k in range(3)])
        draw = random.Random(1)
        boot = sorted(statistics.fmean(draw.choices(sites, k=len(sites))) for _ in range(5000))
        means.append((total, statistics.fmean(sites)))
        print(f'{predictions}: {pages} pages, {len(sites)} sites, F1 {total:.3f}, mean of sites {means[-1][1]:.3f} '
              f'[{boot[125]:.3f}, {boot[4875]:.3f}]')
    if len(means) > 1:
        print(f'mean of {len(means)} files: F1 {statistics.fmean(x[0] for x in means):.3f}, '
              f'mean of sites {statistics.fmean(x[1] for x in means):.3f}')


if __name__ == '__main__':
    main()
