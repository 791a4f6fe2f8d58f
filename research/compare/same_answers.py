#!/usr/bin/env python3
"""Whether two builds of copal give the same answers, byte for byte: for changes that should only make it faster.

    research/compare/same_answers.py --before OLD_BINARY [--copal BINARY] FOLDER_OR_PAGE... [--pages FILE] [--every N] [--apply]

Extracts each page as JSON in several ways (the main list, all lists, one object, with a domain) and as CSV, and compares what is
printed, the messages, and the exit codes. With --apply, each build also learns a wrapper from the page and applies it to the page.
Prints what differs; the exit code is 1 if anything does.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

from parse_instructions import pages_of
from shared import copal_binary

WAYS = [['--format', 'json'], ['--format', 'json', '--all', '--explain'], ['--format', 'json', '--kind', 'detail'],
        ['--format', 'json', '--domain', 'products'], ['--format', 'csv']]


def answer(copal, arguments):
    """What a run prints on both streams, and its exit code."""
    done = subprocess.run([copal, *arguments], capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return done.stdout, done.stderr, done.returncode


def applied(copal, page):
    """What the wrapper that a build learns from a page gives on this page."""
    with tempfile.TemporaryDirectory() as folder:
        wrapper = pathlib.Path(folder) / 'wrapper.json'
        learnt = answer(copal, ['learn', str(page), '-o', str(wrapper)])
        if not wrapper.is_file():
            return learnt[2]
        found = answer(copal, ['apply', str(wrapper), str(page), '--format', 'json'])
        return tuple(part.replace(folder.encode(), b'') if isinstance(part, bytes) else part for part in found)


def differences(page, before, after, applies):
    """The ways in which a page is answered differently."""
    found = [' '.join(way) for way in WAYS
             if answer(before, ['extract', str(page), *way]) != answer(after, ['extract', str(page), *way])]
    return found + (['learn and apply'] if applies and applied(before, page) != applied(after, page) else [])


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument('places', nargs='*')
    ap.add_argument('--before', required=True)
    ap.add_argument('--copal')
    ap.add_argument('--pages', type=pathlib.Path)
    ap.add_argument('--every', type=int, default=1)
    ap.add_argument('--apply', action='store_true')
    args = ap.parse_args()
    before, after = copal_binary(args.before), copal_binary(args.copal)
    pages = pages_of(args.places, args.pages, args.every)
    differing = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda page: differences(page, before, after, args.apply), pages)
        for page, found in zip(pages, results):
            differing += bool(found)
            for way in found:
                print(f'{page}: {way}')
    print(f'{len(pages)} pages, {len(WAYS) + args.apply} ways each: {differing or "no"} page{"s" * (differing != 1)} differ{"s" * (differing == 1)}')
    sys.exit(bool(differing))


if __name__ == '__main__':
    main()
