"""What things of a game are, when a player asks."""

from __future__ import annotations

import pytest

from tests.content.compositions import rules_of as content
from tests.playing import rules_of
from tests.terminal.test_session import nim, told


def answer(shown: str) -> str:
    """Return what was said after the position had been shown."""
    return shown.partition("Take: Tall heap, 5")[2]


def test_a_thing_is_told_with_what_is_printed_on_it_and_what_it_holds() -> None:
    said = answer(told(nim(), ["what low_heap"]))
    assert "Low heap (Heaps)" in said
    assert "place: 10, height: 3" in said
    assert "Lying: 3 Pebble" in said
    assert "Possible now: Take: Low heap, 1; Take: Low heap, 2; Take: Low heap, 3" in said


def test_pieces_are_told_with_where_they_lie() -> None:
    said = answer(told(nim(), ["what Pebble"]))
    assert "Where: 3 × Lying (Low heap), 4 × Lying (Middle heap), 5 × Lying (Tall heap)" in said


def test_a_thing_is_found_by_some_of_its_words_and_several_are_named() -> None:
    assert "Tall heap (Heaps)" in answer(told(nim(), ["what tall"]))
    for asked in ("heap", "heaps", "HEAPS"):
        assert "`what` with one of: Low heap, Middle heap, Tall heap" in answer(told(nim(), [f"what {asked}"]))


@pytest.mark.parametrize("asked, said", [("what", "say which thing"), ("what castle", "nothing called `castle`")])
def test_what_is_not_there_is_told(asked: str, said: str) -> None:
    assert said in told(nim(), [asked])


def test_nobody_is_told_where_something_hidden_lies() -> None:
    game = rules_of("harbour").new_game(players=2, seed=1)
    truly = {crate for crate in map(str, game.state["pier"]) if crate in game.book.checked.kinds["crate"].members}
    assert truly
    for crate in truly:
        said = told(game, [f"what {crate}"])
        assert f"{crate.upper()} (Crates)" in said
        assert "Where: " not in said


@pytest.mark.parametrize(
    "language, name, lines",
    [
        (
            "en",
            "settlers",
            ("Settlers (Buildings)", "A Colonist for the next turn", "Age: Age I", "Rule: Settlers"),
        ),
        ("pl", "osadnictwo", ("Osadnictwo (Budowle)", "Co turę Kolonista", "epoka: Epoka I", "Zasada: Osadnictwo, ")),
        ("ru", "поселенцы", ("Поселенцы (Достижения)", "Каждый ход", "эпоха: Эпоха I", "Правило: ")),
    ],
)
def test_what_a_tile_does_is_told_in_the_language_of_the_session(
    language: str, name: str, lines: tuple[str, ...]
) -> None:
    game = content("aoe3-pl").new_game(players=2, seed=3)
    said = told(game, [f"what {name}"], language=language)
    for line in lines:
        assert line in said


def test_a_box_is_told_with_its_rules_and_what_can_be_done_there() -> None:
    said = told(content("empires").new_game(players=2, seed=3), ["what warfare"])
    assert "Warfare (Event boxes)" in said
    assert "Possible now: Place: Colonist → Warfare" in said
    assert "Rule: No more than four workers stand in Warfare." in said


def test_a_thing_that_cites_nothing_is_told_with_the_rules_of_its_kind() -> None:
    assert "Rule: There are three heaps" in told(nim(), ["what low_heap"])


def test_a_clause_that_does_not_hold_any_more_is_not_told() -> None:
    game = content("empires", ("two-player",)).new_game(players=2, seed=3)
    overridden = {game.book.clause_text(clause, "en") or "" for clause in game.book.ruleset.overrides}
    assert overridden
    shown = told(game, [f"what {name}" for name in ("warfare", "discovery", "specialists", "colonist")])
    assert [each for each in overridden if f"Rule: {each}" in shown] == []


def test_the_number_of_a_seat_is_nothing_to_look_at() -> None:
    game = content("empires", ("national-advantages", "nations-by-colour")).new_game(players=2, seed=3)
    assert "player.seat" in game.book.checked.fields
    shown = told(game, ["board"])
    assert "Nation" in shown
    assert "Seat" not in shown
