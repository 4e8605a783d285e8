from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from aodrules.arguments import RulesRequest
from aodrules.cache import keys, store
from aodrules.cache.keys import store_for
from tests.playing import GAMES


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / store.NAME


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GAMES / "harbour", tmp_path / "harbour"))


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let so much time pass that what was just written is old."""
    now = time.time_ns

    def later() -> None:
        monkeypatch.setattr(time, "time_ns", lambda: now() + 10**10)

    return later


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by the number of documents whenever they are read for their key."""
    found: list[int] = []
    really = keys._hash

    def watched(told: str, paths: list[str]) -> str:
        found.append(len(paths))
        return really(told, paths)

    monkeypatch.setattr(keys, "_hash", watched)
    return found


def key(*words: str | Path) -> str:
    base, *variants = map(str, words)
    store = store_for(RulesRequest(base, tuple(variants)))
    assert store is not None
    return store.key


def test_documents_that_did_not_change_are_not_read_again(
    harbour: Path, hashed: list[int], settled: Callable[[], None]
) -> None:
    settled()
    first = key(harbour)
    assert len(hashed) == 1
    assert hashed[0] > 1
    assert key(harbour) == first
    assert len(hashed) == 1


def test_what_changed_only_just_now_is_read_again(harbour: Path, hashed: list[int]) -> None:
    (harbour / "new.yaml").write_text("value: {}\n", encoding="utf-8")
    assert key(harbour) == key(harbour)
    assert len(hashed) == 2


def test_a_file_with_another_content_gives_another_key(harbour: Path, settled: Callable[[], None]) -> None:
    settled()
    before, path = key(harbour), harbour / "game.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "#", encoding="utf-8")
    assert key(harbour) != before


def test_a_change_that_keeps_size_and_time_is_seen(harbour: Path, settled: Callable[[], None]) -> None:
    settled()
    before, path = key(harbour), harbour / "game.yaml"
    was, content = path.stat(), path.read_bytes()
    time.sleep(0.02)
    path.write_bytes(content.swapcase())
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert key(harbour) != before


def test_a_new_and_a_missing_file_are_seen(harbour: Path, settled: Callable[[], None]) -> None:
    settled()
    before, path = key(harbour), harbour / "deeper" / "more.yaml"
    path.parent.mkdir()
    path.write_text("value: {}\n", encoding="utf-8")
    assert key(harbour) != before
    path.unlink()
    assert key(harbour) == before


def test_a_file_that_was_only_touched_has_the_same_key(
    harbour: Path, hashed: list[int], settled: Callable[[], None]
) -> None:
    settled()
    before = key(harbour)
    os.utime(harbour / "game.yaml")
    assert key(harbour) == before
    assert len(hashed) == 2


def test_a_key_is_that_of_what_was_asked_for(harbour: Path, tmp_path: Path, settled: Callable[[], None]) -> None:
    settled()
    path = tmp_path / "mine.yaml"
    path.write_text("variant: mine\n", encoding="utf-8")
    found = [key(harbour), key(harbour, path), key(harbour, "dear-timber"), key("empires"), key("empires", path)]
    assert len(set(found)) == 5


def test_a_key_is_that_of_where_one_stands(
    harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settled: Callable[[], None]
) -> None:
    settled()
    before = key(harbour)
    monkeypatch.chdir(tmp_path)  # paths in what is kept are shown from there
    assert key(harbour) != before


def test_another_program_does_not_use_what_was_noted(
    harbour: Path, monkeypatch: pytest.MonkeyPatch, settled: Callable[[], None]
) -> None:
    settled()
    before = key(harbour)
    monkeypatch.setattr(keys, "_program", lambda: ("another version",))
    assert key(harbour) != before


@pytest.mark.parametrize("damage", [b"", b"nonsense"])
def test_a_damaged_note_is_made_anew(
    damage: bytes, harbour: Path, folder: Path, hashed: list[int], settled: Callable[[], None]
) -> None:
    settled()
    before = key(harbour)
    for path in folder.iterdir():
        path.write_bytes(damage)
    assert key(harbour) == before
    assert key(harbour) == before
    assert len(hashed) == 2
