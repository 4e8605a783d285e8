"""Ways through checked rules: what stands inside an expression or a step, and which expressions say the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import get_args

from attrs import define, field, fields

from aodrules.check.checked import CheckedRules, Option
from aodrules.check.steps import (
    AddTo,
    AnyStep,
    FieldPlace,
    FieldTarget,
    LocalTarget,
    ParameterPlace,
    PlaceReference,
    SetTo,
    Steps,
)
from aodrules.lang.expressions import Expression, Local, Loop, PlaceRead
from aodrules.lang.types import Type
from aodrules.source.spans import Span

EXPRESSIONS: tuple[type, ...] = get_args(Expression)
STEPS: tuple[type, ...] = get_args(AnyStep)
_NOT_PARTS = frozenset({"type", "span"})


_PARTS: dict[type, tuple[str, ...]] = {
    of: tuple(each.name for each in fields(of) if each.name not in _NOT_PARTS)
    for of in (*EXPRESSIONS, *STEPS, Loop, FieldPlace, FieldTarget)
}


def _parts_of(thing: object) -> tuple[str, ...]:
    return _PARTS[type(thing)]


def _expressions_in(part: object) -> Iterator[Expression]:
    if isinstance(part, EXPRESSIONS):
        yield part  # type: ignore[misc]
    elif isinstance(part, tuple):
        for each in part:
            yield from _expressions_in(each)
    elif isinstance(part, Loop | FieldPlace | FieldTarget):
        for name in _parts_of(part):
            yield from _expressions_in(getattr(part, name))


def children(expression: Expression) -> tuple[Expression, ...]:
    """Return the expressions directly inside one, in the order written."""
    parts = (getattr(expression, name) for name in _parts_of(expression))
    return tuple(child for part in parts for child in _expressions_in(part))


def everything_in(expression: Expression) -> Iterator[Expression]:
    """Iterate over an expression and all inside it."""
    waiting = [expression]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(reversed(children(found)))


def names_deciding(option: Option) -> dict[str, Type | None]:
    """Return the names on which it depends whether an answer is legal, with their types; places have none.

    Those of the option's own parameters and loops are among them.
    """
    often = tuple(often for _, _, often in option.limit.periods) if option.limit is not None else ()
    domains = tuple(one.domain for one in option.parameters if one.domain is not None)
    conditions = tuple(one.expression for one in option.conditions)
    found: dict[str, Type | None] = {one.name: None for one in option.supplied if isinstance(one, ParameterPlace)}
    for top in _expressions_in((*conditions, *domains, *often, *option.supplied)):
        for part in everything_in(top):
            if isinstance(part, Local | PlaceRead):
                found[part.name] = part.type if isinstance(part, Local) else None
    return found


def depth_of(expression: Expression) -> int:
    """Return how deeply an expression is nested."""
    level, depth = [expression], 0
    while level:
        depth += 1
        level = [child for each in level for child in children(each)]
    return depth


def depth_of_steps(steps: Steps) -> int:
    """Return how deeply steps and the expressions in them are nested."""
    inner = [
        max((depth_of(each) for each in expressions(step)), default=0)
        if not any(True for _ in bodies(step))
        else max(depth_of_steps(body) for body in bodies(step))
        for step in steps
    ]
    return 1 + max(inner, default=0)


def bodies(step: AnyStep) -> Iterator[Steps]:
    """Iterate over the lists of steps directly inside a step."""
    for name in _parts_of(step):
        part = getattr(step, name)
        if isinstance(part, tuple) and part and isinstance(part[0], STEPS):
            yield part


def expressions(step: AnyStep) -> Iterator[Expression]:
    """Iterate over the expressions in a step, its places and arguments, but not in the steps inside it."""
    for name in _parts_of(step):
        yield from _expressions_in(getattr(step, name))


def places(step: AnyStep) -> Iterator[PlaceReference]:
    """Iterate over the places a step names, its arguments included."""
    for name in _parts_of(step):
        part = getattr(step, name)
        for each in part if isinstance(part, tuple) else (part,):
            if isinstance(each, FieldPlace | ParameterPlace):
                yield each


def all_steps(steps: Steps) -> Iterator[AnyStep]:
    """Iterate over steps and the steps inside them, in the order written."""
    for step in steps:
        yield step
        for body in bodies(step):
            yield from all_steps(body)


def all_bodies(rules: CheckedRules) -> Iterator[Steps]:
    """Iterate over the outermost lists of steps of all rules."""
    yield from (verb.body for verb in rules.verbs.values())
    yield from (body for hook in rules.hooks.values() for body in hook.bodies.values())
    for decision in rules.decisions.values():
        yield from (option.body for option in decision.options)
        yield decision.otherwise
    yield from (reaction.body for reactions in rules.reactions.values() for reaction in reactions)
    yield from (passage.body for passages in rules.passages.values() for passage in passages)


def changed_names(rules: CheckedRules) -> frozenset[str]:
    """Return the `let` names that some step changes."""
    steps = (step for body in all_bodies(rules) for step in all_steps(body) if isinstance(step, SetTo | AddTo))
    return frozenset(step.target.name for step in steps if isinstance(step.target, LocalTarget))


@define(eq=False)
class Shapes:
    """Numbers for expressions: two that say the same, wherever they stand, have the same number."""

    _numbers: dict[Hashable, int] = field(factory=dict)
    _known: dict[Expression, int] = field(factory=dict)

    def of(self, expression: Expression) -> int:
        """Return the number of what an expression says."""
        known = self._known.get(expression)
        if known is None:
            parts = tuple(self._part(getattr(expression, name)) for name in _parts_of(expression))
            known = self._numbers.setdefault((type(expression), parts), len(self._numbers))
            self._known[expression] = known
        return known

    def _part(self, part: object) -> Hashable:
        if isinstance(part, EXPRESSIONS):
            return self.of(part), None  # type: ignore[arg-type]
        if isinstance(part, tuple):
            return tuple(self._part(each) for each in part)
        if isinstance(part, Loop):
            return (part.name, self._part(part.items), self._part(part.conditions))
        # `True` and 1 are equal in Python and differ in the language.
        return type(part), part


def text_of(span: Span) -> str:
    """Return what is written at a place; empty if it runs over several lines."""
    if span.line != span.end_line:
        return ""
    return span.source.line(span.line)[span.column - 1 : span.end_column - 1]
