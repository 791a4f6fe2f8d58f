"""Writes the records of each list page, from the candidates that agree with the gold, for `copal-lab derive`.

In: a corpus with its scorer and the dump of `copal-lab candidates CORPUS --task lists`. Out: JSONL with the id of the
page, the records of its best candidate as node ranges, and the number of the gold record that each of them matches.
Pages on which no candidate reaches MIN_F1 are left out: a derived page would have a wrong gold.

    python3 research/fit/right_candidates.py CORPUS --scorer SCORER --lists lists.jsonl -o right.jsonl
"""

import argparse
import json
import os

import numpy as np
from fit import load_scorer

MIN_F1 = 0.95


def record_texts(page, records):
    nodes = np.array([leaf[0] for leaf in page['leaves']])
    texts = [leaf[1] for leaf in page['leaves']]

    def text(parts):
        out = []
        for start, end in parts:
            a, b = np.searchsorted(nodes, [start, end])
            out.extend(texts[a:b])
        return ' '.join(out)
    return [{'text': text(parts)} for parts in records]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--lists', required=True)
    parser.add_argument('-o', '--output', required=True)
    args = parser.parse_args()
    scorer = load_scorer(args.scorer)
    count = 0
    with open(args.output, 'w', encoding='utf-8') as out:
        for line in open(args.lists, encoding='utf-8'):
            page = json.loads(line)
            if page.get('error') or not page['candidates']:
                continue
            gold = json.load(open(os.path.join(args.corpus, page['id'] + '.json'), encoding='utf-8'))
            if not gold.get('main', True):
                continue
            wanted, best = scorer.Gold(gold['records']), None
            for one in page['candidates']:
                records = record_texts(page, one['records'])
                pairs, n = scorer.match(wanted, records)
                f1 = scorer.f1(len(pairs), n, len(wanted))
                if f1 >= MIN_F1 and (best is None or f1 > best[0]):
                    best = f1, one['records'], pairs
            if best:
                count += 1
                # the scorer leaves out gold records without text
                number = {id(record): i for i, record in enumerate(gold['records'])}
                of_record = {found: number[id(wanted.records[k])] for found, k in best[2]}
                gold_of = [of_record.get(i) for i in range(len(best[1]))]
                out.write(json.dumps({'id': page['id'], 'records': best[1], 'gold': gold_of}) + '\n')
    print(f'{count} pages')


if __name__ == '__main__':
    main()
