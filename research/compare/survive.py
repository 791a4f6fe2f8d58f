"""Measures how long wrappers work: compares the records found after typical changes of a site with the gold.

    research/compare/survive.py CORPUS_DIR [--scorer score.py] [--seed N] [--pages N] [--only PREFIX] [--learn first|each]
                                [--vote-only] [--part opened|unopened] [--by-operator] [--lines FILE]

Runs `copal-lab survive` on a corpus (see `copal-lab eval --help`): the first three dev pages of each site whose gold is the
complete main list. Each page is learned as it is and read again after 0, 1, 2, 3, 5, 7 and 10 changes. A reader survives on
a page if its records have an F1 of at least .95 against the gold. Only pages whose extraction, from which everything was
learned, has that F1 are counted. With --learn first, everything is learned on the first page of each site, and the others are
changed and read; with --learn each, on each page in turn. Then the extractions of both pages must be right. With --scorer, the matching of the scorer is used instead
of a simple one.

  extract  what all readers were learned from, on the unchanged page
  first    the wrapper with only the first locator of everything
  vote     the wrapper
  repair   the wrapper, repaired on the changed page if a check finds that it needs repair
  xpath    absolute XPaths of the records
  copied   the selector of the first record as browsers copy it, without the record's own number
  deuds    the DEUDS pattern of the region, and of the records inside it
  again    a new extraction of the changed page
  truth    the records as they are after the changes: the upper bound

The second table is about drift: how many pages raise an alarm, unchanged and changed ones, for pages that the wrapper still
reads right and for those that it does not. Pages are checked one at a time, which is the hardest case.
"""
import argparse
import collections
import importlib.util
import json
import pathlib
import subprocess
import sys
import unicodedata

from shared import ROOT, print_table

WAYS = ['first', 'vote', 'repair', 'xpath', 'copied', 'deuds', 'again', 'truth']
LIVES = .95
CELLS_LIVE = .9
LEARNED_ON = {'own': 'the page itself', 'first': 'the first page of the site', 'each': 'each other page of the site'}


def letters(text):
    folded = unicodedata.normalize('NFKC', text).casefold()
    return ''.join(c for c in folded if unicodedata.category(c)[0] in 'LNM')


class PlainGold:
    """Records that hold three quarters of the characters of a gold record, and little else, are that record."""

    def __init__(self, records):
        self.records = [[letters(text) for text in record['texts']] for record in records]

    def f1(self, texts):
        texts = [text for text in map(letters, texts) if text]
        free, right = set(range(len(self.records))), 0
        for text in texts:
            for at in sorted(free):
                gold = self.records[at]
                size = sum(map(len, gold))
                held = sum(len(part) for part in gold if part in text)
                if held >= .75 * size and len(text) <= 3 * size + 200:
                    free.remove(at)
                    right += 1
                    break
        return 2 * right / (len(texts) + len(self.records)) if texts or self.records else 1.


class ScorersGold:
    def __init__(self, scorer, records):
        self.scorer, self.gold = scorer, scorer.Gold(records)

    def f1(self, texts):
        pairs, count = self.scorer.match(self.gold, [{'text': text} for text in texts])
        return self.scorer.f1(len(pairs), count, len(self.gold))


def load_scorer(path):
    spec = importlib.util.spec_from_file_location('scorer', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('--scorer')
    parser.add_argument('--seed', default='1')
    parser.add_argument('--pages', default='100000')
    parser.add_argument('--only', default='')
    parser.add_argument('--learn', default='own', choices=['own', 'first', 'each'])
    parser.add_argument('--vote-only', action='store_true', help='only the wrapper and its check')
    parser.add_argument('--part', default='all', choices=['all', 'opened', 'unopened'])
    parser.add_argument('--unopened', help='the file that names the unopened sites')
    parser.add_argument('--by-operator', action='store_true', help='also: by the first change, after it alone')
    parser.add_argument('--lines', help='write id, way, number of changes, F1 and the changes here, one JSON a line')
    args = parser.parse_args()
    scorer = load_scorer(args.scorer) if args.scorer else None

    def read_gold(page):
        """None for pages whose gold is not their main list, or is incomplete."""
        gold = json.loads((args.corpus / (page + '.json')).read_text(encoding='utf-8'))
        if not (gold.get('complete', True) and gold.get('main', True)):
            return None
        return ScorersGold(scorer, gold['records']) if scorer else PlainGold(gold['records'])

    command = ['cargo', 'run', '--release', '--locked', '--quiet', '-p', 'copal-lab', '--', 'survive',
               str(args.corpus.resolve()), '--seed', args.seed, '--pages', args.pages, '--only', args.only, '--learn', args.learn,
               '--part', args.part] + (['--vote-only'] if args.vote_only else []) + (['--unopened', args.unopened] if args.unopened else [])
    found = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding='utf-8')
    lives = collections.defaultdict(list)
    by_operator = collections.defaultdict(list)
    alarms = collections.defaultdict(list)
    lines = open(args.lines, 'w', encoding='utf-8') if args.lines else None
    gold, right, counted, seen, known = None, False, 0, 0, {}
    for line in found.stdout:
        row = json.loads(line)
        if row['way'] == 'extract':
            gold, known = read_gold(row['id']), {}
            right = gold is not None and gold.f1(row['texts']) >= LIVES
            seen, counted = seen + 1, counted + right
            continue
        if row['way'] == 'learned':
            first = read_gold(row['operators'][0])
            counted -= right
            right = right and first is not None and first.f1(row['texts']) >= LIVES
            counted += right
            continue
        if not right:
            continue
        texts = tuple(row['texts'])
        if texts not in known:
            known[texts] = gold.f1(texts)
        score = known[texts]
        if row['way'] == 'vote':
            alarms[row['mutations'] > 0, score >= LIVES].append(bool(row['alarm']))
            if row['mutations'] and score >= LIVES and row['cells'] is not None and row['cells'] < CELLS_LIVE:
                alarms['cells'].append(bool(row['alarm']))
            if lines:
                lines.write(json.dumps([row['id'], 'alarm', row['mutations'], round(score, 3), row['alarm']]) + '\n')
        lives[row['way'], row['mutations']].append(score >= LIVES)
        if row['mutations'] == 1:
            by_operator[row['operators'][0], row['way']].append(score >= LIVES)
        if lines:
            lines.write(json.dumps([row['id'], row['way'], row['mutations'], round(score, 3), row['operators']]) + '\n')
    if found.wait() != 0:
        sys.exit('copal-lab survive failed')

    share = lambda all: f'{sum(all) / len(all):.3f}' if all else '-'
    steps = sorted({step for _, step in lives})
    print_table(['records F1 >= .95 after changes'] + [str(step) for step in steps],
                [[way] + [share(lives[way, step]) for step in steps] for way in WAYS],
                f'{counted} pages of {seen} whose extraction has F1 >= .95, seed {args.seed}, learned on {LEARNED_ON[args.learn]}')
    print_table(['alarm of a check', 'pages', 'share'],
                [[words, len(alarms[key]), share(alarms[key])] for key, words in
                 [((False, True), 'unchanged, read right'), ((False, False), 'unchanged, read wrong'),
                  ((True, True), 'changed, still read right'), ((True, False), 'changed, read wrong'),
                  ('cells', 'changed, records right, fewer than .9 of the cells as before')]])
    if args.by_operator:
        names = sorted({name for name, _ in by_operator})
        print_table(['after one change'] + ['pages'] + WAYS,
                    [[name, len(by_operator[name, 'vote'])] + [share(by_operator[name, way]) for way in WAYS] for name in names])


if __name__ == '__main__':
    main()
