#!/usr/bin/env python3
"""Pages read by template against pages read one by one: records and cells, against the gold of a corpus.

    python3 research/scale/templates.py CORPUS --unopened FILE --scorer score.py --copal target/release/copal

Two kinds of sites are read: those with at least `--min-pages` pages in the corpus, and, because these are few, `--variants`
copies of list pages whose texts are changed together with their gold. Copies share a template exactly, which is kinder than
a real site. For each site, an archive is read by `copal extract --format pages`, with and without `--by-template`, and both
are scored by the corpus' own scorer over the pages after the first four, from which templates are learned. Only sites that
may be opened are used.
"""

import argparse
import collections
import gzip
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from make_archive import TextChange, record


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


def predictions(copal: str, archive: pathlib.Path, options: list[str]) -> tuple[dict[str, dict], float, int]:
    """The pages by their id, the seconds, and how many were read by template."""
    start = time.monotonic()
    done = subprocess.run(
        [copal, 'extract', str(archive), '--no-config', '--format', 'pages', '-j', '1', '--in-process', *options],
        capture_output=True, text=True,
    )
    seconds = time.monotonic() - start
    if done.returncode not in (0, 1, 4):
        raise SystemExit(done.stderr)
    by_template = re.search(r'(\d+) read by template', done.stderr)
    pages = {}
    for line in done.stdout.splitlines():
        page = json.loads(line)
        name = page['page']['source'].split('#', 1)[1]
        fields = page.get('fields') or {}
        pages[name] = {'id': name, 'regions': page['regions'], 'fields': fields, 'error': None}
    return pages, seconds, int(by_template.group(1)) if by_template else 0


def score(scorer: str, task: str, pages: list[GoldPage], read: dict[str, dict]) -> dict:
    """The scorer's figures for some pages."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for page in pages:
            gold = root / f'{page.name}.json'
            gold.parent.mkdir(parents=True, exist_ok=True)
            gold.write_text(page.gold, encoding='utf-8')
        (root / 'index.jsonl').write_text('\n'.join(json.dumps(page.row) for page in pages), encoding='utf-8')
        lines = [json.dumps(read[page.name]) for page in pages if page.name in read]
        (root / 'pred.jsonl').write_text('\n'.join(lines) + '\n', encoding='utf-8')
        command = [sys.executable, scorer, task, str(root), str(root / 'pred.jsonl'), '--json']
        done = subprocess.run(command + (['--shown'] if task == 'lists' else []), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        return json.loads(done.stdout)


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


def compare(name: str, task: str, sites: list[list[GoldPage]], given: argparse.Namespace) -> None:
    full: dict[str, dict] = {}
    templated: dict[str, dict] = {}
    seconds = [0.0, 0.0]
    read_by_template = sites_by_template = 0
    later: list[GoldPage] = []
    for site in sites:
        with tempfile.TemporaryDirectory() as folder:
            archive = pathlib.Path(folder) / 'site.warc.gz'
            with archive.open('wb') as out:
                for page in site:
                    out.write(gzip.compress(record(f'https://site.example/#{page.name}', page.html), 1))
            pages, time_full, _ = predictions(given.copal, archive, [])
            full |= pages
            other, time_templates, count = predictions(given.copal, archive, ['--by-template', '--template-pages', '4'])
            templated |= other
        seconds = [seconds[0] + time_full, seconds[1] + time_templates]
        read_by_template += count
        sites_by_template += count > 0
        later += site[4:]
        if given.verbose:
            print(f'{name}: {site[0].name}: {len(site)} pages, {count} by template', file=sys.stderr)
    if not later:
        return
    known = [page.name for page in later if page.name in full and page.name in templated]
    both, one, other = map(sum, zip(*(changed_values(full[page], templated[page]) for page in known)))
    print(f'{name}: {len(sites)} sites, {len(later)} pages after the first four of each, {read_by_template} of them on '
          f'{sites_by_template} sites read by template')
    print(f'  cells and names equal to those one by one, F1: {2 * both / max(one + other, 1):.3f}')
    print(f'  seconds for all pages, one by one and by template: {seconds[0]:.1f}, {seconds[1]:.1f}')
    for label, pages in (('one by one', full), ('by template', templated)):
        total = score(given.scorer, task, later, pages)['total']
        print(f'  {label}: {json.dumps(total)}')


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('--unopened', type=pathlib.Path, required=True)
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--copal', default='target/release/copal')
    parser.add_argument('--min-pages', type=int, default=6)
    parser.add_argument('--variants', type=int, default=10, help='copies of each list page')
    parser.add_argument('--pages', type=int, default=60, help='list pages that are copied')
    parser.add_argument('--verbose', action='store_true', help='one line per site')
    given = parser.parse_args()
    rows = opened(given.corpus, set(given.unopened.read_text(encoding='utf-8').split()))
    for task in ('lists', 'details'):
        compare(f'{task} of sites with several pages', task, real_sites(given.corpus, rows, task, given.min_pages), given)
    compare('copies of list pages', 'lists', variants(given.corpus, rows, given.pages, given.variants), given)
    return 0


if __name__ == '__main__':
    sys.exit(main())
