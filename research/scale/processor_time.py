"""Processor time of a command and of all processes that it starts.

Wall-clock time on a busy machine says little, so that the figures of this folder are processor time. `getrusage` misses
processes that nobody waits for, such as the Java process of Spark; these are sampled while they run, and the larger of
both figures counts.
"""

import dataclasses
import resource
import subprocess
import tempfile
import time

import psutil


@dataclasses.dataclass
class Usage:
    wall: float
    #: seconds of all processes
    processor: float
    #: seconds of the command without its workers
    own: float
    returncode: int
    output: str


def measured(command: list[str], accepted: tuple[int, ...] = (0,), **options) -> Usage:
    """Runs a command to its end. Its standard output is kept; an exit code that is not accepted ends the program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    seconds: dict[tuple[int, float], float] = {}
    with tempfile.TemporaryFile('w+') as out, tempfile.TemporaryFile('w+') as errors:
        running = subprocess.Popen(command, stdout=out, stderr=errors, text=True, **options)
        top = psutil.Process(running.pid)
        own_key = (running.pid, top.create_time())
        while running.poll() is None:
            try:
                for process in [top, *top.children(recursive=True)]:
                    try:
                        used = process.cpu_times()
                        seconds[process.pid, process.create_time()] = used.user + used.system
                    except psutil.NoSuchProcess:
                        pass
            except psutil.NoSuchProcess:
                pass
            time.sleep(0.1)
        wall = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        out.seek(0)
        errors.seek(0)
        output, message = out.read(), errors.read()
    if running.returncode not in accepted:
        raise SystemExit(f'{" ".join(command)}: exit {running.returncode}\n{message[-2000:]}')
    waited = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Usage(wall, max(waited, sum(seconds.values())), seconds.get(own_key, 0.0), running.returncode, output)
