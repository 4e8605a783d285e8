"""Rules for one number of players: members that are not in the game then take no part in anything.

Their numbers stay, so that codes, cells and packed bags are laid out alike. What is taken from them is all by which
they could be met: their place in the collection of their kind, their pieces, their links, and effects that always hold.
"""

from __future__ import annotations

from typing import TypeVar
from weakref import WeakKeyDictionary

from attrs import evolve

from aodrules.check.checked import CheckedRules, Condition, DecisionDef, Graph, Kind, Modifier, Option, Pieces, Reaction
from aodrules.lang.expressions import Const, Expression
from aodrules.lang.types import FLAG, NUMBER

_Absent = dict[str, frozenset[int]]
_Effect = TypeVar("_Effect", Modifier, Reaction)

_KEPT: WeakKeyDictionary[CheckedRules, dict[int, CheckedRules]] = WeakKeyDictionary()


def rules_for(rules: CheckedRules, players: int) -> CheckedRules:
    """Return the rules for so many players; the very same where every member is in each game."""
    if not any(kind.for_players for kind in rules.kinds.values()):
        return rules
    kept = _KEPT.setdefault(rules, {})
    if players not in kept:
        kept[players] = _without_absent(rules, players)
    return kept[players]


def absent_members(kind: Kind, players: int) -> frozenset[int]:
    """Return the members of a family that are not in a game of so many players."""
    return frozenset(member for member, (low, high) in kind.for_players.items() if not low <= players <= high)


def _without_absent(rules: CheckedRules, players: int) -> CheckedRules:
    absent = {name: absent_members(rules.family(name), players) for name in rules.kinds}
    sides = frozenset(place for place, (family, member) in enumerate(rules.sides) if member in absent[family])
    return rules.with_parts(
        kinds={name: _kind(kind, absent[name], sides) for name, kind in rules.kinds.items()},
        graphs={name: _graph(graph, absent.get(graph.kind, frozenset())) for name, graph in rules.graphs.items()},
        modifiers={name: _held(effects, absent) for name, effects in rules.modifiers.items()},
        reactions={name: _held(effects, absent) for name, effects in rules.reactions.items()},
        decisions={name: _decision(one, absent) for name, one in rules.decisions.items()},
    )


def _kind(kind: Kind, absent: frozenset[int], sides: frozenset[int]) -> Kind:
    places = tuple(place for place in kind.places if place not in absent)
    return evolve(kind, places=places, for_players={}, pieces=_pieces(kind, absent, sides))


def _pieces(kind: Kind, absent: frozenset[int], sides: frozenset[int]) -> Pieces | None:
    if kind.pieces is None:
        return None
    every, of_sides = frozenset(range(len(kind.pieces.counts))), enumerate(kind.pieces.of_sides)
    return evolve(
        kind.pieces,
        counts=_without(kind, kind.pieces.counts, absent),
        of_sides=tuple(_without(kind, each, every if side in sides else absent) for side, each in of_sides),
    )


def _without(kind: Kind, counts: tuple[Expression, ...], absent: frozenset[int]) -> tuple[Expression, ...]:
    none = Const(NUMBER, kind.span, 0)
    return tuple(none if member in absent else count for member, count in enumerate(counts))


def _graph(graph: Graph, absent: frozenset[int]) -> Graph:
    return evolve(
        graph,
        neighbours=tuple(
            () if here in absent else tuple(one for one in links if one not in absent)
            for here, links in enumerate(graph.neighbours)
        ),
        around=tuple(tuple(None if one in absent else one for one in cells) for cells in graph.around),
    )


def _held(effects: tuple[_Effect, ...], absent: _Absent) -> tuple[_Effect, ...]:
    """Return the effects that somebody can carry: in a field lies no piece of a member that is not there."""
    found: list[_Effect] = []
    for effect in effects:
        scope = effect.scope
        if scope.kind is None or scope.field is not None or absent[scope.kind].isdisjoint(scope.members):
            found.append(effect)
        elif members := tuple(member for member in scope.members if member not in absent[scope.kind]):
            found.append(evolve(effect, scope=evolve(scope, members=members)))
    return tuple(found)


def _decision(decision: DecisionDef, absent: _Absent) -> DecisionDef:
    """Return a decision in which nobody is offered what a member that is not there would offer. Codes stay."""
    options = tuple(_never(option) if _is_of_absent(option, absent) else option for option in decision.options)
    return evolve(decision, options=options) if options != decision.options else decision


def _is_of_absent(option: Option, absent: _Absent) -> bool:
    scope = option.scope
    if scope is None or scope.kind is None or scope.field is not None:
        return False
    return absent[scope.kind].issuperset(scope.members)


def _never(option: Option) -> Option:
    nobody = Condition("for_players", Const(FLAG, option.span, value=False), option.span)
    return evolve(option, conditions=(nobody, *option.conditions))
