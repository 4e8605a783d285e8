from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest

from aodrules.source.folders import shown_path, yaml_entries, yaml_files


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


def test_entries_come_in_the_order_of_files(tmp_path: Path) -> None:
    for name in ("a.yaml", "a/b.yaml", "a-b.yaml", "a/__pycache__/c.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("a: 1", encoding="utf-8")
    assert [Path(entry.path) for entry in yaml_entries(tmp_path)] == yaml_files(tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in yaml_files(tmp_path)] == [
        "a-b.yaml",
        "a.yaml",
        "a/b.yaml",
    ]


def test_what_is_no_folder_holds_no_files(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").touch()
    assert yaml_files(tmp_path / "a.yaml") == []
    assert yaml_files(tmp_path / "missing") == []


def test_folders_may_lie_in_each_other_deeper_than_calls_go(tmp_path: Path) -> None:
    deepest = tmp_path / "/".join("d" * 300)
    deepest.mkdir(parents=True)
    (deepest / "a.yaml").touch()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        found = yaml_files(tmp_path)
    finally:
        sys.setrecursionlimit(limit)
    assert found == [deepest / "a.yaml"]
