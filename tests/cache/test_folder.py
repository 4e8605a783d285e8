"""The folder of the cache: what is not ours is neither changed nor trusted."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import aodrules
from aodrules.cache import store
from aodrules.cache.store import MARKER, VARIABLE, Store, own_folder, read_own, write_own
from tests.playing import GAMES

ENTRY = "0123456789abcdef.rules"


@pytest.fixture(autouse=True)
def above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that is named for the cache; it is there already."""
    path = tmp_path / "named"
    path.mkdir(mode=0o755)
    monkeypatch.setenv(VARIABLE, str(path))
    return path


def made() -> Path:
    folder = own_folder()
    assert folder is not None
    return folder


def refused(because: str) -> None:
    """Check that no cache is used, that this is said, and that rules load all the same."""
    with pytest.warns(aodrules.CacheWarning, match=because):
        assert own_folder() is None
    with pytest.warns(aodrules.CacheWarning):
        assert aodrules.load(GAMES / "nim.yaml").name == "nim"


# The folder that is named stays as it is.


def test_a_folder_of_our_own_is_made_in_the_one_that_is_named(above: Path) -> None:
    assert made() == above / "aodrules"
    assert made().stat().st_mode & 0o777 == 0o700
    assert (made() / MARKER).read_bytes().startswith(b"Signature: 8a477f597d28d172789f06886806bc55")
    assert above.stat().st_mode & 0o777 == 0o755


def test_files_of_others_are_never_removed(above: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_ENTRIES", 2)
    strangers = [above / "letter.txt", above / ENTRY, made() / "letter.txt", made() / "deadbeef", made() / "x.rules"]
    for path in strangers:
        path.write_bytes(b"dear reader")
        os.utime(path, (0, 0))
    for number in range(5):
        write_own(made() / f"{number:08x}.rules", b"entry")
    assert all(path.read_bytes() == b"dear reader" for path in strangers)
    assert sum(path.name.endswith(".rules") and path.name != "x.rules" for path in made().iterdir()) == 2


def test_the_oldest_entries_are_forgotten_and_what_was_left_half_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_ENTRIES", 3)
    (made() / ".new-abc_1").write_bytes(b"half")
    for number in range(6):
        path = made() / f"{number:08x}.rules"
        path.write_bytes(b"old")
        os.utime(path, (number, number))
    os.utime(made() / ".new-abc_1", (0, 0))
    write_own(made() / "ffffffff.rules", b"new")
    found = sorted(path.name for path in made().iterdir())
    assert found == ["00000004.rules", "00000005.rules", MARKER, "ffffffff.rules"]


def test_a_folder_with_other_files_is_not_taken_for_ours(above: Path) -> None:
    (above / "aodrules").mkdir(mode=0o700)
    (above / "aodrules" / "setup.py").touch()
    refused("it holds files but no `CACHEDIR.TAG`")
    assert [path.name for path in (above / "aodrules").iterdir()] == ["setup.py"]


def test_an_empty_folder_becomes_ours(above: Path) -> None:
    (above / "aodrules").mkdir(mode=0o700)
    assert (made() / MARKER).exists()


# A folder that others could have written to is not trusted, and not changed either.


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o755, 0o701])
def test_a_folder_that_is_open_to_others_is_refused(mode: int) -> None:
    folder = made()
    folder.chmod(mode)
    refused(rf"it is open to others \(mode {mode:o}\)")
    assert folder.stat().st_mode & 0o777 == mode


def test_a_folder_that_is_somebody_elses_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made()
    monkeypatch.setattr(os, "geteuid", lambda: 424242)
    refused("it belongs to somebody else")


def test_a_link_to_another_folder_is_refused(above: Path, tmp_path: Path) -> None:
    shutil.move(made(), tmp_path / "other")
    (above / "aodrules").symlink_to(tmp_path / "other")
    refused("only a link")


def test_a_folder_that_anybody_could_put_another_in_place_of_is_refused(above: Path) -> None:
    above.chmod(0o777)
    refused("everybody can write to `.*named`")
    assert not (above / "aodrules").exists()
    above.chmod(0o1777)
    assert made().is_dir()


def test_it_is_said_once(above: Path) -> None:
    above.chmod(0o777)
    script = f"import aodrules; [aodrules.load({str(GAMES / 'nim.yaml')!r}) for _ in range(3)]"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert done.stderr.count("is not used") == 1


def test_the_command_line_says_it_in_a_line(above: Path) -> None:
    above.chmod(0o777)
    command = [sys.executable, "-m", "aodrules", "simulate", str(GAMES / "nim.yaml"), "--games", "2", "--workers", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    (told,) = [line for line in done.stderr.splitlines() if "not used" in line]
    assert told == (
        f"aodrules: warning: the cache `{above.as_posix()}/aodrules` is not used: everybody can write to "
        f"`{above.as_posix()}`, which it lies in; {VARIABLE} can name another place"
    )


# Only plain files of our own are read.


def plant_link(path: Path) -> None:
    target = path.parent.parent / "target"
    target.write_bytes(b"planted")
    path.symlink_to(target)


def plant_hard_link(path: Path) -> None:
    target = path.parent.parent / "target"
    target.write_bytes(b"planted")
    os.link(target, path)


def plant_writable(path: Path) -> None:
    path.write_bytes(b"planted")
    path.chmod(0o662)


@pytest.mark.parametrize("plant", [plant_link, plant_hard_link, plant_writable, os.mkfifo, Path.mkdir])
def test_what_is_no_plain_file_of_ours_is_not_read(plant: Callable[[Path], None]) -> None:
    path = made() / ENTRY
    plant(path)
    try:
        found = read_own(path)
    except OSError:
        found = None
    assert found is None


def test_a_file_of_somebody_else_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    path = made() / ENTRY
    write_own(path, b"mine")
    assert read_own(path) == b"mine"
    monkeypatch.setattr(os, "geteuid", lambda: 424242)
    assert read_own(path) is None


@pytest.mark.parametrize("mode, name", [(0o600, "planted"), (0o666, "nim")])
def test_an_entry_that_others_could_have_written_is_made_anew(mode: int, name: str) -> None:
    aodrules.load(GAMES / "nim.yaml")
    (entry,) = made().glob("*.rules")
    store = Store(made(), entry.stem)
    cover, *rest = store.read_plain("rules")
    store.write_plain("rules", (("planted", *cover[1:]), *rest))
    entry.chmod(mode)
    assert aodrules.load(GAMES / "nim.yaml").name == name


# Where there are no users, or no folder can be made.


def test_windows_has_neither_users_nor_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    for name in ("geteuid", "getuid"):
        monkeypatch.delattr(os, name)
    write_own(made() / ENTRY, b"mine")
    assert read_own(made() / ENTRY) == b"mine"


@pytest.mark.parametrize("inside", ["file", "file/inside"])
def test_a_cache_that_cannot_be_written_is_no_problem(
    inside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path / inside))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert own_folder() is None
        assert aodrules.load(GAMES / "nim.yaml").name == "nim"


@pytest.mark.parametrize("platform, expected", [("linux", ".cache"), ("darwin", "Caches"), ("win32", "Local")])
def test_each_system_has_its_usual_folder(platform: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    assert store._usual_folder().name == expected
