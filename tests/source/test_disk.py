"""Names that stand for anything but a plain file of a usual size: nothing waits, nothing is read without end."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import aodrules
from aodrules.cli.main import run
from aodrules.source.disk import (
    TooLargeError,
    is_file,
    is_folder,
    is_there,
    open_plain,
    read_plain,
    shown_path,
    yaml_entries,
    yaml_files,
)
from tests.playing import GAMES

ENORMOUS = 1 << 40


def enormous(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(ENORMOUS)


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def link_to_nothing(path: Path) -> None:
    path.symlink_to("missing")


def link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


ODD: dict[Callable[[Path], None], str] = {
    enormous: "found 1,099,511,627,776",
    os.mkfifo: "it is no plain file",
    link_to_itself: "too many levels of symbolic links",
    link_to_nothing: "no such file or directory",
    link_to_a_device: "it is no plain file",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a game that is in order."""
    path = tmp_path / "game"
    path.mkdir()
    (path / "nim.yaml").write_bytes((GAMES / "nim.yaml").read_bytes())
    return path


def told(*asked: object) -> str:
    """Return what is wrong with the rules that are asked for, on the first load and on the next."""
    found = []
    for _ in range(2):
        with pytest.raises(aodrules.RulesError) as wrong:
            aodrules.load(asked[0], asked[1:])  # type: ignore[arg-type]
        found.append([each.message for each in wrong.value.report])
    assert found[0] == found[1]
    (message,) = found[0]
    return message


@pytest.mark.parametrize("make", ODD)
def test_what_is_no_usual_file_is_told(make: Callable[[Path], None], folder: Path, tmp_path: Path) -> None:
    make(tmp_path / "odd.yaml")
    assert ODD[make] in told(tmp_path / "odd.yaml")
    assert ODD[make] in told(folder / "nim.yaml", tmp_path / "odd.yaml")
    make(folder / "odd.yaml")
    assert ("leads out of its folder" if make is link_to_a_device else ODD[make]) in told(folder)


@pytest.mark.parametrize("name", ["x" * 5000, "x/" * 3000 + "x.yaml", "x" * 300 + ".yaml"])
def test_a_name_that_is_too_long_is_told(name: str, folder: Path) -> None:
    assert "name too long" in told(name) or "there is no game or edition" in told(name)
    assert "name too long" in told(folder, name) or "there is no variant" in told(folder, name)


@pytest.mark.parametrize("name", ["a\0b.yaml", "\ud800.yaml"])
def test_a_name_that_no_file_can_have_is_told(name: str, folder: Path) -> None:
    assert "cannot be read" in told(name)
    assert "cannot be read" in told(folder, name)


def test_a_file_that_may_not_be_read_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object, *_: object) -> int:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "open", refuse)
    assert "permission denied" in told(folder)


def test_a_link_may_not_lead_out_of_a_folder(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "secret.txt").write_text("password: hunter2\nscenario: {a: 1}\n", encoding="utf-8")
    (folder / "deep").mkdir()
    (folder / "deep" / "odd.yaml").symlink_to("../../secret.txt")
    assert "it is a link that leads out of its folder" in told(folder)
    assert run(["test", "nim", str(folder)]) == 1
    shown = capsys.readouterr().out
    assert "leads out of its folder" in shown
    assert "hunter2" not in shown


def test_a_link_within_a_folder_is_followed(folder: Path, tmp_path: Path) -> None:
    (folder / "nim.yaml").rename(folder / "nim.txt")
    (folder / "nim.yaml").symlink_to("nim.txt")
    (tmp_path / "link").symlink_to(folder)
    assert aodrules.load(folder).name == "nim"
    assert aodrules.load(tmp_path / "link").name == "nim"


def test_links_to_folders_are_not_followed(folder: Path) -> None:
    (folder / "again").symlink_to(folder)
    (folder / "again.yaml").symlink_to(folder)
    (folder / "folder.yaml").mkdir()
    assert aodrules.load(folder).name == "nim"


def test_a_name_that_is_not_utf8_can_be_shown_and_saved(folder: Path) -> None:
    odd = os.fsdecode(os.fsencode(folder) + b"/n\xff.yaml")
    os.rename(folder / "nim.yaml", odd)  # noqa: PTH104 - a name of bytes
    game = aodrules.load(folder).new_game(seed=1)
    assert aodrules.open_game(game.save().encode().decode()).save() == game.save()


def test_plain_files_are_read_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_plain(path, 5) == b"12345"
    with pytest.raises(TooLargeError, match="it has 5 bytes, and at most 4 are read"):
        read_plain(path, 4)


def test_a_link_is_followed_only_if_it_may_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to("file")
    assert read_plain(tmp_path / "link") == b"1"
    with pytest.raises(OSError, match="symbolic links"):
        open_plain(tmp_path / "link", follow=False)


def test_questions_about_a_path_never_fail(tmp_path: Path) -> None:
    link_to_itself(tmp_path / "link")
    for path in (tmp_path / "link", Path("x" * 5000), Path("a\0b")):
        assert [is_there(path), is_folder(path), is_file(path)] == [False, False, False]
    assert is_there(tmp_path)
    assert is_folder(tmp_path)
    assert not is_file(tmp_path)


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
