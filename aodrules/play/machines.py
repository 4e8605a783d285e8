"""The two engines as the game sees them."""

from __future__ import annotations

from aodrules.check.checked import CheckedRules
from aodrules.engine.compiled import Compiled, Program, compiled
from aodrules.engine.interpreter import Interpreter
from aodrules.engine.machine import Machine
from aodrules.plan.from_checked import plan
from aodrules.plan.layout import STEP

__all__ = ["Program", "new_compiled", "program_of", "step_now"]


def program_of(rules: CheckedRules, players: int, *, log: bool = True) -> Program:
    """Return the generated code of checked rules for so many players."""
    return compiled(plan(rules, players), rules, log=log)


def new_compiled(program: Program, seed: int) -> Compiled:
    """Return a new game of generated code."""
    return Compiled.new_game(program, seed)


def step_now(machine: Machine) -> str | None:
    """Return the address of the innermost named step that is active."""
    if isinstance(machine, Interpreter):
        return machine.state.step
    if isinstance(machine, Compiled):
        step = machine.cells[STEP]
        return machine.program.plan.layout.steps[step - 1] if step else None
    return machine.plain().step
