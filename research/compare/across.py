"""Wrappers on the other pages of a site, compared with the extraction of the same pages: records and cells.

    research/compare/across.py CORPUS_DIR --scorer score.py [--only lists/source/]

Runs `copal-lab across`, which learns the first page of each site and reads the others, and scores what the wrappers find and
what the extraction finds on these pages.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from shared import ROOT


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--only', default='')
    args = parser.parse_args()
    corpus = args.corpus.resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        command = ['cargo', 'run', '--release', '--locked', '--quiet', '-p', 'copal-lab', '--', 'across',
                   str(corpus), str(folder)] + (['--only', args.only] if args.only else [])
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            sys.exit('copal-lab across failed')
        read = [json.loads(line)['id'] for line in open(folder / 'wrapper.jsonl', encoding='utf-8')]
        rows = [line for line in open(corpus / 'index.jsonl', encoding='utf-8') if json.loads(line)['id'] in set(read)]
        (folder / 'index.jsonl').write_text(''.join(rows), encoding='utf-8')
        os.symlink(corpus / 'lists', folder / 'lists')
        for name in ['wrapper', 'extract']:
            print(f'== {name}', flush=True)
            subprocess.run([sys.executable, args.scorer, 'lists', str(folder), str(folder / f'{name}.jsonl')], check=True)


if __name__ == '__main__':
    main()
