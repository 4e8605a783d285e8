"""Effects that set one value to different things at once: a conflict, unless their conditions exclude each other."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from attrs import define, field, frozen

from aodrules.check import analysis_problems
from aodrules.check.analyse.constants import is_number
from aodrules.check.checked import CheckedRules, Modifier
from aodrules.check.digraph import reached
from aodrules.check.visit import Shapes, comparisons, walk
from aodrules.compose.ruleset import Ruleset
from aodrules.lang.expressions import AttributeRead, Const, Constant, Expression, FieldRead, Local
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.documents import Head
from aodrules.syntax.tree import Scalar


def check_overlaps(rules: CheckedRules, ruleset: Ruleset, report: Report) -> None:
    """Report every effect that sets a value which another may set at the same time."""
    shapes, order = Shapes(), _DocumentOrder(ruleset)
    for value, modifiers in rules.modifiers.items():
        setting = [_Setting(each, _limits(each.condition, shapes)) for each in modifiers if each.operation == "set"]
        for other, one in _conflicts(setting, order):
            problem = analysis_problems.conflicting_sets(value, one.address, other.address, one.span, other.span)
            report.add(problem)


@define(eq=False)
class _DocumentOrder:
    """Which documents are said to come after which."""

    ruleset: Ruleset
    _heads: dict[Source, Head] = field(init=False)
    _before: dict[str, frozenset[str]] = field(init=False)
    """For each document those it comes after, as its head says."""

    def __attrs_post_init__(self) -> None:
        documents = self.ruleset.documents
        self._heads = {each.source: each.head for each in documents if each.head is not None}
        self._before = {
            head.name.text: frozenset(name.text for name in (*head.after, *head.includes, *_base(head)))
            for head in self._heads.values()
        }

    def settles(self, one: Modifier, other: Modifier) -> bool:
        """Whether the layer or the head of a document says which of two effects counts."""
        first, second = self._heads.get(one.span.source), self._heads.get(other.span.source)
        if _layer(first) != _layer(second):
            return True
        if first is None or second is None:
            return False
        one_name, other_name = first.name.text, second.name.text
        if one_name == other_name:
            return False
        return other_name in reached(one_name, self._before) or one_name in reached(other_name, self._before)


def _base(head: Head) -> tuple[Scalar, ...]:
    return () if head.based_on is None else (head.based_on,)


def _layer(head: Head | None) -> int:
    if head is None:
        return 0
    return 2 if head.kind == "variant" else 1


@frozen
class _Limit:
    """What a condition leaves of the values of one thing."""

    low: float = -inf
    high: float = inf
    only: frozenset[int] | None = None
    out: frozenset[int] = frozenset()

    def joined(self, other: _Limit) -> _Limit:
        only = self.only if other.only is None else other.only if self.only is None else self.only & other.only
        return _Limit(max(self.low, other.low), min(self.high, other.high), only, self.out | other.out)

    @property
    def is_empty(self) -> bool:
        if self.only is not None:
            return not any(self.low <= each <= self.high and each not in self.out for each in self.only)
        return self.low > self.high or (self.low == self.high and self.low in self.out)


@define(eq=False)
class _Setting:
    """An effect that sets a value, with what its condition says about each thing it compares with constants."""

    modifier: Modifier
    limits: dict[int, _Limit] = field(factory=dict)

    def excludes(self, other: _Setting) -> bool:
        """Whether the two never hold at once."""
        shared = self.limits.keys() & other.limits.keys()
        return any(self.limits[each].joined(other.limits[each]).is_empty for each in shared)

    def agrees(self, other: _Setting) -> bool:
        """Whether both set the same constant."""
        one, two = self.modifier.amount, other.modifier.amount
        return isinstance(one, Const) and isinstance(two, Const) and one.value == two.value


def _conflicts(setting: list[_Setting], order: _DocumentOrder) -> Iterator[tuple[Modifier, Modifier]]:
    """Iterate over the effects that clash with an earlier one, each once."""
    for place, one in enumerate(setting):
        for other in setting[:place]:
            is_settled = one.agrees(other) or one.excludes(other)
            if not is_settled and not order.settles(one.modifier, other.modifier):
                yield other.modifier, one.modifier
                break


def _limits(condition: Expression | None, shapes: Shapes) -> dict[int, _Limit]:
    """Return what a condition leaves of each thing that it compares with constants, by the shape of the thing."""
    found: dict[int, _Limit] = {}
    for thing, sign, other in comparisons(condition) if condition is not None else ():
        limit = _limit(sign, other.value) if isinstance(other, Const) and _is_comparable(thing) else None
        if limit is not None:
            shape = shapes.of(thing)
            found[shape] = found.get(shape, _Limit()).joined(limit)
    return found


def _limit(sign: str, value: Constant) -> _Limit | None:
    match sign:
        case "in" | "not in" if isinstance(value, tuple):
            return _Limit(only=frozenset(value)) if sign == "in" else _Limit(out=frozenset(value))
        case "==" | "!=" if isinstance(value, int):
            return _Limit(only=frozenset({int(value)})) if sign == "==" else _Limit(out=frozenset({int(value)}))
        case "<" | "<=" if is_number(value):
            return _Limit(high=value - (sign == "<"))
        case ">" | ">=" if is_number(value):
            return _Limit(low=value + (sign == ">"))
    return None


def _is_comparable(thing: Expression) -> bool:
    """Whether a thing is the same for two effects: a parameter, its attribute or a field of the table."""
    if isinstance(thing, FieldRead):
        return not thing.at
    if isinstance(thing, Local | AttributeRead):
        return all(
            isinstance(part, Local | AttributeRead | Const) and getattr(part, "name", "") not in ("self", "owner")
            for part in walk(thing)
        )
    return False
