from __future__ import annotations

from collections import Counter

import pytest

import aodrules
from aodrules.play.ids import IdTable, field_path
from tests.play import secret_games as small
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


def test_attributes_and_names_in_brackets_lead_to_the_same() -> None:
    state = random_game("harbour", 1, 20).state
    for plural in ("players", "quays"):
        things = state[plural]
        for name, thing in things.items():
            assert thing == getattr(things, name) == state[f"{plural}.{name}"]
            for field, value in thing.fields().items():
                assert getattr(thing, field) == thing[field] == value
    assert state.sold_today.rum == state["sold_today"]["rum"] == state["sold_today.rum"]
    assert state.out.crate == state["out"]["crate"] == state["out.crate"]
    assert state.players.red.silver == state["players"]["red"]["silver"]
    assert state.players.red != state.players.blue


def test_dir_lists_names_and_methods() -> None:
    state = random_game("harbour", 1, 20).state
    assert {"quays", "players", "round", "plain", "keys"} <= set(dir(state))
    assert {"red", "blue", "items"} <= set(dir(state.players))
    assert {"silver", "fields"} <= set(dir(state.players.red))
    assert {"rum", "items"} <= set(dir(state.sold_today))
    assert {"crate"} <= set(dir(state.out))
    for holder in (state, state.players, state.players.red, state.sold_today, state.out):
        for name in dir(holder):
            assert getattr(holder, name) is not NotImplemented


def test_what_bears_the_name_of_a_method_is_read_in_brackets() -> None:
    rules = small.rules_of(
        small.DICE.replace(
            "state: {player: {", "state: {table: {keys: number 0..9 = 4, actions: player}, player: {fields: flag, "
        )
    )
    view = rules.new_game(players=2, seed=1).view("ann")
    assert view["keys"] == 4
    assert callable(view.keys)
    assert view.actions == ()
    assert view["actions"] == "ann"
    assert view.players.ann["fields"] is False
    assert view["players.ann.fields"] is False
    assert callable(view.players.ann.fields)


def test_parts_of_a_state_have_short_texts() -> None:
    state = random_game("nim.yaml", 1, 0).state
    assert repr(state) == "<State: quarry, taken, last_taker, players, heaps>"
    assert repr(state.out) == "<out of the game: stone>"


@pytest.mark.parametrize("name", ["gold", "_gold", "__wrapped__"])
def test_what_is_not_there_is_no_attribute_of_any_part(name: str) -> None:
    state = random_game("harbour", 1, 0).state
    for part in (state, state.players, state.players.red, state.sold_today, state.out):
        assert not hasattr(part, name)
        with pytest.raises(LookupError if part is not state else aodrules.NotationError):
            part[name]


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
