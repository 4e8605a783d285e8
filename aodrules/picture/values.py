"""Values of the rules that a layout shows: worked out again only after something on which they depend has changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from attrs import define

from aodrules.check.checked import CheckedRules
from aodrules.facts.state import PlainState
from aodrules.lang.types import Member, Player
from aodrules.play.states import CellReader, SeatReader
from aodrules.play.values import noted_value


class ShownValue(NamedTuple):
    """What a value is worth, as far as the one who looks may know."""

    value: Any
    is_known: bool


KeptValues: TypeAlias = "dict[tuple[str, tuple[int, ...]], tuple[frozenset[str], list[Any], ShownValue]]"
"""What values were worth, by name and argument, with the fields on which they depend and what these held."""


@define(eq=False)
class Values:
    """Reads values of the rules in one position."""

    reader: CellReader
    kept: KeptValues

    def read(self, name: str, given: tuple[int, ...]) -> ShownValue:
        """Return what a value is worth: that of before while no field on which it depends has changed."""
        state, before = self.reader.state, self.kept.get((name, given))
        if before is not None and before[1] == cells_of(state, before[0]):
            return before[2]
        seat = self.reader.seat if isinstance(self.reader, SeatReader) else None
        value, is_known, fields = noted_value(self.reader.names, state, seat, name, given)
        shown = ShownValue(value, is_known)
        self.kept[name, given] = (fields, cells_of(state, fields), shown)
        return shown


def cells_of(state: PlainState, fields: Iterable[str]) -> list[Any]:
    """Return what some fields hold, who knows of it and who left: all on which what is worked out can depend."""
    found = [[state.fields[name][:], state.knowledge.get(name, ())[:]] for name in fields]
    return [state.left, state.over, *found]


def is_value_of(rules: CheckedRules, kind: str, name: str) -> bool:
    """Whether a value of the rules takes a member of a kind, a player, or nothing if no kind is named."""
    value = rules.values.get(name)
    if value is None:
        return False
    needed = [each.type for each in value.parameters if each.default is None]
    if not kind or len(value.parameters) > 1:
        return not kind and not value.parameters
    if kind == "player":
        return any(isinstance(each, Player) for each in needed)
    family = rules.kinds[kind].family
    return any(isinstance(each, Member) and rules.kinds[each.kind].family == family for each in needed)
