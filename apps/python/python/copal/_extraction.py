"""One page in, one answer out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from copal import _copal
from copal._answer import Answer
from copal._inputs import Content, PageInput, ReadOptions, make_options, read_content, read_pages

if TYPE_CHECKING:
    from typing import Unpack


def extract(html: Content, url: str | None = None, **options: Unpack[ReadOptions]) -> Answer:
    """Extract the list of records of a page, or its object.

    Args:
        html: The page: text, bytes in any encoding, or a path (`pathlib.Path`). MHTML, JSON and feeds are read too.
        url: Its address, which makes links absolute.
        kind: "list" or "object" if it is known what the page is; "auto" decides.
        all: All lists of records, not only the main one.
        navigation: Menus and the like too.
        list: The list of this rank, from 1, instead of the main one.
        near: The list that contains this text.
        select: The list at this CSS selector.
        fields: Further columns: names with CSS selectors (`"b.price"`, `"img@alt"`).
        domain: What the records are about: a `Domain`, or its name or path.
        method: "combined", or one of the methods of the papers.
        embedded: Add the data that the page carries for its scripts.
        min_confidence: Least probability that the list is the main one.
        max_bytes, max_seconds: Limits; a page beyond them gives a partial answer with a warning.

    Raises:
        PageError: The page cannot be read.
        ValueError: An option is wrong.
    """
    return Answer(_copal.extract(read_content(html), url, make_options(options)))


def objects(pages: Iterable[PageInput], **options: Unpack[ReadOptions]) -> list[Answer]:
    """Extract pages of single objects (products, articles, people), one answer per page.

    Pages of one site are best read together: what most of them share is the template, not the object.

    Args:
        pages: The pages, each alone or as `(page, url)`.
        domain: What the objects are: a `Domain`, or its name or path.
        max_bytes, max_seconds: Limits, as for `extract`.
    """
    return [Answer(raw) for raw in _copal.objects(read_pages(pages), make_options(options))]
