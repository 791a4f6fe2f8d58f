#!/usr/bin/env python3
"""Counts the instructions of a command with valgrind's callgrind: figures that a busy machine does not change.

    research/compare/instructions.py [--copal BINARY] [--functions N] -- ARGUMENTS...
    research/compare/instructions.py -- extract examples/shop.html

Prints the instructions of `copal ARGUMENTS`, and with --functions the N functions of copal that cost most, with what they call.

Valgrind alone crashes: rustix asks the kernel for the auxiliary vector (prctl PR_GET_AUXV), which valgrind passes through, and
finds a vDSO there that is not mapped for the program. A seccomp filter makes this one call fail, as on kernels before 6.4; rustix
then reads what valgrind prepared. The program runs the same code otherwise.
"""
import argparse
import ctypes
import errno
import os
import pathlib
import platform
import re
import struct
import subprocess
import sys
import tempfile

from shared import copal_binary

PR_GET_AUXV = 0x41555856
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
SYS_PRCTL = {'x86_64': 157, 'aarch64': 167}


def refuse_auxv():
    """A seccomp filter for this process and what it executes: prctl(PR_GET_AUXV) is an error."""
    load, equal, give = 0x20, 0x15, 0x06
    number = SYS_PRCTL[platform.machine()]
    allow, refuse = 0x7fff0000, 0x00050000 | errno.EINVAL
    program = [(load, 0, 0, 0), (equal, 0, 3, number), (load, 0, 0, 16), (equal, 0, 1, PR_GET_AUXV), (give, 0, 0, refuse),
               (give, 0, 0, allow)]
    code = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *step) for step in program))
    header = struct.pack('HxxxxxxP', len(program), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    zero = ctypes.c_ulong(0)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), zero, zero, zero):
        raise OSError(ctypes.get_errno(), 'no new privileges')
    if libc.prctl(PR_SET_SECCOMP, ctypes.c_ulong(SECCOMP_MODE_FILTER), ctypes.c_char_p(header), zero, zero):
        raise OSError(ctypes.get_errno(), 'seccomp filter')


def count(command, functions=0):
    """(instructions, exit code, the functions of copal that cost most) of one run of a command."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / 'callgrind.out'
        environment = {**os.environ, 'RAYON_NUM_THREADS': '1'}
        done = subprocess.run(['valgrind', '--tool=callgrind', f'--callgrind-out-file={profile}', *command], capture_output=True, text=True,
                              env=environment, preexec_fn=refuse_auxv, check=False)
        counted = re.search(r'Collected : (\d+)', done.stderr)
        if not counted:
            sys.exit(f'valgrind failed:\n{done.stderr[-2000:]}')
        if not functions:
            return int(counted[1]), done.returncode, []
        table = subprocess.run(['callgrind_annotate', '--inclusive=yes', str(profile)], capture_output=True, text=True, check=True)
        own = [line.strip() for line in table.stdout.splitlines() if re.search(r'copal(_\w+)?::', line)]
        return int(counted[1]), done.returncode, own[:functions]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--copal')
    parser.add_argument('--functions', type=int, default=0)
    parser.add_argument('arguments', nargs='+')
    args = parser.parse_args()
    instructions, code, functions = count([copal_binary(args.copal), *args.arguments], args.functions)
    print(f'{instructions:,} instructions, exit code {code}')
    print('\n'.join(functions), end='\n' if functions else '')


if __name__ == '__main__':
    main()
