#!/usr/bin/env python3
"""Where next links that differ from the labels lead: on, back, or elsewhere.

    research/compare/next_links.py CORPUS PREDICTIONS [--skip-sites FILE] [--halves]

CORPUS is a folder with pages of the task `pagination`, PREDICTIONS the output of `copal-lab eval CORPUS --task pagination`. The
labels call a link "next" if the page does: "newer posts" on a blog is next and "older posts" is not, and a pager with numbers only
has no next link. Whoever follows a list needs the other direction, and the numbers. So each answer that differs from the label is
compared with the page's own URL, which the prediction did not know: a higher number, or a number that the page's URL lacks, leads
on, and so does the number after the current one in a pager. No page is read. `--halves` splits the sites in two by a hash of their names.
"""
import argparse
import collections
import hashlib
import json
import pathlib
import re
import sys
import urllib.parse


def absolute(own, href):
    try:
        return urllib.parse.urldefrag(urllib.parse.urljoin(own, href.strip()))[0].rstrip('/')
    except ValueError:
        return href


def numbers_of(url):
    """The URL with every number replaced, and the numbers."""
    return re.sub(r'\d+', '#', url), [int(number) for number in re.findall(r'\d+', url)]


def direction(own, other):
    """Whether `other` leads on, back or elsewhere from the page `own`."""
    (own_shape, own_numbers), (shape, numbers) = numbers_of(own.rstrip('/')), numbers_of(other)
    if own_shape == shape:
        signs = {b > a for a, b in zip(own_numbers, numbers) if a != b}
        return {(True,): 'on', (False,): 'back'}.get(tuple(signs), 'elsewhere')
    if shape.startswith(own_shape) and len(numbers) == len(own_numbers) + 1:
        return 'on'
    if own_shape.startswith(shape) and len(own_numbers) == len(numbers) + 1:
        return 'back'
    return 'elsewhere'


def follows_number(gold, answer):
    """True if the label of the answer is the number after the one that the labels of the pager lack: that of the page itself."""
    numbers = {(int(link['text']), absolute(gold['url'], link['href']))
               for link in gold['links'] if link['type'] == 'PAGE' and link['text'].strip().isdecimal()}
    known = {number for number, _ in numbers}
    current = next(number for number in range(1, len(known) + 2) if number not in known)
    return (current + 1, answer) in numbers


def pages_of(corpus, skipped):
    for line in (corpus / 'index.jsonl').read_text(encoding='utf-8').splitlines():
        row = json.loads(line)
        if row['task'] == 'pagination' and (row.get('domain') or row['site']) not in skipped:
            yield row, json.loads((corpus / f'{row["id"]}.json').read_text(encoding='utf-8'))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('predictions', type=pathlib.Path)
    parser.add_argument('--skip-sites', type=pathlib.Path, help='a file with sites that are left out, such as the unopened ones')
    parser.add_argument('--halves', action='store_true', help='the sites in two halves')
    args = parser.parse_args()
    skipped = set(args.skip_sites.read_text(encoding='utf-8').split()) if args.skip_sites else set()
    predictions = {row['id']: row for row in map(json.loads, args.predictions.read_text(encoding='utf-8').splitlines())}
    counts, sites = collections.defaultdict(collections.Counter), collections.defaultdict(set)
    left_out = 0
    for row, gold in pages_of(args.corpus, skipped):
        # a predictions file may be of a part of the corpus (copal-lab eval --part opened)
        if row['id'] not in predictions:
            left_out += 1
            continue
        half = int(hashlib.sha256(row['site'].encode()).hexdigest()[:8], 16) % 2 if args.halves else 0
        sites[half].add(row['site'])
        own, answer = gold['url'], predictions[row['id']]['next']
        kind = 'with' if gold['next'] else 'without'
        if answer and absolute(own, answer) in {absolute(own, href) for href in gold['next']} or not answer and not gold['next']:
            verdict = 'as labelled'
        else:
            verdict = 'none given'
            if answer:
                target = absolute(own, answer)
                verdict = 'on' if follows_number(gold, target) else direction(own, target)
        counts[half][kind, verdict] += 1
    if left_out:
        print(f'{left_out} pages without a prediction are left out')
    if not counts:
        sys.exit(f'{args.predictions}: no prediction for a page of {args.corpus}')
    for half, count in sorted(counts.items()):
        print(f'{"AB"[half] if args.halves else "all"}: {len(sites[half])} sites')
        for kind in ('with', 'without'):
            whole = sum(number for (other, _), number in count.items() if other == kind)
            parts = ', '.join(f'{verdict} {number}' for (other, verdict), number in sorted(count.items()) if other == kind)
            print(f'  {whole} pages {kind} a label "next": {parts}')
        # for a reader of the list: a link that leads on is right, whatever the page calls it
        right = count['with', 'as labelled'] + count['with', 'on']
        labelled = sum(number for (kind, _), number in count.items() if kind == 'with')
        false = count['without', 'back'] + count['without', 'elsewhere']
        others = sum(number for (kind, _), number in count.items() if kind == 'without')
        print(f'  for a reader: {right} of {labelled} right, {false} of {others} false')


if __name__ == '__main__':
    main()
