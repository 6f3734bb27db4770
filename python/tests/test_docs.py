"""What documents show works as it stands there."""
import doctest
import importlib
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import soba

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ["", ".classifier", ".coba", ".datasets", ".errors", ".model", ".options", ".plot", ".river",
           ".rows", ".runs"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    found = doctest.testmod(importlib.import_module("soba" + name))
    assert found.failed == 0


def test_whatever_is_public_has_help_with_an_example():
    for name in soba.__all__:
        thing = getattr(soba, name)
        if inspect.ismodule(thing) or thing is soba.Decision:
            continue
        assert ">>>" in inspect.getdoc(thing), name
        for member, one in vars(thing).items() if inspect.isclass(thing) else ():
            if not member.startswith("_") and inspect.isfunction(one) and member not in (
                    "close", "save", "predict", "predict_proba", "decision_function"):
                assert ">>>" in (inspect.getdoc(one) or ""), f"{name}.{member}"


def test_the_page_about_python(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/python.md").read_text()
    names = {}
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert (tmp_path / "report.html").exists() and (tmp_path / "trace.csv").exists()


@pytest.mark.parametrize("path", sorted((ROOT / "examples/python").glob("*.py")), ids=lambda p: p.stem)
def test_examples(path, tmp_path):
    subprocess.run([sys.executable, "-B", str(path)], check=True, cwd=tmp_path)
