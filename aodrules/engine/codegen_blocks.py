"""From blocks to Python functions: one for each block that is entered from outside, the others written inside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from aodrules.engine.codegen_formulas import LOG, STATE, Constants
from aodrules.engine.codegen_statements import StatementWriter
from aodrules.plan.graph import successors
from aodrules.plan.layout import PLAYER, SITE
from aodrules.plan.nodes import Block, Dispatch, End, Enter, Exit, Fork, Goto, Return, Wait
from aodrules.plan.planned import Plan
from aodrules.plan.variables import assigned_in, read_by, weight

SMALL = 150
"""A block of at most so many nodes may be written more than once."""


class BlockWriter(StatementWriter):
    """Writes the function of one root block."""

    def __init__(self, plan: Plan, root: int, asking: frozenset[int], constants: Constants, *, log: bool) -> None:
        block = plan.graph.blocks[root]
        super().__init__(block.body[0].span if block.body else block.exit.span, constants, log=log)
        self.plan = plan
        self.root = root
        self._asking = asking
        self.entry = frozenset(plan.frames.live[root])
        self._loops = False
        self._copied = copied_blocks(plan, root)
        self._in_copy = False

    def function(self) -> ast.FunctionDef:
        """Return the function of the block."""
        parameters = [STATE, *([LOG] if self.log else [])]
        if self.root in self.plan.graph.answers:
            parameters.append(self._code())
        body = self.block(lambda: self._write(self.plan.graph.blocks[self.root], self.entry))
        self.trees.go_to(self.trees.home)
        loads = self.block(self._loads)
        if self._loops:
            body = [self.trees.while_(self.trees.constant(value=True), body)]
        return self.trees.function(block_name(self.root), parameters, loads + body)

    def _code(self) -> str:
        return next(
            block.exit.code
            for block in self.plan.graph.blocks.values()
            if isinstance(block.exit, Wait) and block.exit.block == self.root
        )

    def _loads(self) -> None:
        """Write what fetches the variables that are read here from their cells."""
        read = set[str]()
        for block in self._inside():
            read |= read_by(block)
            if isinstance(block.exit, Wait):
                read |= read_by(self.plan.sites[block.exit.site].player)
        for name in sorted(self.entry & read):
            cell = self.trees.item(self.trees.name(STATE), self.trees.constant(self.plan.frames.cells[name]))
            self.lines.append(self.trees.assign([self.trees.stored(name)], cell))

    def _inside(self) -> list[Block]:
        """Return the blocks that are written in this function."""
        return [block for root in (self.root, *sorted(self._copied)) for block in _tree(self.plan, root)]

    def targets(self, name: str) -> list[ast.expr]:
        """Return what is assigned when a variable is: the local, and its cell if it has one."""
        found = super().targets(name)
        if name in self.plan.frames.cells:
            found.append(self._cell(self.plan.frames.cells[name]))
        return found

    def _cell(self, number: int) -> ast.expr:
        return self.trees.stored_item(self.trees.name(STATE), self.trees.constant(number))

    def _write(self, block: Block, dirty: frozenset[str]) -> None:
        """Write a block and where it goes on; `dirty` are the variables whose cells may not be 0."""
        self.statements(block.body)
        dirty |= {name for name in assigned_in(block.body) if name in self.plan.frames.cells}
        self.trees.go_to(block.exit.span)
        self._exit(block.exit, dirty)

    def _exit(self, exit_: Exit, dirty: frozenset[str]) -> None:
        if isinstance(exit_, Goto):
            self._go(exit_.block, dirty)
        elif isinstance(exit_, Fork):
            self._fork(exit_, dirty)
        elif isinstance(exit_, Dispatch):
            self._dispatch(exit_, dirty)
        elif isinstance(exit_, Enter):
            self._enter(exit_, dirty)
        elif isinstance(exit_, Return):
            self._return(exit_, dirty)
        elif isinstance(exit_, Wait):
            self._wait(exit_, dirty)
        else:
            assert isinstance(exit_, End)
            self.lines.append(
                self.trees.return_(self.trees.call("end_game", [self.trees.name(STATE), self.log_argument()]))
            )

    def _go(self, number: int, dirty: frozenset[str]) -> None:
        if number not in self.plan.graph.roots:
            self._write(self.plan.graph.blocks[number], dirty)
            return
        if number in self._copied and not self._in_copy:
            self._in_copy = True
            self._write(self.plan.graph.blocks[number], dirty)
            self._in_copy = False
            return
        self._clear(dirty - set(self.plan.frames.live[number]))
        if number == self.root:
            self._loops = True
            self.lines.append(self.trees.continue_())
        else:
            self._leave_for(number)

    def _leave_for(self, number: int) -> None:
        """Write what goes on with another function: called from here, or by the driver that gets its number.

        Calls are at most three deep, however the blocks hang together: an answer calls what follows it, and that calls
        what asks the next question.
        """
        is_answer = self.root in self.plan.graph.answers
        if is_answer or (number in self._asking and self.root not in self._asking):
            given = [self.trees.name(STATE), *([self.trees.name(LOG)] if self.log else [])]
            self.lines.append(self.trees.return_(self.trees.call(block_name(number), given)))
        else:
            self.lines.append(self.trees.return_(self.trees.constant(number)))

    def _clear(self, names: frozenset[str] | set[str]) -> None:
        """Write what sets the cells of variables that are no longer needed to 0."""
        cells = [self._cell(self.plan.frames.cells[name]) for name in sorted(names)]
        if cells:
            self.lines.append(self.trees.assign(cells, self.trees.constant(0)))

    def _fork(self, exit_: Fork, dirty: frozenset[str]) -> None:
        condition = self.condition(exit_.condition)
        then = self.block(lambda: self._go(exit_.then, dirty))
        self.trees.go_to(exit_.span)
        self.lines.append(self.trees.if_(condition, then, []))
        self._go(exit_.otherwise, dirty)

    def _dispatch(self, exit_: Dispatch, dirty: frozenset[str]) -> None:
        subject = self.temporary()
        self.lines.append(self.trees.assign([self.trees.stored(subject)], self.formula(exit_.subject)))
        cases = [
            (number, self.block(lambda block=block: self._go(block, dirty)))  # type: ignore[misc]
            for number, block in exit_.cases
        ]
        self.trees.go_to(exit_.span)
        self.lines += self.cases(subject, cases)
        self._go(exit_.default, dirty)

    def _enter(self, exit_: Enter, dirty: frozenset[str]) -> None:
        frames = self.plan.frames
        needed = set(frames.live[exit_.block])
        values = [(name, self.formula(argument)) for name, argument in exit_.arguments if name in needed]
        for name, value in values:
            self.lines.append(self.trees.assign([self._cell(frames.cells[name])], value))
        self._clear(dirty - set(frames.live[exit_.back]) - needed)
        back = self.trees.constant(exit_.back)
        self.lines.append(self.trees.assign([self._cell(frames.returns[exit_.procedure])], back))
        self._leave_for(exit_.block)

    def _return(self, exit_: Return, dirty: frozenset[str]) -> None:
        back = self.temporary()
        cell = self.plan.frames.returns[exit_.procedure]
        held = self.trees.item(self.trees.name(STATE), self.trees.constant(cell))
        self.lines.append(self.trees.assign([self.trees.stored(back)], held))
        self._clear(dirty)
        self.lines.append(self.trees.assign([self._cell(cell)], self.trees.constant(0)))
        self.lines.append(self.trees.return_(self.trees.name(back)))

    def _wait(self, exit_: Wait, dirty: frozenset[str]) -> None:
        site = self.plan.sites[exit_.site]
        self.lines.append(self.trees.assign([self._cell(SITE)], self.trees.constant(exit_.site)))
        self.lines.append(self.trees.assign([self._cell(PLAYER)], self.formula(site.player)))
        self._clear(dirty - set(self.plan.frames.live[exit_.block]))
        self.lines.append(self.trees.return_(self.formula(exit_.codes)))


def at_once(exit_: Exit) -> tuple[int, ...]:
    """Return the blocks that a block goes on with in the same call."""
    return () if isinstance(exit_, Wait | Enter) else successors(exit_)


def copied_blocks(plan: Plan, root: int) -> frozenset[int]:
    """Return the small blocks that are written again in the function of a root, to spare the way through the driver."""
    ways = (way for block in _tree(plan, root) for way in at_once(block.exit))
    return frozenset(way for way in ways if way != root and way in plan.graph.roots and _is_small(plan, way))


def _tree(plan: Plan, root: int) -> Iterator[Block]:
    """Return a root and the blocks that have no other way in than through it."""
    waiting = [root]
    while waiting:
        block = plan.graph.blocks[waiting.pop()]
        yield block
        waiting += [one for one in at_once(block.exit) if one not in plan.graph.roots]


def asking_roots(plan: Plan) -> frozenset[int]:
    """Return the roots whose own blocks can end with a question."""
    return frozenset(
        root for root in plan.graph.roots if any(isinstance(block.exit, Wait) for block in _tree(plan, root))
    )


def _is_small(plan: Plan, root: int) -> bool:
    return sum(weight(block.body) + weight(block.exit) for block in _tree(plan, root)) <= SMALL


def block_name(number: int) -> str:
    """Return the name of the function of a block."""
    return f"block_{number}"
