#!/usr/bin/env python3
"""Times and list scores without styles, with stylesheets and in a browser:
levels.py CORPUS --scorer SCORER --unopened FILE [--copal PROGRAM] [--pages N] [--method METHOD]

Reads list pages of opened sites that have stylesheets inside (as boxes.py chooses them) with --render none, css and chromium,
one after another for each page, so that the ratios are those of one run. The browser gets no network: requests go to a proxy
that does not exist. Times are of the whole command, with its start and that of the browser; processor time is that of copal
and of the processes that it waited for. Records are the texts of the main list's records; the scorer compares them with the
gold.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'fit'))
import boxes  # noqa: E402
import fit  # noqa: E402
from shared import copal_binary, print_table  # noqa: E402

LEVELS = ['none', 'css', 'chromium']
# no page takes longer in the browser
PATIENCE = 180


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def read(copal, file, level, method):
    """The records of the main list, the seconds and the processor seconds; no records if the page cannot be read."""
    command = [copal, 'extract', str(file), '--render', level, '--format', 'json', '-q', '--kind', 'list', '--method', method]
    if level == 'chromium':
        command.append('--no-browser-sandbox')
    dead = 'http://127.0.0.1:9'
    environment = os.environ | {'HTTP_PROXY': dead, 'HTTPS_PROXY': dead, 'ALL_PROXY': dead}
    before, start = used(), time.monotonic()
    try:
        printed = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment).stdout
    except subprocess.TimeoutExpired:
        printed = ''
    seconds, processor = time.monotonic() - start, used() - before
    regions = json.loads(printed)['regions'] if printed.strip() else []
    main = [region for region in regions if region['role'] in ('primary', 'possible')]
    records = main[0]['records'] if main else []
    return [record['text'] for record in records], seconds, processor


def f1(scorer, gold, records):
    gold = scorer.Gold(gold['records'])
    pairs, count = scorer.match(gold, [{'text': text} for text in records])
    return scorer.f1(len(pairs), count, len(gold))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--unopened', required=True)
    parser.add_argument('--copal')
    parser.add_argument('--pages', type=int, default=60)
    parser.add_argument('--levels', nargs='+', choices=LEVELS, default=LEVELS, help='with none first')
    parser.add_argument('--method', default='combined')
    arguments = parser.parse_args()
    copal, scorer = copal_binary(arguments.copal), fit.load_scorer(arguments.scorer)
    levels = arguments.levels
    scores, ratios = {level: [] for level in levels}, {level: [] for level in levels}
    processor_ratios = {level: [] for level in levels}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'page.html'
        for row, _ in boxes.styled_pages(arguments.corpus, arguments.unopened, arguments.pages):
            gold = json.loads((arguments.corpus / f'{row["id"]}.json').read_text(encoding='utf-8'))
            if not gold.get('main', True):
                continue
            file.write_bytes((arguments.corpus / f'{row["id"]}.html').read_bytes())
            answers = {level: read(copal, file, level, arguments.method) for level in levels}
            for level, (records, seconds, processor) in answers.items():
                scores[level].append(f1(scorer, gold, records))
                ratios[level].append(seconds / answers[levels[0]][1])
                processor_ratios[level].append(processor / (answers[levels[0]][2] or 0.01))
    rows = [[level, f'{statistics.mean(scores[level]):.3f}', f'{statistics.median(ratios[level]):.1f}',
             f'{statistics.median(processor_ratios[level]):.1f}'] for level in levels]
    print_table(['--render', 'F1 of the main list', 'time / none', 'processor time / none'], rows, f'{len(scores["none"])} pages')


if __name__ == '__main__':
    main()
