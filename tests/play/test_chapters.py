"""Chapters come in the order in which a rulebook is read, though no author numbers them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import aodrules
from aodrules.play.chapters import chapter_title, chapters_of, clauses_in_order


@cache
def rules_of(word: str) -> aodrules.Rules:
    return aodrules.load(word)


def titles(word: str, language: str = "en") -> list[str]:
    book = rules_of(word).book
    return [chapter_title(book, each.id, language) for each in chapters_of(book)]


def test_the_chapters_of_a_long_game_come_as_in_a_rulebook() -> None:
    assert titles("empires") == [
        *("Components", "Workers", "Limits", "Setup", "The turn", "Placing workers", "Event boxes"),
        *("Initiative", "Colonist Dock", "Trade Goods", "Merchant Shipping", "Capital Buildings"),
        *("Buildings of Age I", "Buildings of Age II", "Buildings of Age III"),
        *("Discovery", "Specialists", "Warfare", "Income", "Building bonuses", "Refresh"),
        *("Scoring colonies", "Final scoring", "What is open and what is hidden"),
    ]


def test_what_cards_do_is_told_where_they_are_played() -> None:
    found = titles("tempus")
    assert found[:3] == ["Components", "The era table", "Setup"]
    assert found.index("Fight") < found.index("Cards") < found.index("The progress phase")


def test_what_is_only_played_besides_comes_last() -> None:
    rules = aodrules.load("empires", ["builders", "national-advantages"])
    last = [each.id for each in chapters_of(rules.book)][-3:]
    assert last == ["auction-empires", "builders", "national-advantages"]


@pytest.mark.parametrize("language, first", [("pl", "Elementy gry"), ("ru", "Компоненты")])
def test_chapters_are_called_by_their_own_words_or_like_what_they_are_about(language: str, first: str) -> None:
    found = titles("empires", language)
    assert found[0] == first
    assert str(rules_of("empires").text("box.colonist_dock", language)) in found


def test_every_clause_of_the_rules_stands_in_one_chapter_and_as_in_its_document() -> None:
    book = rules_of("empires").book
    found = [clause for each in chapters_of(book) for clause in each.clauses]
    assert len(found) == len(set(found))
    assert "b3.factory-pl" not in found
    turn = next(each for each in chapters_of(book) if each.id == "turn")
    lines = [book.clauses[each].span.line for each in turn.clauses]
    assert lines == sorted(lines)


def test_clauses_come_along_the_course_of_play() -> None:
    found = clauses_in_order(rules_of("empires").book.ruleset.root)
    places = [found.index(clause) for clause in ("setup.turn-order-random", "place.one-per-go", "inc.every-turn")]
    assert places == sorted(places)


def test_chapters_with_numbers_stand_together_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    for name in ("rooms-10", "rooms-2", "close"):
        clause = f"clause: {{{name}: {{says: {{en: Said.}}, kind: definition}}}}\n"
        (tmp_path / f"{name}.yaml").write_text(clause, encoding="utf-8")
    book = aodrules.load(tmp_path, cache=False).book
    assert [each.id for each in chapters_of(book)] == ["rooms-2", "rooms-10", "close"]


GAME = """
game:
  players: 2
  seats: [one, two]
  begin: prepare
  play: go
  points: {luck: player.luck}
  clauses: close
state: {player: {luck: number 0..9}}
verb:
  prepare: {do: [], clauses: rooms-10}
  go:
    do: [{for: player, in: players, do: [{choose: take, by: player}]}]
    clauses: [rooms-10, rooms-2]
decision:
  take: {options: {take: {do: [{add: 1, to: player.luck}], clauses: rooms-2}}, clauses: rooms-2}
"""


def test_a_game_without_clauses_has_no_chapters() -> None:
    assert chapters_of(rules_of("harbour").book) == ()
