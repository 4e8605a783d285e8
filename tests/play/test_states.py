from __future__ import annotations

from collections import Counter

import pytest

import aodrules
from aodrules.play.ids import IdTable, field_path
from tests.playing import WORDS, random_game


def test_a_path_leads_to_a_cell() -> None:
    state = random_game("harbour", 0, 0).state
    assert state["players.red.silver"] == state.players["red"].silver == 8
    assert state["round"] == state.round == 1
    assert state["turn_order"] == ("red", "blue")
    assert state["sold_today.rum"] == 0
    assert set(state["sold_today"]) == {"cod", "rum", "salt", "wool"} or "rum" in state["sold_today"]
    assert isinstance(state["dock"], Counter)


def test_a_path_leads_to_a_table_and_a_thing() -> None:
    state = random_game("nim.yaml", 1, 0).state
    assert state["heaps.low_heap.lying"] == {"pebble": 3}
    assert state["heaps.low_heap.lying.pebble"] == 3
    assert state.heaps["tall_heap"].height == 5
    assert state["out.stone"] == {}
    assert len(state.heaps) == 3
    assert repr(state.heaps["low_heap"]) == "<heap low_heap>"
    assert repr(state.heaps) == "<heap: low_heap, middle_heap, tall_heap>"
    assert "lying" in dir(state.heaps["low_heap"])
    assert {"quarry", "heaps", "players"} <= set(dir(state))


def test_owned_pieces_are_told_with_their_owner() -> None:
    for actions in range(30):
        state = random_game("harbour", 0, actions).state
        rows = [row for quay in state.quays.values() for row in quay.fields().get("row", ())]
        if rows:
            assert all(len(piece.split()) == 2 and piece.split()[0] in state.players for piece in rows)
            return
    pytest.fail("nobody was placed in a row")


@pytest.mark.parametrize(
    "path, message",
    [
        ("player.red.silver", "there is no `player`; did you mean `players`"),
        ("players.read.silver", "there is no `read`; did you mean `red`"),
        ("players.red.gold", "there is no `gold`"),
        ("players.red.silver.coins", "goes on where nothing is inside"),
        ("", "there is no ``"),
    ],
)
def test_a_wrong_path_is_told_with_what_was_meant(path: str, message: str) -> None:
    with pytest.raises(aodrules.NotationError, match=message):
        random_game("harbour", 0, 0).state[path]


def test_unknown_attributes_are_no_attributes() -> None:
    state = random_game("nim.yaml", 0, 0).state
    assert not hasattr(state, "nothing")
    assert not hasattr(state, "_nothing")
    assert not hasattr(state.heaps["low_heap"], "nothing")
    with pytest.raises(KeyError):
        state.heaps["no_heap"]


@pytest.mark.parametrize("word", WORDS)
def test_every_cell_has_one_path(word: str) -> None:
    game = random_game(word, 3, 20)
    names, state = game._names, game.state
    paths = []
    for name in names.tables.rules.fields:
        for at in names.tables.shapes[name].indices():
            declared = names.tables.rules.fields[name]
            if at and at[0] in names.tables.lacking.get(name, ()):
                continue
            path = field_path(names, name, at)
            paths.append(path)
            if declared.dimensions and not _has_index(names, name, at):
                continue
            assert state[path] == state._reader.read(name, at)
    assert len(paths) == len(set(paths))


def _has_index(names: IdTable, name: str, at: tuple[int, ...]) -> bool:
    """Whether the indices belong to the very kinds of the field: a narrower kind has cells for its whole family."""
    tables = names.tables
    for type_, index in zip(tables.rules.fields[name].dimensions, at, strict=True):
        kind = getattr(type_, "kind", None)
        if kind is not None and index not in tables.rules.kinds[kind].places:
            return False
    return True


def test_a_state_compares_by_what_it_shows() -> None:
    assert random_game("harbour", 1, 5).state == random_game("harbour", 1, 5).state
    assert random_game("harbour", 1, 5).state != random_game("harbour", 1, 6).state
