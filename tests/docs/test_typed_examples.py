"""The examples of all pages and docstrings hold to the types: `mypy --strict` takes each of them as a program."""

from __future__ import annotations

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, blocks_of, pages
from tests.project.modules import modules


def code_of(text: str) -> str:
    """Return what an example runs, but for what must fail."""
    if ">>> " not in text:
        return text
    return "".join(one.source for one in doctest.DocTestParser().get_examples(text) if one.exc_msg is None)


def programs() -> dict[str, str]:
    """Return the examples of each page, and of each docstring, as one program."""
    found = {
        page.relative_to(ROOT).as_posix(): [code_of(one.text) for one in blocks_of(page) if one.language == "python"]
        for page in pages()
    }
    for module in modules("aodrules"):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and ">>> import aodrules" in (
                text := ast.get_docstring(node) or ""
            ):
                found[f"{module.shown}.{node.name}.{node.lineno}"] = [code_of(text)]
    return {name: "\n".join(parts) for name, parts in found.items() if parts}


@pytest.mark.slow
def test_every_example_is_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="the type checker comes with the extra `dev`")
    for name, text in programs().items():
        plain = "".join(letter if letter.isalnum() else "_" for letter in name)
        (tmp_path / f"{plain}.py").write_text(text, encoding="utf-8")
    checked = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        "--cache-dir",
        str(ROOT / ".mypy_cache"),
        ".",
    ]
    ended = subprocess.run(checked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_what_is_no_example_of_ours_is_left_out() -> None:
    assert (
        code_of(">>> 1 + 1\n2\n>>> 1 / 0\nTraceback (most recent call last):\n    ...\nZeroDivisionError\n")
        == "1 + 1\n"
    )
