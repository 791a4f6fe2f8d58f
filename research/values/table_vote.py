#!/usr/bin/env python3
"""A blind vote between two versions of copal: tables of the same pages, shuffled, without saying which version made them.

    table_vote.py draw  SCORE_DIR CORPUS BEFORE AFTER --pages 40 --seed 1 -o SHEET.txt --key KEY.json [--equal-too]
    table_vote.py count KEY.json VOTES.txt

BEFORE and AFTER are predictions (lines of `copal-lab eval --task lists`) or the `copal-lab` binaries of two versions, which are run.
`draw` picks pages at random among those on which both versions have a primary list and the tables differ (with --equal-too, also
among the others), and writes both tables of each page to SHEET, all of them in random order and numbered. KEY says which is which:
do not open it before the votes are in.
VOTES has one line per table: its number and `good` (usable as it is), `usable` (after renaming or dropping columns) or `bad`.
`count` prints the votes of each version, and on how many pages each one has the better vote. SCORE_DIR is the folder of score.py;
only the opened sites are drawn.
"""
import argparse, collections, json, os, random, subprocess, sys, tempfile

GRADES = {'bad': 0, 'usable': 1, 'good': 2}


def primary(prediction):
    return next((r for r in prediction.get('regions') or [] if r.get('role') == 'primary'), None)


def shown(region, width=26, rows=4):
    """the text columns of a table, one line per column: name, share of records, first values"""
    records, lines = region['records'], []
    for column in region['columns']:
        if column.get('type') in ('link', 'image'):
            continue
        cells = [(r.get('fields') or {}).get(column['name']) for r in records]
        filled = [c for c in cells if c]
        texts = [' | '.join(c) if isinstance(c, list) else str(c) for c in filled[:rows]]
        lines.append('    %-24s %3d/%-3d  %s' % (column['name'][:24], len(filled), len(records), ' ; '.join(t[:width] for t in texts)))
    return '\n'.join(lines)


def predictions(score, score_dir, corpus, source):
    """predictions by page, from a file or from a binary"""
    if not os.access(source, os.X_OK):
        return {p['id']: p for p in score.read_jsonl(source)}
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, 'lists.jsonl')
        subprocess.run([os.path.abspath(source), 'eval', corpus, '--part', 'opened', '--task', 'lists', '-o', output,
                        '--unopened', os.path.join(score_dir, 'unopened.txt')], check=True, stdout=subprocess.DEVNULL)
        return {p['id']: p for p in score.read_jsonl(output)}


def draw(a):
    sys.path.insert(0, a.score_dir)
    import score
    score.choose_part('opened')
    before, after = (predictions(score, a.score_dir, a.corpus, source) for source in (a.before, a.after))
    pages = []
    for row, _ in score.load(a.corpus, 'lists', None):
        pair = [primary(p[row['id']]) for p in (before, after) if row['id'] in p]
        if len(pair) == 2 and all(pair) and (a.equal_too or shown(pair[0]) != shown(pair[1])):
            pages.append((row['id'], pair))
    chance = random.Random(a.seed)
    drawn = chance.sample(sorted(pages, key=lambda p: p[0]), min(a.pages, len(pages)))
    tables = [(page, version, table) for page, pair in drawn for version, table in zip(('before', 'after'), pair)]
    chance.shuffle(tables)
    with open(a.output, 'w') as sheet:
        for n, (page, _, table) in enumerate(tables, 1):
            sheet.write('== table %d (%s)\n%s\n\n' % (n, page, shown(table)))
    json.dump({n: [page, version] for n, (page, version, _) in enumerate(tables, 1)}, open(a.key, 'w'))
    print('%d tables of %d pages; %d pages to draw from' % (len(tables), len(drawn), len(pages)))


def count(a):
    key, votes = json.load(open(a.key)), {}
    for line in open(a.votes):
        if line.strip():
            number, grade = line.split()[:2]
            votes[number] = GRADES[grade]
    by_version, by_page = collections.defaultdict(collections.Counter), collections.defaultdict(dict)
    for number, (page, version) in key.items():
        if number in votes:
            by_version[version][votes[number]] += 1
            by_page[page][version] = votes[number]
    for version in ('before', 'after'):
        print(version, ', '.join('%d %s' % (by_version[version][v], g) for g, v in reversed(GRADES.items())))
    pairs = [p for p in by_page.values() if len(p) == 2]
    better = sum(p['after'] > p['before'] for p in pairs)
    worse = sum(p['after'] < p['before'] for p in pairs)
    print('%d pages: %d better after, %d worse, %d equal' % (len(pairs), better, worse, len(pairs) - better - worse))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    commands = parser.add_subparsers(required=True)
    d = commands.add_parser('draw')
    for name in ('score_dir', 'corpus', 'before', 'after'):
        d.add_argument(name)
    d.add_argument('--pages', type=int, default=40)
    d.add_argument('--seed', type=int, default=1)
    d.add_argument('--equal-too', action='store_true', help='draw pages whose tables are equal, too')
    d.add_argument('-o', '--output', required=True)
    d.add_argument('--key', required=True)
    d.set_defaults(run=draw)
    c = commands.add_parser('count')
    c.add_argument('key')
    c.add_argument('votes')
    c.set_defaults(run=count)
    a = parser.parse_args()
    a.run(a)


if __name__ == '__main__':
    main()
