#!/usr/bin/env python3
"""What other programs do with the pages of a WARC file, for `speed.py`: one peer, one process, one core.

    python3 research/scale/peers.py fastwarc target/scale/pages.warc.gz

Prints the number of pages. Peers: fastwarc (reads the bodies, nothing else), parsel (lxml, and a selector that is known),
trafilatura, extruct, copal-python (copal.extract of the Python package, with the cells as Arrow).
"""

import sys

from fastwarc.warc import ArchiveIterator, WarcRecordType


def bodies(path: str):
    with open(path, 'rb') as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
            yield record.headers.get('WARC-Target-URI'), record.reader.read()


def fastwarc(url: str, body: bytes) -> None:
    del url, body


def parsel(url: str, body: bytes) -> None:
    del url
    from parsel import Selector

    for item in Selector(body=body).css('li, tr'):
        item.css('a::attr(href)').get()
        item.css('::text').getall()


def trafilatura(url: str, body: bytes) -> None:
    from trafilatura import extract

    extract(body, url=url, output_format='json')


def extruct(url: str, body: bytes) -> None:
    from extruct import extract

    try:
        extract(body.decode('utf-8', 'replace'), base_url=url)
    except (ValueError, TypeError, AttributeError):
        pass  # pages with wrong JSON are errors there


def copal_python(url: str, body: bytes) -> None:
    import copal
    import pyarrow

    try:
        pyarrow.table(copal.extract(body, url=url).cells)
    except copal.CopalError:
        pass  # not a page


PEERS = {
    'fastwarc': fastwarc,
    'parsel': parsel,
    'trafilatura': trafilatura,
    'extruct': extruct,
    'copal-python': copal_python,
}

if __name__ == '__main__':
    work = PEERS[sys.argv[1]]
    count = 0
    for address, content in bodies(sys.argv[2]):
        work(address, content)
        count += 1
    print(count)
