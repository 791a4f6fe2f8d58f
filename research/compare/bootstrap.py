"""AMBER's gazetteer bootstrap (thesis section 7.1.4, Tables 7.1 and 7.2) on pages whose places are known.

    research/compare/bootstrap.py [PAGES] [--split seen|unseen] [--share 20] [--seeds 1,2,3] [--copal BINARY] [-- OPTIONS...]

PAGES is what research/generate/generate.py wrote (by default it is run here, into a temporary folder). From a random share of
places.txt `copal domain learn real-estate` learns the rest on the real-estate pages. Prints the table of every run: rounds,
nodes extracted, correct, precision and recall, terms learned and correct; then the list as a whole: of the true terms that the
records show and that were not in the seed, how many were learned. True terms are the places and their counties; streets
(which the thesis counts as locations, and our domain does not) are wrong, and counted.
"""
import argparse
import csv
import pathlib
import random
import subprocess
import sys
import tempfile

from shared import ROOT, copal_binary, html_files, print_table

sys.path.append(str(ROOT / 'research/generate'))
from words import homes, listed  # noqa: E402  (the generator's own)

STREETS = set(listed(homes.STREETS)) | set(listed(homes.HOUSE_NAMES))


def generated(folder):
    """Pages of the generator in a new folder."""
    script = ROOT / 'research/generate/generate.py'
    command = [sys.executable, str(script), str(folder), '--seed', '1', '--pages-per-template', '2']
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
        sys.exit(f'{script}: failed')
    return folder


def lines(path):
    """The terms of a list."""
    try:
        text = path.read_text(encoding='utf-8')
    except OSError as error:
        sys.exit(f'{path}: {error.strerror}: expected a folder that research/generate/generate.py wrote')
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith('#')]


def true_terms(folder):
    """All places of the records and their counties."""
    with (folder / 'places.tsv').open(encoding='utf-8', newline='') as file:
        counties = {row['county'] for row in csv.DictReader(file, delimiter='\t')}
    return set(lines(folder / 'places.txt')) | counties


def learn(copal, pages, seed, truth, output, options):
    """One run: its table as text, and the terms it learned."""
    command = [copal, 'domain', 'learn', 'real-estate', *map(str, pages), '--attribute', 'location', '--from', str(seed),
               '--truth', str(truth), '-o', str(output), '--quiet', *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f'{copal} domain learn ended with {done.returncode}')
    return done.stdout, set(lines(output)) if output.exists() else set()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('pages', nargs='?', type=pathlib.Path)
    parser.add_argument('--split', choices=['seen', 'unseen', 'both'], default='both')
    parser.add_argument('--share', type=int, default=20, help='of the places in the seed, in percent')
    parser.add_argument('--seeds', default='1,2,3', help='of the random choice')
    parser.add_argument('--copal')
    given = sys.argv[1:]
    at = given.index('--') if '--' in given else len(given)
    args, options = parser.parse_args(given[:at]), given[at + 1:]
    copal = copal_binary(args.copal)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        folder = args.pages or generated(work / 'pages')
        splits = ['seen', 'unseen'] if args.split == 'both' else [args.split]
        pages = [page for split in splits for page in html_files(folder / 'lists' / f'real-estate-{split}')]
        places, true = lines(folder / 'places.txt'), true_terms(folder)
        text = ' '.join(page.read_text(encoding='utf-8') for page in pages)
        shown = {term for term in true if term in text}
        truth = work / 'truth.txt'
        truth.write_text('\n'.join(sorted(true)), encoding='utf-8')
        rows = []
        for number in map(int, args.seeds.split(',')):
            seed = random.Random(number).sample(sorted(places), max(1, len(places) * args.share // 100))
            start, output = work / f'seed-{number}.txt', work / f'learned-{number}.txt'
            start.write_text('\n'.join(seed), encoding='utf-8')
            table, learned = learn(copal, pages, start, truth, output, options)
            print(f'seed {number}: {len(seed)} of {len(places)} places, {len(pages)} pages\n{table}')
            missing, right, streets = shown - set(seed), learned & true, learned & STREETS
            rows.append([number, len(learned), len(right), len(streets), f'{100 * len(right) / max(1, len(learned)):.1f}%',
                         len(missing), f'{100 * len(right & missing) / max(1, len(missing)):.1f}%',
                         ', '.join(sorted(learned - true - STREETS)[:5])])
        print_table(['seed', 'learned', 'correct', 'streets', 'precision', 'to learn', 'recall', 'wrong (five)'], rows)


if __name__ == '__main__':
    main()
