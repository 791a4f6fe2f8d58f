#!/usr/bin/env python3
"""Makes a WARC file of any size from saved pages whose texts are changed.

    python3 research/scale/make_archive.py CORPUS --unopened FILE --pages 20000 -o target/scale/pages.warc.gz
    python3 research/scale/make_archive.py testdata/corpus --pages 200 -o target/scale/small.warc.gz

Words and digits of the texts are replaced by others of the same page, so that no two pages are equal and the file cannot
be compressed by repetition alone; tags, attributes and scripts stay. CORPUS has an `index.jsonl` (see `make eval`); any
other folder is searched for .html files. Each page keeps its site, so that templates repeat as they do in a crawl.
The same arguments give the same file.
"""

import argparse
import gzip
import json
import pathlib
import random
import re
import sys
import zlib

#: Texts between tags; scripts and styles are cut out before.
TEXT = re.compile(r'>([^<>]+)<')
OPAQUE = re.compile(r'<(script|style)\b.*?</\1\s*>', re.S | re.I)
WORD = re.compile(r'[^\W\d_]{4,}')
#: Prices, dates and identifiers. Small numbers stay: they may count what the page shows.
DIGITS = re.compile(r'\d{5,}|\d+(?=[.,]\d)|(?<=[.,])\d+')


def source_pages(corpus: pathlib.Path, unopened: set[str], max_bytes: int) -> list[tuple[str, pathlib.Path]]:
    """Site and file of the pages that may be used."""
    index = corpus / 'index.jsonl'
    pages = []
    if index.exists():
        for line in index.open(encoding='utf-8'):
            row = json.loads(line)
            if row.get('split', 'dev') != 'dev' or row['task'] not in ('lists', 'details', 'objects'):
                continue
            if {row.get('site'), row.get('domain')} & unopened:
                continue
            pages.append((str(row.get('domain') or row['site']), corpus / (row['id'] + '.html')))
    else:
        pages = [(path.parent.name + '.example', path) for path in sorted(corpus.rglob('*.html'))]
    return [(site, path) for site, path in pages if path.exists() and 0 < path.stat().st_size <= max_bytes]


class TextChange:
    """Replaces half of the words of a page by other words of it, and most digits. The same text always becomes the same
    other text, so that a gold answer can be changed with its page."""

    def __init__(self, html: str, seed: object) -> None:
        self.seed = zlib.crc32(str(seed).encode())
        visible = OPAQUE.sub('', html)
        self.words = sorted({word for text in TEXT.findall(visible) for word in WORD.findall(text)}) or ['text']

    def _number(self, text: str) -> int:
        """A number that depends on the text and the seed. A checksum is much faster than a random generator per word."""
        return zlib.crc32(text.encode(), self.seed)

    def _word(self, match: re.Match[str]) -> str:
        number = self._number(match.group(0))
        if number & 1:
            return match.group(0)
        word = self.words[(number >> 1) % len(self.words)]
        return word.capitalize() if match.group(0)[0].isupper() else word.lower()

    def _digits(self, match: re.Match[str]) -> str:
        digits = match.group(0)
        number = self._number(digits)
        first = str(1 + number % 9) if digits[0] != '0' else '0'
        return first + ''.join(str(self._number(f'{digits} {at}') % 10) for at in range(1, len(digits)))

    def text(self, text: str) -> str:
        return DIGITS.sub(self._digits, WORD.sub(self._word, text))

    def page(self, html: str) -> str:
        hidden: list[str] = []

        def hide(match: re.Match[str]) -> str:
            hidden.append(match.group(0))
            return f'<!--hidden {len(hidden) - 1}-->'

        html = OPAQUE.sub(hide, html)
        html = TEXT.sub(lambda match: '>' + self.text(match.group(1)) + '<', html)
        return re.sub(r'<!--hidden (\d+)-->', lambda match: hidden[int(match.group(1))], html)


def record(url: str, body: bytes) -> bytes:
    http = b'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n' + body
    head = (
        f'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-31T12:00:00Z\r\n'
        f'Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n'
    )
    return head.encode() + http + b'\r\n\r\n'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('--unopened', type=pathlib.Path, help='file with sites that are never used, one per line')
    parser.add_argument('--pages', type=int, default=1000)
    parser.add_argument('--gigabytes', type=float, help='as many pages as have this size uncompressed, instead of --pages')
    parser.add_argument('--max-page-bytes', type=int, default=300_000, help='only pages up to this size are used')
    parser.add_argument('--sources', type=int, help='use only so many of the pages: large groups of one template')
    parser.add_argument('--distinct', type=int, help='make only so many different pages, and repeat their records with their '
                        'addresses: for measurements of memory, which would wait for the making of pages')
    parser.add_argument('--plain', action='store_true', help='do not compress the records')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('-o', '--output', type=pathlib.Path, required=True)
    given = parser.parse_args()
    unopened = set(given.unopened.read_text(encoding='utf-8').split()) if given.unopened else set()
    pages = source_pages(given.corpus, unopened, given.max_page_bytes)
    if not pages:
        print(f'no pages in {given.corpus}', file=sys.stderr)
        return 3
    rng = random.Random(given.seed)
    pages = rng.sample(pages, min(given.sources or len(pages), len(pages)))
    texts: dict[pathlib.Path, str] = {}
    given.output.parent.mkdir(parents=True, exist_ok=True)
    written = count = 0
    wanted_bytes = given.gigabytes * 1e9 if given.gigabytes else None
    made: list[tuple[bytes, int]] = []
    with given.output.open('wb') as out:
        while (written < wanted_bytes) if wanted_bytes else (count < given.pages):
            if given.distinct and count >= given.distinct:
                member, size = made[count % given.distinct]
                out.write(member)
                written += size
                count += 1
                continue
            site, path = pages[rng.randrange(len(pages))]
            if len(texts) > 500:
                texts.clear()
            if path not in texts:
                texts[path] = path.read_bytes().decode('utf-8', 'replace')
            body = TextChange(texts[path], rng.random()).page(texts[path]).encode()
            # a level that is fast to write: the file is made anew for each measurement
            member = record(f'https://{site}/{count}', body)
            if not given.plain:
                member = gzip.compress(member, 1, mtime=0)
            out.write(member)
            if given.distinct:
                made.append((member, len(body)))
            written += len(body)
            count += 1
    print(f'{given.output}: {count} pages, {written / 1e6:.0f} MB, {given.output.stat().st_size / 1e6:.0f} MB in the file')
    return 0


if __name__ == '__main__':
    sys.exit(main())
