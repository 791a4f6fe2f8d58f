"""Compares the parse time of lxml and selectolax with copal's stages: same pages, one core, one run.

    research/compare/peers.py CORPUS_DIR                      runs cargo bench -p copal --bench stages -- CORPUS_DIR
    research/compare/peers.py CORPUS_DIR --stages BINARY      … with a benchmark that is built already
    cargo bench … | research/compare/peers.py CORPUS_DIR --stages -

Needs lxml and selectolax. Every .html file below the folder counts; pages that copal refuses (empty, binary) are left
out on both sides. Each page is parsed several times and its fastest run counts, in processor time; the table has sums
over all pages and their ratio to html5ever's parse alone. All parsers get UTF-8; freeing the tree is part of the
time.
"""
import argparse
import gc
import os
import re
import subprocess
import sys
import time

from shared import ROOT, html_files, print_table

# the benchmark's names where they do not speak for themselves; the others follow "copal: "
LABELS = {'mdr': 'MDR', 'buw': 'BUW', 'rdr': 'RDR', 'mdr+buw+rdr': 'all three methods', 'extract (buw), bytes to cells': 'page to cells (BUW)'}
ALONE = 'html5ever alone'


def stages(folder, given):
    """The text that the benchmark of the stages prints."""
    if given == '-':
        return sys.stdin.read()
    command = [given, str(folder)]
    if not given:
        bench = ['cargo', 'bench', '--quiet', '-p', 'copal', '--bench', 'stages']
        subprocess.run([*bench, '--no-run'], cwd=ROOT, check=True)
        command = [*bench, '--', str(folder)]
    pin()
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def read_stages(text):
    """({stage: milliseconds} in the benchmark's order, pages, megabytes, runs)"""
    head = re.search(r'(\d+) pages, ([\d.]+) MB of text, fastest of (\d+) runs', text)
    rows = re.findall(r'^(\S.*?) +([\d.]+) +[\d.]+ +[\d.]+ +[\d.]+  ', text, re.MULTILINE)
    times = {name: float(ms) for name, ms in rows}
    if not head or not {ALONE, 'style', 'index'} <= times.keys():
        sys.exit(f'this is not the table of the stages benchmark: expected the number of pages and lines for {ALONE}, style and index')
    times = {'style + index' if name == 'style' else name: ms + times['index'] * (name == 'style') for name, ms in times.items() if name != 'index'}
    return times, int(head[1]), float(head[2]), int(head[3])


def pin():
    """This process and its children on one core."""
    if hasattr(os, 'sched_setaffinity'):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def as_utf8(page):
    """The page in UTF-8, decoded as declared, else as UTF-8, else as Windows-1252; None if it is not text."""
    if not page.strip():
        return None
    if page.startswith((b'\xff\xfe', b'\xfe\xff')):
        return page.decode('utf-16', 'replace').encode()
    try:
        page.decode()
        return page.removeprefix(b'\xef\xbb\xbf')
    except UnicodeDecodeError:
        declared = re.search(rb'charset\s*=\s*["\']?([\w.:-]+)', page[:8192])
        for name in [declared[1].decode()] if declared else []:
            try:
                return page.decode(name, 'replace').encode()
            except LookupError:
                pass
        return page.decode('cp1252', 'replace').encode()


def peers():
    """{name: function of bytes} of the parsers that are installed."""
    found = {}
    try:
        import lxml.etree
        import lxml.html

        def with_lxml(page):
            lxml.html.document_fromstring(page, parser=lxml.html.HTMLParser(encoding='utf-8', huge_tree=True))
        found[f'lxml.html {lxml.etree.__version__}'] = with_lxml
    except ImportError:
        print('lxml is not installed: left out', file=sys.stderr)
    try:
        import selectolax
        from selectolax.lexbor import LexborHTMLParser
        found[f'selectolax {selectolax.__version__}, lexbor'] = LexborHTMLParser
    except ImportError:
        print('selectolax is not installed: left out', file=sys.stderr)
        return found
    try:
        from selectolax.parser import HTMLParser
        found[f'selectolax {selectolax.__version__}, modest'] = HTMLParser
    except ImportError:
        print('this selectolax has no modest parser any more (1.0 dropped it): left out', file=sys.stderr)
    return found


def fastest(parse, page, runs):
    """Milliseconds of the fastest run; None if the parser refuses the page."""
    best = float('inf')
    for _ in range(runs):
        start = time.thread_time()
        try:
            parse(page)
        except Exception:  # each library has its own errors; a refused page is counted below
            return None
        best = min(best, time.thread_time() - start)
    return best * 1000


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('corpus', help='folder with .html files')
    ap.add_argument('--stages', '--copal', metavar='BINARY', help='the built stages benchmark, or - for its text on standard input')
    ap.add_argument('--runs', type=int, help='runs a page (default: as many as the benchmark makes)')
    args = ap.parse_args()
    files = html_files(os.path.abspath(args.corpus))
    times, n_pages, megabytes, runs = read_stages(stages(os.path.abspath(args.corpus), args.stages))
    pin()
    gc.disable()
    pages = [page for page in (as_utf8(file.read_bytes()) for file in files) if page]
    size = sum(map(len, pages)) / 1e6
    runs = args.runs or runs
    row = lambda name, ms, mb, note='': [name, f'{ms:.1f}', f'{mb * 1e3 / ms:.1f}', f'{ms / times[ALONE]:.3f}', note]
    rows = [row(name if name == ALONE else f'copal: {LABELS.get(name, name)}', ms, megabytes) for name, ms in times.items()]
    for name, parse in peers().items():
        spent = [fastest(parse, page, runs) for page in pages]
        refused = spent.count(None)
        rows.append(row(name, sum(ms for ms in spent if ms), size, f'{refused} refused' if refused else ''))
    print(f'{n_pages} pages, {megabytes:.1f} MB (peers: {len(pages)} pages, {size:.1f} MB), one core, fastest of {runs} runs a page')
    print_table(['', 'sum ms', 'MB/s', 'of html5ever', ''], rows)
    if abs(n_pages - len(pages)) > 0.01 * n_pages:
        print('the number of pages differs: the rates compare, the sums do not')


if __name__ == '__main__':
    main()
