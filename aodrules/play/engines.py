"""The two engines as the game sees them, and generated code as the cache keeps it: bytes, and names for functions."""

from __future__ import annotations

import marshal
from collections.abc import Collection
from types import CodeType, FunctionType
from typing import Any

from attrs import evolve, frozen

from aodrules.cache.store import Store
from aodrules.check.checked import CheckedRules, Option
from aodrules.compiler.blocks.block_graph import BlockGraph
from aodrules.compiler.layout import STEP
from aodrules.compiler.plan import CLOSED, GAME_END, Plan, uses_of
from aodrules.compiler.runtime.compiled import Compiled, DecisionTable, Program
from aodrules.compiler.runtime.namespace import namespace
from aodrules.facts.action_codes import ActionSpace
from aodrules.facts.state import Machine
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.options import Failure, refusals
from aodrules.play.garbage import collecting_seldom
from aodrules.play.values import unknown_name


def program_of(rules: CheckedRules, players: int, *, log: bool = True) -> Program:
    """Return the generated code of checked rules for so many players."""
    # Lazy: code that was generated before needs neither.
    from aodrules.compiler.compile import compile_plan
    from aodrules.compiler.lower.from_checked import plan

    with collecting_seldom():
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


def step_now(machine: Machine) -> str | None:
    """Return the address of the innermost named step that is active."""
    if isinstance(machine, Compiled):
        step = machine.cells[STEP]
        return machine.program.plan.layout.steps[step - 1] if step else None
    from aodrules.interpreter.interpreter import Interpreter  # lazy: most games never need it

    return machine.state.step if isinstance(machine, Interpreter) else machine.plain().step


def failures(
    machine: Machine,
    evaluator: Evaluator,
    space: ActionSpace,
    option: Option,
    arguments: tuple[Any, ...],
    known: Collection[str] | None = None,
) -> list[Failure]:
    """Return why an instance of an option is not legal now. Nothing is played: the state and the names tell.

    For somebody who does not know what all names stand for, those that are `known` are given; the others refuse.
    """
    if isinstance(machine, Compiled):
        names = machine.names()
        closed = frozenset({option.address} if names.get(uses_of(option)) == CLOSED else ())
    else:
        from aodrules.interpreter.interpreter import Interpreter  # lazy: most games never need it

        assert isinstance(machine, Interpreter)
        names, closed = machine.names()
    if known is not None:
        names = {name: value if name in known else unknown_name() for name, value in names.items()}
    return refusals(evaluator, space, option, names, arguments, closed)


@frozen(eq=False)
class StoredProgram:
    """A program without its functions. Of the plan only the layout and the frames are kept."""

    plan: Plan
    start: tuple[Any, ...]
    functions: dict[str, bytes]
    """The code of each function, by name."""
    constants: dict[str, Any]
    blocks: tuple[str | None, ...]
    questions: tuple[tuple[Any, ...] | None, ...]
    scoring: tuple[str, ...]
    log: bool


def store_program(program: Program) -> StoredProgram:
    """Return a program as it can be kept."""
    space = _shared_names(program)
    known = namespace()
    own = {name: value for name, value in space.items() if name not in known}
    functions = {name: value for name, value in own.items() if isinstance(value, FunctionType)}
    return StoredProgram(
        _drop_bodies(program.plan),
        program.start,
        {name: marshal.dumps(function.__code__) for name, function in functions.items()},
        {name: value for name, value in own.items() if name not in functions},
        tuple(None if block is None else block.__name__ for block in program.blocks),
        tuple(None if question is None else _store_question(question) for question in program.questions),
        tuple(program.scoring),
        program.log,
    )


def restore_program(kept: StoredProgram) -> Program:
    """Return a program from what was kept."""
    space = namespace()
    space.update(kept.constants)
    for name, code in kept.functions.items():
        space[name] = _restore_function(name, code, space)
    questions = tuple(None if one is None else _restore_question(one, space) for one in kept.questions)
    space["blocks"].extend(None if name is None else space[name] for name in kept.blocks)
    return Program(
        kept.plan,
        kept.start,
        tuple(space["blocks"]),
        tuple(None if one is None else one.answer for one in questions),
        questions,
        {name: space[name] for name in kept.scoring},
        kept.log,
        space.get(GAME_END),
    )


def _shared_names(program: Program) -> dict[str, Any]:
    """Return the names that all functions of a program share."""
    for function in (*program.blocks, *program.scoring.values()):
        if isinstance(function, FunctionType):
            return function.__globals__
    return {}


def _drop_bodies(plan: Plan) -> Plan:
    graph = BlockGraph({}, plan.graph.first, plan.graph.entries, plan.graph.answers, {})
    return evolve(plan, functions={}, procedures={}, graph=graph, decision_points={})


def _store_question(question: DecisionTable) -> tuple[Any, ...]:
    return (
        question.decision,
        question.answer.__name__,
        question.legal.__name__,
        question.legal_cells,
        question.shown.__name__,
        question.shown_cells,
        question.names,
        question.around,
    )


def _restore_question(kept: tuple[Any, ...], space: dict[str, Any]) -> DecisionTable:
    decision, answer, legal, legal_cells, shown, *rest = kept
    return DecisionTable(decision, space[answer], space[legal], legal_cells, space[shown], *rest)


def _restore_function(name: str, code: bytes, space: dict[str, Any]) -> FunctionType:
    # The bytes come from the user's own cache folder; see `cache.store` for why that is trusted.
    loaded = marshal.loads(code)  # noqa: S302
    if not isinstance(loaded, CodeType):
        raise TypeError(name)
    return FunctionType(loaded, space, name)
