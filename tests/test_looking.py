"""What people see of public values at a prompt: short lines, complete lists of names, one name for one thing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import isclass
from typing import Any, get_args

import pytest

import aodrules
from aodrules import bots, svg
from tests.content.compositions import rules_of
from tests.play.worlds import middle

LONGEST = 1000
"""Characters of a `repr`; values of plain data show their parts."""
# Their texts and data are as long as what they hold, which is shown whole.
HOLD_OTHERS = {"Surroundings", "Score", "WhatIf", "UndoNeeds", "LogGroup", "LogTurn", "Component", "CatalogueRuling"}
HOLD_OTHERS |= {"CatalogueEntry", "dict", "tuple", "Reason", "Report", "Diagnostic"}


@cache
def game() -> aodrules.Game:
    game, chance = rules_of("empires", ("builders",)).new_game(players=3, seed=3), random.Random(1)
    for _ in range(60):
        game.push(chance.choice(game.codes))
    return game


@cache
def values() -> list[Any]:
    """Return a value of every public class, but for errors."""
    return [*_of_a_game(game()), *_of_a_catalogue(aodrules.catalogue()["aod"]), *_of_others()]


def _of_a_game(one: Any) -> Iterator[Any]:
    seat, scene = one.decision.player, svg.scene(one)
    view = one.view(seat)
    yield from (one, one.rules, one.state, view, one.view(None), view.snapshot(), one.decision, one.decision.around)
    yield from (one.decision.around[0], one.actions[0], one.choices, one.choices.candidates[0], one.points)
    yield from (one.scores[seat], one.scores[seat].lines[0], one.ranking[0], view.played[0], one.undo_needs("red"))
    yield from (one.what_if(seat, one.actions[0]), one.log()[0], one.log()[0].turns[0], *_events(one))
    yield from (one.rules.text("game"), one.rules.components["region"]["caribbean"])
    yield next(iter(one.rules.clauses.values()))
    yield from (one.state.players, one.state.players.red, one.state.regions, one.state.regions.caribbean)
    yield from (scene, scene.root, svg.patch(scene, svg.scene(one.copy())), svg.Pictures(), bots.RandomBot())
    yield from (bots.hint(one, seat, "casual"), bots.bot_of("strong"), bots.GreedyBot())
    yield bots.Turn(one, one.players.index(seat), random.Random(1))
    yield from (share for score in one.scores.values() for line in score.lines for share in line.shares[:1])


def _events(one: Any) -> Iterator[Any]:
    turns = [turn for group in one.log(noise=True, secrets=True) for turn in group.turns]
    found: dict[type, Any] = {type(event): event for turn in turns for event in turn.events}
    move = found[aodrules.MoveEvent]
    yield from (*found.values(), move.cause, move.what, move.source)


def _of_a_catalogue(entry: aodrules.CatalogueGame) -> Iterator[Any]:
    yield from (entry, entry.editions[0], next(iter(entry.rulings.values())))


def _of_others() -> Iterator[Any]:
    nim = aodrules.load("nim").new_game(seed=1)
    yield from nim.why_not("take low_heap 5")
    assert nim.choices is not None
    yield nim.choices.pick("take").pick("low_heap").candidates[-1]
    yield next(iter(aodrules.load("aoe3-ru", ["auction"]).settings.values()))
    yield aodrules.Hidden("ware")
    game = middle("caravan", 1, 7)
    yield from (one for seat in game.players for one in game.learned(seat)[:1])
    try:
        aodrules.load("harbour", variants=["cheap-timber"])
    except aodrules.RulesError as wrong:
        yield from (wrong.report, next(iter(wrong.report)))


def test_every_public_class_is_looked_at() -> None:
    public = {getattr(aodrules, name) for name in aodrules.__all__} | {getattr(svg, name) for name in svg.__all__}
    classes = {one for one in public if isclass(one) and not issubclass(one, Exception | Warning)}
    events = set(get_args(aodrules.Event))
    seen = {type(value) for value in values()}
    assert {one.__name__ for one in classes - seen - events} == set()


def test_a_line_is_enough_to_tell_what_something_is() -> None:
    for value in values():
        name, text = type(value).__name__, repr(value)
        assert "\n" not in text, name
        assert " at 0x" not in text, text
        assert "function" not in text, text
        assert len(text) < LONGEST or name in HOLD_OTHERS, (name, len(text))


def test_all_names_that_are_listed_are_there_and_have_no_surprise() -> None:
    for value in values():
        for name in dir(value):
            if not name.startswith("_"):
                getattr(value, name)


def test_public_parts_are_listed() -> None:
    for value in values():
        public = {name for cls in type(value).__mro__ for name in vars(cls) if not name.startswith("_")}
        assert public <= set(dir(value)), type(value).__name__


@pytest.mark.parametrize("shown", ["state", "view"])
def test_whatever_can_be_asked_for_by_a_name_can_be_asked_for_in_brackets(shown: str) -> None:
    state = game().state if shown == "state" else game().view("red")
    assert state.regions.caribbean == state.regions["caribbean"] == state["regions.caribbean"]
    for name in (*state, "out"):
        assert name in dir(state)
        held = getattr(state, name)
        assert repr(held) == repr(state[name])
        for inner in held if isinstance(held, Mapping) and not isinstance(held, Counter) else ():
            assert inner in dir(held)
            assert getattr(held, inner) == held[inner] == state[f"{name}.{inner}"]


def test_a_game_and_a_view_are_printed_in_words_and_drawn() -> None:
    one = game()
    for shown in (one, one.view("red"), one.view(None)):
        assert str(shown).startswith("empires: ")
        assert len(str(shown).splitlines()) > 20
        assert "<svg " in shown._repr_html_()
        assert shown._repr_svg_().startswith("<svg ")
