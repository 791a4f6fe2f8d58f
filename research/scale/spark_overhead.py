#!/usr/bin/env python3
"""Spark over a plain process: the same archives through `copal.spark` and through `copal.extract_many`, with as many cores.

    PYTHONPATH=apps/python/python .venv-scale/bin/python research/scale/spark_overhead.py target/scale/*.warc.gz --cores 2

Both write the cells as Parquet. The time of Spark includes the start of its context, which is also given on its own.
"""

import argparse
import sys
import tempfile
import time

import pyarrow
import pyarrow.parquet


def plain(paths: list[str], cores: int, folder: str) -> int:
    import copal
    from peers import bodies

    pages = ((body, url) for path in paths for url, body in bodies(path))
    writer = None
    rows = 0
    for answer in copal.extract_many(pages, workers=cores):
        if not answer:
            continue
        table = pyarrow.table(answer.cells)
        writer = writer or pyarrow.parquet.ParquetWriter(f'{folder}/plain.parquet', table.schema)
        writer.write_table(table)
        rows += table.num_rows
    if writer:
        writer.close()
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('archives', nargs='+')
    parser.add_argument('--cores', type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        rows = plain(given.archives, given.cores, folder)
        plain_seconds = time.monotonic() - start

        from pyspark.sql import SparkSession

        from copal.spark import extract_cells, read_warcs

        start = time.monotonic()
        spark = (
            SparkSession.builder.master(f'local[{given.cores}]')
            .config('spark.ui.enabled', 'false')
            .config('spark.driver.host', '127.0.0.1')
            .config('spark.driver.bindAddress', '127.0.0.1')
            .config('spark.driver.memory', '3g')
            .getOrCreate()
        )
        context_seconds = time.monotonic() - start
        extract_cells(read_warcs(spark, given.archives)).write.parquet(f'{folder}/spark')
        spark_seconds = time.monotonic() - start
        spark_rows = spark.read.parquet(f'{folder}/spark').where("kind != 'error'").count()
        spark.stop()
    print('| | seconds | rows |\n|---|---|---|')
    print(f'| extract_many, {given.cores} workers | {plain_seconds:.1f} | {rows} |')
    print(f'| Spark, {given.cores} cores | {spark_seconds:.1f} ({context_seconds:.1f} to start) | {spark_rows} |')
    print(f'\nSpark over plain: {spark_seconds / plain_seconds - 1:+.0%}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
