from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from attrs import fields_dict

import aodrules
from aodrules.play import events
from aodrules.play.texts import own_words
from tests.play import secret_games as small
from tests.playing import ENGINES, WORDS, finished_game, random_game, rules_of


def test_events_are_readable() -> None:
    game = rules_of("nim.yaml").new_game(seed=1)
    assert [event.kind for event in game.events] == ["move"] * 3
    game.push("take low_heap 3")
    move, change = game.events
    assert isinstance(move, aodrules.MoveEvent)
    assert (move.what, move.count) == (aodrules.EventPiece("stone", "pebble"), 3)
    assert move.source == aodrules.EventPlace("heaps.low_heap.lying", "heap.lying", ("low_heap",))
    assert move.target == aodrules.EventPlace("taken", "table.taken")
    assert isinstance(change, aodrules.SetEvent)
    assert change.new == "first"
    assert str(move) == "move: what pebble, count 3, source heaps.low_heap.lying, target taken"
    assert str(aodrules.OverEvent()) == "over"


def test_every_event_has_a_face() -> None:
    kinds = set()
    for word in WORDS:
        for seed in range(2):
            game = random_game(word, seed, 0, undo=False)
            while not game.over:
                for event in game.events:
                    kinds.add(event.kind)
                    assert str(event)
                for seat in game.players:
                    assert all(str(event) for event in game.view(seat).events)
                game.push(game.codes[len(game.codes) // 2])
            assert game.events[-1].kind == "over"
    assert {"move", "set", "shuffle", "reveal", "happen", "step"} <= kinds


def test_a_seat_notices_no_more_than_there_is() -> None:
    for seed in range(3):
        game = finished_game("caravan", seed)
        for seat in game.players:
            assert len(game.view(seat).events) <= len(game.events)


ROLLS = """
game: {players: 2, seats: [red, blue], play: go}
kinds: {wind: {plural: winds}}
wind: {north: {}, south: {}}
state: {table: {n: number 0..9}}
verb:
  go:
    do:
      - {roll: winds, as: from_where}
      - {roll: players, as: who}
      - {roll: "range(1, 7)", as: eyes}
      - {choose: wait, by: who}
decision: {wait: {options: {stay: {do: [{set: n, to: 1}]}}}}
"""


def test_what_was_rolled_is_told_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "rolls.yaml"
    path.write_text(ROLLS, encoding="utf-8")
    rules = aodrules.load(path, cache=False)
    for engine in ENGINES:
        game = rules.new_game(seed=1, engine=engine)
        wind, player, eyes = (event.item for event in game.events if isinstance(event, aodrules.RollEvent))
        assert wind in {"north", "south"}
        assert player in {"red", "blue"}
        assert eyes in range(1, 7)


# What people read is told in words: no value of Python, no id, nothing left open.
RAW = re.compile(r"\b(?:False|True|None|Counter|Hidden)\b|\w_\w|[?{}\[\]<>'\"]|\bx27\b|\w\.\w")
LANGUAGES = ("en", "pl", "ru")


def told(game: aodrules.Game) -> Iterator[tuple[str, str]]:
    """Iterate over all that people read at a question, each with its kind."""
    seen = (event for seat in game.players for event in game.view(seat).events)
    for language in LANGUAGES:
        yield from ((event.kind, event.text(language)) for event in (*game.events, *seen))
        yield from (("action", action.label(language)) for action in game.actions)
        if game.decision is not None:
            yield "decision", game.decision.text(language)


def raw_texts(game: aodrules.Game) -> tuple[set[str], set[str]]:
    """Play a game at random; return the kinds of texts that were met, and those in which something is raw."""
    kinds, wrong, chance = set(), set(), Random(game.seed)
    while True:
        for kind, text in told(game):
            kinds.add(kind)
            # Questions may end with a question mark.
            if not text.strip() or RAW.search(text.removesuffix("?")):
                wrong.add(f"{kind}: {text}")
        if game.over:
            return kinds, wrong
        game.push(chance.choice(game.codes))


@pytest.mark.parametrize("word", WORDS)
def test_what_happens_in_the_small_games_is_told_in_words(word: str) -> None:
    kinds, wrong = set[str](), set[str]()
    for seed in range(2):
        met = raw_texts(random_game(word, seed, 0, undo=False))
        kinds |= met[0]
        wrong |= met[1]
    assert wrong == set()
    assert {"move", "over", "action", "decision"} <= kinds


def test_every_kind_of_entry_has_words() -> None:
    assert set(events._DETAILS) <= {*events._TEXTS, *(each.removeprefix("phrase.") for each in own_words().texts)}
    assert set(events._MAKERS) == {fields_dict(of)["kind"].default for of in get_args(aodrules.Event)}


def test_what_a_back_shows_is_told_in_words() -> None:
    game = rules_of("harbour").new_game(players=2, seed=1)
    moves = [each for each in game.view("red").events if isinstance(each, aodrules.MoveEvent)]
    (crates, *_) = [each for each in moves if isinstance(each.what, aodrules.Hidden)]
    assert re.fullmatch(r"(?:\d × )?hidden \(Crates, (?:Dhow|Frigate)\): Hold → Pier", crates.text())
    assert "zakryte (Crates, " in crates.text("pl")
    assert re.search(r"hidden crate \((?:dhow|frigate)\)", str(crates))


def test_a_piece_of_a_side_is_told_with_its_owner() -> None:
    game, owners = random_game("isles+first-peoples", 1, 0), set[str | None]()
    sides = set(game._names.owners) - set(game.players)
    chance = Random(1)
    while not game.over and not owners & sides:
        for event in game.events:
            if isinstance(event, aodrules.MoveEvent) and isinstance(event.what, aodrules.EventPiece):
                owners.add(event.what.owner)
                assert not RAW.search(event.text("pl"))
        game.push(chance.choice(game.codes))
    assert owners & sides


def test_an_event_of_nobodys_game_has_only_its_ids() -> None:
    assert aodrules.SetEvent(place=aodrules.EventPlace("n", "table.n"), old=None, new=True).text("pl") == (
        "set: place n, new true"
    )


def test_a_revealed_number_is_told_to_those_who_are_shown_it() -> None:
    game = small.rules_of(small.GUESS).new_game(players=3, seed=1)
    game.push("hide 2")
    game.push("guess 1")
    shown = {seat: [event for event in game.view(seat).events if event.kind == "reveal"] for seat in game.players}
    assert shown["ann"] == []
    for seat in ("bob", "cid"):
        (event,) = shown[seat]
        assert isinstance(event, aodrules.RevealEvent)
        assert (event.what, event.place.path, event.index, event.to) == (2, "players.ann.number", None, ("bob", "cid"))
    assert "2" in shown["bob"][0].text()
    assert not game.can_undo
    assert [(one.piece, one.place) for one in game.learned("cid")] == [("2", "players.ann.number")]
    assert game.learned("ann") == ()
