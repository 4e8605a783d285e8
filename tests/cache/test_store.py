from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import aodrules
from aodrules.arguments import RulesRequest
from aodrules.cache import keys
from aodrules.cache.keys import store_for
from aodrules.cache.pickles import Unpickler
from aodrules.cache.store import MARKER, VARIABLE, Store
from tests.playing import GAMES

PLAY = """
import sys
import aodrules
rules = aodrules.load(sys.argv[1])
game = rules.new_game(players=2, seed=3)
while not game.over:
    game.push(game.codes[-1])
print(rules.fingerprint, *game.ranking)
print(*[name for name in ("yaml", "cattrs", "aodrules.play.pipeline",
                          "aodrules.compiler.lower.from_checked", "aodrules.compiler.codegen.module",
                          "aodrules.interpreter.interpreter") if name in sys.modules])
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "aodrules"


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GAMES / "harbour", tmp_path / "harbour"))


def finished(rules: aodrules.Rules) -> str:
    game = rules.new_game(players=3, seed=5)
    while not game.over:
        game.push(game.codes[len(game.codes) // 2])
    return game.save()


def entries(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name != MARKER]


def names(folder: Path) -> list[str]:
    """Return the names of the entries; whether a key is noted depends on how old the files are."""
    found = sorted(path.name.partition(".")[2] for path in entries(folder))
    return [name for name in found if name != "seen"]


def test_what_was_loaded_before_plays_the_same_game(harbour: Path, folder: Path) -> None:
    first = finished(aodrules.load(harbour))
    assert names(folder) == ["code-3-log", "rules", "text"]
    assert finished(aodrules.load(harbour)) == first
    assert len(names(folder)) == 3


def test_everything_about_the_rules_is_the_same(harbour: Path) -> None:
    one, two = aodrules.load(harbour, ["dear-timber"]), aodrules.load(harbour, ["dear-timber"])
    assert one.book.checked is not two.book.checked
    assert one.components == two.components
    assert one.schema() == two.schema()
    assert one.explain("value.price") == two.explain("value.price")
    assert [str(entry.span) for entry in one.origin("value.price")] == [
        str(entry.span) for entry in two.origin("value.price")
    ]
    games = [rules.new_game(players=2, seed=1) for rules in (one, two)]
    while games[0].why_not(0) == ():
        for game in games:
            game.push(0)
    assert games[0].why_not(0) == games[1].why_not(0)


def test_a_changed_document_is_loaded_anew(harbour: Path) -> None:
    before = aodrules.load(harbour).fingerprint
    path = harbour / "game.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("number 0..999 = 8", "number 0..999 = 9"), encoding="utf-8"
    )
    after = aodrules.load(harbour)
    assert after.fingerprint != before
    assert after.new_game(players=2, seed=1).state["players.red.silver"] != 8


def test_a_variant_by_path_counts_too(harbour: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("variant: mine\nhouse: true\nchange: {value.wages.is: 1}\n", encoding="utf-8")
    before = aodrules.load(harbour, [path]).fingerprint
    path.write_text("variant: mine\nhouse: true\nchange: {value.wages.is: 3}\n", encoding="utf-8")
    assert aodrules.load(harbour, [path]).fingerprint != before


def test_another_program_has_other_entries(harbour: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aodrules.load(harbour)
    monkeypatch.setattr(keys, "_program", lambda: ("another version",))
    aodrules.load(harbour)
    assert names(folder) == ["rules", "rules", "text", "text"]


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_entry_is_made_anew(damage: bytes | None, harbour: Path, folder: Path) -> None:
    first = finished(aodrules.load(harbour))
    for path in entries(folder):
        content = path.read_bytes()
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]) if damage is None else damage)
    assert finished(aodrules.load(harbour)) == first
    assert finished(aodrules.load(harbour)) == first


class Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return print, ("harm",)


def test_an_entry_makes_nothing_but_our_own_values(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder.mkdir(mode=0o700, parents=True)
    store = Store(folder, "key")
    store.write("rules", Evil())
    assert store.read("rules") is None
    assert capsys.readouterr().out == ""
    with pytest.raises(pickle.UnpicklingError):
        Unpickler.find_class(Unpickler.__new__(Unpickler), "aodrules.cache.store", "os")


def test_plain_values_are_read_back(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True)
    store = Store(folder, "key")
    assert store.read_plain("rules") is None
    store.write_plain("rules", ("nim", 2, (1, None), b"bytes"))
    assert store.read_plain("rules") == ("nim", 2, (1, None), b"bytes")


def test_what_is_no_plain_value_counts_as_damaged(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True)
    store = Store(folder, "key")
    store.write("rules", (1, 2))
    assert store.read_plain("rules") is None


def test_problems_are_found_again_every_time(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text("game: {players: 2, pley: x}\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(aodrules.RulesError):
            aodrules.load(path)
    assert not folder.exists() or names(folder) == []


def test_the_cache_can_be_left_out(harbour: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aodrules.load(harbour, cache=False).new_game(players=2)
    assert not folder.exists()
    monkeypatch.setenv(VARIABLE, "")
    assert store_for(RulesRequest(str(harbour))) is None


@pytest.mark.slow
def test_a_cached_load_needs_none_of_the_stages(harbour: Path) -> None:
    def play() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", PLAY, str(harbour)], capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    first, cached = play(), play()
    assert first[0] == cached[0]
    assert first[1]
    assert cached[1] == ""
