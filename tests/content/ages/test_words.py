"""Everything that people read of Through the Ages has words in English, Polish and Russian."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

import aodrules
from aodrules.check.checked import CheckedRules
from aodrules.play.lookup import lacking_words
from tests.content.ages.playing import rules_of
from tests.play.test_events import raw_texts

LANGUAGES = ("en", "pl", "ru")
TOGETHER = ("corruption", "draw-action", "easier", "fewer-scoring", "no-gang", "open-scoring")
"""Variants that go together, and leave out nothing."""
APART = ("advanced", "age-by-age-scoring", "picked-scoring", "secret-scoring", "simple")


@cache
def checked(*variants: str) -> CheckedRules:
    return rules_of(*variants).book.checked


def lacking(addresses: set[str]) -> set[str]:
    texts = checked(*TOGETHER).texts
    return {address for address in addresses if set(texts.get(address, ())) < {*LANGUAGES}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_lacking(language: str) -> None:
    assert lacking_words(rules_of(*TOGETHER).book, language) == {}


@pytest.mark.parametrize("variant", [pytest.param(name, marks=pytest.mark.soak) for name in APART])
def test_nothing_is_lacking_with_variants_that_stand_alone(variant: str) -> None:
    for language in LANGUAGES:
        assert lacking_words(rules_of(variant).book, language) == {}


def test_every_variant_says_in_every_language_what_it_is_and_why() -> None:
    for entry in aodrules.catalogue()["ages"].entries:
        assert set(entry.names) == {*LANGUAGES}, entry.id
        assert set(entry.reasons) in ({*LANGUAGES}, set()), "another reading is told by its ruling"


def test_every_card_says_what_it_does() -> None:
    cards = {*checked(*TOGETHER).kinds["civil"].members, *checked(*TOGETHER).kinds["military"].members}
    narrow = [kind for kind in checked(*TOGETHER).kinds.values() if kind.family in ("civil", "military")]
    for card in cards:
        own = {f"{kind.name}.{card}.text" for kind in narrow if card in kind.members}
        assert not own <= lacking(own), card


def test_every_question_answer_event_and_source_of_points_has_words() -> None:
    decisions = checked(*TOGETHER).decisions.values()
    options = {option.address for decision in decisions for option in decision.options}
    events = {f"event.{name}" for name in checked(*TOGETHER).events}
    points = {f"game.points.{source.id}" for source in checked(*TOGETHER).game.points}
    assert lacking({decision.address for decision in decisions} | options | events | points | {"game", "pass"}) == set()


def test_what_is_hidden_from_others_is_told_without_what_was_chosen() -> None:
    options = [option for decision in checked(*TOGETHER).decisions.values() for option in decision.options]
    hidden = {option.address for option in options if option.hidden}
    assert lacking({f"{address}.alone" for address in hidden}) == set()


def test_words_name_only_what_is_given_and_all_of_it_in_every_language() -> None:
    for decision in checked(*TOGETHER).decisions.values():
        for option in decision.options:
            names = {parameter.name for parameter in option.parameters}
            found = [
                set(re.findall(r"{\s*\$?(\w+)", text)) for text in checked(*TOGETHER).texts[option.address].values()
            ]
            assert all(each <= names for each in found), option.address
            assert all(each == found[0] for each in found), option.address


def test_every_text_has_the_same_numbers_in_every_language() -> None:
    for address, text in checked(*TOGETHER).texts.items():
        if address.endswith(".text") or (address.startswith("clause.") and "en" in text):
            told = [sorted(re.findall(r"\d+", re.sub("{.*}", "", text[language]))) for language in LANGUAGES]
            assert told[0] == told[1] == told[2], address


def test_members_of_a_kind_have_names_of_their_own() -> None:
    rules = rules_of(*TOGETHER)
    for language in LANGUAGES:
        for kind in ("civil", "military"):
            names = [rules.text(f"{kind}.{member}", language) for member in checked(*TOGETHER).kinds[kind].members]
            assert len(names) == len({*names})


def test_names_bend_as_sentences_ask() -> None:
    rules = rules_of(*TOGETHER)
    stages = {many: rules.text("decision.act.options.stage", "pl", many=many) for many in (1, 2)}
    assert stages == {1: "Zbuduj etap cudu", 2: "Zbuduj 2 etapy cudu"}
    assert rules.text("decision.foe_of.options.declare", "ru", victim="green").endswith("зелёным")
    assert [str(rules.text("token.blue", "pl", count=many)) for many in (1, 3, 5)] == [
        "niebieski znacznik",
        "niebieskie znaczniki",
        "niebieskich znaczników",
    ]


@pytest.mark.slow
def test_whatever_happens_is_told_in_words() -> None:
    kinds, wrong = raw_texts(rules_of(*TOGETHER).new_game(players=3, seed=3, undo=False))
    assert wrong == set()
    assert {"move", "set", "shuffle", "happen", "step", "action", "decision", "over"} <= kinds


@pytest.mark.slow
def test_every_step_of_a_game_has_words() -> None:
    game, chance = rules_of(*TOGETHER).new_game(players=3, seed=1), random.Random(1)
    while not game.over and len(game.state.past) < 4:
        game.push(chance.choice(game.codes))
    steps = {group.step for group in game.log(noise=True) if group.step is not None}
    assert len(steps) > 10
    assert lacking(steps) == set()
