#!/usr/bin/env python3
"""How much the service costs over plain extraction: service_overhead.py [--copal PROGRAM] [--seconds N] [PAGE]

Needs wrk (Debian: apt install wrk) and a copal that was built with --features serve. Extracts one page again and again: in
`copal worker` processes that are fed directly, without HTTP and without a queue, and with wrk from `copal serve` on loopback
with 1, 8 and 64 connections. (`copal extract` with many files is no measure: it decides about pages of one template
together.) Both run in turn, three times, with as many workers as there are cores (one with one connection). The ratio is
what counts, since all of it is measured in one run.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from shared import ROOT, copal_binary, print_table

ROUNDS = 3
# pages that each worker extracts
PAGES = 150


def frame(message, bodies=()):
    """A message to a worker, as apps/service/src/frames.rs reads it."""
    text = json.dumps(message).encode()
    parts = [struct.pack('>I', len(text)), text, struct.pack('>I', len(bodies))]
    for body in bodies:
        parts += [struct.pack('>I', len(body)), body]
    return b''.join(parts)


def read_message(stream):
    number = lambda: struct.unpack('>I', stream.read(4))[0]
    message = json.loads(stream.read(number()))
    for _ in range(number()):
        stream.read(number())
    return message


def worker_seconds(copal, settings, task, count):
    """Seconds in which a worker does a task `count` times, after a first one that starts everything."""
    worker = subprocess.Popen([copal, 'worker'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    worker.stdin.write(settings + task)
    worker.stdin.flush()

    def wait():
        while 'progress' in (message := read_message(worker.stdout)):
            pass
        assert 'done' in message, message
    wait()
    start = time.perf_counter()
    for _ in range(count):
        worker.stdin.write(task)
        worker.stdin.flush()
        wait()
    seconds = time.perf_counter() - start
    worker.stdin.close()
    worker.wait()
    return seconds


def plain_rate(copal, html, threads):
    """Pages per second of workers that do nothing but extract."""
    network = {'allow_private': False, 'obey_robots': True, 'delay_ms': 1000, 'timeout_s': 30, 'contact': None, 'cache': None,
               'browser': None, 'browser_sandbox': True}
    settings = frame({'memory_bytes': 500_000_000, 'page_bytes': 20_000_000, 'network': network})
    page = {'name': 'page', 'url': None, 'body': 0, 'content_type': None, 'charset': 'utf-8'}
    task = frame({'operation': 'extract', 'pages': [page], 'options': {'format': 'pages'}, 'store': None, 'names_pages': False},
                 [html.encode()])
    with ThreadPoolExecutor(threads) as pool:
        seconds = list(pool.map(lambda _: worker_seconds(copal, settings, task, PAGES), range(threads)))
    return sum(PAGES / one for one in seconds)


def service_rate(address, script, connections, duration):
    """Requests per second of the service; ends if one of them failed."""
    command = ['wrk', '-t', str(min(2, connections)), '-c', str(connections), '-d', f'{duration}s', '--timeout', '60s',
               '-s', str(script), f'http://{address}/v1/extract']
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if 'Non-2xx' in printed or 'Socket errors' in printed:
        sys.exit(f'requests failed:\n{printed}')
    return float(re.search(r'Requests/sec:\s*([\d.]+)', printed).group(1))


def resident_kilobytes(pid):
    text = pathlib.Path(f'/proc/{pid}/status').read_text()
    return int(re.search(r'VmRSS:\s*(\d+)', text).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('page', nargs='?', type=pathlib.Path, default=ROOT / 'examples' / 'shop.html')
    parser.add_argument('--copal')
    parser.add_argument('--seconds', type=int, default=20)
    arguments = parser.parse_args()
    if not shutil.which('wrk'):
        sys.exit('wrk is needed (Debian: apt install wrk)')
    copal, cores = copal_binary(arguments.copal), os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        html = arguments.page.read_text(encoding='utf-8')
        body = json.dumps({'html': html, 'options': {'format': 'pages'}})
        script = folder / 'post.lua'
        script.write_text('wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\n'
                          f'wrk.body = [==========[{body}]==========]\n', encoding='utf-8')
        command = [copal, 'serve', '--port', '0', '--quiet', '--workers', str(cores), '--dir', str(folder / 'workspace')]
        service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            address = service.stderr.readline().split('http://')[1].split(',')[0]
            rows, memory = [], []
            for connections in (1, 8, 64):
                threads = 1 if connections == 1 else cores
                service_rate(address, script, connections, 2)
                pairs = []
                for _ in range(ROUNDS):
                    pairs.append((plain_rate(copal, html, threads),
                                  service_rate(address, script, connections, arguments.seconds // ROUNDS or 1)))
                    memory.append(resident_kilobytes(service.pid))
                plain, served = (statistics.median(column) for column in zip(*pairs))
                overhead = statistics.median(plain / served for plain, served in pairs) - 1
                rows.append([connections, f'{plain:.1f}', f'{served:.1f}', f'{overhead:+.0%}'])
        finally:
            service.terminate()
            service.wait()
        print_table(['connections', 'workers alone, pages/s', 'service pages/s', 'overhead'], rows,
                    f'memory of the service: {memory[0] // 1000} MB after the first round, {memory[-1] // 1000} MB after the last')


if __name__ == '__main__':
    main()
