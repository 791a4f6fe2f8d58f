"""Tables 1, 2 and 3 of the BUW paper, for a corpus with gold answers and a method's predictions.

    research/compare/buw_tables.py CORPUS_DIR PRED.jsonl --scorer score.py

Runs python3 SCORER lists CORPUS_DIR PRED.jsonl --pages FILE for the score of each page. Region right: F1 of the
primary region is at least 0.5. Record accuracy: mean over pages of the gold records that the primary region holds.
Left out: pages whose gold is not their main list or not complete, and pages without gold records.

Layout groups: A is a table with one record per row, B a list of blocks, C has several records per row. The group is the
"layout_group" of the index. For pages without one it is the layout of the prediction (table A, list B, grid C), and the
output says so. The figures of the paper are for its own 1,150 pages and only for orientation.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

from shared import print_table

GROUP_OF = {'table': 'A', 'list': 'B', 'grid': 'C'}
NONE_FOUND = 'no list found'
LANGUAGES = {'en': 'English', 'zh': 'Chinese', 'th': 'Thai'}
# the paper's BUW column: regions (Table 1), records (Tables 2 and 3)
PAPER_REGIONS = {'A': 98.03, 'B': 98.29, 'C': 100.00, 'all': 98.32}
PAPER_RECORDS = {'A': 90.25, 'B': 96.40, 'C': 99.88, 'all': 94.43, 'en': 95.45, 'zh': 93.73, 'th': 90.54}

Page = collections.namedtuple('Page', 'site group language own_layout right accuracy gold')


def read_jsonl(path):
    with open(path, encoding='utf-8') as lines:
        return [json.loads(line) for line in lines if line.strip()]


def scores(scorer, corpus, predictions):
    """{id: scores of the views} as the scorer writes them."""
    with tempfile.TemporaryDirectory() as folder:
        pages = pathlib.Path(folder) / 'pages.jsonl'
        command = [sys.executable, scorer, 'lists', corpus, predictions, '--pages', str(pages)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f'{scorer} failed:\n{done.stderr}')
        return {row['id']: row for row in read_jsonl(pages)}


def predicted_group(prediction, score):
    """The group of the region that fits the gold best, as far as the scores tell which one that is."""
    regions = [region for region in (prediction or {}).get('regions') or [] if region.get('layout') in GROUP_OF]
    if not regions:
        return NONE_FOUND
    size = lambda region: len(region.get('records') or [])
    primary = [region for region in regions if region.get('role') == 'primary']
    same_size = [region for region in regions if size(region) == score['best']['pred']]
    if primary and score['primary']['F1'] >= max(0.5, score['best']['F1']):
        chosen = primary[0]
    elif score['best']['tp'] and len(same_size) == 1:
        chosen = same_size[0]
    else:
        chosen = max(regions, key=size)
    return GROUP_OF[chosen['layout']]


def language(declared):
    """The code of two (or three) letters, without region or script."""
    code = (declared or '').replace('_', '-').split('-')[0].strip().lower()
    return code if code.isalpha() and len(code) in (2, 3) else 'not declared'


def pages(corpus, predictions, scorer):
    """([Page], {why left out: number})"""
    by_id = {row['id']: row for row in read_jsonl(predictions)}
    scored = scores(scorer, corpus, predictions)
    out, left = [], collections.Counter()
    for row in read_jsonl(pathlib.Path(corpus) / 'index.jsonl'):
        score = scored.get(row['id'])
        if row['task'] != 'lists' or not score:
            continue
        gold = json.loads((pathlib.Path(corpus) / f'{row["id"]}.json').read_text(encoding='utf-8'))
        why = ('gold is not the main list' if not gold.get('main', True) else
               'gold is not complete' if not gold.get('complete', True) else
               'no gold records' if not score['primary']['gold'] else None)
        if why:
            left[why] += 1
            continue
        group = row.get('layout_group')
        out.append(Page(
            site=row.get('domain') or row.get('site') or row['id'],
            group=group or predicted_group(by_id.get(row['id']), score),
            language=language(row.get('language')),
            own_layout=not group,
            right=score['primary']['F1'] >= 0.5,
            accuracy=score['primary']['tp'] / score['primary']['gold'],
            gold=score['primary']['gold']))
    return out, left


def percent(share):
    return '-' if share is None else f'{100 * share:.2f}%'


def table(title, head, pages, key, order, names, paper, accuracy, records):
    """One table: one row per group, and one for all."""
    groups = [(name, [page for page in pages if key(page) == name]) for name in order]
    rows = []
    for name, members in [*groups, ('all', pages)]:
        if members:
            counts = [len({page.site for page in members}), len(members)]
            counts += [sum(page.gold for page in members)] if records else []
            own = sum(map(accuracy, members)) / len(members)
            in_paper = paper.get(name)
            rows.append([names.get(name, name), *counts, percent(own), '-' if in_paper is None else f'{in_paper:.2f}%'])
    print(title)
    print_table([head, 'sites', 'pages', *(['records'] if records else []), 'accuracy', 'paper: BUW'], rows)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('corpus', help='folder with index.jsonl and <id>.json')
    ap.add_argument('predictions', help='what copal-lab eval wrote')
    ap.add_argument('--scorer', required=True, help='score.py of the evaluation bench')
    args = ap.parse_args()
    found, left = pages(args.corpus, args.predictions, args.scorer)
    if not found:
        sys.exit('no page to score: expected lists with a main, complete gold')
    groups = {'A': 'Group A', 'B': 'Group B', 'C': 'Group C', 'all': 'All sites'}
    group_order = ['A', 'B', 'C', NONE_FOUND]
    languages = collections.Counter(page.language for page in found)
    language_order = [code for code in ('en', 'zh', 'th') if code in languages]
    language_order += sorted((code for code in languages if code not in (*LANGUAGES, 'not declared')), key=lambda code: (-languages[code], code))
    language_order += ['not declared']
    table('Table 1: the relevant data region, by page structure', 'group', found, lambda page: page.group, group_order, groups,
          PAPER_REGIONS, lambda page: page.right, records=False)
    table('Table 2: data records, by page structure', 'group', found, lambda page: page.group, group_order, groups,
          PAPER_RECORDS, lambda page: page.accuracy, records=True)
    table('Table 3: data records, by language', 'language', found, lambda page: page.language, language_order, {**LANGUAGES, 'all': 'All sites'},
          PAPER_RECORDS, lambda page: page.accuracy, records=True)
    own = sum(page.own_layout for page in found)
    if own:
        print(f'{own} of {len(found)} pages have no layout group in the index: their group is the layout that the prediction itself gives, so groups differ from method to method')
    for why, number in sorted(left.items()):
        print(f'left out: {number} pages, {why}')
    print("the paper's figures are of other pages")


if __name__ == '__main__':
    main()
