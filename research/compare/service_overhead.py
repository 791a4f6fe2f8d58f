#!/usr/bin/env python3
"""How much the service costs over plain extraction: service_overhead.py [--copal PROGRAM] [--lab PROGRAM] [--seconds N] [PAGE…]

Needs wrk (Debian: apt install wrk), a copal that was built with --features serve, and copal-lab of the same profile.

Plain extraction is `copal-lab throughput`: threads of one process extract the same pages, one after another, and write the
same format. The service is asked by wrk on loopback with 1, 8 and 64 connections, and has as many workers as plain
extraction has threads: one for one connection, else one per core. Both are measured in turn, --rounds times each, for
--seconds / --rounds each time; the overhead is the median of the ratios of neighbouring measurements, so that a machine that
gets slower meanwhile changes little. The same for processor time per page, which other programs on the machine hardly
change: that of the service with its workers, without wrk, against that of plain extraction. Ends with an error if any request fails, or if a program takes much longer than it may.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

from shared import ROOT, copal_binary, print_table

DEFAULT_PAGES = ['examples/shop.html', 'testdata/objects/list.html', 'testdata/pages/forum/page.html',
                 'testdata/pages/card-grid/page.html']
# a program that takes this many seconds longer than it was given is stuck
PATIENCE = 120

SCRIPT = '''local bodies = {%s}
local at = 0
request = function()
  at = at %% #bodies + 1
  return wrk.format("POST", nil, {["Content-Type"] = "application/json"}, bodies[at])
end
'''


def plain_rate(lab, pages, threads, seconds):
    """Pages per second, and processor seconds per page, of threads that do nothing but extract."""
    command = [lab, 'throughput', '--threads', str(threads), '--seconds', str(seconds), *map(str, pages)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds + PATIENCE).stdout
    after, measured = resource.getrusage(resource.RUSAGE_CHILDREN), json.loads(printed)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return measured['pages_per_second'], used / measured['pages']


def processor_seconds(pid):
    """Of a process and of its children, also those that have ended."""
    def fields(one):
        return pathlib.Path(f'/proc/{one}/stat').read_text().rsplit(')', 1)[1].split()
    ticks = sum(map(int, fields(pid)[11:15]))
    for task in pathlib.Path(f'/proc/{pid}/task').iterdir():
        for child in (task / 'children').read_text().split():
            ticks += sum(map(int, fields(child)[11:13]))
    return ticks / os.sysconf('SC_CLK_TCK')


def service_rate(service, script, connections, seconds):
    """Requests per second, and processor seconds per request, of the service; ends if one of them failed."""
    before = processor_seconds(service.process.pid)
    command = ['wrk', '-t', str(min(2, connections)), '-c', str(connections), '-d', f'{seconds}s', '--timeout', '60s',
               '-s', str(script), f'http://{service.address}/v1/extract']
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds + PATIENCE).stdout
    if 'Non-2xx' in printed or 'Socket errors' in printed:
        sys.exit(f'requests failed:\n{printed}')
    requests = int(re.search(r'(\d+) requests in', printed).group(1))
    used = processor_seconds(service.process.pid) - before
    return float(re.search(r'Requests/sec:\s*([\d.]+)', printed).group(1)), used / requests


def resident_megabytes(pid):
    text = pathlib.Path(f'/proc/{pid}/status').read_text()
    return int(re.search(r'VmRSS:\s*(\d+)', text).group(1)) // 1000


def lua_text(text):
    """A long string of Lua that contains anything."""
    level = '=' * 8
    assert f']{level}]' not in text
    return f'[{level}[\n{text}]{level}]'


class Service:
    """A service with a number of workers, which ends with the block."""

    def __init__(self, copal, folder, workers):
        command = [copal, 'serve', '--port', '0', '--quiet', '--workers', str(workers), '--queue', '256', '--dir', str(folder)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        if 'http://' not in line:
            self.process.kill()
            sys.exit(f'the service did not start: {line}')
        self.address = line.split('http://')[1].split(',')[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('pages', nargs='*', type=pathlib.Path, default=[ROOT / page for page in DEFAULT_PAGES])
    parser.add_argument('--copal')
    parser.add_argument('--lab', help='copal-lab [default: next to copal]')
    parser.add_argument('--seconds', type=int, default=60, help='of each measure and number of connections')
    parser.add_argument('--rounds', type=int, default=6)
    arguments = parser.parse_args()
    if not shutil.which('wrk'):
        sys.exit('wrk is needed (Debian: apt install wrk)')
    copal, cores = copal_binary(arguments.copal), os.cpu_count() or 1
    lab = copal_binary(arguments.lab or pathlib.Path(copal).with_name('copal-lab'))
    seconds = max(1, arguments.seconds // arguments.rounds)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        bodies = [json.dumps({'html': page.read_text(encoding='utf-8'), 'options': {'format': 'pages'}})
                  for page in arguments.pages]
        script = folder / 'post.lua'
        script.write_text(SCRIPT % ', '.join(map(lua_text, bodies)), encoding='utf-8')
        rows = []
        for connections in (1, 8, 64):
            workers = 1 if connections == 1 else cores
            with Service(copal, folder / f'workspace-{connections}', workers) as service:
                # workers start with the first requests
                service_rate(service, script, connections, 2)
                memory, pairs = [], []
                for _ in range(arguments.rounds):
                    pairs.append((plain_rate(lab, arguments.pages, workers, seconds),
                                  service_rate(service, script, connections, seconds)))
                    memory.append(resident_megabytes(service.process.pid))
            ratios = sorted(plain[0] / served[0] - 1 for plain, served in pairs)
            used = sorted(served[1] / plain[1] - 1 for plain, served in pairs)
            plain, served = (statistics.median(one[0] for one in column) for column in zip(*pairs))
            rows.append([connections, workers, f'{plain:.1f}', f'{served:.1f}', f'{statistics.median(ratios):+.0%}',
                         f'{ratios[0]:+.0%} to {ratios[-1]:+.0%}', f'{statistics.median(used):+.0%}',
                         f'{used[0]:+.0%} to {used[-1]:+.0%}', f'{memory[0]}, {memory[-1]}'])
    head = ['connections', 'workers', 'plain pages/s', 'service pages/s', 'overhead', 'rounds', 'processor time', 'rounds',
            'MB first, last']
    print_table(head, rows, f'{len(arguments.pages)} pages in turn, {arguments.rounds} rounds of {seconds} s')


if __name__ == '__main__':
    main()
