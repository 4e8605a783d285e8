"""Where a game can be entered shortly before its end, and how a scenario that begins there is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field, frozen

from aodrules.check.steps import AnyStep, For, Step
from aodrules.facts.state import PlainState
from aodrules.interpreter.enter_at_step import state_after_setup
from aodrules.interpreter.entry_paths import EntryPath, entry_paths_to, is_step
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
from aodrules.interpreter.places import cell
from aodrules.lang.types import item_of
from aodrules.play.actions import ActionTable
from aodrules.play.ids import field_path
from aodrules.play.rules_context import RulesContext

_STEPS_KEPT = 8


@frozen(eq=False)
class Kept:
    """The state when a named step began, and how many answers had been given."""

    way: EntryPath
    names: Locals
    state: PlainState
    answers: int

    def at(self, faces: ActionTable) -> str:
        """Return the step and the items of the loops around it, as they are written under `at`."""
        step, loops = self.way.target, self.way.loops()
        assert isinstance(step, Step)  # only named steps are kept
        words = [f"step: {step.address}"]
        words += [
            f"{name}: {faces.names.text(item_of(loops[name].items.type), item)}"
            for name, item in self.names.items()
            if item is not None
        ]
        return f"{{{', '.join(words)}}}"

    def given(self, faces: ActionTable, seed: int) -> Iterator[tuple[str, str]]:
        """Iterate over what is not as after the set-up with a seed: where, and what is written there."""
        names, state = faces.names, self.state
        begun = state_after_setup(names.tables, faces.spaces, seed)
        for name, one in names.tables.rules.fields.items():
            for at in names.tables.shapes[name].indices():
                now = cell(names.tables, state, name, at)
                if now != cell(names.tables, begun, name, at):
                    yield field_path(names, name, at), written(names.readable(one.type, now))


@define(eq=False)
class StepKeeper:
    """Looks on and keeps the state at the last named steps that began."""

    book: RulesContext
    kept: list[Kept] = field(factory=list)
    _interpreter: Interpreter | None = None
    _names: dict[int, Locals] = field(factory=dict)
    _ways: dict[str, list[EntryPath]] = field(factory=dict)

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on."""
        self._interpreter = interpreter

    def on_step(self, step: AnyStep, names: Locals) -> None:
        """Keep the state if this is a named step that can be entered."""
        self._names[id(step)] = names
        if isinstance(step, Step) and self._interpreter is not None:
            for way in self._ways_to(step):
                found = self._loops(way)
                if found is not None:
                    self.kept.append(Kept(way, found, self._interpreter.plain(), self._interpreter.answered))
            del self.kept[:-_STEPS_KEPT]

    def _ways_to(self, step: Step) -> list[EntryPath]:
        if step.address not in self._ways:
            self._ways[step.address] = list(entry_paths_to(self.book.checked, is_step(step.address)))[:20]
        return self._ways[step.address]

    def _loops(self, way: EntryPath) -> Locals | None:
        """Return the items of the loops on a way; nothing if play did not come that way."""
        found: Locals = {}
        for link, inner in zip(way.links, way.links[1:], strict=False):
            names = self._names.get(id(inner.step))
            if names is None or id(link.step) not in self._names:
                return None
            if isinstance(link.step, For):
                found[link.step.name] = names.get(link.step.name)
        return found

    def on_skip(self, decision: str, names: Locals) -> None:
        """Questions are of no interest here."""

    def on_option(self, decision: str, option: str) -> None:
        """Answers are of no interest here."""

    def after_option(self, decision: str, option: str, names: Locals) -> None:
        """Answers are of no interest here."""

    def on_event(self, event: str, names: Locals) -> None:
        """Events are of no interest here."""


def written(value: Any) -> str:
    """Return what a field holds as YAML."""
    if value is None:
        return "none"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {count}" for name, count in value.items()) + "}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(written, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)
