"""Kept values: what they read, which steps change that, and how much there is to be worked out then."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from attrs import define, evolve, field

from aodrules.check import analysis_problems
from aodrules.check.analyse.bounds import MOST_KEPT
from aodrules.check.analyse.calls import Caller, CallGraph
from aodrules.check.analyse.costs import FREE, NOTHING, ONE, Amount, Cost, LoopRounds, one_after_other, work
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules, Value
from aodrules.check.digraph import reached
from aodrules.check.steps import (
    AnyStep,
    Call,
    Choose,
    FieldPlace,
    FieldTarget,
    Happen,
    LeaveGame,
    LocalTarget,
    Move,
    RunHook,
    Step,
)
from aodrules.check.visit import expressions, places, tests_of, walk
from aodrules.lang.expressions import (
    Comprehension,
    Const,
    Expression,
    FieldRead,
    Knows,
    LimitUsed,
    Local,
    Possible,
    ValueCall,
    WhenPresent,
)
from aodrules.lang.types import Unknown
from aodrules.source.diagnostics import Report
from aodrules.source.wording import quote


def check_kept_values(rules: CheckedRules, sizes: Sizes, report: Report) -> None:
    """Report kept values that can be asked about more than can be counted, or than there is room for."""
    for value in rules.values.values():
        if not value.kept:
            continue
        many = [sizes.how_many(parameter.type) for parameter in value.parameters]
        ways = prod(count or 1 for count in many)
        for parameter, count in zip(value.parameters, many, strict=True):
            if count is None and not isinstance(parameter.type, Unknown):
                report.add(analysis_problems.unkeepable_value(value, parameter, ways, MOST_KEPT))
        if ways > MOST_KEPT:
            report.add(analysis_problems.unkeepable_value(value, None, ways, MOST_KEPT))


def forget_tried_values(rules: CheckedRules, graph: CallGraph) -> CheckedRules:
    """Return rules in which no value is kept that asks what first steps would leave: these may read anything."""
    values = {
        name: evolve(value, kept=False) if value.kept and _tries(graph, name) else value
        for name, value in rules.values.items()
    }
    return rules.with_parts(values=values)


def _tries(graph: CallGraph, value: str) -> bool:
    return any(caller.kind == "verb" for caller in reached(Caller("value", value), graph.calls))


@define(eq=False)
class KeptWork:
    """The work of kept values: reading one is one look, and a step that changes what it reads lets it be worked out."""

    rules: CheckedRules
    graph: CallGraph
    sizes: Sizes
    _anew: dict[str, Cost] = field(factory=dict)
    """By field: the cost of working out everything that can be asked of the values that read it."""
    _concerned: dict[str, Cost] = field(factory=dict)
    """By field: the cost of working out what a change of one cell of it concerns."""
    once: Amount = NOTHING
    """The work of whatever is asked for the first time: no change comes before it."""

    def cost_of_reading(self, value: Value, cost: Cost) -> Cost:
        """Return the cost of reading a value that costs so much to work out."""
        read = fields_read(self.rules, value.name) if value.kept else None
        if read is None:
            return cost
        many = [self.sizes.how_many(parameter.type) or 1 for parameter in value.parameters]
        words, each = f"for each way to fill in {quote(value.name)}", ONE + cost.most
        told = parameters_told(self.rules, value)
        self.once += each.in_loop(LoopRounds(prod(many), words, value.span))
        for name in sorted(read):
            own = [count for count, one in zip(many, value.parameters, strict=True) if one.name not in told[name]]
            for costs, ways in ((self._anew, prod(many)), (self._concerned, prod(own))):
                anew = work(each.in_loop(LoopRounds(ways, words, value.span)))
                costs[name] = one_after_other(costs.get(name, FREE), anew)
        return work(ONE)

    def cost_of_change(self, caller: Caller, step: AnyStep) -> Cost:
        """Return the cost of working out the values that read what a step of a caller itself changes."""
        if not self._anew:
            return FREE
        names = changed_fields(self.rules, self.graph, caller, step)
        costs = self._concerned if _tells_cells(step) else self._anew
        return one_after_other(*(cost for name, cost in costs.items() if names is None or name in names))


def _tells_cells(step: AnyStep) -> bool:
    """Whether a step changes one cell of each field that it names, and its indices are known beforehand."""
    is_one_owner = isinstance(step, Move) and (step.what is not None or step.owner is not None)
    for place in places(step):
        if isinstance(place, FieldPlace):
            if None in place.at and not is_one_owner:
                return False
        elif not isinstance(place, FieldTarget) or not all(isinstance(one, Local | Const) for one in place.at):
            return False
    return not isinstance(step, Step | LeaveGame)


def parameters_told(rules: CheckedRules, value: Value) -> dict[str, set[str]]:
    """Return for each field that a kept value reads the parameters that are its index at every read, in one place."""
    found: dict[str, set[str]] = {}
    dimensions: dict[str, list[tuple[str | None, ...]]] = {}
    for name, keys in _indices_read(rules, value.name, tuple(one.name for one in value.parameters)):
        dimensions.setdefault(name, []).append(keys)
    for name in fields_read(rules, value.name) or ():
        each = dimensions.get(name, [()])
        shared = [one[0] for one in zip(*each, strict=False) if one[0] is not None and len(set(one)) == 1]
        found[name] = {one for one in shared if one is not None}
    return found


def _indices_read(
    rules: CheckedRules, value: str, given: tuple[str | None, ...]
) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    """Iterate over the fields that a value reads, each time with the parameters of its caller that are the indices."""
    own = rules.values.get(value)
    names = {} if own is None else {one.name: key for one, key in zip(own.parameters, given, strict=False)}
    carriers = set[str]()
    parts = [part for expression in _read_by_value(rules, value, carriers) for part in walk(expression)]
    bound = {loop.name for part in parts if isinstance(part, Comprehension) for loop in part.loops}
    bound |= {part.name for part in parts if isinstance(part, WhenPresent)}
    names = {name: key for name, key in names.items() if name not in bound and not rules.modifiers.get(value)}

    def keys(at: tuple[Expression, ...]) -> tuple[str | None, ...]:
        return tuple(names.get(one.name) if isinstance(one, Local) else None for one in at)

    yield from ((name, ()) for name in sorted(carriers))
    for part in parts:
        if isinstance(part, FieldRead | Knows):
            yield part.field, keys(part.at)
        elif isinstance(part, ValueCall):
            yield from _indices_read(rules, part.value, keys(part.arguments))
        elif isinstance(part, Possible):
            inside = (each for test in tests_of(rules.options[part.option]) for each in walk(test))
            yield from ((each.field, ()) for each in inside if isinstance(each, FieldRead | Knows))


def changed_fields(rules: CheckedRules, graph: CallGraph, caller: Caller, step: AnyStep) -> set[str] | None:
    """Return the fields that a step of a caller itself changes; nothing where it may change any."""
    if isinstance(step, Step):
        return {one.name for one in rules.fields.values() if one.resets in {step.name, step.address}}
    if isinstance(step, LeaveGame):
        return None
    if isinstance(step, Call | Happen | RunHook | Choose):
        return set()
    found: set[str] = set()
    for place in places(step):
        if isinstance(place, FieldTarget):
            found.add(place.field)
        elif not isinstance(place, LocalTarget):
            found |= graph.fields_of(caller, place)
    return found


def fields_read(rules: CheckedRules, value: str) -> set[str] | None:
    """Return the fields that decide what a value is: by its formula, its modifiers, and all that these ask for.

    Nothing where one of them counts how often something was used: no step that could be charged changes it by name.
    """
    found: set[str] = set()
    waiting, seen = _read_by_value(rules, value, found), {value}
    while waiting:
        for part in walk(waiting.pop()):
            is_limited = isinstance(part, Possible) and rules.options[part.option].limit is not None
            if is_limited or isinstance(part, LimitUsed):
                return None
            if isinstance(part, FieldRead | Knows):
                found.add(part.field)
            elif isinstance(part, ValueCall) and part.value not in seen:
                seen.add(part.value)
                waiting += _read_by_value(rules, part.value, found)
            elif isinstance(part, Possible) and part.option not in seen:
                seen.add(part.option)
                waiting += tests_of(rules.options[part.option])
    return found


def _read_by_value(rules: CheckedRules, value: str, found: set[str]) -> list[Expression]:
    """Return what a value and its modifiers are made of, and note where those must lie who carry them."""
    modifiers = rules.modifiers.get(value, ())
    found.update(one.scope.field for one in modifiers if one.scope.field is not None)
    formula = [rules.values[value].formula] if value in rules.values else []
    return formula + [part for one in modifiers for part in expressions(one)]
