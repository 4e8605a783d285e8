"""`aodrules fmt` writes files in the house form, or tells which are not in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from aodrules.cli.main import run

LOOSE = "ship:   # all of them\n    dhow: { }\n"
TIDY = "ship:   # all of them\n  dhow: {}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tidy.yaml").write_text(TIDY, encoding="utf-8")
    (tmp_path / "loose.yaml").write_text(LOOSE, encoding="utf-8")
    return tmp_path


def test_files_are_written_in_the_house_form(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fmt", str(folder)]) == 0
    assert (folder / "loose.yaml").read_text(encoding="utf-8") == TIDY
    assert capsys.readouterr().out.endswith("changed 1 of 2 files\n")


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_nothing_is_written_where_one_only_asks(folder: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fmt", option, str(folder)]) == 1
    assert (folder / "loose.yaml").read_text(encoding="utf-8") == LOOSE
    out = capsys.readouterr().out
    assert "loose.yaml" in out
    assert "tidy.yaml" not in out
    assert ("+  dhow: {}" in out) == (option == "--diff")


def test_nothing_to_change_is_fine(folder: Path) -> None:
    assert run(["fmt", "--check", str(folder / "tidy.yaml")]) == 0


def test_line_ends_of_other_systems_and_a_mark_at_the_start_go(folder: Path) -> None:
    path = folder / "tidy.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + TIDY.replace("\n", "\r\n").encode())
    assert run(["fmt", str(path)]) == 0
    assert path.read_bytes() == TIDY.encode()


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_done(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.yaml").write_text("ship: [\n", encoding="utf-8")
    assert run(["fmt", str(folder)]) == 1
    assert (folder / "loose.yaml").read_text(encoding="utf-8") == TIDY
    assert (folder / "broken.yaml").read_text(encoding="utf-8") == "ship: [\n"
    assert "error[invalid-yaml]" in capsys.readouterr().out
    assert run(["fmt", str(folder / "missing.yaml")]) == 1
    assert "error[unreadable-file]" in capsys.readouterr().out
