#!/usr/bin/env python3
"""Spark over a plain process: the same archives through `copal.spark` and through `copal.extract_many`, with as many cores.

    PYTHONPATH=apps/python/python .venv-scale/bin/python research/scale/spark_overhead.py target/scale/*.warc.gz --cores 2

Both write the cells as Parquet, each in a process of its own, and the processor time of all their processes is compared.
That of Spark includes the start of its context, which is also measured on its own.
"""

import argparse
import os
import sys
import tempfile

from processor_time import measured


def plain(paths: list[str], cores: int, folder: str) -> None:
    import copal
    import pyarrow
    import pyarrow.parquet
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
    print(rows)


def with_spark(paths: list[str], cores: int, folder: str) -> None:
    """Without paths, only the context is started."""
    # else Spark starts its workers with the first python3 of the path
    os.environ.setdefault('PYSPARK_PYTHON', sys.executable)
    from copal.spark import extract_warcs
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master(f'local[{cores}]')
        .config('spark.ui.enabled', 'false')
        .config('spark.driver.host', '127.0.0.1')
        .config('spark.driver.bindAddress', '127.0.0.1')
        .config('spark.driver.memory', '3g')
        .getOrCreate()
    )
    if paths:
        extract_warcs(spark, paths).write.parquet(f'{folder}/spark')
        print(spark.read.parquet(f'{folder}/spark').where("kind != 'error'").count())
    spark.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('archives', nargs='*')
    parser.add_argument('--cores', type=int, default=2)
    parser.add_argument('--only', choices=['plain', 'spark'], help='run one of them in this process')
    parser.add_argument('--folder', help='where the table is written, with --only')
    given = parser.parse_args()
    if given.only:
        (plain if given.only == 'plain' else with_spark)(given.archives, given.cores, given.folder)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        def run(only: str, archives: list[str]):
            command = [sys.executable, os.path.abspath(__file__), *archives, '--cores', str(given.cores), '--only', only,
                       '--folder', folder]
            return measured(command)

        plainly, context, spark = run('plain', given.archives), run('spark', []), run('spark', given.archives)
    print('| | processor seconds | seconds | rows |\n|---|---|---|---|')
    rows, spark_rows = plainly.output.split()[-1], spark.output.split()[-1]
    print(f'| extract_many, {given.cores} workers | {plainly.processor:.1f} | {plainly.wall:.1f} | {rows} |')
    print(f'| Spark, {given.cores} cores | {spark.processor:.1f} | {spark.wall:.1f} | {spark_rows} |')
    print(f'| of these, its context | {context.processor:.1f} | {context.wall:.1f} | |')
    work = spark.processor - context.processor
    print(f'\nSpark over plain, processor time: {spark.processor / plainly.processor - 1:+.0%}, '
          f'without the context: {work / plainly.processor - 1:+.0%}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
