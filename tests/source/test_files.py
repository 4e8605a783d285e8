from __future__ import annotations

from pathlib import Path

import pytest

from aodrules.source.diagnostics import Report
from aodrules.source.files import decode, read_file, shown_path, yaml_files


def test_a_file_is_read_with_plain_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: \xc5\xbc\r")
    source = read_file(path, Report())
    assert source is not None
    assert source.lines == ("a: 1", "b: ż", "")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    report = Report()
    assert read_file(tmp_path, report) is None
    assert [each.code for each in report] == ["unreadable-file"]


def test_the_largest_file_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"#" * 1024 * 1024)
    assert read_file(path, Report()) is not None
    path.write_bytes(b"#" * (1024 * 1024 + 1))
    report = Report()
    assert read_file(path, report) is None
    assert [each.code for each in report] == ["file-too-large"]


def test_a_wrong_byte_is_shown_at_its_place() -> None:
    report = Report()
    assert decode("x", b"a: 1\r\nb: \xff", report) is None
    [found] = report
    assert (found.code, found.line, found.column) == ("not-utf8", 2, 4)


def test_the_yaml_files_of_a_folder_are_sorted(tmp_path: Path) -> None:
    for name in ("b.yaml", "a/c.yml", "a/b.yaml", "a.txt", ".git/x.yaml", ".hidden.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert [path.relative_to(tmp_path).as_posix() for path in yaml_files(tmp_path)] == ["a/b.yaml", "a/c.yml", "b.yaml"]


def test_paths_are_shown_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown_path(tmp_path / "a" / "b.yaml") == "a/b.yaml"
    assert shown_path(Path("a/b.yaml")) == "a/b.yaml"
    assert shown_path(tmp_path.parent / "b.yaml") == (tmp_path.parent / "b.yaml").as_posix()
