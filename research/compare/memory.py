"""Peak resident memory of copal extract per byte of HTML, over the largest pages of a folder.

    research/compare/memory.py CORPUS_DIR [--pages 30] [--method buw] [--copal BINARY]

Each page is one run with --jobs 1. The memory for a tiny page is subtracted. Linux only.
"""
import argparse
import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

from shared import TINY, copal_binary, html_files, print_table

PR_SET_CHILD_SUBREAPER = 36


def peak(command):
    """(peak resident bytes, exit code) of a command.

    A process counts the memory that its parent had when it was forked, and this interpreter has more than copal needs
    for a small page. So a shell starts the command and goes away, and the orphan is ours to wait for.
    """
    shell = subprocess.run(['sh', '-c', '"$@" >/dev/null 2>&1 & echo $!', 'sh', *command], stdout=subprocess.PIPE, text=True, check=True)
    _, status, usage = os.wait4(int(shell.stdout), 0)
    return usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('corpus', help='folder with .html files')
    ap.add_argument('--pages', type=int, default=30, help='how many of the largest pages (default 30)')
    ap.add_argument('--method', default='buw')
    ap.add_argument('--copal', metavar='BINARY')
    args = ap.parse_args()
    if not sys.platform.startswith('linux') or ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        print('memory cannot be measured here: orphans cannot be waited for (Linux only)')
        return
    copal = copal_binary(args.copal)
    files = sorted(html_files(args.corpus), key=lambda file: -file.stat().st_size)[:args.pages]

    def run(page):
        return peak([copal, 'extract', str(page), '--quiet', '--format', 'pages', '--jobs', '1', '--method', args.method])
    with tempfile.TemporaryDirectory() as folder:
        tiny = pathlib.Path(folder) / 'tiny.html'
        tiny.write_text(TINY, encoding='utf-8')
        fixed, code = run(tiny)
    if code not in (0, 1):
        sys.exit(f'copal extract ended with {code} on a tiny page')
    rows, shares, total = [], [], [0, 0]
    for file in files:
        bytes_, (memory, code) = file.stat().st_size, run(file)
        own = max(memory - fixed, 0)
        shares.append((own / bytes_, file))
        total = [total[0] + own, total[1] + bytes_]
        note = {0: '', 1: 'no list', 4: 'limit hit'}.get(code, f'exit {code}')
        rows.append([str(file.relative_to(args.corpus)), f'{bytes_ / 1e6:.3f}', f'{memory / 1e6:.1f}', f'{own / 1e6:.1f}', f'{own / bytes_:.1f}', note])
    print(f'{args.method}, one page a run; a tiny page needs {fixed / 1e6:.1f} MB')
    print_table(['page', 'HTML MB', 'peak MB', 'own MB', 'bytes a byte', ''], rows)
    worst, page = max(shares)
    middle = sorted(share for share, _ in shares)[len(shares) // 2]
    print(f'bytes of memory a byte of HTML: all {total[0] / total[1]:.1f}, median {middle:.1f}, worst {worst:.1f} ({page.relative_to(args.corpus)})')


if __name__ == '__main__':
    main()
