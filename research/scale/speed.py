#!/usr/bin/env python3
"""Pages per second from WARC to Parquet, beside other programs, in one run.

    .venv-scale/bin/python research/scale/speed.py target/scale/pages.warc.gz --copal target/release/copal

Each program reads the same file, several times in turn (`--rounds`), so that a busy machine disturbs all of them alike.
The table has pages per second of wall-clock time, pages per second of processor time over all processes, and the ratio to
copal with one worker; the median of the rounds counts. `parse alone` is copal with `--lang x-none`: pages are read from the
archive, sent to a worker and parsed, and nothing is extracted.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def measured(command: list[str]) -> tuple[float, float]:
    """Wall-clock and processor seconds of a command and its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wall = time.monotonic() - start
    # 1 is a run that found nothing, 4 one with a page that hit a limit
    if done.returncode not in (0, 1, 4):
        raise SystemExit(f'{" ".join(command)}: exit {done.returncode}\n{done.stderr[-2000:]}')
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, processor


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('archive', type=pathlib.Path)
    parser.add_argument('--copal', default='target/release/copal')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--peers', default='fastwarc,parsel,trafilatura,extruct,copal-python')
    parser.add_argument('-o', '--output', type=pathlib.Path, help='also write the figures as JSON')
    given = parser.parse_args()
    archive = str(given.archive)
    with tempfile.TemporaryDirectory() as folder:
        cells = f'{folder}/cells.parquet'
        extract = [given.copal, 'extract', archive, '--no-config', '-q', '--long', '-o', cells]
        commands = {
            'copal, 1 worker': [*extract, '-j', '1'],
            'copal, 2 workers': [*extract, '-j', '2'],
            'copal, 1 thread (--in-process)': [*extract, '-j', '1', '--in-process'],
            'copal --by-template, 1 worker': [*extract, '-j', '1', '--by-template'],
            'parse alone, 1 worker': [*extract, '-j', '1', '--lang', 'x-none'],
        }
        for peer in filter(None, given.peers.split(',')):
            commands[peer] = [sys.executable, str(HERE / 'peers.py'), peer, archive]
        pages = int(subprocess.run(
            [sys.executable, str(HERE / 'peers.py'), 'fastwarc', archive], capture_output=True, text=True, check=True
        ).stdout)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for round_number in range(given.rounds):
            for name, command in commands.items():
                times[name].append(measured(command))
                print(f'round {round_number + 1}: {name}: {times[name][-1][0]:.1f} s', file=sys.stderr)
    figures = {
        name: {
            'pages_per_second': pages / statistics.median(wall for wall, _ in rounds),
            'pages_per_processor_second': pages / statistics.median(processor for _, processor in rounds),
        }
        for name, rounds in times.items()
    }
    base = figures['copal, 1 worker']
    print(f'{pages} pages of {given.archive.stat().st_size / 1e6:.0f} MB, median of {given.rounds} rounds\n')
    print('| program | pages/s | pages per processor second | times copal with one worker |')
    print('|---|---|---|---|')
    for name, figure in figures.items():
        ratio = figure['pages_per_second'] / base['pages_per_second']
        print(f'| {name} | {figure["pages_per_second"]:.1f} | {figure["pages_per_processor_second"]:.1f} | {ratio:.2f} |')
    efficiency = figures['copal, 2 workers']['pages_per_second'] / base['pages_per_second'] / 2
    print(f'\nefficiency of two workers: {efficiency:.2f}')
    if 'copal-python' in figures:
        thread = figures['copal, 1 thread (--in-process)']['pages_per_processor_second']
        overhead = thread / figures['copal-python']['pages_per_processor_second'] - 1
        print(f'Python over one Rust thread: {overhead:+.1%} processor time')
    if given.output:
        given.output.write_text(json.dumps({'pages': pages, 'figures': figures, 'efficiency': efficiency}, indent=1))
    return 0


if __name__ == '__main__':
    sys.exit(main())
