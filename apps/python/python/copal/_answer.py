"""What was found on a page."""

from __future__ import annotations

import html
import importlib
import json
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from copal._copal import CopalError, RawAnswer

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: Records that a notebook shows.
_SHOWN_RECORDS = 20


class CellTable:
    """The cells of an answer in the long form: one row per text, with the same columns for every page.

    It can be passed to any library that reads Arrow: `pyarrow.table(cells)`, `polars.DataFrame(cells)`.
    """

    def __init__(self, raw: RawAnswer) -> None:
        self._raw = raw

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._raw.cells_capsule()


class Answer:
    """What was found on a page: lists of records, or an object.

    An answer behaves like the sequence of the records of the main list: `len(answer)`, `answer[0]`,
    `for record in answer`. It can be passed to any library that reads Arrow, and pickled.
    """

    def __init__(self, raw: RawAnswer) -> None:
        self._raw = raw

    @cached_property
    def document(self) -> dict[str, Any]:
        """Everything, as the JSON that `copal extract --format json` writes."""
        return json.loads(self._raw.json())

    def to_dict(self) -> dict[str, Any]:
        """Everything, as the JSON that `copal extract --format json` writes. Later changes do not change the answer."""
        return json.loads(self._raw.json())

    @property
    def kind(self) -> str:
        """What the page is: "list", "object" or "nothing"."""
        return self.document["page"]["kind"]

    @property
    def url(self) -> str | None:
        """The address of the page."""
        return self.document["page"].get("url")

    @property
    def title(self) -> str | None:
        """The title of the page."""
        return self.document["page"].get("title")

    @property
    def next(self) -> str | None:
        """The address of the next page of the list."""
        return self.document["page"].get("next")

    @property
    def warnings(self) -> list[str]:
        """What one should know about the answer, such as limits that were hit."""
        return self.document["warnings"]

    @property
    def regions(self) -> list[dict[str, Any]]:
        """The lists with all that is known about them, the main list first."""
        return self.document["regions"]

    @cached_property
    def _main(self) -> dict[str, Any] | None:
        return next((region for region in self.regions if region["role"] in ("primary", "possible")), None)

    @property
    def is_certain(self) -> bool:
        """True if the list is clearly the main list of its page."""
        return self._main is not None and self._main["role"] == "primary"

    @property
    def confidence(self) -> float | None:
        """The probability that the main list and its records are right, if it is known."""
        return self._main.get("confidence") if self._main else None

    @property
    def columns(self) -> list[str]:
        """The names of the columns of the main list, or of the fields of the object."""
        if self._main is None:
            return list(self.object or {})
        return [column["name"] for column in self._main["columns"]]

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The records of the main list: names of columns and texts. A column with several texts in one record has
        lists in all."""
        return [record["fields"] for record in self._main["records"]] if self._main else []

    @cached_property
    def values(self) -> list[dict[str, Any]]:
        """The typed values of the records of the main list: prices, dates, numbers."""
        return [record.get("values", {}) for record in self._main["records"]] if self._main else []

    @property
    def object(self) -> dict[str, Any] | None:
        """The fields of the object that the page is about, if it is about one."""
        return self.document.get("fields")

    @property
    def object_values(self) -> dict[str, Any]:
        """The typed values of the object."""
        return self.document.get("values", {})

    @property
    def cells(self) -> CellTable:
        """All cells in the long form."""
        return CellTable(self._raw)

    def __len__(self) -> int:
        return len(self.records)

    def __bool__(self) -> bool:
        """True if something was found: records or an object."""
        return bool(self.records) or self.object is not None

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.records[index]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.records)

    def __repr__(self) -> str:
        about = f" of {self.url}" if self.url else ""
        if self.object is not None:
            return f"<Answer{about}: an object with {len(self.object)} fields>"
        if self._main is None:
            return f"<Answer{about}: nothing found>"
        unsure = "" if self.is_certain else ", not sure that it is the main list"
        return f"<Answer{about}: {len(self)} records, {len(self.columns)} columns{unsure}>"

    def _repr_html_(self) -> str:
        records = self.records or ([self.object] if self.object else [])
        names = self.columns
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_shown(record.get(name)))}</td>" for name in names) + "</tr>"
            for record in records[:_SHOWN_RECORDS]
        )
        more = f"<p>{len(records)} records, the first {_SHOWN_RECORDS} are shown</p>"
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        return table + (more if len(records) > _SHOWN_RECORDS else "")

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The records with typed columns, for any library that reads Arrow."""
        return self._raw.records_capsule()

    def to_arrow(self) -> pyarrow.Table:
        """The records as a `pyarrow.Table` with typed columns: texts, and the components of their values beside
        them (`price`, `price_amount`, `price_currency`)."""
        return _library("pyarrow").table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The records as a `pandas.DataFrame`, with the columns of `to_arrow`."""
        _library("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The records as a `polars.DataFrame`, with the columns of `to_arrow`."""
        return _library("polars").DataFrame(self)

    def __reduce__(self) -> tuple[type[Answer], tuple[RawAnswer]]:
        return (Answer, (self._raw,))


def _shown(value: object) -> str:
    if value is None:
        return ""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise CopalError(f"{name} is not installed: pip install {name}") from error
