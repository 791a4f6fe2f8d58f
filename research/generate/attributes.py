#!/usr/bin/env python3
"""Scores predicted attributes against the generated gold: precision, recall and F1 per attribute and source.

In: a corpus of generate.py and a prediction file (one JSON object per line, as `copal-lab eval CORPUS --domain NAME -o
FILE` writes it). Only main lists count, with the role "primary" or "possible". Out: a table on standard output, and all
figures with --json. Shares no code with copal.
"""
import argparse
import json
import pathlib
import sys
from collections import Counter, defaultdict

from compare_values import align, right, RECORD_RIGHT

EXAMPLE = """example:
  copal-lab eval corpus --only lists/real-estate --domain real-estate -o homes.pred.jsonl
  python3 attributes.py corpus homes.pred.jsonl --split seen

a record is right if its text shares 90% of its words with a gold record; a wrong value is a false positive and a false
negative; sources without any line in the predictions are left out, single pages without one count as nothing found."""


MAIN_ROLES = ('primary', 'possible')


class Tally:
    """The numbers of right, wrong and missed values."""

    def __init__(self):
        self.right, self.extra, self.missed = 0, 0, 0

    def add(self, other):
        self.right += other.right
        self.extra += other.extra
        self.missed += other.missed

    def figures(self):
        """Precision, recall and F1, and the counts that they are computed from."""
        predicted, gold = self.right + self.extra, self.right + self.missed
        precision = self.right / predicted if predicted else None
        recall = self.right / gold if gold else None
        both = predicted + gold
        return {'gold': gold, 'predicted': predicted, 'right': self.right, 'precision': precision, 'recall': recall,
                'f1': 2 * self.right / both if both else None}


class Scores:
    """The tallies of a group of pages: records, and every attribute."""

    def __init__(self):
        self.pages, self.records, self.attributes = 0, Tally(), defaultdict(Tally)

    def add(self, other):
        self.pages += other.pages
        self.records.add(other.records)
        for name, tally in other.attributes.items():
            self.attributes[name].add(tally)

    def all(self):
        total = Tally()
        for tally in self.attributes.values():
            total.add(tally)
        return total

    def figures(self):
        return {'pages': self.pages, 'records': self.records.figures(), 'all': self.all().figures(),
                'attributes': {name: tally.figures() for name, tally in sorted(self.attributes.items())}}


def values(found):
    """The texts of a predicted field: one, several, or none."""
    if found is None or found == '':
        return []
    return [str(text) for text in found if text not in (None, '')] if isinstance(found, list) else [str(found)]


def score_record(predicted, gold, known, attributes):
    """Counts the attributes of a pair; either side may be None."""
    given = {name: values(found) for name, found in (predicted or {}).get('fields', {}).items()}
    given = {name: texts for name, texts in given.items() if texts and name in known}
    fields = gold['fields'] if gold else {}
    perhaps = gold.get('maybe', {}) if gold else {}
    for name in sorted(set(given) | set(fields)):
        if name in fields:
            accepted = [fields[name], *gold.get('accepted', {}).get(name, [])]
            hit = any(right(name, text, accepted) for text in given.get(name, []))
            attributes[name].right += hit
            attributes[name].missed += not hit
            attributes[name].extra += name in given and not hit
        elif not any(right(name, text, perhaps.get(name, [])) for text in given[name]):
            attributes[name].extra += 1


def score_page(prediction, answer, known):
    """The scores of one page."""
    scores = Scores()
    scores.pages = 1
    predicted = [record for region in (prediction or {}).get('regions') or [] if region.get('role') in MAIN_ROLES
                 for record in region.get('records') or []]
    pairs = align([record.get('text') or '' for record in predicted], [' '.join(record['texts']) for record in answer['records']])
    for at, to, overlap in pairs:
        good = overlap >= RECORD_RIGHT
        scores.records.right += good
        scores.records.extra += not good
        scores.records.missed += not good
        score_record(predicted[at], answer['records'][to], known, scores.attributes)
    used, met = {at for at, _, _ in pairs}, {to for _, to, _ in pairs}
    for at, record in enumerate(predicted):
        if at not in used:
            scores.records.extra += 1
            score_record(record, None, known, scores.attributes)
    for to, record in enumerate(answer['records']):
        if to not in met:
            scores.records.missed += 1
            score_record(None, record, known, scores.attributes)
    return scores


def read_lines(path):
    """The objects of a JSONL file. Exits with a hint if it cannot be read."""
    if not path.is_file():
        sys.exit(f'{path}: no such file')
    found = []
    for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
        if line.strip():
            try:
                found.append(json.loads(line))
            except ValueError as error:
                sys.exit(f'{path}:{number}: expected a JSON object: {error}')
    return found


def score(corpus, predictions, split):
    """(scores by source, scores by template, predicted names that the gold does not know)."""
    pages = [line for line in read_lines(corpus / 'index.jsonl') if split in (None, line['split'])]
    answers = {line['id']: json.loads((corpus / f'{line["id"]}.json').read_text(encoding='utf-8')) for line in pages}
    found = {line['id']: line for line in predictions}
    known, unknown = defaultdict(set), Counter()
    for line in pages:
        for record in answers[line['id']]['records']:
            known[line['vertical']].update(record['fields'], record.get('maybe', {}))
    present = {line['source'] for line in pages if line['id'] in found}
    sources, templates = defaultdict(Scores), defaultdict(Scores)
    for line in pages:
        if line['source'] not in present:
            continue
        prediction = found.get(line['id'])
        scores = score_page(prediction, answers[line['id']], known[line['vertical']])
        sources[line['source']].add(scores)
        templates[f'{line["source"]} {line["template"]}'].add(scores)
        for region in (prediction or {}).get('regions') or []:
            for record in region.get('records') or [] if region.get('role') in MAIN_ROLES else []:
                unknown.update(set(record.get('fields') or {}) - known[line['vertical']])
    return sources, templates, unknown


def row(name, figures):
    """One line of the table."""
    def percent(share):
        return '    -' if share is None else f'{share * 100:5.1f}'
    return (f'{name:<18} {figures["gold"]:>6} {figures["predicted"]:>6} {percent(figures["precision"])} '
            f'{percent(figures["recall"])} {percent(figures["f1"])}')


def show(sources, templates, unknown, by_template):
    """Prints the tables."""
    head = f'{"":<18} {"gold":>6} {"found":>6} {"P":>5} {"R":>5} {"F1":>5}'
    for source, scores in sorted(sources.items()):
        print(f'{source}, {scores.pages} pages\n{head}')
        print(row('records', scores.records.figures()))
        print(row('all attributes', scores.all().figures()))
        for name, tally in sorted(scores.attributes.items()):
            print(row(f'  {name}', tally.figures()))
        print()
    if by_template:
        print(f'{"":<30} {"records F1":>10} {"attributes F1":>14}')
        for name, scores in sorted(templates.items()):
            first, second = scores.records.figures()['f1'], scores.all().figures()['f1']
            print(f'{name:<30} {first * 100:10.1f} {second * 100:14.1f}')
        print()
    if unknown:
        print('not scored, as the gold has no such attribute: ' + ', '.join(f'{name} ({count})' for name, count in unknown.most_common()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0], epilog=EXAMPLE,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus', metavar='CORPUS', type=pathlib.Path, help='folder made by generate.py')
    parser.add_argument('predictions', metavar='PRED.jsonl', type=pathlib.Path, help='one JSON object a line')
    parser.add_argument('--split', choices=['seen', 'unseen'], help='only pages of these templates')
    parser.add_argument('--json', metavar='FILE', type=pathlib.Path, help='also write all figures to a file')
    parser.add_argument('--by-template', action='store_true', help='also a line a template')
    options = parser.parse_args()
    sources, templates, unknown = score(options.corpus, read_lines(options.predictions), options.split)
    if not sources:
        sys.exit(f'{options.predictions}: expected lines for pages of {options.corpus}, found none')
    show(sources, templates, unknown, options.by_template)
    if options.json:
        figures = {'sources': {name: scores.figures() for name, scores in sorted(sources.items())},
                   'templates': {name: scores.figures() for name, scores in sorted(templates.items())}}
        options.json.write_text(json.dumps(figures, indent=1) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
