#!/usr/bin/env python3
"""Pages read by template against pages read one by one: records and cells, against the gold of a corpus.

    python3 research/scale/templates.py CORPUS --unopened FILE --scorer score.py --copal target/release/copal

Three kinds of sites are read: list pages and detail pages of sites with several pages in the corpus, and `--variants` copies
of list pages whose texts are changed together with their gold. Copies share a template exactly, which is kinder than a
real site. An archive has first the pages that templates are learned from (2 of each real list site, 4 of the others), then
all other pages. It is read by `copal extract --format pages`, with and without `--by-template`, and the other pages are
scored by the corpus' own scorer. Intervals are those of 95% of 2,000 bootstrap samples of the sites. Only sites that may be
opened are used.
"""

import argparse
import collections
import gzip
import json
import pathlib
import random
import re
import subprocess
import statistics
import sys
import tempfile

from make_archive import TextChange, record
from processor_time import measured

#: A page without anything, to fill a block: templates are learned when a block of pages ends.
FILLER = b'<!doctype html><title>Filler</title><p>Nothing.</p>'
#: Pages of the first block; each is twice as long as the one before.
FIRST_BLOCK = 4


class GoldPage:
    """A page with its gold."""

    def __init__(self, row: dict, name: str, html: bytes, gold: str) -> None:
        self.row, self.name, self.html, self.gold = {**row, 'id': name}, name, html, gold


def opened(corpus: pathlib.Path, unopened: set[str]) -> list[dict]:
    rows = map(json.loads, (corpus / 'index.jsonl').open(encoding='utf-8'))
    return [
        row for row in rows
        if row['task'] in ('lists', 'details') and not {row.get('site'), row.get('domain')} & unopened
    ]


def real_sites(corpus: pathlib.Path, rows: list[dict], task: str, min_pages: int) -> list[list[GoldPage]]:
    """Sites with several pages, the pages in random order."""
    by_site = collections.defaultdict(list)
    for row in rows:
        if row['task'] == task:
            by_site[str(row.get('site') or row['domain'])].append(row)
    found = []
    for _, of_site in sorted(by_site.items()):
        if len(of_site) >= min_pages:
            of_site = sorted(of_site, key=lambda row: row['id'])
            random.Random(1).shuffle(of_site)
            read = [(row, corpus / row['id']) for row in of_site]
            found.append([
                GoldPage(row, row['id'], path.with_name(path.name + '.html').read_bytes(),
                         path.with_name(path.name + '.json').read_text(encoding='utf-8'))
                for row, path in read
            ])
    return found


def changed_gold(value: object, change: TextChange, key: str = '') -> object:
    """A gold answer with the texts of the changed page."""
    if isinstance(value, dict):
        return {name: changed_gold(inner, change, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [changed_gold(inner, change, key) for inner in value]
    return change.text(value) if isinstance(value, str) and key not in ('xpath', 'url') else value


def variants(corpus: pathlib.Path, rows: list[dict], pages: int, copies: int) -> list[list[GoldPage]]:
    """Copies of list pages with other texts."""
    rows = [row for row in rows if row['task'] == 'lists' and row.get('encoding') in (None, 'utf-8')]
    rows = sorted(rows, key=lambda row: row['id'])
    random.Random(2).shuffle(rows)
    found = []
    for row in rows[:pages]:
        path = corpus / row['id']
        try:
            html = path.with_name(path.name + '.html').read_bytes().decode('utf-8')
        except UnicodeDecodeError:
            continue
        gold = json.loads(path.with_name(path.name + '.json').read_text(encoding='utf-8'))
        site = []
        for copy in range(copies):
            change = TextChange(html, f'{row["id"]} {copy}')
            gold_copy = {**gold, 'records': changed_gold(gold['records'], change)}
            site.append(GoldPage(row, f'{row["id"]}-copy{copy}', change.page(html).encode(), json.dumps(gold_copy)))
        found.append(site)
    return found


def predictions(copal: str, archive: pathlib.Path, options: list[str]) -> tuple[dict[str, dict], float, int, str]:
    """The pages by their id, the processor seconds, how many were read by template, and why the others were not."""
    with tempfile.TemporaryDirectory() as folder:
        lines = pathlib.Path(folder) / 'pages.jsonl'
        command = [copal, 'extract', str(archive), '--no-config', '--format', 'pages', '-j', '1', '--in-process', '-o',
                   str(lines), *options]
        used = measured(['sh', '-c', 'exec "$@" 2>&1', 'sh', *command], (0, 1, 4))
        by_template = re.search(r'(\d+) read by template', used.output)
        pages = {}
        for line in lines.open(encoding='utf-8'):
            page = json.loads(line)
            if '#' not in page['page']['source']:
                continue
            name = page['page']['source'].split('#', 1)[1]
            pages[name] = {'id': name, 'regions': page['regions'], 'fields': page.get('fields') or {}, 'error': None}
    reasons = re.search(r'extracted in full: (.*)', used.output)
    return (pages, used.processor, int(by_template.group(1)) if by_template else 0,
            reasons.group(1) if reasons else 'none')


def score(scorer: str, task: str, sites: list[list[GoldPage]], read: dict[str, dict]) -> dict[str, dict]:
    """The scorer's figures, in total and by site."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        rows, lines = [], []
        for number, site in enumerate(sites):
            for page in site:
                gold = root / f'{page.name}.json'
                gold.parent.mkdir(parents=True, exist_ok=True)
                gold.write_text(page.gold, encoding='utf-8')
                # the scorer gives figures by source
                rows.append(json.dumps({**page.row, 'source': f'site {number}'}))
                if page.name in read:
                    lines.append(json.dumps(read[page.name]))
        (root / 'index.jsonl').write_text('\n'.join(rows), encoding='utf-8')
        (root / 'pred.jsonl').write_text('\n'.join(lines) + '\n', encoding='utf-8')
        command = [sys.executable, scorer, task, str(root), str(root / 'pred.jsonl'), '--json', '--by-source']
        done = subprocess.run(command + (['--shown'] if task == 'lists' else []), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        return json.loads(done.stdout)


def figures(task: str, scored: dict) -> dict[str, float]:
    """The figures of one site, or of all."""
    if task == 'details':
        return {'named F1': scored['named_F1'], 'value recall': scored['value_recall']}
    view = scored['views']['primary']
    if view is None:
        return {}
    cells = {'cells F1': view['cells']['F1']} if 'cells' in view else {}
    return {'records, macro F1': view['macro_F1'], **cells}


def interval(differences: list[float]) -> str:
    """Mean of a figure's difference over the sites, and its interval."""
    rng = random.Random(1)
    means = sorted(statistics.fmean(rng.choices(differences, k=len(differences))) for _ in range(2000))
    return f'{statistics.fmean(differences):+.4f} [{means[50]:+.4f}, {means[1949]:+.4f}] over {len(differences)} sites'


def changed_values(one: dict, other: dict) -> tuple[int, int, int]:
    """Cells of both readings that are equal, and the cells of each: records by position, columns by name."""
    def cells(page: dict) -> set:
        found = {('field', name, str(value)) for name, value in page['fields'].items()}
        for region in page['regions'][:1]:
            for number, row in enumerate(region['records']):
                found |= {(number, name, str(value)) for name, value in row['fields'].items()}
        return found

    a, b = cells(one), cells(other)
    return len(a & b), len(a), len(b)


def write_archive(path: pathlib.Path, sites: list[list[GoldPage]], learned_from: int) -> None:
    """First the pages that templates are learned from, then the others."""
    count, block_end, block = 0, FIRST_BLOCK, FIRST_BLOCK
    with path.open('wb') as out:
        def write(url: str, body: bytes) -> None:
            nonlocal count
            out.write(gzip.compress(record(url, body), 1))
            count += 1

        for number, site in enumerate(sites):
            for page in site[:learned_from]:
                write(f'https://site{number}.example/#{page.name}', page.html)
        while block_end < count:
            block *= 2
            block_end += block
        while count < block_end:
            write(f'https://filler.example/{count}', FILLER)
        for number, site in enumerate(sites):
            for page in site[learned_from:]:
                write(f'https://site{number}.example/#{page.name}', page.html)


def compare(name: str, task: str, sites: list[list[GoldPage]], learned_from: int, given: argparse.Namespace) -> None:
    later = [site[learned_from:] for site in sites]
    if not sites:
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = pathlib.Path(folder) / 'sites.warc.gz'
        write_archive(archive, sites, learned_from)
        full, time_full, *_ = predictions(given.copal, archive, [])
        options = ['--by-template', '--template-pages', str(learned_from)]
        templated, time_templates, count, reasons = predictions(given.copal, archive, options)
    pages = [page.name for site in later for page in site if page.name in full and page.name in templated]
    both, one, other = map(sum, zip(*(changed_values(full[page], templated[page]) for page in pages)))
    print(f'{name}: {len(sites)} sites, {len(pages)} pages after the first {learned_from} of each, {count} of them read by '
          'template')
    print(f'  others, with those that templates were learned from: {reasons}')
    print(f'  cells and names equal to those one by one, F1: {2 * both / max(one + other, 1):.4f}')
    print(f'  processor seconds with learning, one by one and by template: {time_full:.1f}, {time_templates:.1f}')
    scored = [score(given.scorer, task, later, answers) for answers in (full, templated)]
    for key, value in figures(task, scored[0]['total']).items():
        print(f'  {key}: {value:.4f} one by one, {figures(task, scored[1]["total"])[key]:.4f} by template')
        by_site = [[figures(task, answers[f'site {number}']) for answers in scored] for number in range(len(sites))]
        print(f'    by site: {interval([b[key] - a[key] for a, b in by_site if key in a and key in b])}')
    if given.verbose:
        for page in pages:
            both, one, other = changed_values(full[page], templated[page])
            if both < max(one, other):
                print(f'  {page}: {both} cells of {one} and {other} are equal', file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('--unopened', type=pathlib.Path, required=True)
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--copal', default='target/release/copal')
    parser.add_argument('--variants', type=int, default=10, help='copies of each list page')
    parser.add_argument('--pages', type=int, default=60, help='list pages that are copied')
    parser.add_argument('--kinds', default='lists,details,copies', help='which of the three are compared')
    parser.add_argument('--verbose', action='store_true', help='one line per site')
    given = parser.parse_args()
    rows = opened(given.corpus, set(given.unopened.read_text(encoding='utf-8').split()))
    kinds = given.kinds.split(',')
    if 'lists' in kinds:
        compare('lists of real sites', 'lists', real_sites(given.corpus, rows, 'lists', 3), 2, given)
    if 'details' in kinds:
        compare('details of real sites', 'details', real_sites(given.corpus, rows, 'details', 6), 4, given)
    if 'copies' in kinds:
        compare('copies of list pages', 'lists', variants(given.corpus, rows, given.pages, given.variants), 4, given)
    return 0


if __name__ == '__main__':
    sys.exit(main())
