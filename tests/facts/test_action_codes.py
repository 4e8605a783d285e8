"""The codes of actions are those that the contract of the engines says, counted out here by hand."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import aodrules
from aodrules.facts.action_codes import ActionSpace, action_spaces
from aodrules.facts.state_shape import StateShape
from tests.playing import rules_of

PORTS_AND_TOWNS, STONES, CARDS, PAWNS, CELLS = 4, 3, 3, 2, 9
ACT: list[tuple[str, tuple[range, ...]]] = [
    ("dig", (range(STONES),)),
    ("learn", ()),
    ("mark", (range(PAWNS),)),
    ("post", (range(PAWNS), range(PORTS_AND_TOWNS))),
    ("show", (range(CARDS),)),
    ("stroll", (range(CELLS),)),
    ("travel", (range(PORTS_AND_TOWNS),)),
    ("turn_back", (range(4),)),
    ("wager", (range(1, 4),)),
    ("pass", ()),
]
"""All options in order, and for each parameter what it can be: of a kind any member of its family."""


def spaces(word: str | Path, players: int) -> dict[str, ActionSpace]:
    rules = rules_of(word) if isinstance(word, str) else aodrules.load(word, cache=False)
    return action_spaces(StateShape(rules.book.checked, players))


def counted_out(options: list[tuple[str, tuple[range, ...]]]) -> list[tuple[str, tuple[Any, ...]]]:
    """Return the actions in the order of their codes: option by option, the last parameter changing fastest."""
    return [(name, arguments) for name, domains in options for arguments in product(*domains)]


def test_codes_run_option_by_option_and_the_last_parameter_changes_fastest() -> None:
    space = spaces(Path(__file__).parents[1] / "engines" / "every_fact.yaml", 2)["decision.act"]
    expected = counted_out(ACT)
    decoded = [space.decode(code) for code in range(space.size)]
    assert [(choice.id, arguments) for choice, arguments in decoded] == expected
    assert [space.encode(choice, arguments) for choice, arguments in decoded] == [*range(len(expected))]
    assert space.passing == len(expected) - 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_of_a_player_there_are_as_many_codes_as_seats(players: int) -> None:
    space = spaces("caravan", players)["servant.informer.when_hired.victim"]
    expected = counted_out([("spy_on", (range(players),))])
    assert [(space.decode(code)[0].id, space.decode(code)[1]) for code in range(space.size)] == expected


@pytest.mark.parametrize("word", ["harbour", "caravan", "isles"])
def test_no_two_actions_have_one_code(word: str) -> None:
    for space in spaces(word, 3).values():
        actions = [space.decode(code) for code in range(space.size)]
        assert len({(choice.address, arguments) for choice, arguments in actions}) == space.size
        assert [space.encode(choice, arguments) for choice, arguments in actions] == [*range(space.size)]
        offsets = [choice.offset for choice in space.choices]
        assert offsets == sorted(offsets)
