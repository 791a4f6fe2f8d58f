"""What the command writes as Parquet, the long form and typed columns, read back by the programs that people use for tables."""

import gzip
import os
import subprocess
from pathlib import Path

import pytest
from conftest import lamps, warc_record

PAGES = 30
RECORDS = 8
COLUMNS = {"title", "url", "price"}
NAMES = "page url kind region role record key column text value type confidence xpath".split()


def command() -> Path:
    copal = Path(os.environ.get("COPAL", Path(__file__).parents[3] / "target/debug/copal"))
    if not copal.exists():
        pytest.skip(f"{copal} is not built")
    return copal


@pytest.fixture(scope="module")
def typed(tmp_path_factory) -> Path:
    """The records of two pages of one site, as typed columns."""
    folder = tmp_path_factory.mktemp("typed")
    for number in (1, 20):
        (folder / f"{number}.html").write_text(lamps(number), encoding="utf-8")
    arguments = ["extract", "--no-config", "1.html", "20.html", "-o", "lamps.parquet"]
    done = subprocess.run([command(), *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "lamps.parquet"


#: The amounts of the records of `typed`.
AMOUNTS = [10.5 + number for first in (1, 20) for number in range(first, first + RECORDS)]


@pytest.fixture(scope="module")
def cells(tmp_path_factory) -> Path:
    """A folder of parts, made from an archive by the command."""
    copal = command()
    folder = tmp_path_factory.mktemp("crawl")
    archive = folder / "crawl.warc.gz"
    archive.write_bytes(b"".join(gzip.compress(warc_record(f"https://shop.example/{n}", lamps(n))) for n in range(PAGES)))
    done = subprocess.run(
        [copal, "extract", "--no-config", archive, "--long", "--part-pages", "10", "-j", "2", "-o", f"{folder}/cells/"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert len(list((folder / "cells").glob("*.parquet"))) == 3
    return folder / "cells"


def check(rows: list[tuple[str, int, str, str]]) -> None:
    """Rows of page, record, column and text."""
    assert len(rows) == PAGES * RECORDS * len(COLUMNS)
    assert {row[2] for row in rows} == COLUMNS
    assert ("https://shop.example/4", 2, "price", "£15.50") in rows


def test_duckdb(cells):
    duckdb = pytest.importorskip("duckdb")
    table = duckdb.sql(f"select * from '{cells}/*.parquet'")
    assert table.columns == NAMES
    check(duckdb.sql(f"select page, record, \"column\", text from '{cells}/*.parquet'").fetchall())
    amount = duckdb.sql(
        f"select sum(cast(json_extract_string(value, '$.amount') as decimal(10, 2))) from '{cells}/*.parquet' where type = 'money'"
    ).fetchone()[0]
    assert amount == sum(10.5 + number for first in range(PAGES) for number in range(first, first + RECORDS))


def test_typed_columns_in_duckdb_pandas_and_polars(typed):
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql(f"select title, price, price_amount, price_currency from '{typed}'").fetchall()
    assert rows[0] == ("Lamp number 1", "£11.50", 11.5, "GBP") and [row[2] for row in rows] == AMOUNTS
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = pandas.read_parquet(typed)
    assert str(frame["price_amount"].dtype) == "float64" and frame["price_amount"].tolist() == AMOUNTS
    table = polars.read_parquet(typed)
    assert table.schema["price_amount"] == polars.Float64 and table["price_amount"].to_list() == AMOUNTS


def test_pandas(cells):
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(cells)
    assert list(frame.columns) == NAMES
    assert str(frame["record"].dtype) == "int64" and str(frame["confidence"].dtype) == "float64"
    check(list(frame[["page", "record", "column", "text"]].itertuples(index=False, name=None)))


def test_polars(cells):
    polars = pytest.importorskip("polars")
    frame = polars.read_parquet(f"{cells}/*.parquet")
    assert frame.columns == NAMES
    check(frame.select("page", "record", "column", "text").rows())


def test_pyarrow_and_row_groups(cells):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(cells)
    assert table.schema.names == NAMES
    check(list(zip(*(table.column(name).to_pylist() for name in ("page", "record", "column", "text")))))
    pages = [page for path in sorted(cells.glob("*.parquet")) for page in parquet.read_table(path).column("page").to_pylist()]
    numbers = [int(page.rsplit("/", 1)[1]) for page in pages]
    assert numbers == sorted(numbers), "the order is that of the archive"


def test_spark(cells, typed):
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    try:
        table = spark.read.parquet(str(cells))
        assert table.columns == NAMES
        check([tuple(row) for row in table.select("page", "record", "column", "text").collect()])
        amounts = spark.read.parquet(str(typed)).select("price_amount").collect()
        assert sorted(row.price_amount for row in amounts) == sorted(AMOUNTS)
    finally:
        spark.stop()
