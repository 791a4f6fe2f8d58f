"""The program of a worker process: pages in on standard input, answers out on standard output."""

from __future__ import annotations

import os
import pickle
import sys
from typing import BinaryIO

from copal import _copal
from copal._copal import CopalError
from copal._inputs import make_options
from copal._workers import FRAME, REQUEST


def main() -> None:
    """Read the settings and then pages until the input ends."""
    requests, answers = sys.stdin.buffer, _own_stdout()
    settings = _request(requests)
    if settings is None:
        return
    options, wrapper_text, max_memory, known, wanted = pickle.loads(settings)
    _limit_memory(max_memory)
    prepared = make_options(options)
    wrapper = _copal.Wrapper(wrapper_text) if wrapper_text is not None else None
    read = _copal.extract
    if wrapper:
        read = wrapper.apply
    elif known:
        read = _copal.Templates(known).extract
    while (request := _request(requests)) is not None:
        content, url = pickle.loads(request)
        try:
            raw = read(content, url, prepared)
            if wanted == "cells":
                parts = (b"", b"", raw.cells_stream())
            else:
                parts = (raw.json(), raw.records_stream(), raw.cells_stream())
            kind = b"A"
        except CopalError as error:
            kind, parts = b"E", (str(error).encode(), b"", b"")
        answers.write(FRAME.pack(kind, *map(len, parts)))
        for part in parts:
            answers.write(part)
        answers.flush()


def _own_stdout() -> BinaryIO:
    """Standard output for answers alone: what anything else prints goes to standard error."""
    own = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return own


def _request(requests: BinaryIO) -> bytes | None:
    head = requests.read(REQUEST.size)
    if len(head) < REQUEST.size:
        return None
    (size,) = REQUEST.unpack(head)
    content = requests.read(size)
    return content if len(content) == size else None


def _limit_memory(max_memory: int | None) -> None:
    if max_memory is None:
        return
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = max_memory if hard == resource.RLIM_INFINITY else min(max_memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
