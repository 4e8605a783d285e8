"""From blocks to Python functions: one for each block that is entered from outside, the others written inside it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, field, frozen

from aodrules.compiler.blocks.block_graph import successors
from aodrules.compiler.codegen.formulas import LOG, STATE, ConstantPool
from aodrules.compiler.codegen.statements import StatementWriter
from aodrules.compiler.layout import PLAYER, SITE
from aodrules.compiler.nodes import (
    Assign,
    AwaitAnswer,
    Block,
    CallBlock,
    CondJump,
    Constant,
    Dispatch,
    End,
    Exit,
    Formula,
    Goto,
    Literal,
    Op,
    Return,
    Statement,
    Variable,
)
from aodrules.compiler.passes.substitution import substitute
from aodrules.compiler.plan import Plan
from aodrules.compiler.variables import assigned_in, flow, read_by
from aodrules.compiler.visit import weight

SMALL = 150
"""A block of at most so many nodes may be written more than once; inside another that is, one of a quarter of that."""


class EntryBlocks:
    """What is known about all blocks of a plan that have a function of their own."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        trees = {root: [*_tree(plan, root)] for root in plan.graph.roots}
        self._sizes = {
            root: sum(weight(block.body) + weight(block.exit) for block in tree) for root, tree in trees.items()
        }
        self._ways = {root: {way for block in tree for way in at_once(block.exit)} for root, tree in trees.items()}
        self.asking = {
            root for root, tree in trees.items() if any(isinstance(block.exit, AwaitAnswer) for block in tree)
        }
        """Those whose own blocks can end with a question."""

    def copied(self, path: tuple[int, ...]) -> frozenset[int]:
        """Return the small blocks that are written again at the end of a path, to spare the way through the driver."""
        found = set[int]()
        for way in self._ways[path[-1]]:
            if way in self._sizes and self.is_copied(way, path):
                found |= {way, *self.copied((*path, way))}
        return frozenset(found)

    def is_copied(self, root: int, path: tuple[int, ...]) -> bool:
        """Whether a root is written again at the end of a path of roots inside each other."""
        return root not in path and self._sizes[root] <= SMALL >> 2 * (len(path) - 1)


@frozen(eq=False)
class PathFacts:
    """What holds at a point on the way through a function."""

    newer: frozenset[str]
    """The variables whose cells do not yet hold what they are."""
    known: Mapping[str, Constant] = field(factory=dict)
    """The variables whose values are known."""
    unread: frozenset[str] = frozenset()
    """The variables that are still in their cells alone."""
    is_new_run: bool = False
    """Whether the loop that is the function was given other items, or another place among them, since its last item."""


@frozen(eq=False)
class ItemLoop:
    """A loop over items that is a function: what is taken, out of what, and from where on."""

    name: str
    items: Formula
    index: str
    body: Block
    after: int


class BlockWriter(StatementWriter):
    """Writes the function of one root block.

    Variables that outlive the function are fetched from their cells where they are first needed (if it is a loop: at
    its start) and put back where it is left, so that loops inside it work on locals.
    """

    def __init__(self, roots: EntryBlocks, root: int, constants: ConstantPool, *, log: bool) -> None:
        plan = roots.plan
        block = plan.graph.blocks[root]
        super().__init__(block.body[0].span if block.body else block.exit.span, constants, log=log)
        self.plan = plan
        self.root = root
        self._roots = roots
        self.entry = frozenset(plan.frames.live[root])
        self._copied = roots.copied((root,))
        self._path: tuple[int, ...] = (root,)
        """The root, and the blocks inside each other that are being copied."""
        self._loops = any(root in at_once(block.exit) for block in self._inside())
        assigned = assigned_in(tuple(one for block in self._inside() for one in block.body))
        self._changed_before = self.entry & assigned if self._loops else frozenset[str]()
        """What an earlier round of the loop may have changed: the locals are newer than the cells."""
        self._assigned = assigned
        self._taking: ItemLoop | None = None
        """The loop inside which code is written now."""
        self._starts_over = False
        """Whether something goes back to the start of the function."""

    def function(self) -> ast.FunctionDef:
        """Return the function of the block."""
        parameters = [STATE, *([LOG] if self.log else [])]
        if self.root in self.plan.graph.answers:
            parameters.append(self.plan.graph.codes[self.root])
        way = PathFacts(self._changed_before, unread=frozenset() if self._loops else self.entry)
        taking = self._loop_over_items() if self._loops else None
        if taking is None:
            body = self.block(lambda: self._write(self.plan.graph.blocks[self.root], way))
        else:
            body = self.block(lambda: self._take_all(taking, way))
        self.trees.go_to(self.trees.home)
        loads = self.block(lambda: self._load(self._needed())) if self._loops else []
        if self._starts_over:
            body = [self.trees.while_(self.trees.constant(value=True), body)]
        return self.trees.function(block_name(self.root), parameters, loads + body)

    def _loop_over_items(self) -> ItemLoop | None:
        """Return the loop over items that the function is, if it is one."""
        block = self.plan.graph.blocks[self.root]
        if block.body or not isinstance(block.exit, CondJump) or self.plan.graph.is_root(block.exit.then):
            return None
        then = self.plan.graph.blocks[block.exit.then]
        match then.body:
            case (Assign(_, name, Op(_, "item", (items, Variable(_, index)))), Assign(_, counted, _), *rest):
                if counted == index:
                    return ItemLoop(name, items, index, evolve(then, body=tuple(rest)), block.exit.otherwise)
        return None

    def _take_all(self, taking: ItemLoop, way: PathFacts) -> None:
        """Write a loop over the items that are left, and what comes after it."""
        trees = self.trees
        self._taking = taking
        newer = way.newer | ({taking.name, taking.index} & self.plan.frames.cells.keys())
        body = self.block(lambda: self._write(taking.body, PathFacts(newer)))
        self._taking = None
        after = self.block(lambda: self._go(taking.after, way))
        trees.go_to(trees.home)
        one_more = trees.augmented(trees.stored(taking.index), "+", trees.constant(1))
        left = trees.from_on(self.formula(taking.items), trees.name(taking.index))
        self.lines.append(trees.for_(taking.name, left, [one_more, *body], after if self._starts_over else []))
        self.lines += [] if self._starts_over else after

    def _needed(self) -> frozenset[str]:
        """Return the variables of cells that are read or changed anywhere in the function."""
        return self.entry & self._assigned.union(*(self._read_in(block) for block in self._inside()))

    def _read_in(self, block: Block) -> frozenset[str]:
        """Return the variables that a block or its way on reads."""
        player = self.plan.sites[block.exit.site].player if isinstance(block.exit, AwaitAnswer) else None
        return read_by(block) | (read_by(player) if player is not None else frozenset())

    def _load(self, names: Iterable[str]) -> None:
        """Write what fetches variables from their cells."""
        for name in sorted(names):
            cell = self.trees.item(self.trees.name(STATE), self.trees.constant(self.plan.frames.cells[name]))
            self.lines.append(self.trees.assign([self.trees.stored(name)], cell))

    def _inside(self) -> list[Block]:
        """Return the blocks that are written in this function."""
        return [block for root in (self.root, *sorted(self._copied)) for block in _tree(self.plan, root)]

    def _cell(self, number: int) -> ast.expr:
        return self.trees.stored_item(self.trees.name(STATE), self.trees.constant(number))

    def _write(self, block: Block, way: PathFacts) -> None:
        """Write a block and where it goes on."""
        known, assigned = dict(way.known), assigned_in(block.body)
        used = (self._read_in(block) | assigned) & way.unread - _set_first(block)
        self.trees.go_to(block.body[0].span if block.body else block.exit.span)
        self._load(used)
        for statement in block.body:
            self.statements((_with_known(statement, known),))
        is_new_run = way.is_new_run or not assigned.isdisjoint(self._loop_variables())
        self.trees.go_to(block.exit.span)
        newer = way.newer | (assigned & self.plan.frames.cells.keys())
        self._exit(block.exit, PathFacts(newer, known, way.unread - used - assigned, is_new_run))

    def _loop_variables(self) -> frozenset[str]:
        taking = self._taking
        return frozenset() if taking is None else read_by(taking.items) | {taking.index}

    def _exit(self, exit_: Exit, way: PathFacts) -> None:
        if isinstance(exit_, Goto):
            self._go(exit_.block, way)
        elif isinstance(exit_, CondJump):
            self._fork(exit_, way)
        elif isinstance(exit_, Dispatch):
            self._dispatch(exit_, way)
        elif isinstance(exit_, CallBlock):
            self._enter(exit_, way)
        elif isinstance(exit_, Return):
            self._return(exit_, way)
        elif isinstance(exit_, AwaitAnswer):
            self._wait(exit_, way)
        else:
            assert isinstance(exit_, End)
            self.lines.append(
                self.trees.return_(self.trees.call("end_game", [self.trees.name(STATE), self.log_argument()]))
            )

    def _go(self, number: int, way: PathFacts) -> None:
        if not self.plan.graph.is_root(number):
            self._write(self.plan.graph.blocks[number], way)
            return
        if self._roots.is_copied(number, self._path):
            self._path += (number,)
            self._write(self.plan.graph.blocks[number], way)
            self._path = self._path[:-1]
            return
        if number == self.root:
            is_next = self._taking is not None and not way.is_new_run
            self._starts_over |= not is_next
            self.lines.append(self.trees.break_() if way.is_new_run else self.trees.continue_())
        else:
            self._put_back(way, self.plan.frames.live[number])
            self._leave_for(number)

    def _leave_for(self, number: int) -> None:
        """Write what goes on with another function: called from here, or by the driver that gets its number.

        Calls are at most three deep, however the blocks hang together: an answer calls what follows it, and that calls
        what asks the next question.
        """
        is_answer = self.root in self.plan.graph.answers
        if is_answer or (number in self._roots.asking and self.root not in self._roots.asking):
            given = [self.trees.name(STATE), *([self.trees.name(LOG)] if self.log else [])]
            self.lines.append(self.trees.return_(self.trees.call(block_name(number), given)))
        else:
            self.lines.append(self.trees.return_(self.trees.constant(number)))

    def _put_back(self, way: PathFacts, live: Iterable[str], kept: Iterable[str] = ()) -> None:
        """Write what brings the cells up to date: those of live variables, and 0 in those that nothing needs."""
        live, cells = frozenset(live), self.plan.frames.cells
        for name in sorted(way.newer & live):
            self.lines.append(self.trees.assign([self._cell(cells[name])], self.trees.name(name)))
        idle = [self._cell(cells[name]) for name in sorted(self.entry - live - frozenset(kept))]
        if idle:
            self.lines.append(self.trees.assign(idle, self.trees.constant(0)))

    def _fork(self, exit_: CondJump, way: PathFacts) -> None:
        test = substitute(exit_.condition, way.known)
        if isinstance(test, Literal):
            self._go(exit_.then if test.value else exit_.otherwise, way)
            return
        condition = self.condition(test)
        then = self.block(lambda: self._go(exit_.then, way))
        self.trees.go_to(exit_.span)
        self.lines.append(self.trees.if_(condition, then, []))
        self._go(exit_.otherwise, way)

    def _dispatch(self, exit_: Dispatch, way: PathFacts) -> None:
        subject = self.temporary()
        self.lines.append(self.trees.assign([self.trees.stored(subject)], self.formula(exit_.subject)))
        cases = []
        for number, block in exit_.cases:
            inside = way
            if isinstance(exit_.subject, Variable):
                inside = evolve(way, known={**way.known, exit_.subject.name: number})
            cases.append((number, self.block(lambda block=block, inside=inside: self._go(block, inside))))  # type: ignore[misc]
        self.trees.go_to(exit_.span)
        self.lines += self.cases(subject, cases)
        self._go(exit_.default, way)

    def _enter(self, exit_: CallBlock, way: PathFacts) -> None:
        frames = self.plan.frames
        needed = set(frames.live[exit_.block])
        values = [(name, self.formula(argument)) for name, argument in exit_.arguments if name in needed]
        for name, value in values:
            self.lines.append(self.trees.assign([self._cell(frames.cells[name])], value))
        self._put_back(way, frames.live[exit_.back], needed)
        back = self.trees.constant(exit_.back)
        self.lines.append(self.trees.assign([self._cell(frames.returns[exit_.procedure])], back))
        self._leave_for(exit_.block)

    def _return(self, exit_: Return, way: PathFacts) -> None:
        back = self.temporary()
        cell = self.plan.frames.returns[exit_.procedure]
        held = self.trees.item(self.trees.name(STATE), self.trees.constant(cell))
        self.lines.append(self.trees.assign([self.trees.stored(back)], held))
        self._put_back(way, ())
        self.lines.append(self.trees.assign([self._cell(cell)], self.trees.constant(0)))
        self.lines.append(self.trees.return_(self.trees.name(back)))

    def _wait(self, exit_: AwaitAnswer, way: PathFacts) -> None:
        site = self.plan.sites[exit_.site]
        self.lines.append(self.trees.assign([self._cell(SITE)], self.trees.constant(exit_.site)))
        self.lines.append(self.trees.assign([self._cell(PLAYER)], self.formula(site.player)))
        self._put_back(way, self.plan.frames.live[exit_.block])
        self.lines.append(self.trees.return_(self.formula(exit_.codes)))


def _set_first(block: Block) -> frozenset[str]:
    """Return the variables that a block gives a value before it reads them."""
    needed, certain = flow(block.body)
    return certain - needed


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


def at_once(exit_: Exit) -> tuple[int, ...]:
    """Return the blocks that a block goes on with in the same call."""
    return () if isinstance(exit_, AwaitAnswer | CallBlock) else successors(exit_)


def _tree(plan: Plan, root: int) -> Iterator[Block]:
    """Return a root and the blocks that have no other way in than through it."""
    waiting = [root]
    while waiting:
        block = plan.graph.blocks[waiting.pop()]
        yield block
        waiting += [one for one in at_once(block.exit) if not plan.graph.is_root(one)]


def block_name(number: int) -> str:
    """Return the name of the function of a block."""
    return f"block_{number}"
