"""Everything that people read of Tempus has words in English, Polish and Russian, and reads as if somebody said it."""

from __future__ import annotations

import random
import re

import pytest

import aodrules
from aodrules.check.checked import CheckedRules
from aodrules.play.lookup import lacking_words
from tests.content.tempus.playing import VARIANTS, rules_of
from tests.play.test_events import raw_texts

LANGUAGES = ("en", "pl", "ru")
RULES = rules_of(*VARIANTS)
NAMELESS = {"hex"}
"""Kinds whose members are called by where they are."""


def checked() -> CheckedRules:
    return RULES.book.checked


def lacking(addresses: set[str]) -> set[str]:
    texts = checked().texts
    return {address for address in addresses if set(texts.get(address, ())) < {*LANGUAGES}}


def test_an_answer_of_which_nothing_is_chosen_says_what_it_is() -> None:
    actions = RULES.new_game(players=3, seed=1).book.actions(checked().game.seats[:3])
    labels = [
        (choice.address, actions.option_label(choice, language))
        for space in actions.spaces.values()
        for choice in space.choices
        if choice.option is not None
        for language in LANGUAGES
    ]
    assert [(address, label) for address, label in labels if label.startswith("…:")] == []


def test_every_member_has_a_name() -> None:
    labels = {language: RULES.book.labels(language) for language in LANGUAGES}
    for kind in checked().kinds.values():
        if kind.family not in NAMELESS:
            for member in kind.members:
                found = {language: labels[language].member(kind.name, member) for language in LANGUAGES}
                assert not any(each.is_fallback for each in found.values()), member
                own = {f"{each}.{member}" for each in checked().kinds if member in checked().kinds[each].members}
                assert not own <= lacking(own), member
    assert lacking({f"player.{seat}" for seat in checked().game.seats}) == set()


def test_every_question_answer_event_and_source_of_points_has_words() -> None:
    decisions = checked().decisions.values()
    options = {option.address for decision in decisions for option in decision.options}
    events = {f"event.{name}" for name in checked().events}
    points = {f"game.points.{source.id}" for source in checked().game.points}
    settings = {"game", "pass", "game.settings.opener"}
    assert lacking({decision.address for decision in decisions} | options | events | points | settings) == set()


def test_what_is_hidden_from_others_is_told_without_what_was_chosen() -> None:
    hidden = {
        option.address for decision in checked().decisions.values() for option in decision.options if option.hidden
    }
    assert lacking({f"{address}.alone" for address in hidden if not address.endswith(".done")}) == set()


def test_every_step_of_a_game_has_words() -> None:
    game, chance = RULES.new_game(players=3, seed=1), random.Random(1)
    while not game.over:
        game.push(chance.choice(game.codes))
    steps = {group.step for group in game.log(noise=True) if group.step is not None}
    assert len(steps) > 10
    assert lacking(steps) == set()


def test_what_a_position_is_made_of_has_words() -> None:
    fields = {name for name in checked().fields if name.count(".") == 1 and not name.startswith("out.")}
    kinds = {f"kinds.{kind}" for kind in checked().kinds}
    attributes = {f"kinds.{name}" for name in checked().attributes}
    assert lacking({f"state.{name}" for name in fields} | kinds | attributes) == set()


def test_words_name_only_what_is_given_and_all_of_it_in_every_language() -> None:
    for decision in checked().decisions.values():
        for option in decision.options:
            names = {parameter.name for parameter in option.parameters}
            found = [set(re.findall(r"{\s*\$?(\w+)", text)) for text in checked().texts[option.address].values()]
            assert all(each <= names for each in found), option.address
            assert all(each == found[0] for each in found), option.address


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_lacking(language: str) -> None:
    assert [lacking_words(rules.book, language) for rules in (RULES, rules_of())] == [{}, {}]


def test_every_chapter_has_a_name() -> None:
    assert lacking({f"chapter.{clause.partition('.')[0]}" for clause in RULES.clauses}) == set()


def test_whatever_happens_is_told_in_words() -> None:
    kinds, wrong = raw_texts(rules_of().new_game(players=3, seed=3, undo=False))
    assert wrong == set()
    assert {"move", "set", "shuffle", "happen", "step", "action", "decision", "over"} <= kinds


def test_names_bend_as_sentences_ask() -> None:
    rules = rules_of()
    answer = "decision.turn.options.build"
    assert rules.text(answer, "pl", hex="f7", city="small_city") == "Zbuduj miasto o wartości 2 na F7"
    assert rules.text(answer, "ru", hex="f7", city="great_city") == "Построить город стоимостью 4 на F7"
    told = {many: rules.text("decision.advance.options.advance", "pl", many=many) for many in (1, 2, 5)}
    assert told == {1: "Wkracza 1 pion", 2: "Wkraczają 2 piony", 5: "Wkracza 5 pionów"}


def test_a_card_is_called_alike_whatever_it_is_asked_for_as() -> None:
    rules: aodrules.Rules = rules_of()
    assert rules.text("card.fort_hills", "pl") == rules.text("fort.fort_hills", "pl") == "Fortyfikacje (wzgórza)"
    assert rules.components["card"]["fort_hills"].name == "Forts (hills)"


def test_every_clause_is_told_in_every_language_with_the_same_numbers() -> None:
    for id_ in rules_of().clauses:
        told = [RULES.text(f"clause.{id_}", language) for language in LANGUAGES]
        assert not any(each.is_fallback for each in told), id_
        assert all(each.endswith(".") for each in told), id_
        numbers = [sorted(re.findall(r"\d+", each)) for each in told]
        assert numbers[0] == numbers[1] == numbers[2], id_
