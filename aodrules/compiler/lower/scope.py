"""What the names of a body stand for while it is planned."""

from __future__ import annotations

from typing import TypeAlias

from attrs import evolve, field, frozen

from aodrules.compiler.formulas import Formula
from aodrules.compiler.lower.cells import LoweredPlace

Meaning: TypeAlias = Formula | LoweredPlace


@frozen(eq=False)
class LowerScope:
    """The names in force and the labels of the bodies around. Never changed: each binding makes a new one."""

    names: dict[str, Meaning] = field(factory=dict)
    label: str = ""
    """Where `stop` goes on."""
    steps: dict[str, str] = field(factory=dict)
    """For each named step that `stop: STEP` may leave: where that goes on."""
    outermost: str | None = None
    """The variable that keeps the step outside all steps of this body, once one has begun."""

    def bind(self, name: str, meaning: Meaning) -> LowerScope:
        """Return this scope with one more name."""
        return evolve(self, names={**self.names, name: meaning})

    def bind_all(self, meanings: dict[str, Meaning]) -> LowerScope:
        """Return this scope with some more names."""
        return evolve(self, names={**self.names, **meanings})

    def inside(self, step: str, label: str, outer: str) -> LowerScope:
        """Return the scope inside a named step."""
        return evolve(self, steps={**self.steps, step: label}, outermost=self.outermost or outer)

    def formula(self, name: str) -> Formula:
        """Return what a name that is no place stands for."""
        meaning = self.names[name]
        assert not isinstance(meaning, LoweredPlace)
        return meaning

    def place(self, name: str) -> LoweredPlace:
        """Return the place a name stands for."""
        meaning = self.names[name]
        assert isinstance(meaning, LoweredPlace)
        return meaning
