"""Spark in local-cluster mode: cells of a table of pages, and an executor that is killed in the middle."""

import gzip
import json
import os
import signal
import sys
import threading
import time

import pytest
from conftest import lamps, warc_record

pyspark = pytest.importorskip("pyspark")

from copal.spark import extract_cells, learn_site_templates, main  # noqa: E402

PAGES = 60
RECORDS = 8
COLUMNS = 3


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("copal tests")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.memory", "512m")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "5")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(scope="module")
def pages(spark):
    rows = [(f"https://shop{n % 3}.example/{n}", lamps(n)) for n in range(PAGES)]
    rows.append(("https://shop0.example/picture", "\x89PNG"))
    return spark.createDataFrame(rows, "url string, html string").repartition(6)


def test_cells_of_all_pages_are_one_table(spark, pages, tmp_path):
    cells = extract_cells(pages)
    cells.write.mode("overwrite").partitionBy("host").parquet(str(tmp_path / "cells"))
    table = spark.read.parquet(str(tmp_path / "cells"))
    assert table.where("kind = 'list'").count() == PAGES * RECORDS * COLUMNS
    assert {row.host for row in table.select("host").distinct().collect()} == {f"shop{n}.example" for n in range(3)}
    price = table.where("page = 'https://shop1.example/4' and column = 'price' and record = 2").collect()
    assert [row.text for row in price] == ["£15.50"]


def test_a_killed_executor_neither_loses_nor_doubles_rows(spark, pages, tmp_path):
    def executors() -> list[int]:
        found = []
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    command = open(f"/proc/{entry}/cmdline", "rb").read()
                except OSError:
                    continue
                if b"CoarseGrainedExecutorBackend" in command and command.split(b"\0")[0].endswith(b"java"):
                    found.append(int(entry))
        return found

    killed: list[int] = []

    def kill_one() -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if busy.is_set() and (running := executors()):
                os.kill(running[0], signal.SIGKILL)
                killed.append(running[0])
                return
            time.sleep(0.05)

    busy = threading.Event()
    thread = threading.Thread(target=kill_one)
    thread.start()
    threading.Timer(1.0, busy.set).start()
    extract_cells(pages).write.mode("overwrite").partitionBy("host").parquet(str(tmp_path / "cells"))
    busy.set()
    thread.join()
    assert killed, "no executor was found"
    table = spark.read.parquet(str(tmp_path / "cells"))
    assert table.where("kind = 'list'").count() == PAGES * RECORDS * COLUMNS
    assert table.where("kind = 'list'").select("page", "region", "record", "column").distinct().count() == PAGES * RECORDS * COLUMNS


def test_the_job_reads_archives_and_a_second_run_doubles_nothing(spark, tmp_path, capsys):
    archives = []
    for number in range(3):
        path = tmp_path / f"crawl{number}.warc.gz"
        pages = range(number * 10, number * 10 + 10)
        records = [warc_record(f"https://shop{page % 2}.example/{page}", lamps(page)) for page in pages]
        records.insert(3, warc_record(f"https://shop1.example/broken{number}", "\x89PNG\0\0"))
        path.write_bytes(b"".join(map(gzip.compress, records)))
        archives.append(str(path))
    cut = gzip.compress(warc_record("https://shop0.example/cut", lamps(99)))
    with open(archives[2], "ab") as last:
        last.write(cut[: len(cut) // 2])
    output = str(tmp_path / "cells")
    for _ in range(2):
        assert main([*archives, output]) == 0
        table = spark.read.parquet(output)
        assert table.where("kind = 'list'").count() == 30 * RECORDS * COLUMNS
        failed = [row.text for row in table.where("kind = 'error'").collect()]
        assert len(failed) == 4 and any("crawl2.warc.gz: record at byte" in text for text in failed)
        assert f"{30 * RECORDS * COLUMNS} cells, 4 pages failed" in capsys.readouterr().err
    hosts = {entry for entry in os.listdir(output) if entry.startswith("host=")}
    assert {"host=shop0.example", "host=shop1.example"} <= hosts


def test_the_pages_of_archives_may_be_spread_over_more_tasks(spark, tmp_path, capsys):
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(b"".join(gzip.compress(warc_record(f"https://shop.example/{n}", lamps(n))) for n in range(12)))
    output = str(tmp_path / "cells")
    assert main([str(path), output, "--partitions", "4"]) == 0
    assert spark.read.parquet(output).count() == 12 * RECORDS * COLUMNS
    assert f"{12 * RECORDS * COLUMNS} cells, 0 pages failed" in capsys.readouterr().err


def test_templates_are_learned_in_a_first_stage(spark, pages):
    templates = learn_site_templates(pages, sample_pages=8, template_pages=6)
    hosts = sorted(json.loads(template)["host"] for template in templates)
    assert hosts == [f"shop{n}.example" for n in range(3)]
    assert templates == learn_site_templates(pages, sample_pages=8, template_pages=6)
    columns = ["page", "record", "column", "text"]
    by_template = extract_cells(pages, templates=templates).where("kind = 'list'").select(columns)
    in_full = extract_cells(pages).where("kind = 'list'").select(columns)
    assert by_template.count() == PAGES * RECORDS * COLUMNS
    assert by_template.exceptAll(in_full).count() == 0
