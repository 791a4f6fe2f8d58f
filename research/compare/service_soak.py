#!/usr/bin/env python3
"""Whether bombs spoil other answers of the service: service_soak.py [--copal PROGRAM] [--minutes N]

Eight clients ask `copal serve` for the same page, and every tenth request is a page that needs more than the 60 MB that
the service is given. All other answers must be right, and the memory of the service must stay flat. Exits with 1 if not.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from shared import ROOT, copal_binary

CLIENTS = 8


def post(address, body):
    request = urllib.request.Request(f'http://{address}/v1/extract', data=body, headers={'Content-Type': 'application/json'})
    try:
        with urllib.request.urlopen(request, timeout=300) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def resident_megabytes(pid):
    text = pathlib.Path(f'/proc/{pid}/status').read_text()
    return int(re.search(r'VmRSS:\s*(\d+)', text).group(1)) // 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--copal')
    parser.add_argument('--minutes', type=float, default=10)
    arguments = parser.parse_args()
    copal = copal_binary(arguments.copal)
    html = (ROOT / 'examples' / 'shop.html').read_text(encoding='utf-8')
    good = json.dumps({'html': html, 'options': {'format': 'csv'}}).encode()
    bomb = json.dumps({'html': '<ul>' + '<li><a href=/x>lamp</a> <b>£9</b></li>' * 120_000 + '</ul>'}).encode()
    counts, wrong, memory = collections.Counter(), [], []
    with tempfile.TemporaryDirectory() as folder:
        service = subprocess.Popen([copal, 'serve', '--port', '0', '--quiet', '--page-memory', '60', '--dir', folder],
                                   stderr=subprocess.PIPE, text=True)
        address = service.stderr.readline().split('http://')[1].split(',')[0]
        try:
            expected = post(address, good)
            assert expected[0] == 200, expected
            end = time.monotonic() + 60 * arguments.minutes

            def client(number):
                turn = number
                while time.monotonic() < end:
                    turn += 1
                    is_bomb = turn % 10 == 0
                    answer = post(address, bomb if is_bomb else good)
                    counts['bomb' if is_bomb else 'good', answer[0]] += 1
                    if not is_bomb and answer != expected:
                        wrong.append(answer)
            clients = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
            for one in clients:
                one.start()
            while any(one.is_alive() for one in clients):
                time.sleep(min(5, 6 * arguments.minutes))
                memory.append(resident_megabytes(service.pid))
            for one in clients:
                one.join()
        finally:
            service.terminate()
            service.wait()
    for (kind, status), count in sorted(counts.items()):
        print(f'{kind:5} {status}: {count}')
    print(f'memory of the service: {memory[0]} MB at first, {max(memory)} MB at most, {memory[-1]} MB at last')
    print(f'wrong answers: {len(wrong)}')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
