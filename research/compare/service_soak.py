#!/usr/bin/env python3
"""Whether bombs spoil other answers of the service: service_soak.py [--copal PROGRAM] [--minutes N]

Eight clients ask `copal serve` for the same page. For the first fifth of the time that is all. Then every tenth request is a
page that needs more than the 60 MB that the service is given. All other answers must be right, and the memory of the service
must stay flat: the last quarter of its measurements at most a quarter above the second one. The ratio of right answers per
second with bombs and without says what the bombs cost. Exits with 1 if an answer is wrong, missing or late, or if the memory
grows.
"""
import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from shared import ROOT, copal_binary

CLIENTS = 8
# seconds that one request may take; the service gives a page 30 s
REQUEST_SECONDS = 90
# seconds between two measurements of the memory
INTERVAL = 5
# bombs must be refused with this status
REFUSED = 422


def post(address, body):
    """Status and body of the answer; the name of the error instead of a status if there is none."""
    request = urllib.request.Request(f'http://{address}/v1/extract', data=body, headers={'Content-Type': 'application/json'})
    try:
        with urllib.request.urlopen(request, timeout=REQUEST_SECONDS) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError as error:
        return type(error).__name__, str(error).encode()


def resident_megabytes(pid):
    text = pathlib.Path(f'/proc/{pid}/status').read_text()
    return int(re.search(r'VmRSS:\s*(\d+)', text).group(1)) // 1000


def phase(service, address, bodies, expected, seconds, bomb_every):
    """Counts of answers by kind and status, wrong answers, memory, and right answers per second."""
    counts, wrong, memory, lock = collections.Counter(), [], [], threading.Lock()
    begun = time.monotonic()
    end = begun + seconds

    def client(number):
        turn = number
        while time.monotonic() < end:
            turn += 1
            is_bomb = bomb_every and turn % bomb_every == 0
            answer = post(address, bodies['bomb' if is_bomb else 'good'])
            is_wrong = answer[0] != REFUSED if is_bomb else answer != expected
            with lock:
                counts['bomb' if is_bomb else 'good', answer[0]] += 1
                if is_wrong and len(wrong) < 100:
                    wrong.append(('bomb' if is_bomb else 'good', answer[0], answer[1][:200]))
    clients = [threading.Thread(target=client, args=(number,), daemon=True) for number in range(CLIENTS)]
    for one in clients:
        one.start()
    # no request takes longer than its limit, so that this ends
    while any(one.is_alive() for one in clients) and time.monotonic() < end + 2 * REQUEST_SECONDS:
        time.sleep(min(INTERVAL, seconds / 10))
        if service.poll() is not None:
            sys.exit(f'the service ended with {service.returncode}')
        memory.append(resident_megabytes(service.pid))
    if any(one.is_alive() for one in clients):
        wrong.append(('client', 'late', b''))
    right = sum(count for (kind, status), count in counts.items() if kind == 'good' and status == 200)
    return counts, wrong, memory, right / (time.monotonic() - begun)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--copal')
    parser.add_argument('--minutes', type=float, default=10)
    arguments = parser.parse_args()
    copal = copal_binary(arguments.copal)
    html = (ROOT / 'examples' / 'shop.html').read_text(encoding='utf-8')
    bomb = '<ul>' + '<li><a href=/x>lamp</a> <b>£9</b></li>' * 120_000 + '</ul>'
    bodies = {'good': json.dumps({'html': html, 'options': {'format': 'csv'}}).encode(), 'bomb': json.dumps({'html': bomb}).encode()}
    with tempfile.TemporaryDirectory() as folder:
        service = subprocess.Popen([copal, 'serve', '--port', '0', '--quiet', '--page-memory', '60', '--dir', folder],
                                   stderr=subprocess.PIPE, text=True)
        try:
            line = service.stderr.readline()
            if 'http://' not in line:
                sys.exit(f'the service did not start: {line}')
            address = line.split('http://')[1].split(',')[0]
            expected = post(address, bodies['good'])
            if expected[0] != 200:
                sys.exit(f'the page has no answer: {expected}')
            seconds = 60 * arguments.minutes
            calm = phase(service, address, bodies, expected, seconds / 5, None)
            counts, wrong, memory, rate = phase(service, address, bodies, expected, seconds * 4 / 5, 10)
        finally:
            service.terminate()
            try:
                service.wait(timeout=REQUEST_SECONDS)
            except subprocess.TimeoutExpired:
                service.kill()
                service.wait()
    wrong = calm[1] + wrong
    for (kind, status), count in sorted((calm[0] + counts).items(), key=str):
        print(f'{kind:5} {status}: {count}')
    print(f'right answers per second with bombs / without: {rate:.1f} / {calm[3]:.1f} = {rate / (calm[3] or 1):.2f}')
    quarter = max(1, len(memory) // 4)
    early, late = statistics.median(memory[quarter:2 * quarter] or memory), statistics.median(memory[-quarter:])
    grows = late > 1.25 * early
    print(f'memory of the service: {early:.0f} MB in the second quarter, {late:.0f} MB in the last, {max(memory)} MB at most')
    print(f'wrong answers: {len(wrong)}')
    for kind, status, body in wrong[:5]:
        print(f'  {kind} {status}: {body!r}')
    sys.exit(1 if wrong or grows else 0)


if __name__ == '__main__':
    main()
