"""The two engines as the game sees them."""

from __future__ import annotations

from typing import Any

from aodrules.cache.store import Store
from aodrules.check.checked import CheckedRules, Option
from aodrules.compiler.layout import STEP
from aodrules.compiler.lower.uses import CLOSED, uses_of
from aodrules.compiler.runtime.compiled import Compiled, Program
from aodrules.facts.action_codes import ActionSpace
from aodrules.facts.machine import Machine
from aodrules.facts.state import Facts
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.options import Failure, refusals
from aodrules.play.programs import StoredProgram, restore_program, store_program

__all__ = ["Program", "failures", "kept_program", "new_compiled", "program_of", "step_now"]


def program_of(rules: CheckedRules, players: int, *, log: bool = True) -> Program:
    """Return the generated code of checked rules for so many players."""
    # Lazy: code that was generated before needs neither.
    from aodrules.compiler.compile import compile_plan
    from aodrules.compiler.lower.from_checked import plan

    return compile_plan(plan(rules, players), log=log)


def kept_program(store: Store | None, rules: CheckedRules, players: int, *, log: bool) -> Program:
    """Return the generated code from the cache, or make it and keep it there."""
    if store is None:
        return program_of(rules, players, log=log)
    name = f"code-{players}-{'log' if log else 'bare'}"
    kept = store.read(name)
    if isinstance(kept, StoredProgram):
        return restore_program(kept)
    program = program_of(rules, players, log=log)
    store.write(name, store_program(program))
    return program


def new_compiled(program: Program, seed: int, facts: Facts | None = None) -> Compiled:
    """Return a new game of generated code."""
    return Compiled.new_game(program, seed, facts)


def step_now(machine: Machine) -> str | None:
    """Return the address of the innermost named step that is active."""
    if isinstance(machine, Compiled):
        step = machine.cells[STEP]
        return machine.program.plan.layout.steps[step - 1] if step else None
    from aodrules.interpreter.interpreter import Interpreter  # lazy: most games never need it

    return machine.state.step if isinstance(machine, Interpreter) else machine.plain().step


def failures(
    machine: Machine, evaluator: Evaluator, space: ActionSpace, option: Option, arguments: tuple[Any, ...]
) -> list[Failure]:
    """Return why an instance of an option is not legal now. Nothing is played: the state and the names tell."""
    if isinstance(machine, Compiled):
        names = machine.names()
        closed = frozenset({option.address} if names.get(uses_of(option)) == CLOSED else ())
        return refusals(evaluator, space, option, names, arguments, closed)
    from aodrules.interpreter.interpreter import Interpreter  # lazy: most games never need it

    assert isinstance(machine, Interpreter)
    return machine.failures(option.address, arguments)
