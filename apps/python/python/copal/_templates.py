"""Templates of sites: learned once from some pages, and used by `extract_many` for all others."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from copal._copal import PageError
from copal._inputs import PageInput, ReadOptions, make_options, read_pages
from copal._workers import DEFAULT_MEMORY

if TYPE_CHECKING:
    from typing import Unpack

#: Seconds that learning the templates of a set of pages may take.
DEFAULT_LEARNING_TIMEOUT = 900.0


def learn_templates(
    pages: Iterable[PageInput],
    *,
    template_pages: int = 32,
    timeout: float = DEFAULT_LEARNING_TIMEOUT,
    max_memory: int | None = DEFAULT_MEMORY,
    **options: Unpack[ReadOptions],
) -> list[str]:
    """Learn the templates that pages share, each from its four surest pages.

    Pages are grouped by the host of their URL and by their template. A template is learned only if what it reads agrees
    with the full extraction of its pages. The pages are read in a process of their own.

    Args:
        pages: Pages with their addresses: `(page, url)`.
        template_pages: A template needs at least this many pages, and never less than two.
        timeout: Seconds for all pages.
        max_memory: Bytes of address space of the process; None for no limit.
        options: As for `extract`.

    Returns:
        Templates for `extract_many(templates=...)`, as JSON texts.
    """
    make_options(options)
    request = pickle.dumps((options, max_memory, template_pages, read_pages(pages)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-c", "from copal._templates import _learn; _learn()"]
    try:
        done = subprocess.run(command, input=request, stdout=subprocess.PIPE, env=environment, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        raise PageError(f"learning templates took longer than {timeout:g} s") from error
    if done.returncode != 0:
        raise PageError(f"learning templates ended its process (exit code {done.returncode})")
    learned: list[str] = pickle.loads(done.stdout)
    return learned


def _learn() -> None:
    """The program of the process that learns."""
    from copal import _copal
    from copal._worker import _limit_memory, _own_stdout

    answers = _own_stdout()
    options, max_memory, template_pages, pages = pickle.loads(sys.stdin.buffer.read())
    _limit_memory(max_memory)
    answers.write(pickle.dumps(_copal.learn_templates(pages, template_pages, make_options(options))))
    answers.flush()
