"""Wrappers: small files that say where a site's records and fields are."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from copal import _copal
from copal._answer import Answer
from copal._inputs import Content, PageInput, ReadOptions, make_options, read_content, read_pages

if TYPE_CHECKING:
    from typing import Unpack

#: How many pages a repair is verified on.
DEFAULT_TEST_PAGES = 3


@dataclass(frozen=True)
class CheckReport:
    """How pages differ from those that a wrapper was learned from."""

    #: True if the wrapper needs a repair.
    drifted: bool
    #: The differences that too many pages have, the most severe first.
    alarms: list[dict[str, Any]]
    #: What is still read correctly, but not by its first locators any more.
    worn: list[str]
    #: Each page with its number of records and its differences.
    pages: list[dict[str, Any]]

    def __str__(self) -> str:
        if not self.drifted:
            return f"{len(self.pages)} pages as expected"
        return "; ".join(alarm["what"] for alarm in self.alarms)


class Wrapper:
    """Where a site's records and fields are. It is learned from pages and reads the site's other pages.

    Wrappers are data: they can come from anybody, be written to files (`save`), pickled and sent to other machines.
    """

    def __init__(self, raw: _copal.Wrapper) -> None:
        self._raw = raw

    @classmethod
    def parse(cls, text: str) -> Wrapper:
        """Read the text of a wrapper file."""
        return cls(_copal.Wrapper(text))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Wrapper:
        """Read a wrapper file, as `copal learn` writes it."""
        return cls.parse(Path(path).read_text(encoding="utf-8"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the wrapper to a file, completely or not at all."""
        path = Path(path)
        handle, name = tempfile.mkstemp(dir=path.parent or ".", prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(str(self))
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise

    @property
    def columns(self) -> list[str]:
        """The names of the columns that it reads."""
        return self._raw.columns

    @property
    def notes(self) -> list[str]:
        """What could not be learned, in sentences."""
        return self._raw.notes

    def apply(self, html: Content, url: str | None = None, **limits: Unpack[ReadOptions]) -> Answer:
        """Read a page with the wrapper."""
        return Answer(self._raw.apply(read_content(html), url, make_options(limits)))

    def check(self, pages: Iterable[PageInput], **limits: Unpack[ReadOptions]) -> CheckReport:
        """Compare pages with those that the wrapper was learned from."""
        report = json.loads(self._raw.check(read_pages(pages), make_options(limits)))
        return CheckReport(report["drifted"], report["alarms"], report["worn"], report["pages"])

    def repair(
        self, pages: Iterable[PageInput], *, min_pages: int = DEFAULT_TEST_PAGES, **limits: Unpack[ReadOptions]
    ) -> tuple[Wrapper, dict[str, Any]]:
        """A wrapper that reads its pages again after the site has changed, and a report of the changes.

        Raises:
            NothingFoundError: The wrapper needs no repair.
            SiteChangedError: The site has changed too much.
            ValueError: There are fewer than `min_pages` pages.
        """
        repaired, report = self._raw.repair(read_pages(pages), min_pages, make_options(limits))
        return Wrapper(repaired), json.loads(report)

    def __str__(self) -> str:
        return str(self._raw)

    def __repr__(self) -> str:
        return f"<Wrapper: {', '.join(self.columns)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wrapper) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[type[Wrapper], tuple[_copal.Wrapper]]:
        return (Wrapper, (self._raw,))


def learn(
    pages: Iterable[PageInput],
    *,
    columns: Iterable[str] = (),
    rename: Mapping[str, str] | None = None,
    **options: Unpack[ReadOptions],
) -> Wrapper:
    """Learn a wrapper from sample pages of a site.

    Args:
        pages: The pages, each alone or as `(page, url)`: lists, pages of single objects, or both.
        columns: Columns to keep, in this order; all by default.
        rename: Old and new names of columns.
        options: As for `extract`.

    Raises:
        NothingFoundError: The pages have no list and no object that could be learned.
    """
    if isinstance(columns, str):
        raise TypeError("columns: expected a list of names")
    renamed = list((rename or {}).items())
    return Wrapper(_copal.learn(read_pages(pages), list(columns), renamed, make_options(options)))


def apply(wrapper: Wrapper, html: Content, url: str | None = None, **limits: Unpack[ReadOptions]) -> Answer:
    """Read a page with a wrapper."""
    return wrapper.apply(html, url, **limits)


def check(wrapper: Wrapper, pages: Iterable[PageInput], **limits: Unpack[ReadOptions]) -> CheckReport:
    """Compare pages with those that a wrapper was learned from."""
    return wrapper.check(pages, **limits)
