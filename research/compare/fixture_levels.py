#!/usr/bin/env python3
"""List scores of testdata/pages without styles, with stylesheets and in a browser:
fixture_levels.py [--copal PROGRAM] [--levels none css chromium]

Reads every page whose expected.json names a main list, as a saved page. A record is right if its text is that of an expected
record. Prints the mean F1 of the main list, the perfect pages, and the pages on which levels differ.
"""
import argparse
import collections
import json
import subprocess

from shared import ROOT, copal_binary, print_table

# no page takes longer in the browser
PATIENCE = 180


def main_list(copal, file, level):
    """The texts of the main list's records; none if the page cannot be read."""
    command = [copal, 'extract', str(file), '--render', level, '--format', 'json', '-q', '--kind', 'list']
    if level == 'chromium':
        command.append('--no-browser-sandbox')
    try:
        printed = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE).stdout
    except subprocess.TimeoutExpired:
        printed = ''
    regions = json.loads(printed)['regions'] if printed.strip() else []
    chosen = [region for region in regions if region['role'] in ('primary', 'possible')]
    return [' '.join(record['text'].split()) for record in chosen[0]['records']] if chosen else []


def f1(expected, found):
    right = (collections.Counter(expected) & collections.Counter(found)).total()
    return 2 * right / max(1, len(expected) + len(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--copal')
    parser.add_argument('--levels', nargs='+', default=['none', 'css', 'chromium'])
    given = parser.parse_args()
    copal = copal_binary(given.copal)
    scores = {level: [] for level in given.levels}
    different = []
    for folder in sorted((ROOT / 'testdata' / 'pages').iterdir()):
        file = folder / 'expected.json'
        case = json.loads(file.read_text()) if file.is_file() else {}
        if not isinstance(case.get('primary'), int) or 'combined' not in case.get('methods', []):
            continue
        expected = [' '.join(text.split()) for text in case['regions'][case['primary']]['records']]
        of_page = [f1(expected, main_list(copal, folder / 'page.html', level)) for level in given.levels]
        for level, score in zip(given.levels, of_page):
            scores[level].append(score)
        if len(set(of_page)) > 1:
            different.append([folder.name] + [f'{score:.3f}' for score in of_page])
    rows = [[level, f'{sum(found) / max(1, len(found)):.3f}', sum(score == 1 for score in found)]
            for level, found in scores.items()]
    print_table(['level', 'F1', 'perfect'], rows, f'{len(scores[given.levels[0]])} pages')
    if different:
        print_table(['page'] + given.levels, different)


if __name__ == '__main__':
    main()
