from __future__ import annotations

import shutil
import subprocess
import sys
from ast import literal_eval
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import aodrules
from aodrules.arguments import RulesRequest
from aodrules.cache import pickles, store
from aodrules.cache.store import Store
from aodrules.check.checked import CheckedRules
from aodrules.play import rules_context
from aodrules.play.pipeline import load_rules
from aodrules.source.diagnostics import warning
from tests.playing import GAMES

LOAD = """
import sys
already = {*sys.modules}
import aodrules
rules = aodrules.load(sys.argv[1])
told = [rules.name, rules.edition, rules.variants, rules.fingerprint, rules.players, rules.seats, rules.warnings]
print([told, {*sys.modules} - already])
"""
NEEDED = {
    "aodrules",
    "aodrules.arguments",
    "aodrules.play",
    "aodrules.play.rules_context",
    "aodrules.cache",
    "aodrules.cache.store",
    "aodrules.cache.keys",
    "aodrules.rulebook",
    "aodrules.source",
    "aodrules.source.disk",
    "aodrules.source.shipped",
}
"""All of the package that a load from the cache needs."""
HEAVY = {
    *("ast", "attr", "attrs", "dataclasses", "hashlib", "importlib.metadata", "inspect", "json", "pickle", "tempfile"),
    *("cattrs", "click", "rich", "yaml"),
}
"""Some that it does not need."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / store.NAME


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GAMES / "harbour", tmp_path / "harbour"))


def told_and_imported() -> tuple[list[Any], set[str]]:
    """Return what rules say of themselves in a new process, and what it had to import for that."""
    command = [sys.executable, "-c", LOAD, str(GAMES / "nim.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    told, imported = literal_eval(done.stdout)
    return told, imported


def test_a_cached_load_imports_little() -> None:
    made, imported_first = told_and_imported()
    assert imported_first > {"attrs", "hashlib", "pickle", "yaml", *NEEDED}
    kept, imported = told_and_imported()
    assert kept == made
    assert {name for name in imported if name.startswith("aodrules")} == NEEDED
    assert imported & HEAVY == set()


def test_nothing_is_made_of_an_entry_before_it_is_needed(harbour: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aodrules.load(harbour)
    made: list[int] = []
    from_pickle = pickles.from_pickle

    def watched(content: bytes) -> Any:
        made.append(len(content))
        return from_pickle(content)

    monkeypatch.setattr(pickles, "from_pickle", watched)
    rules = aodrules.load(harbour)
    assert (rules.name, rules.edition, rules.variants, rules.warnings) == ("harbour", None, (), ())
    assert made == []
    assert isinstance(rules.book.checked, CheckedRules)
    assert rules.new_game(players=2).actions
    assert len(made) == 1


def test_rules_outlive_their_entry_and_their_documents(harbour: Path, folder: Path) -> None:
    aodrules.load(harbour)
    rules = aodrules.load(harbour)
    shutil.rmtree(folder)
    shutil.rmtree(harbour)
    assert rules.new_game(players=2).actions


def test_the_text_is_made_anew_where_it_is_gone(harbour: Path, folder: Path) -> None:
    first = aodrules.load(harbour).clauses
    rules = aodrules.load(harbour)
    shutil.rmtree(folder)
    assert rules.clauses == first


def test_the_text_of_other_documents_is_not_taken(harbour: Path, folder: Path) -> None:
    aodrules.load(harbour)
    rules = aodrules.load(harbour)
    shutil.rmtree(folder)
    path = harbour / "game.yaml"
    text = path.read_text(encoding="utf-8").replace("number 0..999 = 8", "number 0..999 = 9")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(aodrules.AodrulesError, match="load the rules again"):
        rules.clauses  # noqa: B018 - asking is what fails


def test_warnings_are_kept(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True)
    made = load_rules(RulesRequest(str(GAMES / "nim.yaml")))
    doubt = warning("doubtful-rule", "it may be so", at=made.checked.game.span)
    warned = evolve(made, warnings=(doubt,))
    found = [rules_context.CachedRules(Store(folder, "key"), lambda: warned) for _ in range(2)]
    assert [[each.message for each in one.warnings] for one in found] == [["it may be so"]] * 2
    assert found[0].checked is made.checked
    assert found[1].checked is not made.checked
