"""Where a scenario begins: from the names under `at` to a way into the flow of the game."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from typing import Any

from attrs import define, frozen

from aodrules.check import problems as check_problems
from aodrules.check.checked import CheckedRules
from aodrules.check.steps import Call, Step
from aodrules.check.visit import walk_steps
from aodrules.facts.action_codes import bodies
from aodrules.facts.tables import item_type
from aodrules.interpreter.entry_paths import EntryPath, Wanted, entry_paths_to, is_call, is_step
from aodrules.lang.types import Member, Player, Type, item_of
from aodrules.play.ids import IdTable
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span
from aodrules.source.wording import quotes
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar
from aodrules.testing import problems

STEP = "step"
_MOST_WAYS = 500


@frozen(eq=False)
class Target:
    """A step that a scenario names: a named step, or one that only does a verb."""

    name: str
    wanted: Wanted


@frozen(eq=False)
class Beginning:
    """A way into the flow, and the items of the loops around the step that were named."""

    way: EntryPath
    names: dict[str, Any]


@define(eq=False, slots=False)
class Steps:
    """The named steps of rules."""

    rules: CheckedRules

    @cached_property
    def named(self) -> dict[str, Span]:
        """Every named step by its address."""
        steps = (step for body in bodies(self.rules) for step in walk_steps(body))
        return {step.address: step.span for step in steps if isinstance(step, Step)}

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs that stand somewhere as a step."""
        steps = (step for body in bodies(self.rules) for step in walk_steps(body))
        return frozenset(step.verb for step in steps if isinstance(step, Call))

    @cached_property
    def _ways(self) -> dict[str, list[EntryPath]]:
        return {}

    def ways(self, target: Target) -> list[EntryPath]:
        """Return the ways to a step."""
        if target.name not in self._ways:
            self._ways[target.name] = list(islice(entry_paths_to(self.rules, target.wanted), _MOST_WAYS))
        return self._ways[target.name]

    def find(self, word: Scalar, report: Report) -> Target | None:
        """Return the step that a word names; report it if there is none, or more than one."""
        found = [step for step in self.named if f".{step}".endswith(f".{word.text}")]
        if len(found) == 1:
            return Target(found[0], is_step(found[0]))
        if found:
            report.add(check_problems.ambiguous_step(word.text, word.span, found, [self.named[step] for step in found]))
        elif word.text in self.verbs:
            return Target(word.text, is_call(word.text))
        else:
            known = {step.rsplit(".", 1)[1] for step in self.named} | self.verbs
            report.add(check_problems.unknown_name(word.text, word.span, known, "named step"))
        return None


def read_beginning(node: Node | None, steps: Steps, names: IdTable, report: Report) -> Beginning | None:
    """Return where a scenario begins: at the beginning of play if it does not say."""
    if not isinstance(node, Mapping):
        return Beginning(EntryPath(steps.rules.game.play), {})
    word = node.get(STEP)
    frame = steps.rules.game
    if isinstance(word, Scalar) and word.text in (frame.begin, frame.play) and word.text not in steps.verbs:
        return Beginning(EntryPath(word.text), {})
    target = steps.find(word, report) if isinstance(word, Scalar) else None
    if target is None or not isinstance(word, Scalar):
        return None
    ways = steps.ways(target)
    asked = [entry for entry in node if entry.name != STEP]
    if not ways:
        report.add(problems.unreachable_step(word.text, word.span))
        return None
    return _chosen(ways, asked, names, word, report)


def _chosen(
    ways: list[EntryPath], asked: list[Entry], names: IdTable, word: Scalar, report: Report
) -> Beginning | None:
    """Return the first way that has all the names that are asked for."""
    known = {name for way in ways for name in _types(way)}
    for entry in asked:
        if entry.name not in known:
            report.add(check_problems.unknown_name(entry.name, entry.key.span, known, "loop name"))
            return None
    for way in ways:
        found = _items(way, asked, names)
        if found is not None:
            return Beginning(way, found)
    _report_unfitting(ways, asked, names, word, report)
    return None


def _report_unfitting(
    ways: Iterable[EntryPath], asked: list[Entry], names: IdTable, word: Scalar, report: Report
) -> None:
    types = {name: type_ for way in ways for name, type_ in _types(way).items()}
    for entry in asked:
        if _item(types[entry.name], entry.value, names) is None:
            report.add(_wrong_item(types[entry.name], entry, names))
            return
    report.add(problems.unreachable_step(word.text, word.span, _help(asked)))


def _wrong_item(type_: Type, entry: Entry, names: IdTable) -> Diagnostic:
    item = item_type(type_)
    members = names.tables.rules.kinds[item.kind].members if isinstance(item, Member) else names.seats
    if isinstance(entry.value, Scalar) and isinstance(item, Member | Player):
        return check_problems.unknown_name(entry.value.text, entry.value.span, members, str(item))
    shown = entry.value.text if isinstance(entry.value, Scalar) else "a group"
    return problems.wrong_content(entry.name, f"a {type_}", shown, entry.value.span)


def _help(asked: list[Entry]) -> str:
    return f"the step is not inside all of {quotes([entry.name for entry in asked])} at once"


def _types(way: EntryPath) -> dict[str, Type]:
    """Return the types of the names that may be chosen on a way."""
    options = {one.name: one.type for option in way.options() for one in option.parameters}
    return {**options, **{name: item_of(loop.items.type) for name, loop in way.loops().items()}}


def _items(way: EntryPath, asked: list[Entry], names: IdTable) -> dict[str, Any] | None:
    """Return what is asked for as values of the engine; nothing if this is not the way."""
    types, members, found = _types(way), way.members(), {}
    for entry in asked:
        type_ = types.get(entry.name)
        item = None if type_ is None else _item(type_, entry.value, names)
        if item is None or members.get(entry.name, item) != item:
            return None
        found[entry.name] = item
    return found


def _item(type_: Type, value: Node, names: IdTable) -> int | None:
    words = value.text.split() if isinstance(value, Scalar) else []
    parsed = names.parse(item_type(type_), words)
    return parsed[0] if parsed is not None and parsed[1] == len(words) else None
