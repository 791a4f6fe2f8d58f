"""Copal in Scrapy: records of a response as items.

In a spider, without a selector for any field:

    import scrapy
    from copal.scrapy import items, next_page

    class Lamps(scrapy.Spider):
        name = "lamps"
        start_urls = ["https://shop.example/lamps"]

        def parse(self, response):
            yield from items(response)
            if following := next_page(response):
                yield response.follow(following)

The item pipeline keeps one set of columns over all pages, and drops items that have none of its mandatory columns:

    ITEM_PIPELINES = {"copal.scrapy.ColumnsPipeline": 300}
    COPAL_MANDATORY = ["title", "price"]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from copal._answer import Answer
from copal._extraction import extract
from copal._inputs import ReadOptions
from copal._wrapper import Wrapper

if TYPE_CHECKING:
    from typing import Unpack

    from scrapy.crawler import Crawler
    from scrapy.http import Response

# `items` and `next_page` ask for the same answer
_answers: WeakKeyDictionary[Response, tuple[object, Answer]] = WeakKeyDictionary()


def answer(response: Response, wrapper: Wrapper | None = None, **options: Unpack[ReadOptions]) -> Answer:
    """The answer for a response; it is extracted once for the same options."""
    key = (id(wrapper), sorted(options.items(), key=lambda item: item[0]))
    known = _answers.get(response)
    if known is not None and known[0] == key:
        return known[1]
    if wrapper is not None:
        found = wrapper.apply(response.body, response.url, **options)
    else:
        found = extract(response.body, response.url, **options)
    _answers[response] = (key, found)
    return found


def items(
    response: Response, wrapper: Wrapper | None = None, **options: Unpack[ReadOptions]
) -> Iterator[dict[str, Any]]:
    """The records of a response, or its object, as items. Typed values are in `COLUMN_value`."""
    found = answer(response, wrapper, **options)
    if found.object is not None:
        yield _item(found.object, found.object_values)
        return
    for record, values in zip(found.records, found.values):
        yield _item(record, values)


def next_page(response: Response, wrapper: Wrapper | None = None, **options: Unpack[ReadOptions]) -> str | None:
    """The address of the next page of the list."""
    return answer(response, wrapper, **options).next


def _item(texts: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    return {**texts, **{f"{name}_value": value for name, value in values.items()}}


class ColumnsPipeline:
    """Gives all items the same keys in the same order, and drops items without a mandatory column.

    Settings: `COPAL_COLUMNS` (names of the columns; by default those of the first page), `COPAL_MANDATORY`.
    """

    def __init__(self, columns: list[str] | None, mandatory: list[str]) -> None:
        self.columns = columns
        self.mandatory = mandatory

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ColumnsPipeline:
        """Called by Scrapy."""
        columns = crawler.settings.getlist("COPAL_COLUMNS") or None
        return cls(columns, crawler.settings.getlist("COPAL_MANDATORY"))

    def process_item(self, item: Any) -> Any:
        """Called by Scrapy for every item."""
        from scrapy.exceptions import DropItem

        if not isinstance(item, dict):
            return item
        missing = [name for name in self.mandatory if not item.get(name)]
        if missing:
            raise DropItem(f"no {', '.join(missing)}: {item.get('url') or item}")
        if self.columns is None:
            return item
        return {name: item.get(name) for name in self.columns}
