"""The guide, the docstrings, the notebook and the types are true."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import copal
import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = Path(__file__).parents[1]


def test_the_guide_runs(tmp_path, monkeypatch):
    text = (ROOT / "docs/guide/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 6
    for name in ("examples", "testdata"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "guide.py").write_text("\n".join(blocks), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "guide.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    shown = re.search(r"```text\n(<Answer.*?)\n```", text).group(1)
    assert done.stdout.splitlines()[0] == shown


def test_the_recipe_with_pandas_runs(tmp_path):
    pytest.importorskip("pandas")
    text = (ROOT / "docs/guide/recipes.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "all.csv").write_text("page,title\na.html,One\na.html,Two\nb.html,Three\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, timeout=120, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"a\.html +2\nb\.html +1\n", done.stdout), done.stdout


def test_docstrings_run():
    assert doctest.testmod(copal).failed == 0 and doctest.testmod(copal).attempted > 0


def test_every_public_name_is_documented():
    for name in copal.__all__:
        assert name == "__version__" or getattr(copal, name).__doc__, name


def test_the_notebook_runs(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(PACKAGE / "notebooks/first_table.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}})
    client.execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in shown)


def test_types_are_right(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "typed.py"
    program.write_text(
        "import copal\n"
        "answer = copal.extract('<p>', url=None, kind='list')\n"
        "title: str = answer.records[0]['title']\n"
        "many: list[copal.Answer] = list(copal.extract_many([], errors='raise'))\n"
        "wrapper: copal.Wrapper = copal.learn([b''], columns=['a'])\n"
    )
    environment = {**os.environ, "MYPY_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports"]
    for target in ([program], ["-p", "copal"]):
        done = subprocess.run([*command, *target], cwd=tmp_path, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stdout
    program.write_text("import copal\ncopal.extract('<p>', kind='table')\n")
    done = subprocess.run([*command, program], cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert "kind" in done.stdout and done.returncode == 1
