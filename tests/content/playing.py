"""Games of Age of Discovery played at random on both engines, with the laws that hold in every one of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import define, field

import aodrules
from aodrules.check.checked import CheckedRules
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.facts.action_codes import ActionSpace, action_spaces
from aodrules.facts.state import Machine, PlainState
from aodrules.interpreter.tables import Tables
from aodrules.lang.types import Bag, ListOf
from tests.engines.playing import left_over

LAST_TURN = 8
_UNWANTED = ("cut", "bound", "stuck")


TEMPERS: dict[str, dict[str, float]] = {
    "busy": {},
    "settler": {
        "place colonist_dock": 9, "place capital_buildings": 8, "place trade_goods": 4, "place discovery": 4,
        "place merchant_shipping": 3, "place initiative": 2, "train": 1, "promote": 0.02, "lead": 0.02, "chart": 3,
    },
    "hoarder": {
        "place discovery": 12, "place colonist_dock": 8, "place capital_buildings": 3, "train captain": 6,
        "explore": 0.1, "pass": 0.4, "promote": 0.02, "lead": 0.02,
    },
    "soldier": {
        "place warfare": 4, "place colonist_dock": 9, "place capital_buildings": 6, "train soldier": 4, "land": 9,
        "war": 3,
    },
}  # fmt: skip
"""How much each answer is liked by people of several tempers; what is not said counts 1, and passing 0.2."""
_IDLE = ("pass", "leave", "decline")


@define(eq=False)
class Player:
    """Somebody who answers at random, but likes some answers more than others."""

    tables: Tables
    temper: str
    chance: random.Random
    spaces: dict[str, ActionSpace] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.spaces = action_spaces(self.tables)

    def answer(self, machine: Machine) -> int:
        """Return one of the legal answers."""
        pending = machine.pending
        assert pending is not None
        space = self.spaces[pending.decision]
        groups: dict[str, list[int]] = {}
        for code in machine.codes:
            groups.setdefault(self._name(space, code), []).append(code)
        names = sorted(groups)
        (chosen,) = self.chance.choices(names, [self._liking(name) for name in names])
        return self.chance.choice(groups[chosen])

    def _name(self, space: ActionSpace, code: int) -> str:
        """Return what an answer is called: its option, and the box or space it goes to."""
        choice, values = space.decode(code)
        names = [each.name for each in choice.option.parameters] if choice.option else []
        for kind in ("box", "space"):
            if kind in names:
                return f"{choice.id} {self.tables.rules.kinds[kind].members[values[names.index(kind)]]}"
        return choice.id

    def _liking(self, name: str) -> float:
        likings, option = TEMPERS[self.temper], name.split(maxsplit=1)[0]
        return likings.get(name, likings.get(option, 0.2 if option in _IDLE else 1))


class Match:
    """One game on both engines."""

    def __init__(self, rules: aodrules.Rules, players: int, seed: int) -> None:
        self.rules = rules.book.checked
        temper = sorted(TEMPERS)[seed % len(TEMPERS)]
        self.player = Player(rules.book.tables(players), temper, random.Random(seed))
        self.reference = rules.book.interpreter(players, seed)
        self.compiled = Compiled.new_game(rules.book.program(players), seed)
        self.decisions: Counter[str] = Counter()
        self._pieces = pieces(self.rules, self.reference.state)

    def play(self) -> None:
        """Play to the end; fail as soon as a law does not hold."""
        while self.reference.pending is not None:
            self._compare()
            self.decisions[self.reference.pending.decision] += 1
            code = self.player.answer(self.reference)
            self.reference.apply(code)
            self.compiled.apply(code)
        self._compare()

    def _compare(self) -> None:
        reference, compiled = self.reference, self.compiled
        assert compiled.pending == reference.pending
        assert compiled.codes == reference.codes
        assert compiled.happenings == reference.happenings
        assert compiled.causes == reference.causes
        plain = compiled.plain()
        assert plain == reference.state
        assert not left_over(compiled)
        assert [entry for entry in reference.happenings if entry[0] in _UNWANTED] == []
        if self.decisions.total() % 8 == 0 or reference.pending is None:
            assert pieces(self.rules, plain) == self._pieces


def pieces(rules: CheckedRules, state: PlainState) -> Counter[str]:
    """Return how many pieces of each member of each kind lie anywhere on the table; nowhere fewer than none."""
    found: Counter[str] = Counter()
    for each in rules.fields.values():
        if each.holds is None or each.holds == "player":
            continue
        members = rules.family(each.holds).members
        for cell in state.fields[each.name]:
            for member, count in _counts(each.type, cell, len(members)):
                assert count >= 0
                found[f"{each.holds}.{members[member]}"] += count
    return found


def _counts(type_: object, cell: Any, members: int) -> Sequence[tuple[int, int]]:
    if isinstance(type_, Bag):
        return list(enumerate(cell))
    items = cell if isinstance(type_, ListOf) else () if cell is None else (cell,)
    return [(item % members, 1) for item in items]
