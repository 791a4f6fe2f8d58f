#!/usr/bin/env python3
"""Compares tools that find lists or main content by themselves with `copal extract`: same pages, one core, one run.

    research/compare/extractors.py FOLDER [--pages 120] [--limit 20] [--copal BINARY]

Times are processor time, so that other work on the machine does not count, and include reading and decoding the file;
the fastest of three runs counts. The tools run in this process, their imports and first use not counted. copal runs
with -j 1: once over all pages for the sum, its start included, and for a page's own time with the page ten times, so
that a tenth of its start counts. A page that a tool cannot do is left out on both sides; one that takes longer than the
limit (of real time) is cut and counts as far as it went.
"""
import argparse
import importlib.util
import json
import logging
import re
import resource
import signal
import statistics
import subprocess
import sys
import time
import types
import warnings
from importlib.metadata import PackageNotFoundError, version

from peers import as_utf8, pin
from shared import TINY, copal_binary, html_files, print_table


RUNS = 3
SLOW = 1.0  # seconds: a page that takes longer runs once
COPIES = 10


class Cut(BaseException):
    """The page took too long. Not an Exception, since the tools catch those."""


def cut(*_):
    raise Cut


def with_gerapy():
    from gerapy_auto_extractor import extract_list
    return lambda text, _: extract_list(text)


def with_trafilatura():
    import trafilatura
    return lambda text, _: trafilatura.extract(text)


def with_extruct():
    import extruct

    def declared(text, _):
        found = extruct.extract(text, base_url='https://page.example/', syntaxes=extruct.SYNTAXES)
        return any(items for syntax, items in found.items() if syntax != 'dublincore' or items[0]['elements'])
    return declared


def with_parsel():
    from parsel import Selector
    return lambda text, xpath: [' '.join(record.xpath('.//text()').getall()) for record in Selector(text).xpath(xpath)]


def with_libextract():
    from libextract.api import extract
    return lambda text, _: list(extract(text.encode()))


def with_crawl4ai():
    # the package itself imports its crawlers and their dependencies, a gigabyte: only the module that reads pages is loaded
    package = types.ModuleType('crawl4ai')
    package.__path__ = list(importlib.util.find_spec('crawl4ai').submodule_search_locations)
    sys.modules['crawl4ai'] = package
    from crawl4ai.content_scraping_strategy import LXMLWebScrapingStrategy
    scrape = LXMLWebScrapingStrategy().scrap
    return lambda text, _: scrape('https://page.example/', text).cleaned_html


# package, what it does, how to get its function of a page's text and a selector
TOOLS = [
    ('gerapy-auto-extractor', 'titles and links of the main list', with_gerapy),
    ('libextract', 'the elements with most children alike', with_libextract),
    ('crawl4ai', 'cleaned page, its links, images and tables', with_crawl4ai),
    ('trafilatura', 'main content as text', with_trafilatura),
    ('extruct', 'declared data, all syntaxes', with_extruct),
    ('parsel', 'texts at a selector that is known', with_parsel),
]


def tools():
    """[(name, what it does, function)] of the tools that are installed."""
    found = []
    for package, does, load in TOOLS:
        try:
            found.append((f'{package} {version(package)}', does, load()))
        except (PackageNotFoundError, ImportError) as error:
            print(f'{package} is left out: {error}', file=sys.stderr)
    return found


def read(file):
    """The page's text, without the XML declaration that lxml refuses in a text."""
    return re.sub(r'^\s*<\?xml[^>]*\?>', '', (as_utf8(file.read_bytes()) or b'').decode())


def spent(tool, file, xpath, limit):
    """(milliseconds of the fastest run, 'done' | 'nothing' | 'failed' | 'cut') of one page."""
    best = float('inf')
    for _ in range(RUNS):
        start = time.process_time()
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            state = 'done' if tool(read(file), xpath) else 'nothing'
        except Cut:
            state = 'cut'
        except Exception:  # each library has its own errors; what failed is counted
            state = 'failed'
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        best = min(best, time.process_time() - start)
        if best > SLOW or state == 'failed':
            break
    return best * 1000, state


def children_time():
    """Seconds of processor time of the processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_copal(binary, files):
    """(milliseconds of the fastest run over all files, what it wrote)."""
    command = [binary, 'extract', '-j', '1', '-q', '--format', 'pages', *map(str, files)]
    best = float('inf')
    for _ in range(RUNS):
        start = children_time()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        best = min(best, children_time() - start)
    return best * 1000, done.stdout


def selector(lines):
    """An XPath of the records, from what copal wrote of the page; links where it found none."""
    regions = json.loads(lines.splitlines()[0])['regions'] if lines.strip() else []
    return regions[0]['xpath'] + '/*' if regions and regions[0].get('xpath') else '//a'


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('folder', help='folder with .html files')
    ap.add_argument('--pages', type=int, default=120, help='pages for the tools, evenly chosen (default 120; copal also runs on all)')
    ap.add_argument('--limit', type=float, default=20, help='seconds a page (default 20)')
    ap.add_argument('--copal', metavar='BINARY', help='the program, if not target/release/copal')
    args = ap.parse_args()
    binary = copal_binary(args.copal)
    warnings.simplefilter('ignore')
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGALRM, cut)
    pin()
    every = [file for file in html_files(args.folder) if read(file)]
    count = min(args.pages, len(every))
    files = [every[i * len(every) // count] for i in range(count)]
    own, xpaths = {}, {}
    for file in files:
        ms, out = run_copal(binary, [file] * COPIES)
        own[file], xpaths[file] = ms / COPIES, selector(out)
    does = 'lists, records, typed columns'
    rows = [[f'copal, all {len(every)} pages', f'{run_copal(binary, every)[0]:.0f}', '', '', '', '', '', '', does],
            [f'copal, {count} pages', f'{run_copal(binary, files)[0]:.0f}', f'{statistics.median(own.values()):.1f}', '', '', '', '', '', does]]
    for name, does, tool in tools():
        tool(TINY, '//li')  # what is set up at the first use
        answers = {file: spent(tool, file, xpaths[file], args.limit) for file in files}
        states = [state for _, state in answers.values()]
        taken = {file: ms for file, (ms, state) in answers.items() if state != 'failed'}
        if not taken:
            print(f'{name} failed on every page', file=sys.stderr)
            continue
        total, mine = sum(taken.values()), run_copal(binary, list(taken))[0]
        ratio = statistics.median(ms / own[file] for file, ms in taken.items())
        rows.append([name, f'{total:.0f}', f'{statistics.median(taken.values()):.1f}', f'{total / mine:.1f}', f'{ratio:.1f}',
                     states.count('failed'), states.count('cut'), states.count('nothing'), does])
    print(f'{count} of {len(every)} pages, {sum(f.stat().st_size for f in files) / 1e6:.1f} MB; milliseconds of processor time, one core')
    print_table(['', 'sum', 'median page', 'sum / copal', 'median / copal', 'failed', 'cut', 'nothing', 'what it does'], rows,
                f'sum / copal: how many times copal\'s sum over the same pages; median / copal: the median of this ratio, page by page.\n'
                f'failed: an error; cut: over {args.limit:g} s, counts as far as it went; nothing: an empty answer.')


if __name__ == '__main__':
    main()
