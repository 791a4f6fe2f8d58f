"""Copal on Apache Spark: a table of pages in, a table of cells out.

    from copal.spark import extract_cells
    cells = extract_cells(spark.read.parquet("pages"))        # columns url and html
    cells.write.partitionBy("host").parquet("cells")

Pages are read in worker processes of the executors: a page that aborts or takes too long becomes a row with the kind
"error", and the executor goes on. The job of this module reads and writes files:

    spark-submit --py-files copal.zip -m copal.spark pages.parquet cells.parquet --wrapper shop.copal.yaml
    python -m copal.spark crawl/*.warc.gz cells.parquet

Pages of a table come from the Java machine and are much larger than their cells. `extract_warcs` reads archives in the
process that extracts them, so that only cells cross that border.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from copal._archives import MAX_PAGE_BYTES
from copal._copal import ArchiveReader, PageError
from copal._inputs import ReadOptions
from copal._workers import DEFAULT_MEMORY, DEFAULT_TIMEOUT, FailedPage, cells_of_many
from copal._wrapper import Wrapper

if TYPE_CHECKING:
    from typing import Unpack

    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

#: The columns of the table of cells.
CELL_SCHEMA = (
    "page string, url string, kind string, region bigint, role string, record bigint, key string, column string, "
    "text string, value string, type string, confidence double, xpath string, host string"
)
#: Rows of one batch at least, except for the last: a batch per page costs more than its rows.
_BATCH_ROWS = 8_192

#: A page with its address, or why it cannot be read.
_Page = tuple["str | bytes | PageError", "str | None"]
_Cells = Callable[["Iterator[pyarrow.RecordBatch]"], "Iterator[pyarrow.RecordBatch]"]


def cells_function(
    *,
    url: str = "url",
    html: str = "html",
    wrapper: Wrapper | None = None,
    templates: list[str] | None = None,
    workers: int = 1,
    timeout: float = DEFAULT_TIMEOUT,
    max_memory: int | None = DEFAULT_MEMORY,
    **options: Unpack[ReadOptions],
) -> _Cells:
    """A function for `DataFrame.mapInArrow`: pages in, cells out, with the columns of `CELL_SCHEMA`.

    Args:
        url, html: The columns of the pages; `html` may be text or bytes.
        wrapper: Read the pages with this wrapper instead of extracting them.
        templates: Read pages with these templates of `copal.learn_templates` where they fit.
        workers: Processes per task. Spark already runs a task per core.
        timeout, max_memory: Limits of one page.
        options: As for `copal.extract`.
    """

    def pages(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[_Page]:
        for batch in batches:
            for address, content in zip(batch.column(url).to_pylist(), batch.column(html).to_pylist()):
                yield content if content is not None else "", address

    return _cells_of(
        pages,
        workers=workers,
        wrapper=wrapper,
        templates=templates,
        timeout=timeout,
        max_memory=max_memory,
        **options,
    )


def extract_cells(
    pages: DataFrame,
    *,
    url: str = "url",
    html: str = "html",
    wrapper: Wrapper | None = None,
    templates: list[str] | None = None,
    workers: int = 1,
    timeout: float = DEFAULT_TIMEOUT,
    max_memory: int | None = DEFAULT_MEMORY,
    **options: Unpack[ReadOptions],
) -> DataFrame:
    """The cells of all pages of a table: one row per text, with the columns of `CELL_SCHEMA`.

    A page that cannot be read is one row of the kind "error", whose text is the reason.
    """
    function = cells_function(
        url=url,
        html=html,
        wrapper=wrapper,
        templates=templates,
        workers=workers,
        timeout=timeout,
        max_memory=max_memory,
        **options,
    )
    return pages.select(url, html).mapInArrow(function, CELL_SCHEMA)


def extract_warcs(
    spark: SparkSession,
    paths: Iterable[str],
    *,
    wrapper: Wrapper | None = None,
    templates: list[str] | None = None,
    workers: int = 1,
    timeout: float = DEFAULT_TIMEOUT,
    max_memory: int | None = DEFAULT_MEMORY,
    **options: Unpack[ReadOptions],
) -> DataFrame:
    """The cells of all pages of WARC files, as `extract_cells` gives them; one task per file.

    The pages stay in the process that reads them, which is cheaper than `extract_cells(read_warcs(...))`. For a few
    large files on many cores, use the latter with `repartition`. The paths are opened by the executors. A damaged record is
    one row of the kind "error", and the records after it are still read.
    """

    def pages(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[_Page]:
        for batch in batches:
            for path in batch.column("path").to_pylist():
                for address, content in _warc_pages(path):
                    yield content, address

    function = _cells_of(
        pages,
        workers=workers,
        wrapper=wrapper,
        templates=templates,
        timeout=timeout,
        max_memory=max_memory,
        **options,
    )
    return _one_task_per_file(spark, paths).mapInArrow(function, CELL_SCHEMA)


def learn_site_templates(
    pages: DataFrame,
    *,
    url: str = "url",
    html: str = "html",
    sample_pages: int = 64,
    template_pages: int = 32,
    **options: Unpack[ReadOptions],
) -> list[str]:
    """The first stage of a job by template: learns the templates of every site from some of its pages.

    The pages of a site are chosen by a hash of their URLs, so that a repeated run learns from the same ones. A site whose
    pages end the process that learns from them has no templates, and its pages are extracted in full.

    Args:
        sample_pages: Pages of a site that are read at most.
        template_pages: Pages that a template needs.
        options: As for `copal.extract`.

    Returns:
        Templates for `extract_cells(templates=...)`, which Spark sends to the executors.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as sql

    def learn(table: pyarrow.Table) -> pyarrow.Table:
        import pyarrow

        from copal._copal import CopalError
        from copal._templates import learn_templates

        # the order of a group is not that of the table
        rows = sorted(zip(table.column("url").to_pylist(), table.column("html").to_pylist()), key=lambda row: row[0] or "")
        try:
            given = [(content or "", address) for address, content in rows]
            learned = learn_templates(given, template_pages=template_pages, **options)
        except CopalError:
            learned = []
        return pyarrow.table({"template": pyarrow.array(learned, pyarrow.string())})

    pages = pages.select(sql.col(url).alias("url"), sql.col(html).alias("html"))
    host = sql.lower(sql.regexp_extract("url", r"^[^:/]+://([^/?#]*)", 1))
    # only addresses are ranked: the pages themselves are too large to be sorted
    order = Window.partitionBy("host").orderBy(sql.xxhash64("url"), "url")
    ranked = pages.select("url", host.alias("host")).withColumn("rank", sql.row_number().over(order))
    chosen = ranked.where(sql.col("rank") <= sample_pages).select("url")
    samples = pages.join(chosen, "url", "left_semi").withColumn("host", host)
    learned = samples.groupBy("host").applyInArrow(learn, "template string")
    return sorted(row.template for row in learned.collect())


def read_warcs(spark: SparkSession, paths: Iterable[str]) -> DataFrame:
    """The pages of WARC files as a table with the columns `url` and `html`; one task per file.

    The paths are opened by the executors, so that they must be on a file system that all of them have. Damaged records
    are reported on standard error of the executors.
    """
    return _one_task_per_file(spark, paths).mapInArrow(_warc_batches, "url string, html binary")


def _one_task_per_file(spark: SparkSession, paths: Iterable[str]) -> DataFrame:
    paths = list(paths)
    # a hash of the path would put several files into one task and leave others empty
    files = spark.sparkContext.parallelize([(path,) for path in paths], max(len(paths), 1))
    return spark.createDataFrame(files, "path string")


def _warc_batches(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    import pyarrow

    schema = pyarrow.schema([("url", pyarrow.string()), ("html", pyarrow.binary())])
    for batch in batches:
        for path in batch.column("path").to_pylist():
            for address, html in _warc_pages(path):
                if isinstance(html, PageError):
                    print(f"{address}: {html}", file=sys.stderr)
                else:
                    # the mark at its beginning counts more than a charset that the page declares for its old bytes
                    content = f"\ufeff{html}".encode() if isinstance(html, str) else html
                    yield pyarrow.record_batch([[address], [content]], schema=schema)


def _warc_pages(path: str) -> Iterator[tuple[str | None, str | bytes | PageError]]:
    """Addresses and pages of an archive, or what is wrong with a record instead of its page."""
    reader = ArchiveReader(path, MAX_PAGE_BYTES)
    while True:
        try:
            content, address, damage = next(reader)
        except StopIteration:
            return
        except PageError as error:
            # the file cannot be read any further
            yield path, error
            return
        if content is None:
            yield address or path, PageError(f"{path}: {damage}")
        else:
            yield address, content


def _cells_of(
    pages: Callable[[Iterator[pyarrow.RecordBatch]], Iterator[_Page]],
    *,
    workers: int,
    wrapper: Wrapper | None,
    templates: list[str] | None,
    timeout: float,
    max_memory: int | None,
    **options: Unpack[ReadOptions],
) -> _Cells:
    """A function for `mapInArrow`, given how pages are read from the batches of a task."""

    def cells(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        addresses: deque[str | None] = deque()

        def noted() -> Iterator[_Page]:
            for content, address in pages(batches):
                addresses.append(address)
                yield content, address

        results = cells_of_many(
            noted(),
            workers=workers,
            wrapper=wrapper,
            templates=templates,
            timeout=timeout,
            max_memory=max_memory,
            **options,
        )
        waiting: list[pyarrow.Table] = []
        rows = 0
        for result in results:
            address = addresses.popleft()
            if isinstance(result, FailedPage):
                table = _error_table(address, str(result.error))
            else:
                table = pyarrow.table(result)
                table = table.append_column("host", pyarrow.repeat(pyarrow.scalar(_host(address)), table.num_rows))
            if table.num_rows:
                waiting.append(table)
                rows += table.num_rows
            if rows >= _BATCH_ROWS:
                yield from _joined(waiting)
                waiting, rows = [], 0
        if waiting:
            yield from _joined(waiting)

    return cells


def _joined(tables: list[pyarrow.Table]) -> list[pyarrow.RecordBatch]:
    import pyarrow

    batches: list[pyarrow.RecordBatch] = pyarrow.concat_tables(tables).combine_chunks().to_batches()
    return batches


def _error_table(address: str | None, message: str) -> pyarrow.Table:
    import pyarrow

    types = {"bigint": pyarrow.int64(), "double": pyarrow.float64(), "string": pyarrow.string()}
    fields = [part.split() for part in CELL_SCHEMA.split(", ")]
    known = {"page": address, "url": address, "kind": "error", "text": message, "host": _host(address)}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in fields])
    return pyarrow.table([[known.get(name)] for name, _ in fields], schema=schema)


def _host(address: str | None) -> str:
    try:
        return urlsplit(address or "").hostname or ""
    except ValueError:
        return ""


def main(arguments: list[str] | None = None) -> int:
    """The job: pages from Parquet or WARC files to a Parquet table of cells, partitioned by host."""
    parser = argparse.ArgumentParser(prog="copal.spark", description=main.__doc__)
    parser.add_argument("input", nargs="+", help="Parquet tables with url and html, or WARC files")
    parser.add_argument("output", help="folder of the table of cells; partitions that are there are replaced")
    parser.add_argument("--wrapper", help="read the pages with this wrapper file instead of extracting them")
    parser.add_argument("--domain", help="what the records are about")
    parser.add_argument("--all", action="store_true", help="all lists of records, not only the main one")
    parser.add_argument("--partitions", type=int, help="spread the pages over this many tasks")
    parser.add_argument("--by-template", action="store_true", help="learn the templates of each site first, and use them")
    parser.add_argument("--timeout", type=float, default=DEFAULT_TIMEOUT, help="seconds per page")
    given = parser.parse_args(arguments)

    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("copal").getOrCreate()
    # a repeated run replaces the partitions that it writes, and leaves the others alone
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    archives = [path for path in given.input if ".warc" in path.lower()]
    tables = [path for path in given.input if path not in archives]
    if archives and tables:
        parser.error("give Parquet tables or WARC files, not both")
    pages = read_warcs(spark, archives) if archives else spark.read.parquet(*tables)
    if given.partitions:
        pages = pages.repartition(given.partitions)
    wrapper = Wrapper.load(given.wrapper) if given.wrapper else None
    options: ReadOptions = {"all": given.all, "domain": given.domain}
    templates = None
    if given.by_template:
        if wrapper or given.all:
            parser.error("--by-template is without --wrapper and --all")
        templates = learn_site_templates(pages, **options)
        print(f"{len(templates)} templates learned", file=sys.stderr)
    if archives and not given.partitions:
        cells = extract_warcs(spark, archives, wrapper=wrapper, templates=templates, timeout=given.timeout, **options)
    else:
        cells = extract_cells(pages, wrapper=wrapper, templates=templates, timeout=given.timeout, **options)
    cells.write.mode("overwrite").partitionBy("host").parquet(given.output)
    written = spark.read.parquet(given.output)
    failed = written.where("kind = 'error'").count()
    noun = "page" if failed == 1 else "pages"
    print(f"{given.output}: {written.count() - failed} cells, {failed} {noun} failed", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
