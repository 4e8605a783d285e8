"""The properties of Age of Discovery: each prohibition has one, they hold, and wrong copies of the rules break them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from aodrules.source.shipped import shipped
from aodrules.testing import read_suite
from aodrules.testing.exploring import Search, hold_in_examples
from aodrules.testing.playing import Line, play
from aodrules.testing.scenario_runner import ScenarioRunner
from tests.content.compositions import EDITIONS, cover, rules_of
from tests.content.wrong_copies import WrongCopy, wrong_copies
from tests.docs.blocks import ROOT

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The same in C, where that was built."""
ENOUGH = 80
MODULES = (
    ("aoe3-ru", ("auction",)),
    ("empires", ("auction", "builders", "national-advantages")),
    (
        "empires",
        ("buy-victory-points", "militia-makes-a-battle-possible", "no-survivors", "reduced-randomness", "scouting"),
    ),
    ("empires", ("advanced-reconnaissance", "two-player")),
)
"""Rules in which together every law can have something to say."""
SAMPLE = ("one-expedition-a-turn", "goods-are-kept", "placing-costs-nothing", "builders-are-never-exchanged")


@cache
def documents() -> tuple[dict[str, Any], ...]:
    """Return all documents of the game and its variants."""
    folders = (shipped("content") / "aod", shipped("variants") / "aod")
    paths = [path for folder in folders for path in sorted(folder.rglob("*.yaml"))]
    return tuple(yaml.load(path.read_text(encoding="utf-8"), _Loader) for path in paths)


def declared(kind: str) -> dict[str, dict[str, Any]]:
    """Return the bodies of a kind of statement in the documents of the game and its variants."""
    found = [document[kind] for document in documents() if isinstance(document.get(kind), dict)]
    return {name: body for section in found for name, body in section.items()}


def editions(body: dict[str, Any]) -> set[str]:
    """Return the editions of which a statement speaks."""
    listed = body.get("editions", "all")
    return set(EDITIONS) if listed == "all" else set(listed)


def test_there_are_enough_properties() -> None:
    assert len(declared("property")) >= ENOUGH


def test_no_variant_writes_a_law_anew() -> None:
    """What a variant makes untrue it says as an exception, or as a law of its own."""
    folders = [shipped("variants"), ROOT / "tests" / "games"]
    edits = [
        (path, edit) for folder in folders for path in sorted(folder.rglob("*.yaml")) for edit in laws_edited(path)
    ]
    assert [(path.name, edit) for path, edit in edits if not edit.endswith(".except")] == []
    assert len({path for path, _ in edits}) > 5


def laws_edited(path: Path) -> list[str]:
    """Return the addresses of laws that a document changes or removes, and of what it adds to laws."""
    document = yaml.load(path.read_text(encoding="utf-8"), _Loader)
    named = [each for key in ("change", "remove") for each in (document.get(key) or ())]
    added = document.get("add") or {}
    nested = {f"property.{law}" for law in added.get("property") or {}}
    found = [each for each in (*named, *added, *nested) if isinstance(each, str) and each.startswith("property.")]
    return [each for each in found if each.count(".") > 1 or each in named]


def test_properties_cite_clauses_that_exist() -> None:
    clauses = declared("clause")
    cited = {name: body.get("clauses", []) for name, body in declared("property").items()}
    assert [name for name, found in cited.items() if not found or any(each not in clauses for each in found)] == []


def test_every_prohibition_has_a_property_in_each_of_its_editions() -> None:
    covered: dict[str, set[str]] = {}
    for body in declared("property").values():
        for clause in body["clauses"]:
            covered.setdefault(clause, set()).update(editions(body))
    wanted = {name: editions(body) for name, body in declared("clause").items() if body["kind"] == "prohibition"}
    assert {name: found for name, found in wanted.items() if not found <= covered.get(name, set())} == {}


def test_every_property_is_broken_by_a_wrong_copy() -> None:
    broken = {name for copy in wrong_copies() for name in copy.breaks}
    assert broken == set(declared("property"))


def _holding(copies: tuple[WrongCopy, ...], *names: str) -> list[WrongCopy]:
    return [copy for copy in copies if set(names) & set(copy.breaks)]


@pytest.mark.parametrize("copy", _holding(wrong_copies(), *SAMPLE), ids=lambda copy: copy.breaks[0])
def test_a_wrong_copy_is_noticed(copy: WrongCopy, tmp_path: Path) -> None:
    assert copy.unnoticed(tmp_path) == set()


@pytest.mark.soak
@pytest.mark.parametrize("copy", wrong_copies(), ids=lambda copy: copy.breaks[0])
def test_every_wrong_copy_is_noticed(copy: WrongCopy, tmp_path: Path) -> None:
    assert copy.unnoticed(tmp_path) == set()


def _broken(edition: str, variants: tuple[str, ...], seed: int) -> list[str]:
    rules = rules_of(edition, variants)
    suite = read_suite(rules)
    assert [each for each in suite.problems if "/properties/" in str(each.primary.span)] == []
    low, high = rules.players
    line = Line(low + seed % (high - low + 1), seed, ("even", "bent", "eager")[seed % 3])
    return [each.law.id for each in play(rules.book, line, suite.properties).breaches]


def _spoken(edition: str, variants: tuple[str, ...]) -> set[str]:
    """Return the laws that had something to say in the examples and in two games of some rules; none may break."""
    rules = rules_of(edition, variants)
    suite, search = read_suite(rules), Search()
    hold_in_examples(ScenarioRunner(rules.book), suite.scenarios, suite.properties, search)
    for seed, temper in enumerate(("bent", "eager")):
        search.note(play(rules.book, Line(rules.players[1], seed, temper), suite.properties))
    assert (search.broken, search.broken_examples) == ({}, {})
    return {law.id for law in suite.properties if search.tested[law.id]}


def test_every_law_has_something_to_say() -> None:
    spoken = {name for edition, variants in MODULES for name in _spoken(edition, variants)}
    assert sorted(set(declared("property")) - spoken) == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_laws_hold_in_a_game(edition: str) -> None:
    assert _broken(edition, (), 2) == []


@pytest.mark.soak
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_laws_hold_with_variants_that_do_not_override_them(edition: str) -> None:
    broken = {variants: _broken(edition, variants, seed) for seed, variants in enumerate(cover(edition))}
    assert {variants: names for variants, names in broken.items() if names} == {}
