from __future__ import annotations

from pathlib import Path

import aodrules
from tests.playing import ENGINES, WORDS, finished_game, random_game, rules_of


def test_events_are_readable() -> None:
    game = rules_of("nim.yaml").new_game(seed=1)
    assert [event.kind for event in game.events] == ["move"] * 3
    game.push("take low_heap 3")
    move, change = game.events
    assert move.kind == "move"
    assert (move["what"], move["count"], move["from"], move["to"]) == ("pebble", 3, "heaps.low_heap.lying", "taken")
    assert change.get("new") == "first"
    assert change.get("nothing", 7) == 7
    assert str(move) == "move: what pebble, count 3, from heaps.low_heap.lying, to taken"
    assert str(aodrules.Event("over")) == "over"


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
        wind, player, eyes = (event["item"] for event in game.events if event.kind == "roll")
        assert wind in {"north", "south"}
        assert player in {"red", "blue"}
        assert eyes in range(1, 7)
