"""Cases: what conditions come to where it is known which members names stand for and where numbers lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, field, frozen

from aodrules.check.analyse.bounds import MOST_CASES
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.steps import AnyStep, Call, Choose, Draw, For, Happen, If, Let, Move, Repeat, RunHook, Steps, While
from aodrules.check.visit import expressions, walk, walk_steps
from aodrules.lang.expressions import Const, Expression, IsKind, Local, Operation
from aodrules.lang.interval import OPPOSITE, Interval
from aodrules.lang.types import Maybe, Member, Type, present

NO_MEMBER = -1
"""Stands for none among the members that a name can be."""


@frozen
class Case:
    """What is known of names that no step changes."""

    members: Mapping[str, frozenset[int]] = field(factory=dict)
    """The members that a name can stand for."""
    numbers: Mapping[str, Interval] = field(factory=dict)

    @property
    def key(self) -> tuple[frozenset[tuple[str, frozenset[int]]], frozenset[tuple[str, Interval]]]:
        """The same, to be looked up by."""
        return frozenset(self.members.items()), frozenset(self.numbers.items())

    @property
    def is_open(self) -> bool:
        """Whether nothing is known."""
        return not self.members and not self.numbers

    def with_members(self, name: str, members: frozenset[int]) -> Case:
        """Return this with what one name can stand for."""
        return evolve(self, members={**self.members, name: members})

    def with_number(self, name: str, interval: Interval) -> Case:
        """Return this with where one number lies."""
        return evolve(self, numbers={**self.numbers, name: interval})

    def member(self, name: str) -> int | None:
        """Return the one member that a name stands for; nothing where that is not known."""
        found = self.members.get(name, frozenset())
        return next(iter(found)) if len(found) == 1 and NO_MEMBER not in found else None

    @property
    def single(self) -> dict[str, int]:
        """The names that stand for one known member."""
        return {name: member for name in self.members if (member := self.member(name)) is not None}


OPEN_CASE = Case()


def decide(condition: Expression, case: Case, sizes: Sizes) -> bool | None:
    """Return what a condition comes to whatever else happens; nothing where that depends on play."""
    found = _decide(condition, case, sizes)
    single = case.single if found is None else {}
    if single and any(isinstance(part, Local) and part.name in single for part in walk(condition)):
        values = [one.value(condition, single) for one in sizes.in_play]
        found = next((each for each in (True, False) if all(value is each for value in values)), None)
    return found


def _decide(condition: Expression, case: Case, sizes: Sizes) -> bool | None:
    if isinstance(condition, IsKind):
        of = _members(condition.of, case)
        return None if of is None else _is_among(of, frozenset(sizes.members(condition.kind)))
    if not isinstance(condition, Operation):
        return None
    operator, operands = condition.operator, condition.operands
    if operator in ("and", "or"):
        parts = [decide(each, case, sizes) for each in operands]
        deciding = operator == "or"
        return deciding if deciding in parts else None if None in parts else not deciding
    if operator == "not":
        inner = decide(operands[0], case, sizes)
        return None if inner is None else not inner
    if operator in ("!=", "not in"):
        equal = _compare(OPPOSITE[operator], operands, case)
        return None if equal is None else not equal
    return _compare(operator, operands, case)


def _compare(operator: str, operands: tuple[Expression, ...], case: Case) -> bool | None:
    if operator not in ("==", "in"):
        return None
    one = _members(operands[0], case)
    if one is None:
        return None
    if operator == "in":
        items = operands[1].value if isinstance(operands[1], Const) else None
        return _is_among(one, frozenset(items)) if isinstance(items, tuple) else None
    other = _members(operands[1], case)
    if other is None or one & other:
        return True if other is not None and len(one) == len(other) == 1 else None
    return False


def _is_among(found: frozenset[int], members: frozenset[int]) -> bool | None:
    if found <= members:
        return True
    return None if found & members else False


def _members(expression: Expression, case: Case) -> frozenset[int] | None:
    """Return the members that an expression can stand for; nothing where that is not known."""
    if isinstance(expression, Local):
        return case.members.get(expression.name)
    if not isinstance(expression, Const):
        return None
    if expression.value is None:
        return frozenset({NO_MEMBER})
    is_member = isinstance(expression.type, Member) and isinstance(expression.value, int)
    return frozenset({expression.value}) if is_member else None  # type: ignore[arg-type]


def cases_of(name: str, of: Type, conditions: Iterable[Expression], case: Case, sizes: Sizes) -> list[frozenset[int]]:
    """Return the members a name can stand for, together where no condition tells them apart; nothing if all are."""
    if not isinstance(present(of), Member):
        return []
    tests = [each for condition in conditions for each in _tests_of(name, condition)]
    if len(tests) < 2:
        return []
    known = case.members.get(name)
    kind = present(of)
    assert isinstance(kind, Member)
    members = known or frozenset(sizes.members(kind.kind)) | ({NO_MEMBER} if isinstance(of, Maybe) else set())
    groups: dict[tuple[bool | None, ...], set[int]] = {}
    for member in sorted(members):
        one = case.with_members(name, frozenset({member}))
        groups.setdefault(tuple(_decide(each, one, sizes) for each in tests), set()).add(member)
    return [frozenset(group) for group in groups.values()] if 1 < len(groups) <= MOST_CASES else []


def _tests_of(name: str, condition: Expression) -> Iterator[Expression]:
    """Iterate over the parts of a condition that ask which member a name stands for."""
    for part in walk(condition):
        asked: tuple[Expression, ...] = ()
        if isinstance(part, IsKind):
            asked = (part.of,)
        elif isinstance(part, Operation) and part.operator in ("==", "!=", "in", "not in"):
            asked = part.operands
        if any(isinstance(each, Local) and each.name == name for each in asked):
            yield part


def conditions_in(body: Steps) -> Iterator[Expression]:
    """Iterate over the conditions of branches in some steps: they are looked for only where a name could tell them."""
    return (step.condition for step in walk_steps(body) if isinstance(step, If))


def what_tells(step: AnyStep) -> Iterator[Expression]:
    """Iterate over what decides how often a step is done, or what is known of what it calls."""
    if isinstance(step, If):
        yield step.condition
    elif isinstance(step, For):
        yield step.items
    elif isinstance(step, Repeat):
        yield step.count
    elif isinstance(step, While):
        yield step.at_most
    elif isinstance(step, Let):
        yield step.value
    elif isinstance(step, Move | Draw):
        yield from (each for each in (step.count, step.what if isinstance(step, Move) else None) if each is not None)
    elif isinstance(step, Call | Happen | Choose | RunHook):
        yield from expressions(step)


def mentions(expression: Expression, names: set[str]) -> bool:
    """Whether an expression speaks of one of some names."""
    return any(isinstance(part, Local) and part.name in names for part in walk(expression))
