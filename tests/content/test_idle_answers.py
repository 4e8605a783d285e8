"""Nobody can use something up for nothing: what is answered changes more than how often it was used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

import aodrules
from aodrules.interpreter.interpreter import Interpreter
from aodrules.testing.playing import GameObserver, lines_for, play
from tests.content.compositions import EDITIONS, cover, rules_of
from tests.sampling import sampled

IDLE = {
    "decision.muster.options.send": "none of a kind may go along",
    "decision.name_metal.options.gold": "the metal of the last turn may be named again",
    "decision.name_metal.options.silver": "the metal of the last turn may be named again",
    "decision.return_card.options.to_top": "the card lies there already",
    "verb.building_bonuses.tile.order.next": "the order is asked, and a tile may have nothing to give",
    "verb.building_bonuses.tile.order.rest": "the order is asked, and a tile may have nothing to give",
    "verb.strike.casualty.options.strike_militia": "what is left of the militia is known to the battle alone",
}
"""Answers that may change nothing, each with its reason."""


@define(eq=False)
class Idlers(GameObserver):
    """Looks on and notes answers whose steps changed nothing. Counters of use have been counted up before."""

    found: set[str] = field(factory=set)
    _game: Interpreter | None = None
    _begun: list[tuple[str, Any]] = field(factory=list)

    def watch(self, interpreter: Interpreter) -> None:
        self._game, self._begun = interpreter, []

    def on_option(self, _decision: str, option: str) -> None:
        self._begun.append((option, self._state()))

    def after_option(self, _decision: str, option: str, _names: dict[str, Any]) -> None:
        name, before = self._begun.pop()
        assert name == option
        if not option.endswith(".pass") and before == self._state():
            self.found.add(option)

    def _state(self) -> Any:
        assert self._game is not None
        state = self._game.plain()
        # That a tile is spent is a mark of use, too.
        fields = {name: cells for name, cells in state.fields.items() if not name.endswith(".spent")}
        return fields, state.knowledge, state.left


def idle_in(rules: aodrules.Rules, games: int) -> set[str]:
    """Return the answers that changed nothing in some random games."""
    idlers = Idlers()
    for line in lines_for(rules.book, games):
        play(rules.book, line, onlookers=[idlers])
    return idlers.found - IDLE.keys()


@pytest.mark.parametrize(
    "variants", sampled([(("builders", "national-advantages"),), (("national-advantages", "scouting"),)], 2)
)
def test_nothing_is_used_up_for_nothing(variants: tuple[str, ...]) -> None:
    assert idle_in(rules_of("empires", variants), 15) == set()


@pytest.mark.soak
@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_is_used_up_for_nothing_with_any_variants(edition: str) -> None:
    found = {variants: idle_in(rules_of(edition, variants), 4) for variants in cover(edition)}
    assert {variants: names for variants, names in found.items() if names} == {}


def test_an_answer_for_nothing_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "careless.yaml"
    path.write_text(
        "variant: careless\nhouse: true\nafter: [national-advantages]\n"
        "remove: [nation.italy.own.replace.where.another, nation.italy.own.replace.limit]\n",
        encoding="utf-8",
    )
    rules = aodrules.load("empires", ["national-advantages", path], cache=False)
    assert idle_in(rules, 15) == {"nation.italy.own.replace"}
