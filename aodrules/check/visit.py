"""The one way through checked rules: what a declaration, step or expression is made of, and how parts are replaced."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeVar, get_args

from attrs import define, evolve, field, fields, has

from aodrules.check import checked, steps
from aodrules.check.checked import CheckedRules, DecisionDef, Field, GameSection, Modifier, Option
from aodrules.check.steps import (
    AnyStep,
    FieldPlace,
    FieldTarget,
    LocalTarget,
    ParameterPlace,
    PlaceReference,
    Steps,
    Target,
)
from aodrules.lang import expressions as lang_expressions
from aodrules.lang.expressions import Const, Expression, Local, Loop, Operation, PlaceRead
from aodrules.lang.interval import OPPOSITE, SWAPPED
from aodrules.lang.types import FLAG, Type
from aodrules.source.spans import Span

EXPRESSIONS: tuple[type, ...] = get_args(Expression)
STEPS: tuple[type, ...] = get_args(AnyStep)
_EXPRESSIONS = frozenset(EXPRESSIONS)
_STEPS = frozenset(STEPS)
_HOLDERS = frozenset({Loop, FieldPlace, FieldTarget})
"""What holds expressions and is none itself."""

_NODES = [
    of
    for module in (checked, steps, lang_expressions)
    for of in vars(module).values()
    if isinstance(of, type) and has(of) and of.__module__ == module.__name__
]
_PLAIN = frozenset({"Span", "Type", "Constant", "str", "int", "bool", "str | None"})
"""Annotations of attributes that hold no other node."""
_SAID: dict[type, tuple[str, ...]] = {
    of: tuple(one.name for one in fields(of) if one.name not in {"span", "type"}) for of in _NODES
}
"""What each node says: all its attributes but where it stands and its type."""
PARTS: dict[type, tuple[str, ...]] = {
    of: tuple(one.name for one in fields(of) if one.type not in _PLAIN) for of in _NODES
}
"""The attributes of each node that may hold other nodes."""
_BODIES: dict[type, tuple[str, ...]] = {
    of: tuple(one.name for one in fields(of) if "Steps" in str(one.type)) for of in _NODES
}
"""The attributes of each node that hold steps."""

Part = TypeVar("Part")


def children(expression: Expression) -> list[Expression]:
    """Return the expressions directly inside one, in the order written."""
    found: list[Expression] = []
    for name in PARTS[type(expression)]:
        _collect(getattr(expression, name), found)
    return found


def _collect(part: Any, found: list[Expression]) -> None:
    """Add the expressions that stand in a part, those inside them left out."""
    kind = type(part)
    if kind in _EXPRESSIONS:
        found.append(part)
    elif kind is tuple:
        for one in part:
            _collect(one, found)
    elif kind in _HOLDERS:
        for name in PARTS[kind]:
            _collect(getattr(part, name), found)


def walk(expression: Expression) -> Iterator[Expression]:
    """Iterate over an expression and all inside it."""
    waiting = [expression]
    while waiting:
        found = waiting.pop()
        yield found
        inside = children(found)
        inside.reverse()
        waiting += inside


def walk_parts(part: object) -> Iterator[object]:
    """Iterate over every node of a declaration, step, expression, or a collection of them; itself comes first."""
    kind = type(part)
    if kind is tuple or kind is dict:
        for one in part.values() if isinstance(part, dict) else part:  # type: ignore[attr-defined]
            yield from walk_parts(one)
    elif kind in PARTS:
        yield part
        for name in PARTS[kind]:
            yield from walk_parts(getattr(part, name))


def parts_of(node: object) -> tuple[str, ...]:
    """Return the attributes of a node that may hold other nodes."""
    return PARTS.get(type(node), ())


class Gone:
    """Stands for a part that is left out of the list it stood in."""


def transform(part: Part, change: Callable[[Any], Any], into: Callable[[Any], tuple[str, ...]] = parts_of) -> Part:
    """Return a node, or a collection, with every node in it put through `change`, the innermost first.

    What is not changed stays the very same object. `into` tells which attributes of a node to look into.
    """
    kind = type(part)
    new: Any = part
    if isinstance(part, tuple):
        items = tuple(one for old in part if not isinstance(one := transform(old, change, into), Gone))
        new = items if len(items) != len(part) or any(map(_differ, items, part)) else part
    elif isinstance(part, dict):
        values = {key: transform(old, change, into) for key, old in part.items()}
        new = values if any(map(_differ, values.values(), part.values())) else part
    elif kind in PARTS:
        news = {name: transform(getattr(part, name), change, into) for name in into(part)}
        different = {name: one for name, one in news.items() if one is not getattr(part, name)}
        new = change(evolve(part, **different) if different else part)  # type: ignore[misc]
    return new  # type: ignore[no-any-return]


def _differ(one: object, other: object) -> bool:
    return one is not other


def transform_steps(rules: CheckedRules, change: Callable[[AnyStep], AnyStep]) -> CheckedRules:
    """Return rules with every step of theirs put through `change`, the innermost first."""
    return transform(rules, lambda node: change(node) if type(node) in _STEPS else node, _parts_with_steps)


def _parts_with_steps(node: object) -> tuple[str, ...]:
    if isinstance(node, CheckedRules):
        return ("verbs", "hooks", "decisions", "options", "reactions", "enter_leave_effects")
    return ("options", *_BODIES[DecisionDef]) if isinstance(node, DecisionDef) else _BODIES[type(node)]


def names_deciding(option: Option) -> dict[str, Type | None]:
    """Return the names on which it depends whether an answer is legal, with their types; places have none.

    Those of the option's own parameters and loops are among them.
    """
    often = tuple(often for _, _, often in option.limit.periods) if option.limit is not None else ()
    found: dict[str, Type | None] = {one.name: None for one in option.supplied if isinstance(one, ParameterPlace)}
    tops: list[Expression] = []
    _collect((*tests_of(option), *often, *option.supplied), tops)
    for top in tops:
        for part in walk(top):
            if isinstance(part, Local | PlaceRead):
                found[part.name] = part.type if isinstance(part, Local) else None
    return found


def comparisons(condition: Expression, *, is_true: bool = True) -> Iterator[tuple[Expression, str, Expression]]:
    """Iterate over the comparisons that all hold if a condition is true, or false: those with signs from both sides.

    A flag that stands for itself is compared with what it must be.
    """
    if not isinstance(condition, Operation):
        yield condition, "==", Const(FLAG, condition.span, is_true)
        return
    sign, operands = condition.operator, condition.operands
    if sign == "not":
        yield from comparisons(operands[0], is_true=not is_true)
    elif sign in ("and", "or"):
        for operand in operands if (sign == "and") is is_true else ():
            yield from comparisons(operand, is_true=is_true)
    elif sign in OPPOSITE:
        sign = sign if is_true else OPPOSITE[sign]
        yield operands[0], sign, operands[1]
        if sign in SWAPPED:
            yield operands[1], SWAPPED[sign], operands[0]


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
        if not (inside := bodies(step))
        else max(depth_of_steps(body) for body in inside)
        for step in steps
    ]
    return 1 + max(inner, default=0)


def bodies(step: AnyStep) -> list[Steps]:
    """Return the lists of steps directly inside a step, empty ones left out."""
    return [body for name in _BODIES[type(step)] if (body := getattr(step, name))]


def expressions(of: AnyStep | Field | Modifier | GameSection) -> list[Expression]:
    """Return the expressions in a step or declaration, its places and arguments, but not in the steps inside it."""
    found: list[Expression] = []
    for name in PARTS[type(of)]:
        _collect(getattr(of, name), found)
    return found


def tests_of(option: Option) -> list[Expression]:
    """Return what tells which instances of an option are legal: the domains of its parameters, then its conditions."""
    domains = [one.domain for one in option.parameters if one.domain is not None]
    return domains + [one.expression for one in option.conditions]


def places(step: AnyStep) -> Iterator[PlaceReference | Target]:
    """Iterate over the places and targets that a step names, its arguments included."""
    for name in PARTS[type(step)]:
        part = getattr(step, name)
        for each in part if isinstance(part, tuple) else (part,):
            if isinstance(each, FieldPlace | ParameterPlace | FieldTarget | LocalTarget):
                yield each


def walk_steps(steps: Steps) -> Iterator[AnyStep]:
    """Iterate over steps and the steps inside them, in the order written."""
    for step in steps:
        yield step
        for name in _BODIES[type(step)]:
            yield from walk_steps(getattr(step, name))


def all_bodies(rules: CheckedRules) -> Iterator[Steps]:
    """Iterate over the outermost lists of steps of all rules."""
    yield from (verb.body for verb in rules.verbs.values())
    yield from (body for hook in rules.hooks.values() for body in hook.bodies.values())
    yield from (effect.body for effects in rules.reactions.values() for effect in effects)
    yield from (effect.body for effects in rules.enter_leave_effects.values() for effect in effects)
    yield from (option.body for option in rules.options.values())
    for decision in rules.decisions.values():
        yield decision.otherwise
        yield from (option.body for option in decision.options)


def attribute_values(rules: CheckedRules) -> Iterator[tuple[str, int, int, Expression]]:
    """Iterate over what attributes are, each with its name, the member and the place in a table."""
    for name, attribute in rules.attributes.items():
        for member, entry in enumerate(attribute.values):
            for place, expression in enumerate(entry if isinstance(entry, tuple) else (entry,)):
                if expression is not None:
                    yield name, member, place, expression


def changed_names(rules: CheckedRules) -> frozenset[str]:
    """Return the `let` names that some step changes."""
    steps = (step for body in all_bodies(rules) for step in walk_steps(body))
    return frozenset(each.name for step in steps for each in places(step) if isinstance(each, LocalTarget))


@define(eq=False)
class Shapes:
    """Numbers for expressions: two that say the same, wherever they stand, have the same number."""

    _numbers: dict[Hashable, int] = field(factory=dict)
    _known: dict[Expression, int] = field(factory=dict)

    def of(self, expression: Expression) -> int:
        """Return the number of what an expression says."""
        known = self._known.get(expression)
        if known is None:
            parts = tuple(self._part(getattr(expression, name)) for name in _SAID[type(expression)])
            known = self._numbers.setdefault((type(expression), parts), len(self._numbers))
            self._known[expression] = known
        return known

    def _part(self, part: object) -> Hashable:
        if type(part) in _EXPRESSIONS:
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
