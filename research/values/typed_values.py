#!/usr/bin/env python3
"""Typed values of real columns, against values that a person read.

    typed_values.py GOLD.jsonl PREDICTIONS.jsonl [--wrong]

GOLD (columns.jsonl): one column per line, {"page", "type", "cells": [[text, value or null], ...]}. The values were written from the
texts alone, before the recognisers were run on them. PREDICTIONS: lines of `copal-lab eval --task lists`. A gold column is looked up
on its page by its texts, letters and digits only, so that the way a text is joined does not matter. Its cells are right if their
typed values say the same as the gold: the same number, the same currency, the same day. Texts without a value (`none`) are right if
they have none; numbers that are only identifiers (`id`) may have none or the number itself. A column is right if all its cells are.
"""
import argparse, collections, json, re


def letters(text):
    return ''.join(c for c in text.casefold() if c.isalnum())


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def figure(value):
    """the number of a typed value, whatever its type"""
    if isinstance(value, dict):
        return next((value[k] for k in ('value', 'count', 'percent', 'amount') if k in value), None)


def is_right(gold, value, text):
    if gold is None:
        return value is None
    if 'id' in gold:
        return value is None or isinstance(value, dict) and re.sub(r'\D', '', text).endswith(str(figure(value)))
    if 'date' in gold:
        want = gold['date']
        if want.startswith('?'):                       # a bare year may be no date
            return value is None or value == want[1:] or figure(value) == want[1:]
        return isinstance(value, str) and (value == want or value.startswith(want + 'T'))
    if 'relative' in gold:
        return isinstance(value, dict) and 'relative' in value
    if 'duration' in gold:
        return isinstance(value, dict) and value.get('seconds') == gold['duration']
    if 'phone' in gold:
        return isinstance(value, str) and re.sub(r'\D', '', value) == gold['phone']
    if not isinstance(value, dict):
        return False
    if 'rating' in gold:
        return number(value.get('value')) == number(gold['rating']) and number(value.get('of')) == number(gold['of'])
    same_max = number(value.get('max')) == number(gold.get('max'))
    if 'amount' in gold:
        return same_max and number(value.get('amount')) == number(gold['amount']) and value.get('currency') == gold['currency']
    return same_max and 'amount' not in value and number(figure(value)) == number(gold['number'])


def values_of(region, texts):
    """the typed values of these texts, in the column that has most of them; None for a text that no column has"""
    wanted = {t: t for t in texts}
    for t in texts:
        wanted.setdefault(letters(t), t)
    found = collections.defaultdict(dict)
    for exact in (True, False):                        # `52K` and `5.2K` have the same letters
        for record in region['records']:
            for name, field in (record.get('fields') or {}).items():
                if isinstance(field, str):
                    text = wanted.get(field if exact else letters(field))
                    if text is not None:
                        found[name].setdefault(text, (record.get('values') or {}).get(name))
    best = max(found, key=lambda name: len(found[name]), default=None)
    return found[best] if best else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('gold')
    parser.add_argument('predictions')
    parser.add_argument('--wrong', action='store_true', help='print the cells that are wrong')
    arguments = parser.parse_args()
    with open(arguments.predictions, encoding='utf-8') as lines:
        pages = {page['id']: page for page in map(json.loads, lines)}
    counts = collections.defaultdict(collections.Counter)
    with open(arguments.gold, encoding='utf-8') as lines:
        for column in map(json.loads, lines):
            regions = (pages.get(column['page']) or {}).get('regions') or []
            region = next((r for r in regions if r['role'] in ('primary', 'possible')), {'records': []})
            values = values_of(region, [text for text, _ in column['cells']])
            right = 0
            for text, gold in column['cells']:
                good = text in values and is_right(gold, values[text], text)
                right += good
                if arguments.wrong and not good:
                    print(column['page'], column['type'], repr(text), 'gold', gold, 'got', values.get(text, 'no such cell'))
            for key in ('all', column['type']):
                counts[key].update(columns=1, right_columns=right == len(column['cells']), cells=len(column['cells']), right_cells=right)
    print('%-10s %8s %8s %8s %8s' % ('type', 'columns', 'right', 'cells', 'right'))
    for key in sorted(counts, key=lambda k: (k != 'all', k)):
        c = counts[key]
        print('%-10s %8d %8d %8d %8d' % (key, c['columns'], c['right_columns'], c['cells'], c['right_cells']))


if __name__ == '__main__':
    main()
