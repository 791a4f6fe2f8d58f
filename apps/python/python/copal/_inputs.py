"""Pages and options as users pass them, and as the compiled part takes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, TypeAlias, TypedDict

from copal._copal import Domain, Options

#: A page: its text, its bytes in any encoding, or the path of its file.
Content: TypeAlias = "str | bytes | bytearray | memoryview | os.PathLike[str]"
#: A page, or a page with its address.
PageInput: TypeAlias = "Content | tuple[Content, str | None]"


class ReadOptions(TypedDict, total=False):
    """The options of `extract`, as `extract_many` passes them to its workers."""

    kind: Literal["auto", "list", "object"]
    all: bool
    navigation: bool
    list: int | None
    near: str | None
    select: str | None
    fields: Mapping[str, str] | None
    domain: Domain | str | None
    method: Literal["combined", "mdr", "buw", "rdr", "amber"]
    embedded: bool
    min_confidence: float | None
    max_bytes: int | None
    max_seconds: float | None


def read_content(content: Content) -> str | bytes:
    """The text or the bytes of a page. Paths are read; text is always taken as a page, never as a path."""
    if isinstance(content, (str, bytes)):
        return content
    if isinstance(content, (bytearray, memoryview)):
        return bytes(content)
    if isinstance(content, os.PathLike):
        return Path(content).read_bytes()
    raise TypeError(f"expected the page as str, bytes or a path, not {type(content).__name__}")


def read_page(page: PageInput) -> tuple[str | bytes, str | None]:
    """The content and the address of a page. Files have their path as address in messages only."""
    if isinstance(page, tuple):
        if len(page) != 2:
            raise TypeError("expected (page, url)")
        content, url = page
        return read_content(content), url
    return read_content(page), None


def read_pages(pages: Iterable[PageInput]) -> list[tuple[str | bytes, str | None]]:
    """The contents and addresses of several pages."""
    if isinstance(pages, (str, bytes, bytearray, os.PathLike)):
        raise TypeError("expected a list of pages, not one page")
    read = [read_page(page) for page in pages]
    if not read:
        raise ValueError("expected at least one page")
    return read


def make_options(options: ReadOptions) -> Options:
    """The options in the form that the compiled part takes."""
    prepared: dict[str, object] = dict(options)
    domain, fields = options.get("domain"), options.get("fields")
    if isinstance(domain, str):
        prepared["domain"] = Domain(domain)
    if fields is not None:
        prepared["fields"] = list(fields.items())
    return Options(**prepared)
