from __future__ import annotations

from pathlib import Path

from aodrules.source.diagnostics import Report
from aodrules.source.files import decode, read_file


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
