"""From blocks to Python functions: one for each entry block, with the blocks that only it leads to inside.

Variables that outlive a function live in cells. They are loaded into locals where they are first needed (in a function
that is a loop: at its start) and stored where the function is left, so that loops inside it work on locals:

    block 7: n = n - 1; if n > 0 then block 8 else block 9        def block_7(S):
                                                                      n_1 = S[40]
                                                                      n_1 = n_1 - 1
                                                                      if n_1 > 0:
                                                                          S[40] = n_1
                                                                          return block_8
                                                                      S[40] = 0
                                                                      return block_9
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from attrs import define, evolve, field, frozen

from aodrules.compiler.blocks.block_graph import local_successors
from aodrules.compiler.codegen.ast_builder import AstBuilder
from aodrules.compiler.codegen.formulas import write_condition, write_formula
from aodrules.compiler.codegen.statements import write_cases, write_statements
from aodrules.compiler.codegen.writer import BLOCKS, ConstantPool, FunctionWriter
from aodrules.compiler.formulas import Constant, Formula, Literal, Op, Variable, substitute
from aodrules.compiler.layout import PLAYER, POINT
from aodrules.compiler.nodes import (
    Assign,
    AwaitAnswer,
    Block,
    CallBlock,
    CondJump,
    Dispatch,
    End,
    Goto,
    Return,
    Statement,
)
from aodrules.compiler.plan import Plan
from aodrules.compiler.visit import assigned_in, flow, read_by, weight

SMALL = 150
"""A block of at most so many nodes may be written more than once; inside another that is, one of a quarter of that."""


class EntryBlocks:
    """What is known about all entry blocks of a plan, that is, about the functions that are made of them."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        trees = {entry: [*_blocks_of(plan, entry)] for entry in plan.graph.entries}
        self._sizes = {
            entry: sum(weight(block.body) + weight(block.exit) for block in tree) for entry, tree in trees.items()
        }
        self._jumps = {entry: {to for block in tree for to in local_successors(block)} for entry, tree in trees.items()}
        self.asking = {
            entry for entry, tree in trees.items() if any(isinstance(block.exit, AwaitAnswer) for block in tree)
        }
        """Those that can end with a question."""

    def copies(self, path: tuple[int, ...]) -> frozenset[int]:
        """Return the small entry blocks that are written again at the end of a path, to spare a jump."""
        copied = set[int]()
        for entry in self._jumps[path[-1]]:
            if entry in self._sizes and self.is_copied(entry, path):
                copied |= {entry, *self.copies((*path, entry))}
        return frozenset(copied)

    def is_copied(self, entry: int, path: tuple[int, ...]) -> bool:
        """Whether an entry block is written again at the end of a path of entry blocks inside each other."""
        return entry not in path and self._sizes[entry] <= SMALL >> 2 * (len(path) - 1)


@frozen(eq=False)
class PathFacts:
    """What holds at a point on a path through a function."""

    unsaved: frozenset[str]
    """The variables whose cells do not yet hold what they are."""
    known: Mapping[str, Constant] = field(factory=dict)
    """The variables whose values are known."""
    unloaded: frozenset[str] = frozenset()
    """The variables that are still in their cells alone."""
    restarts: bool = False
    """Whether the loop that is the function was given other items, or another place among them, since its last item."""


@frozen(eq=False)
class ItemLoop:
    """A loop over items that is a function: what is taken, out of what, and from where on."""

    name: str
    items: Formula
    index: str
    body: Block
    after: int


@define(eq=False)
class BlockFunction:
    """The function of one entry block while it is written."""

    writer: FunctionWriter
    entries: EntryBlocks
    entry: int
    live_in: frozenset[str]
    """The variables whose cells matter at its start."""
    path: tuple[int, ...]
    """The entry block, and the entry blocks inside each other that are being copied into it."""
    loop: ItemLoop | None = None
    """The loop inside which code is written now."""
    starts_over: bool = False
    """Whether something goes back to the start of the function."""

    @property
    def plan(self) -> Plan:
        """The whole plan."""
        return self.entries.plan


def write_block_function(
    entries: EntryBlocks, entry: int, constants: ConstantPool, *, log: bool
) -> tuple[AstBuilder, ast.FunctionDef]:
    """Return the function of an entry block, and what built it."""
    plan = entries.plan
    block = plan.graph.blocks[entry]
    build = AstBuilder(block.body[0].span if block.body else block.exit.span)
    writer = FunctionWriter(build, constants, log)
    function = BlockFunction(writer, entries, entry, frozenset(plan.frames.live_in[entry]), (entry,))
    parameters = writer.parameters()
    if entry in plan.graph.answers:
        parameters.append(plan.graph.codes[entry])
    inside = [block for number in (entry, *sorted(entries.copies((entry,)))) for block in _blocks_of(plan, number)]
    if any(entry in local_successors(block) for block in inside):
        body = _write_loop(function, inside)
    else:
        body = _apart(function, _write_block, block, PathFacts(frozenset(), unloaded=function.live_in))
        build.at(build.home)
    return build, build.function(block_name(entry), parameters, body)


def _apart(function: BlockFunction, write: Callable[..., None], *arguments: object) -> list[ast.stmt]:
    """Return the lines that something writes, which do not go into the function."""
    return function.writer.apart(lambda _: write(function, *arguments))[0]


def block_name(number: int) -> str:
    """Return the name of the function of a block."""
    return f"block_{number}"


# Functions that are loops.


def _write_loop(function: BlockFunction, inside: list[Block]) -> list[ast.stmt]:
    """Return the body of a function that goes back to its own start: all its variables are loaded before."""
    build, block = function.writer.build, function.plan.graph.blocks[function.entry]
    assigned = assigned_in(tuple(statement for block in inside for statement in block.body))
    # An earlier round of the loop may have changed a variable: then its local is newer than its cell.
    facts = PathFacts(function.live_in & assigned)
    loop = _item_loop(function)
    if loop is None:
        body = _apart(function, _write_block, block, facts)
    else:
        body = _apart(function, _write_item_loop, loop, facts)
    build.at(build.home)
    used = assigned.union(*(_read_in(function.plan, block) for block in inside))
    loads = _apart(function, _load, function.live_in & used)
    if function.starts_over:
        body = [build.while_(build.constant(value=True), body)]
    return loads + body


def _item_loop(function: BlockFunction) -> ItemLoop | None:
    """Return the loop over items that the function is, if it is one."""
    graph = function.plan.graph
    block = graph.blocks[function.entry]
    if block.body or not isinstance(block.exit, CondJump) or graph.is_entry(block.exit.then):
        return None
    then = graph.blocks[block.exit.then]
    match then.body:
        case (Assign(_, name, Op(_, "item", (items, Variable(_, index)))), Assign(_, counted, _), *rest):
            if counted == index:
                return ItemLoop(name, items, index, evolve(then, body=tuple(rest)), block.exit.otherwise)
    return None


def _write_item_loop(function: BlockFunction, loop: ItemLoop, facts: PathFacts) -> None:
    """Write a loop over the items that are left, and what comes after it."""
    writer, build = function.writer, function.writer.build
    function.loop = loop
    unsaved = facts.unsaved | ({loop.name, loop.index} & function.plan.frames.cells.keys())
    body = _apart(function, _write_block, loop.body, PathFacts(unsaved))
    function.loop = None
    after = _apart(function, _go_to, loop.after, facts)
    build.at(build.home)
    count = build.augment(build.stored(loop.index), "+", build.constant(1))
    left = build.items_from(write_formula(writer, loop.items), build.name(loop.index))
    writer.add(build.for_(loop.name, left, [count, *body], after if function.starts_over else []))
    writer.lines += [] if function.starts_over else after


# Blocks and where they go on.


def _write_block(function: BlockFunction, block: Block, facts: PathFacts) -> None:
    writer, cells = function.writer, function.plan.frames.cells
    known, assigned = dict(facts.known), assigned_in(block.body)
    read_first, certain = flow(block.body)
    used = (_read_in(function.plan, block) | assigned) & facts.unloaded - (certain - read_first)
    writer.build.at(block.body[0].span if block.body else block.exit.span)
    _load(function, used)
    for statement in block.body:
        write_statements(writer, (_with_known(statement, known),))
    loop = function.loop
    restarts = facts.restarts or (loop is not None and not assigned.isdisjoint(read_by(loop.items) | {loop.index}))
    writer.build.at(block.exit.span)
    unsaved = facts.unsaved | (assigned & cells.keys())
    after = PathFacts(unsaved, known, facts.unloaded - used - assigned, restarts)
    _EXITS[type(block.exit)](function, block.exit, after)


def _go_to(function: BlockFunction, number: int, facts: PathFacts) -> None:
    """Write another block here, or the way to its function."""
    plan, writer = function.plan, function.writer
    if not plan.graph.is_entry(number):
        _write_block(function, plan.graph.blocks[number], facts)
    elif function.entries.is_copied(number, function.path):
        function.path += (number,)
        _write_block(function, plan.graph.blocks[number], facts)
        function.path = function.path[:-1]
    elif number == function.entry:
        is_next_item = function.loop is not None and not facts.restarts
        function.starts_over |= not is_next_item
        writer.add(writer.build.break_() if facts.restarts else writer.build.continue_())
    else:
        _store(function, facts, plan.frames.live_in[number])
        _leave_for(function, number)


def _leave_for(function: BlockFunction, number: int) -> None:
    """Write what goes on with another function: called from here, or by the driver that it is returned to.

    Calls are at most three deep, however the blocks hang together: an answer calls what follows it, and that calls
    what asks the next question.
    """
    writer, asking = function.writer, function.entries.asking
    is_answer = function.entry in function.plan.graph.answers
    if is_answer or (number in asking and function.entry not in asking):
        given = [writer.build.name(name) for name in writer.parameters()]
        writer.add(writer.build.return_(writer.build.call(block_name(number), given)))
    else:
        writer.add(writer.build.return_(writer.build.name(block_name(number))))


def _goto(function: BlockFunction, exit_: Goto, facts: PathFacts) -> None:
    _go_to(function, exit_.block, facts)


def _cond_jump(function: BlockFunction, exit_: CondJump, facts: PathFacts) -> None:
    test = substitute(exit_.condition, facts.known)
    if isinstance(test, Literal):
        _go_to(function, exit_.then if test.value else exit_.otherwise, facts)
        return
    condition = write_condition(function.writer, test)
    then = _apart(function, _go_to, exit_.then, facts)
    function.writer.build.at(exit_.span)
    function.writer.add(function.writer.build.if_(condition, then))
    _go_to(function, exit_.otherwise, facts)


def _dispatch(function: BlockFunction, exit_: Dispatch, facts: PathFacts) -> None:
    writer = function.writer
    subject = writer.fresh_name()
    writer.assign(subject, write_formula(writer, exit_.subject))
    cases = []
    for number, block in exit_.cases:
        inside = facts
        if isinstance(exit_.subject, Variable):
            inside = evolve(facts, known={**facts.known, exit_.subject.name: number})
        cases.append((number, _apart(function, _go_to, block, inside)))
    writer.build.at(exit_.span)
    writer.lines += write_cases(writer, subject, cases)
    _go_to(function, exit_.default, facts)


def _call_block(function: BlockFunction, exit_: CallBlock, facts: PathFacts) -> None:
    writer, frames = function.writer, function.plan.frames
    needed = set(frames.live_in[exit_.block])
    values = [(name, write_formula(writer, argument)) for name, argument in exit_.arguments if name in needed]
    for name, value in values:
        _set_cell(writer, frames.cells[name], value)
    _store(function, facts, frames.live_in[exit_.back], needed)
    _set_cell(writer, frames.returns[exit_.procedure], writer.build.constant(exit_.back))
    _leave_for(function, exit_.block)


def _return(function: BlockFunction, exit_: Return, facts: PathFacts) -> None:
    writer = function.writer
    back, cell = writer.fresh_name(), function.plan.frames.returns[exit_.procedure]
    writer.assign(back, writer.build.item(writer.state(), writer.build.constant(cell)))
    _store(function, facts, ())
    _set_cell(writer, cell, writer.build.constant(0))
    writer.add(writer.build.return_(writer.build.item(writer.build.name(BLOCKS), writer.build.name(back))))


def _await_answer(function: BlockFunction, exit_: AwaitAnswer, facts: PathFacts) -> None:
    writer = function.writer
    _set_cell(writer, POINT, writer.build.constant(exit_.point))
    _set_cell(writer, PLAYER, write_formula(writer, function.plan.decision_points[exit_.point].player))
    _store(function, facts, function.plan.frames.live_in[exit_.block])
    writer.add(writer.build.return_(write_formula(writer, exit_.codes)))


def _end(function: BlockFunction, _: End, __: PathFacts) -> None:
    writer = function.writer
    writer.add(writer.build.return_(writer.build.call("end_game", [writer.state(), writer.log_argument()])))


_EXITS: dict[type, Callable[[BlockFunction, Any, PathFacts], None]] = {
    Goto: _goto,
    CondJump: _cond_jump,
    Dispatch: _dispatch,
    CallBlock: _call_block,
    Return: _return,
    AwaitAnswer: _await_answer,
    End: _end,
}


# Variables and their cells.


def _load(function: BlockFunction, names: Iterable[str]) -> None:
    build = function.writer.build
    for name in sorted(names):
        cell = build.item(function.writer.state(), build.constant(function.plan.frames.cells[name]))
        function.writer.assign(name, cell)


def _store(function: BlockFunction, facts: PathFacts, live: Iterable[str], kept: Iterable[str] = ()) -> None:
    """Write what brings the cells up to date: those of live variables, and 0 in those that nothing needs."""
    writer, live, cells = function.writer, frozenset(live), function.plan.frames.cells
    for name in sorted(facts.unsaved & live):
        _set_cell(writer, cells[name], writer.build.name(name))
    dead = [_stored_cell(writer, cells[name]) for name in sorted(function.live_in - live - frozenset(kept))]
    if dead:
        writer.add(writer.build.assign_to(dead, writer.build.constant(0)))


def _set_cell(writer: FunctionWriter, number: int, value: ast.expr) -> None:
    writer.add(writer.build.assign_to([_stored_cell(writer, number)], value))


def _stored_cell(writer: FunctionWriter, number: int) -> ast.expr:
    return writer.build.stored_item(writer.state(), writer.build.constant(number))


def _read_in(plan: Plan, block: Block) -> frozenset[str]:
    """Return the variables that a block or its exit reads."""
    if isinstance(block.exit, AwaitAnswer):
        return read_by(block) | read_by(plan.decision_points[block.exit.point].player)
    return read_by(block)


def _with_known(statement: Statement, known: dict[str, Constant]) -> Statement:
    """Return a statement in which known variables have their values, and keep what is known after it."""
    if isinstance(statement, Assign):
        statement = evolve(statement, value=substitute(statement.value, known))
        if isinstance(statement.value, Literal) and isinstance(statement.value.value, int):
            known[statement.name] = statement.value.value
            return statement
    for name in assigned_in((statement,)):
        known.pop(name, None)
    return statement


def _blocks_of(plan: Plan, entry: int) -> Iterator[Block]:
    """Iterate over an entry block and the blocks that have no other way in than through it."""
    waiting = [entry]
    while waiting:
        block = plan.graph.blocks[waiting.pop()]
        yield block
        waiting += [number for number in local_successors(block) if not plan.graph.is_entry(number)]
