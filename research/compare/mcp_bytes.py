#!/usr/bin/env python3
"""How many bytes an agent reads with `copal mcp`, compared with the HTML of the same pages.

mcp_bytes.py CORPUS [--unopened FILE] [--pages N] [--copal PROGRAM]

CORPUS is a folder with index.jsonl and <id>.html, as for `copal-lab eval`. Sites in FILE are left out. Needs the
package `mcp` (make service installs it: .venv-service/bin/python). Each page costs the agent one call of find_lists and
one of read_list with 20 rows; the table has the bytes of both answers.
"""
import argparse
import asyncio
import json
import pathlib
import random
import statistics

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from shared import copal_binary, print_table


def opened_pages(corpus, unopened, count):
    """Pages with lists, from sites that are not in the file, in a random but fixed order."""
    hidden = set(unopened.read_text().split()) if unopened else set()
    rows = [json.loads(line) for line in (corpus / 'index.jsonl').read_text().splitlines() if line.strip()]
    rows = [row for row in rows if row.get('task') == 'lists' and (row.get('domain') or row.get('site')) not in hidden]
    random.Random(1).shuffle(rows)
    return [row['id'] + '.html' for row in rows[:count]]


def size(result):
    return len(''.join(part.text for part in result.content if part.type == 'text').encode())


async def measure(copal, corpus, pages):
    server = StdioServerParameters(command=copal, args=['mcp', '--root', str(corpus)])
    measured = []
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            for page in pages:
                found = await session.call_tool('find_lists', {'page': page})
                rows = await session.call_tool('read_list', {'page': page})
                measured.append(((corpus / page).stat().st_size, size(found), size(rows)))
    return measured


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('--unopened', type=pathlib.Path)
    parser.add_argument('--pages', type=int, default=200)
    parser.add_argument('--copal')
    arguments = parser.parse_args()
    corpus = arguments.corpus.resolve()
    pages = opened_pages(corpus, arguments.unopened, arguments.pages)
    measured = asyncio.run(measure(copal_binary(arguments.copal), corpus, pages))
    html, found, rows = zip(*measured)
    both = [one + other for one, other in zip(found, rows)]
    line = lambda name, sizes: [name, f'{statistics.median(sizes):.0f}', f'{max(sizes)}', f'{sum(sizes)}']
    table = [line('HTML', html), line('find_lists', found), line('read_list, 20 rows', rows), line('both calls', both)]
    ratio = statistics.median(one / other for one, other in zip(html, both))
    print_table(['bytes', 'median', 'largest', 'total'], table,
                f'{len(measured)} pages; HTML is {ratio:.0f} times both answers at the median, '
                f'{sum(html) / sum(both):.0f} times in total')


if __name__ == '__main__':
    main()
