#!/usr/bin/env python3
"""Pages per second of processor time from WARC to Parquet, beside other programs, in one run.

    .venv-scale/bin/python research/scale/speed.py target/scale/pages.warc.gz --copal target/release/copal

Each program reads the same file, several times in turn (`--rounds`), so that a busy machine disturbs all of them alike; the
median of the rounds counts. Processor time is that of all processes of a program. `parse alone` is copal with
`--lang x-none`: pages are read from the archive, sent to a worker and parsed, and nothing is extracted.

The share of the command without its workers is what more workers cannot divide: it is the time of the one thread that
unpacks the archive and writes the table. With two workers on two cores it takes its share of one of them, so that
two workers are at most 1 - share as efficient as one, and 1 / share workers are the most that one command can use.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from processor_time import Usage, measured

HERE = pathlib.Path(__file__).resolve().parent
#: 1 is a run that found nothing, 4 one with a page that hit a limit
COPAL_CODES = (0, 1, 4)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('archive', type=pathlib.Path)
    parser.add_argument('--copal', default='target/release/copal')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--peers', default='fastwarc,parsel,trafilatura,extruct,copal-python')
    parser.add_argument('--table', default='parquet', help='the format of the table: parquet, or csv for builds without it')
    parser.add_argument('--template-pages', type=int, default=32, help='pages of a template before it is learned')
    parser.add_argument('--without', default='', help='programs to leave out, by their names, separated by commas')
    parser.add_argument('-o', '--output', type=pathlib.Path, help='also write the figures as JSON')
    given = parser.parse_args()
    archive = str(given.archive)
    with tempfile.TemporaryDirectory() as folder:
        cells = f'{folder}/cells.{given.table}'
        extract = [given.copal, 'extract', archive, '--no-config', '-q', '--long', '-o', cells]
        commands = {
            'copal 1 worker': [*extract, '-j', '1'],
            'copal 2 workers': [*extract, '-j', '2'],
            'copal 1 thread (--in-process)': [*extract, '-j', '1', '--in-process'],
            'copal --by-template 1 worker': [*extract, '-j', '1', '--by-template', '--template-pages',
                                             str(given.template_pages)],
            'parse alone 1 worker': [*extract, '-j', '1', '--lang', 'x-none'],
        }
        for peer in filter(None, given.peers.split(',')):
            commands[peer] = [sys.executable, str(HERE / 'peers.py'), peer, archive]
        for name in filter(None, given.without.split(',')):
            del commands[name]
        pages = int(subprocess.run(
            [sys.executable, str(HERE / 'peers.py'), 'fastwarc', archive], capture_output=True, text=True, check=True
        ).stdout)
        times: dict[str, list[Usage]] = {name: [] for name in commands}
        for round_number in range(given.rounds):
            for name, command in commands.items():
                used = measured(command, COPAL_CODES)
                times[name].append(used)
                print(f'round {round_number + 1}: {name}: {used.processor:.1f} s of processor time, {used.wall:.1f} s',
                      file=sys.stderr)
    figures = {
        name: {
            'pages_per_second': pages / statistics.median(used.wall for used in rounds),
            'pages_per_processor_second': pages / statistics.median(used.processor for used in rounds),
            'own_share': statistics.median(used.own / used.processor for used in rounds),
        }
        for name, rounds in times.items()
    }
    rate = {name: figure['pages_per_processor_second'] for name, figure in figures.items()}
    base = rate['copal 1 worker']
    print(f'{pages} pages of {given.archive.stat().st_size / 1e6:.0f} MB, median of {given.rounds} rounds\n')
    print('| program | pages per processor second | ms per page | times copal with one worker |')
    print('|---|---|---|---|')
    for name, of_program in rate.items():
        print(f'| {name} | {of_program:.1f} | {1000 / of_program:.2f} | {of_program / base:.2f} |')
    share = figures['copal 1 worker']['own_share']
    print(f'\nshare of the command without its workers: {share:.3f}')
    if 'copal 2 workers' in rate:
        # one worker is as fast as its own processor time allows; two share two cores with the command
        efficiency = rate['copal 2 workers'] / base * (1 - share)
        walls = figures['copal 2 workers']['pages_per_second'] / figures['copal 1 worker']['pages_per_second'] / 2
        print(f'efficiency of two workers on two cores, from processor time: {efficiency:.2f}; by the clock: {walls:.2f}')
    if 'copal-python' in rate and 'copal 1 thread (--in-process)' in rate:
        overhead = rate['copal 1 thread (--in-process)'] / rate['copal-python'] - 1
        print(f'Python over one Rust thread: {overhead:+.1%} processor time')
    if given.output:
        found = {'pages': pages, 'figures': figures, 'own_share': share}
        given.output.write_text(json.dumps(found, indent=1))
    return 0


if __name__ == '__main__':
    sys.exit(main())
