"""Golden diagnostics: the whole text of what is said about each wrong document, and what its fixes do.

A case of a code is `<code>/<case>.yaml`, or a folder `<code>/<case>/` of several documents, or an entry of `made.py`.
What is expected stands beside it in `<code>/<case>.txt`; `AODRULES_REWRITE=1` writes it anew.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from aodrules.source.diagnostics import Diagnostic, Fix, Report
from aodrules.source.disk import yaml_files
from aodrules.source.rendering import format_report
from tests.diagnostics.diagnose import diagnose
from tests.diagnostics.made import MADE

HERE = Path(__file__).parent
REWRITE = os.environ.get("AODRULES_REWRITE") == "1"


def cases() -> list[str]:
    """Return every case as `<code>/<case>`."""
    written = {path.relative_to(HERE).with_suffix("") for path in HERE.glob("*/*.yaml")}
    folders = {path.parent.relative_to(HERE) for path in HERE.glob("*/*/*.yaml")}
    return sorted({path.as_posix() for path in written | folders} | MADE.keys())


def documents(case: str, folder: Path) -> list[Path]:
    """Put the documents of a case into a folder and return their paths."""
    if case in MADE:
        return MADE[case](folder)
    whole = HERE / case
    if whole.is_dir():
        shutil.copytree(whole, folder, dirs_exist_ok=True)
    else:
        shutil.copy(HERE / f"{case}.yaml", folder)
    return yaml_files(folder)


def text_of(report: Report) -> str:
    fixes = [f"fix {each.fix.span}: `{each.fix.replacement}`\n" for each in report if each.fix]
    return format_report(report) + "\n" * bool(fixes) + "".join(fixes)


@pytest.mark.parametrize("case", cases())
def test_what_is_said_is_what_is_expected(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = text_of(diagnose(documents(case, tmp_path)))
    expected = HERE / f"{case}.txt"
    if REWRITE:
        expected.parent.mkdir(exist_ok=True)
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", cases())
def test_each_case_shows_its_code(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert case.split("/", maxsplit=1)[0] in {each.code for each in diagnose(documents(case, tmp_path))}


@pytest.mark.parametrize("case", cases())
def test_each_fix_cures_its_problem(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    paths = documents(case, tmp_path)
    for problem in diagnose(paths):
        if problem.fix is not None:
            before = Path(problem.fix.span.path).read_text(encoding="utf-8")
            apply(problem.fix)
            assert not any(is_same(problem, each) for each in diagnose(paths))
            Path(problem.fix.span.path).write_text(before, encoding="utf-8")


def apply(fix: Fix) -> None:
    path = Path(fix.span.path)
    lines = path.read_text(encoding="utf-8").split("\n")
    before, after = (
        lines[fix.span.line - 1][: fix.span.column - 1],
        lines[fix.span.end_line - 1][fix.span.end_column - 1 :],
    )
    lines[fix.span.line - 1 : fix.span.end_line] = [before + fix.replacement + after]
    path.write_text("\n".join(lines), encoding="utf-8")


def is_same(one: Diagnostic, other: Diagnostic) -> bool:
    return (one.code, one.path, one.line, one.message) == (other.code, other.path, other.line, other.message)


def test_no_expectation_is_without_its_case() -> None:
    expected = {path.relative_to(HERE).with_suffix("").as_posix() for path in HERE.glob("*/*.txt")}
    assert expected == set(cases())
