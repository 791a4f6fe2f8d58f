"""Many pages in worker processes."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import copal
import pyarrow
import pytest
from conftest import lamps


def own_workers() -> list[int]:
    """The worker processes of this process."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            is_child = entry.name.isdigit() and f"\nPPid:\t{os.getpid()}\n" in (entry / "status").read_text()
            if is_child and b"copal._worker" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass  # it has just ended
    return found


def test_answers_come_in_the_order_of_the_pages():
    pages = [(lamps(n, 3 + n % 4), f"https://shop.example/{n}") for n in range(40)]
    answers = list(copal.extract_many(pages, workers=3))
    assert [answer.url for answer in answers] == [url for _, url in pages]
    assert all(answer.records == copal.extract(page, url).records for answer, (page, url) in zip(answers, pages))
    assert pyarrow.table(answers[7]).num_rows == len(answers[7])


def test_pages_are_taken_as_they_are_needed():
    taken = []

    def endless():
        number = 0
        while True:
            taken.append(number)
            yield lamps(number)
            number += 1

    answers = copal.extract_many(endless(), workers=2)
    first = [next(answers) for _ in range(5)]
    answers.close()
    assert all(len(answer) == 8 for answer in first)
    assert len(taken) < 20


def test_a_bad_page_costs_only_itself(tmp_path):
    pages = [lamps(1), b"\x89PNG\r\n\x1a\n" + bytes(50), lamps(2), (tmp_path / "missing.html", "https://x.example/"), lamps(3)]
    answers = list(copal.extract_many(pages, workers=2))
    assert [bool(answer) for answer in answers] == [True, False, True, False, True]
    assert isinstance(answers[1], copal.FailedPage) and answers[1].index == 1
    assert answers[3].url == "https://x.example/" and "missing.html" in str(answers[3].error)
    with pytest.raises(copal.PageError, match="not a web page"):
        list(copal.extract_many(pages, workers=1, errors="raise"))


def test_a_worker_without_memory_costs_only_its_page():
    large = "<ul>" + "<li><a href='/x'>A lamp of many</a> <b>£3</b></li>" * 60_000 + "</ul>"
    answers = list(copal.extract_many([lamps(1), large, lamps(2)], workers=1, max_memory=200 << 20))
    assert [bool(answer) for answer in answers] == [True, False, True]
    assert "ended its worker process" in str(answers[1].error) or "memory" in str(answers[1].error).lower()


def test_a_worker_that_hangs_or_is_killed_is_replaced():
    stopped: list[int] = []

    def stop_one() -> None:
        deadline = time.monotonic() + 20
        while not stopped and time.monotonic() < deadline:
            for pid in own_workers():
                os.kill(pid, signal.SIGSTOP)
                stopped.append(pid)
                return
            time.sleep(0.01)

    thread = threading.Thread(target=stop_one)
    thread.start()
    answers = list(copal.extract_many([lamps(n) for n in range(30)], workers=1, timeout=3))
    thread.join()
    assert stopped, "no worker was found"
    failed = [answer for answer in answers if not answer]
    assert len(answers) == 30 and len(failed) <= 1
    assert all("took longer than 3 s" in str(page.error) for page in failed)
    assert not own_workers(), "workers are left"


def test_pages_are_read_with_a_wrapper():
    wrapper = copal.learn([lamps(1), lamps(20)])
    answers = list(copal.extract_many([lamps(40), lamps(50)], workers=2, wrapper=wrapper))
    assert [answer[0]["title"] for answer in answers] == ["Lamp number 40", "Lamp number 50"]


def test_a_script_without_a_main_guard_works(tmp_path):
    script = tmp_path / "many.py"
    script.write_text(
        "import copal\n"
        f"page = {lamps(1)!r}\n"
        "print(sum(len(answer) for answer in copal.extract_many([page] * 4, workers=2)))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("32\n", "")


def test_wrong_arguments_are_errors_at_once():
    for wrong in ({"workers": 0}, {"timeout": 0}, {"errors": "ignore"}, {"kind": "table"}):
        with pytest.raises(ValueError):
            copal.extract_many([], **wrong)
    assert list(copal.extract_many([])) == []
