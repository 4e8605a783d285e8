"""Kept values: what they read, which steps change that, and how much there is to be worked out then."""

from __future__ import annotations

from math import prod

from attrs import define, field

from aodrules.check import analysis_problems
from aodrules.check.analyse.calls import Caller, CallGraph
from aodrules.check.analyse.costs import FREE, ONE, Cost, LoopRounds, one_after_other, work
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules, Value
from aodrules.check.steps import AnyStep, Call, Choose, FieldTarget, Happen, LeaveGame, LocalTarget, RunHook, Step
from aodrules.check.visit import expressions, places, tests_of, walk
from aodrules.lang.expressions import Expression, FieldRead, Knows, LimitUsed, Possible, ValueCall
from aodrules.lang.types import Unknown
from aodrules.source.diagnostics import Report
from aodrules.source.wording import quote


def check_kept_values(rules: CheckedRules, sizes: Sizes, report: Report) -> None:
    """Report kept values that can be asked about more than can be counted."""
    for name, value in rules.values.items():
        for parameter in value.parameters if value.kept else ():
            if sizes.how_many(parameter.type) is None and not isinstance(parameter.type, Unknown):
                report.add(analysis_problems.unkeepable_value(name, parameter))


@define(eq=False)
class KeptWork:
    """The work of kept values: reading one is one look, and a step that changes what it reads lets it be worked out."""

    rules: CheckedRules
    graph: CallGraph
    sizes: Sizes
    _anew: dict[str, Cost] = field(factory=dict)
    """By field: the cost of working out everything that can be asked of the values that read it."""

    def cost_of_reading(self, value: Value, cost: Cost) -> Cost:
        """Return the cost of reading a value that costs so much to work out."""
        read = fields_read(self.rules, value.name) if value.kept else None
        if read is None:
            return cost
        ways = prod(self.sizes.how_many(parameter.type) or 1 for parameter in value.parameters)
        loop = LoopRounds(ways, f"for each way to fill in {quote(value.name)}", value.span)
        for name in sorted(read):
            self._anew[name] = one_after_other(self._anew.get(name, FREE), work((ONE + cost.most).in_loop(loop)))
        return work(ONE)

    def cost_of_change(self, caller: Caller, step: AnyStep) -> Cost:
        """Return the cost of working out the values that read what a step of a caller itself changes."""
        if not self._anew:
            return FREE
        names = changed_fields(self.rules, self.graph, caller, step)
        return one_after_other(*(cost for name, cost in self._anew.items() if names is None or name in names))


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
            if isinstance(part, FieldRead | Knows):
                found.add(part.field)
            elif isinstance(part, LimitUsed) or (isinstance(part, Possible) and rules.options[part.option].limit):
                return None
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
