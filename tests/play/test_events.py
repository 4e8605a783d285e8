from __future__ import annotations

import aodrules
from tests.playing import WORDS, finished_game, random_game, rules_of


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
