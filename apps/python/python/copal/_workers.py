"""Many pages, each read in a process of its own kind: one that aborts or hangs costs only itself."""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, overload

from copal._answer import Answer, CellTable
from copal._copal import CopalError, PageError, RawAnswer
from copal._inputs import Content, PageInput, ReadOptions, make_options, read_page
from copal._wrapper import Wrapper

if TYPE_CHECKING:
    from typing import Unpack

#: Seconds that one page may take.
DEFAULT_TIMEOUT = 60.0
#: Bytes of address space of one worker.
DEFAULT_MEMORY = 4 << 30
#: Pages per worker that are read ahead. More would only fill the memory.
_PAGES_AHEAD = 4
#: The frame that a worker answers with: what it is, and the lengths of its parts.
FRAME = struct.Struct("<cQQQ")
#: The frame that a worker is asked with.
REQUEST = struct.Struct("<Q")

_Input = tuple["str | bytes", "str | None"]
#: A page that was given, or the error of one that could not be read before, with its address.
_Given: TypeAlias = "PageInput | tuple[Content | CopalError, str | None]"


@dataclass(frozen=True)
class FailedPage:
    """A page that could not be read. It stands where its answer would be."""

    #: The position of the page, from 0.
    index: int
    #: Its address, if it was given.
    url: str | None
    #: Why it could not be read.
    error: CopalError

    def __bool__(self) -> bool:
        return False


@overload
def extract_many(
    pages: Iterable[PageInput],
    *,
    workers: int | None = ...,
    wrapper: Wrapper | None = ...,
    templates: Iterable[str] | None = ...,
    errors: Literal["raise"],
    timeout: float = ...,
    max_memory: int | None = ...,
    **options: Unpack[ReadOptions],
) -> Iterator[Answer]: ...


@overload
def extract_many(
    pages: Iterable[PageInput],
    *,
    workers: int | None = ...,
    wrapper: Wrapper | None = ...,
    templates: Iterable[str] | None = ...,
    errors: Literal["return"] = ...,
    timeout: float = ...,
    max_memory: int | None = ...,
    **options: Unpack[ReadOptions],
) -> Iterator[Answer | FailedPage]: ...


def extract_many(
    pages: Iterable[PageInput],
    *,
    workers: int | None = None,
    wrapper: Wrapper | None = None,
    templates: Iterable[str] | None = None,
    errors: Literal["return", "raise"] = "return",
    timeout: float = DEFAULT_TIMEOUT,
    max_memory: int | None = DEFAULT_MEMORY,
    **options: Unpack[ReadOptions],
) -> Iterator[Answer | FailedPage]:
    """Extract many pages in worker processes, in the order in which they are given.

    Pages are taken from the iterable as they are needed, so that it may be endless. A page that cannot be read, that
    takes longer than `timeout` or that ends its worker is a `FailedPage`; the others are not affected.

    Args:
        pages: The pages, each alone or as `(page, url)`.
        workers: Number of processes; by default one per processor.
        wrapper: Read the pages with this wrapper instead of extracting them.
        templates: Read pages with these templates of `learn_templates` where they fit.
        errors: "raise" ends the iteration at the first failed page.
        timeout: Seconds per page.
        max_memory: Bytes of address space per worker, where the system can limit it; None for no limit.
        options: As for `extract`.
    """
    if errors not in ("return", "raise"):
        raise ValueError('errors: expected "return" or "raise"')
    if workers is not None and workers < 1:
        raise ValueError("workers: expected at least 1")
    if not timeout > 0:
        raise ValueError("timeout: expected a positive number of seconds")
    make_options(options)  # wrong options are an error here and not in every worker
    settings = _worker_settings(options, wrapper, templates, max_memory, "answers")
    return _results(pages, workers or os.cpu_count() or 1, settings, timeout, errors == "raise")


def cells_of_many(
    pages: Iterable[_Given],
    *,
    workers: int,
    wrapper: Wrapper | None,
    templates: Iterable[str] | None,
    timeout: float,
    max_memory: int | None,
    **options: Unpack[ReadOptions],
) -> Iterator[CellTable | FailedPage]:
    """The cells alone of many pages, as `extract_many` reads them. The workers make nothing else of an answer, and send
    nothing else. A page that could not be read before is given as its error."""
    settings = _worker_settings(options, wrapper, templates, max_memory, "cells")
    for result in _results(pages, workers, settings, timeout, False):
        yield result if isinstance(result, FailedPage) else result.cells


def _worker_settings(
    options: ReadOptions,
    wrapper: Wrapper | None,
    templates: Iterable[str] | None,
    max_memory: int | None,
    content: Literal["answers", "cells"],
) -> bytes:
    """What a worker has to know before its first page."""
    if wrapper and templates:
        raise ValueError("give a wrapper or templates, not both")
    return pickle.dumps((options, str(wrapper) if wrapper else None, max_memory, list(templates or []), content))


def _results(
    pages: Iterable[_Given], workers: int, settings: bytes, timeout: float, raises: bool
) -> Iterator[Answer | FailedPage]:
    pool = _Pool(workers, settings, timeout)
    try:
        waiting = 0
        source = iter(pages)
        exhausted = False
        while True:
            while not exhausted and waiting < workers * _PAGES_AHEAD:
                try:
                    page = next(source)
                except StopIteration:
                    exhausted = True
                    break
                pool.put(page)
                waiting += 1
            if waiting == 0:
                return
            result = pool.take()
            waiting -= 1
            if raises and isinstance(result, FailedPage):
                raise result.error
            yield result
    finally:
        pool.close()


class _Pool:
    """Threads that each own a worker process. Results are taken in the order of the pages."""

    def __init__(self, workers: int, settings: bytes, timeout: float) -> None:
        self._changed = threading.Condition()
        self._tasks: list[tuple[int, _Given]] = []
        self._done: dict[int, Answer | FailedPage] = {}
        self._given = 0
        self._taken = 0
        self._closed = False
        self._workers = [_Worker(settings, timeout) for _ in range(workers)]
        self._threads = [threading.Thread(target=self._run, args=(worker,), daemon=True) for worker in self._workers]
        for thread in self._threads:
            thread.start()

    def put(self, page: _Given) -> None:
        with self._changed:
            self._tasks.append((self._given, page))
            self._given += 1
            self._changed.notify_all()

    def take(self) -> Answer | FailedPage:
        with self._changed:
            self._changed.wait_for(lambda: self._taken in self._done)
            result = self._done.pop(self._taken)
            self._taken += 1
            return result

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._tasks.clear()
            self._changed.notify_all()
        for worker in self._workers:
            worker.stop()
        for thread in self._threads:
            thread.join()

    def _run(self, worker: _Worker) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._tasks or self._closed)
                if self._closed:
                    return
                index, page = self._tasks.pop(0)
            url = page[1] if isinstance(page, tuple) and len(page) == 2 else None
            result: Answer | FailedPage
            try:
                if isinstance(page, tuple) and isinstance(page[0], CopalError):
                    raise page[0]
                result = worker.extract(read_page(cast("PageInput", page)))
            except CopalError as error:
                result = FailedPage(index, url, error)
            except Exception as error:  # an unreadable file, or something that is not a page
                result = FailedPage(index, url, PageError(f"{type(error).__name__}: {error}"))
            with self._changed:
                self._done[index] = result
                self._changed.notify_all()


class _Worker:
    """A process that extracts pages one after the other. It is started again after it has ended."""

    def __init__(self, settings: bytes, timeout: float) -> None:
        self._settings = settings
        self._timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._stopped = False

    def extract(self, page: _Input) -> Answer:
        process = self._started()
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        watch = threading.Timer(self._timeout, end)
        watch.start()
        try:
            return self._exchange(process, page)
        except (OSError, EOFError) as error:
            code = self._ended()
            if late.is_set():
                raise PageError(f"took longer than {self._timeout:g} s") from error
            raise PageError(f"ended its worker process ({_reason(code)})") from error
        finally:
            watch.cancel()

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()
        self._ended()

    def _started(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._stopped:
                raise PageError("the extraction was ended")
            if self._process is None or self._process.poll() is not None:
                # the modules that this process can import, and not those of the working folder
                environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONSAFEPATH": "1"}
                self._process = subprocess.Popen(
                    [sys.executable, "-c", "from copal._worker import main; main()"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=environment,
                )
                try:
                    _send(self._process, self._settings)
                except OSError:
                    pass  # the exchange reports it
            return self._process

    def _exchange(self, process: subprocess.Popen[bytes], page: _Input) -> Answer:
        _send(process, pickle.dumps(page))
        kind, first, second, third = FRAME.unpack(_receive(process, FRAME.size))
        parts = [_receive(process, size) for size in (first, second, third)]
        if kind == b"E":
            raise PageError(parts[0].decode())
        name = page[1] or "page 1"
        return Answer(RawAnswer.taken(name, *parts))

    def _ended(self) -> int | None:
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass  # what could not be written is of no use any more
        return code


def _send(process: subprocess.Popen[bytes], content: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(REQUEST.pack(len(content)))
    process.stdin.write(content)
    process.stdin.flush()


def _receive(process: subprocess.Popen[bytes], size: int) -> bytes:
    assert process.stdout is not None
    content = process.stdout.read(size)
    if len(content) < size:
        raise EOFError
    return content


def _reason(code: int | None) -> str:
    if code is None:
        return "unknown reason"
    return f"signal {-code}" if code < 0 else f"exit code {code}"
