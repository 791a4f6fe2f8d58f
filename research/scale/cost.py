#!/usr/bin/env python3
"""What a crawl costs, from measured pages per second: the table of docs/scale.md.

    python3 research/scale/cost.py target/scale/speed.json --core-hour 0.041 --model-price 0.15 --model-output-price 0.60

The prices are assumptions of whoever runs it: dollars per core and hour of a machine, and dollars per million tokens of a
language model that reads pages (`--page-tokens` each) and writes records (`--answer-tokens` per page). Nothing else is
assumed. The defaults are published prices of 2026 (docs/scale.md).
"""

import argparse
import json
import pathlib
import sys


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('speed', type=pathlib.Path, help='what speed.py wrote')
    parser.add_argument('--pages', type=float, default=3e9, help='pages of the crawl')
    parser.add_argument('--core-hour', type=float, default=0.041, help='dollars per core and hour')
    parser.add_argument('--cores', type=int, default=1000)
    parser.add_argument('--model-price', type=float, default=0.15, help='dollars per million tokens of input')
    parser.add_argument('--model-output-price', type=float, default=0.60, help='dollars per million tokens of output')
    parser.add_argument('--answer-tokens', type=float, default=1_000, help='tokens that a model writes per page')
    parser.add_argument('--page-tokens', type=float, default=20_000, help='tokens of a page as a model reads it')
    given = parser.parse_args()
    measured = json.loads(given.speed.read_text(encoding='utf-8'))
    print(f'{given.pages:.0f} pages, {given.cores} cores at ${given.core_hour} per core and hour; a model at '
          f'${given.model_price} and ${given.model_output_price} per million tokens read and written, '
          f'{given.page_tokens:.0f} and {given.answer_tokens:.0f} per page\n')
    print('| program | pages per core second | core hours | days on all cores | dollars | dollars per million pages |')
    print('|---|---|---|---|---|---|')
    for name, figure in measured['figures'].items():
        rate = figure['pages_per_processor_second']
        hours = given.pages / rate / 3600
        dollars = hours * given.core_hour
        print(f'| {name} | {rate:.1f} | {hours:,.0f} | {hours / given.cores / 24:.1f} | {dollars:,.0f} | '
              f'{dollars / given.pages * 1e6:.2f} |')
    tokens = given.page_tokens * given.model_price + given.answer_tokens * given.model_output_price
    print(f'| a language model | | | | {tokens * given.pages / 1e6:,.0f} | {tokens:,.0f} |')
    return 0


if __name__ == '__main__':
    sys.exit(main())
