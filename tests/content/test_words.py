"""Everything that people read has words in English, Polish and Russian."""

from __future__ import annotations

import re
from functools import cache

import pytest
import yaml

from aodrules.check.checked import CheckedRules
from aodrules.source.shipped import shipped
from tests.content.compositions import rules_of

LANGUAGES = {"en", "pl", "ru"}
WHOLE = {
    "aoe3-pl": ("auction",),
    "aoe3-ru": ("auction",),
    "empires": (
        "builders", "national-advantages", "auction", "no-survivors", "scouting", "buy-victory-points",
        "reduced-randomness",
    ),
}  # fmt: skip
DESCRIBED = ("building", "nation")


@cache
def checked(edition: str) -> CheckedRules:
    return rules_of(edition, WHOLE[edition]).book.checked


def lacking(edition: str, addresses: set[str]) -> set[str]:
    texts = checked(edition).texts
    return {address for address in addresses if set(texts.get(address, ())) < LANGUAGES}


@pytest.mark.parametrize("edition", WHOLE)
def test_every_component_has_a_name(edition: str) -> None:
    kinds = checked(edition).kinds.values()
    assert lacking(edition, {f"{kind.name}.{member}" for kind in kinds for member in kind.members}) == set()
    assert lacking(edition, {f"player.{seat}" for seat in checked(edition).game.seats}) == set()


@pytest.mark.parametrize("edition", WHOLE)
def test_every_building_and_nation_is_described_in_one_line(edition: str) -> None:
    kinds = [checked(edition).kinds[kind] for kind in DESCRIBED if kind in checked(edition).kinds]
    addresses = {f"{kind.name}.{member}.text" for kind in kinds for member in kind.members}
    assert lacking(edition, addresses) == set()
    assert [text for each in addresses for text in checked(edition).texts[each].values() if len(text) > 100] == []


@pytest.mark.parametrize("edition", WHOLE)
def test_every_question_and_answer_has_words(edition: str) -> None:
    decisions = checked(edition).decisions.values()
    options = {option.address for decision in decisions for option in decision.options}
    assert lacking(edition, {decision.address for decision in decisions} | options) == set()
    assert lacking(edition, {"pass", "next", "rest"}) == set()


@pytest.mark.parametrize("edition", WHOLE)
def test_phases_events_and_points_have_words(edition: str) -> None:
    rules = checked(edition)
    phases = {f"verb.{name}" for name in ("placement", "resolution", "income_phase", "building_bonuses", "refresh")}
    events = {f"event.{name}" for name in rules.events}
    points = {f"game.points.{source.id}" for source in rules.game.points}
    assert lacking(edition, {"game", *phases, *events, *points}) == set()


@pytest.mark.parametrize("edition", WHOLE)
def test_words_name_only_what_is_given(edition: str) -> None:
    """A `{name}` in the words of an answer is one of its arguments, the same ones in every language."""
    rules = checked(edition)
    for decision in rules.decisions.values():
        for option in decision.options:
            names = {parameter.name for parameter in option.parameters}
            texts = rules.texts[option.address].values()
            assert [set(re.findall(r"{(\w+)}", text)) <= names for text in texts] == [True] * len(texts), option.address


def test_an_action_is_told_in_three_languages() -> None:
    action = rules_of("empires").new_game(players=2, seed=1).actions[0]
    assert [action.label(language) for language in ("en", "pl", "ru")] == [
        "Place: Colonist → Initiative",
        "Umieść Kolonistę → Inicjatywa",
        "Поставить колониста → Инициатива",
    ]


def test_editions_have_names_of_their_own() -> None:
    names = {edition: checked(edition).texts["region.canada"]["en"] for edition in ("aoe3-pl", "empires")}
    assert names == {"aoe3-pl": "Canada", "empires": "New France"}
    assert "$25" in checked("aoe3-pl").texts["building.factory.text"]["en"]
    assert "$30" in checked("aoe3-ru").texts["building.factory.text"]["en"]


@pytest.mark.parametrize("edition", WHOLE)
def test_what_a_position_is_made_of_has_words(edition: str) -> None:
    rules = checked(edition)
    holders = {"table", "player", *rules.kinds}
    fields = {name for name in rules.fields if name.count(".") == 1 and name.split(".")[0] in holders}
    kinds = {f"kinds.{kind}" for kind in rules.kinds}
    assert lacking(edition, {f"state.{name}" for name in fields} | kinds) == set()
    assert lacking(edition, {f"kinds.{name}" for name in rules.attributes}) == set()


def test_every_clause_is_told_in_every_language() -> None:
    for path in sorted((shipped("content") / "aod" / "clauses").glob("*.yaml")):
        for name, clause in yaml.safe_load(path.read_text(encoding="utf-8"))["clause"].items():
            texts = clause["says"]
            assert list(texts) == ["en", "pl", "ru"], name
            assert len({*texts.values()}) == 3, name
            assert all(text.endswith(".") for text in texts.values()), name
            # Amounts and counts are the same in all of them, wherever they are written as numbers.
            numbers = {language: sorted(re.findall(r"\d+", text)) for language, text in texts.items()}
            assert numbers["en"] == numbers["pl"] == numbers["ru"], name
