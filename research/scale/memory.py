#!/usr/bin/env python3
"""Memory of a crawl over time: flat, whatever the number of pages and the size of the archive.

    .venv-scale/bin/python research/scale/memory.py target/scale/small-pages.warc.gz --copal target/release/copal

With `--make "CORPUS --pages 200000"`, the arguments of make_archive.py, the archive is a pipe that is written while copal
reads it, so that it is never on the disk. Runs `copal extract ARCHIVE --long` and looks once a second at the resident memory of
the command and of its workers. What it sees is also printed once a minute, so that a run that is ended says something. The
table has, for each tenth of the run, the largest sum; the run passes if the last tenth is at most 1.25 times the second one.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import psutil

#: Seconds between two lines about a run.
LINE_INTERVAL = 60.0


def resident(process: psutil.Process) -> tuple[int, int]:
    """Bytes of the command, and of its workers together."""
    try:
        own = process.memory_info().rss
        workers = 0
        for child in process.children(recursive=True):
            try:
                workers += child.memory_info().rss
            except psutil.NoSuchProcess:
                pass
        return own, workers
    except psutil.NoSuchProcess:
        return 0, 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('archive', type=pathlib.Path)
    parser.add_argument('--copal', default='target/release/copal')
    parser.add_argument('--options', default='-j 2', help='further options of copal extract')
    parser.add_argument('--make', help='arguments of make_archive.py; the archive is then a pipe')
    given = parser.parse_args()
    maker = None
    if given.make:
        given.archive.parent.mkdir(parents=True, exist_ok=True)
        given.archive.unlink(missing_ok=True)
        os.mkfifo(given.archive)
        script = pathlib.Path(__file__).with_name('make_archive.py')
        maker = subprocess.Popen([sys.executable, str(script), *given.make.split(), '-o', str(given.archive)])
    samples: list[tuple[float, int, int]] = []
    next_line = 0.0
    with tempfile.TemporaryDirectory() as folder:
        command = [given.copal, 'extract', str(given.archive), '--no-config', '--long', '-o', f'{folder}/cells/',
                   *given.options.split()]
        start = time.monotonic()
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        process = psutil.Process(running.pid)
        while running.poll() is None:
            samples.append((time.monotonic() - start, *resident(process)))
            if samples[-1][0] >= next_line:
                next_line += LINE_INTERVAL
                at, own, workers = samples[-1]
                peak = max(a + b for _, a, b in samples)
                print(f'{at:.0f} s: command {own / 1e6:.0f} MB, workers {workers / 1e6:.0f} MB, largest sum so far '
                      f'{peak / 1e6:.0f} MB', file=sys.stderr, flush=True)
            time.sleep(min(1.0, 0.05 + (time.monotonic() - start) / 100))
        message = running.stderr.read().strip().splitlines()
        written = sum(path.stat().st_size for path in pathlib.Path(folder).rglob('*.parquet'))
    if maker:
        maker.wait()
        given.archive.unlink()
    if running.returncode not in (0, 1, 4) or len(samples) < 10:
        print('\n'.join(message), file=sys.stderr)
        print(f'exit {running.returncode}, {len(samples)} samples', file=sys.stderr)
        return 3
    print(message[-1])
    print(f'{samples[-1][0]:.0f} s, {written / 1e6:.0f} MB of Parquet\n')
    print('| tenth of the run | command, MB | workers together, MB |\n|---|---|---|')
    tenths: list[int] = []
    length = samples[-1][0]
    for tenth in range(10):
        part = [sample for sample in samples if tenth <= 10 * sample[0] / length <= tenth + 1]
        own, workers = max(own for _, own, _ in part), max(workers for *_, workers in part)
        tenths.append(own + workers)
        print(f'| {tenth + 1} | {own / 1e6:.0f} | {workers / 1e6:.0f} |')
    growth = tenths[9] / tenths[1]
    print(f'\nlast tenth over second: {growth:.2f}')
    return 0 if growth <= 1.25 else 4


if __name__ == '__main__':
    sys.exit(main())
