"""Cut bodies that ask into basic blocks: straight statements, each block ending in an exit.

A game that waits for an answer cannot stay inside a Python function, so control flow around questions becomes jumps:

    for house in houses:            0: index = 0                                        goto 1
        choose buy                  1:                                                  if index < 3 then 2 else 4
        cash = cash - 1             2: house = houses[index]; index = index + 1         wait for an answer, goto 3
    end                             3: cash = cash - 1                                  goto 1
                                    4:                                                  end

Statements that ask nobody stay as they are inside a block, loops and branches included.
"""

from __future__ import annotations

from collections import Counter

from attrs import evolve

from aodrules.compiler.formulas import CallPure, Formula, Literal, Variable, get_item
from aodrules.compiler.nodes import (
    Ask,
    Assign,
    AwaitAnswer,
    Block,
    Branch,
    Break,
    CallBlock,
    CallRuntime,
    CondJump,
    Dispatch,
    End,
    Exit,
    Finish,
    ForEach,
    Goto,
    Labelled,
    LoopValue,
    Procedure,
    Return,
    Statement,
    Statements,
    Switch,
    WhileLoop,
    Within,
    assign,
)
from aodrules.compiler.visit import asks, assigned_in, bodies, rename_variables
from aodrules.source.spans import Span


class BlockBuilder:
    """Cuts procedures into blocks, from their last statement to their first."""

    def __init__(self, procedures: dict[str, Procedure]) -> None:
        self.procedures = procedures
        self.names: dict[str, str] = {}
        """Parameters that bear the name of what is given for them."""
        self.blocks: dict[int, Block] = {}
        self.entries: dict[str, int] = {}
        self._labels: dict[str, int] = {}
        self.within: dict[int, Within] = {}
        """By question: the named steps and loops around it, in its procedure."""
        self._owner = ""
        self._around: Within = ()
        self._loop_items: dict[str, LoopValue] = {}
        """By variable of a loop: how it is told by those that are kept anyway."""
        self._calls = Counter[str]()

    def cut(self, main: Procedure) -> int:
        """Cut the main procedure and all it needs; return its first block."""
        self._calls = _count_calls(main, self.procedures)
        self._owner = main.name
        return self._statements(main.body, self._block((), End(main.span)))

    def _block(self, body: Statements, exit_: Exit) -> int:
        number = len(self.blocks)
        self.blocks[number] = Block(number, self._owner, body, exit_)
        return number

    def _statements(self, statements: Statements, after: int) -> int:
        """Return the block that does statements and then goes on with `after`."""
        plain: list[Statement] = []  # From the last to the first.
        for statement in reversed(statements):
            if _is_plain(statement):
                plain.append(statement)
            else:
                after = self._statement(statement, self._plain_block(plain, after))
                plain = []
        return self._plain_block(plain, after)

    def _plain_block(self, plain: list[Statement], after: int) -> int:
        """Return the block that does plain statements, given backwards, and then goes on with `after`."""
        return self._block(tuple(reversed(plain)), Goto(plain[-1].span, after)) if plain else after

    def _statement(self, statement: Statement, after: int) -> int:
        """Return the block that begins a statement which asks or leaves a body around it."""
        span = statement.span
        match statement:
            case Branch():
                then, otherwise = self._statements(statement.then, after), self._statements(statement.otherwise, after)
                return self._block((), CondJump(span, statement.condition, then, otherwise))
            case Switch():
                cases = tuple((number, self._statements(body, after)) for number, body in statement.cases)
                return self._block((), Dispatch(span, statement.subject, cases, after))
            case Labelled():
                self._labels[statement.label] = after
                return self._inside(statement, after)
            case Break():
                return self._labels[statement.label]
            case ForEach():
                return self._for_each(statement, after)
            case WhileLoop():
                return self._while(statement, after)
            case Ask():
                self.within[statement.point] = self._around
                return self._block((), AwaitAnswer(span, statement.point, statement.codes, statement.code, after))
            case Finish():
                return self._block((), End(span))
            case CallRuntime():
                return self._call(statement, after)
        raise AssertionError(statement)

    def _inside(self, statement: Labelled, after: int) -> int:
        """Return the block of a body, noting for the questions in it what is under way."""
        around = self._around
        if statement.entered is not None:
            kind, address, names, turn = statement.entered
            told = tuple((name, self._loop_value(formula)) for name, formula in names)
            self._around += ((kind, address, told, None if turn is None else self._loop_value(turn)),)
        entry = self._statements(statement.body, after)
        self._around = around
        return entry

    def _loop_value(self, formula: Formula) -> LoopValue:
        """Return how it is told what a loop has come to."""
        if isinstance(formula, Literal):
            return LoopValue(None, formula.value if isinstance(formula.value, int) else 0)
        assert isinstance(formula, Variable)  # loops bind nothing else
        return self._loop_items.get(formula.name, LoopValue(formula.name))

    # Loops.

    def _loop_head(self, condition: Formula, span: Span) -> int:
        """Return an empty head of a loop; its exits are set when its body is known."""
        return self._block((), CondJump(span, condition, -1, -1))

    def _close_loop(self, head: int, then: int, otherwise: int) -> None:
        block = self.blocks[head]
        assert isinstance(block.exit, CondJump)
        self.blocks[head] = evolve(block, exit=evolve(block.exit, then=then, otherwise=otherwise))

    def _while(self, statement: WhileLoop, after: int) -> int:
        head = self._loop_head(statement.condition, statement.span)
        self._close_loop(head, self._statements(statement.body, head), after)
        return head

    def _for_each(self, statement: ForEach, after: int) -> int:
        ends = _number_range(statement.items)
        if ends is not None:
            return self._for_numbers(statement, *ends, after)
        span, name = statement.span, statement.name
        items, index = Variable(span, f"{name}_items"), Variable(span, f"{name}_index")
        before: Statements = (assign(index, 0),)
        if isinstance(statement.items, Literal):
            collection: Formula = statement.items
        else:
            before = (assign(items, statement.items), *before)
            collection = items
        known = collection.value if isinstance(collection, Literal) else items.name
        if isinstance(known, str | tuple):
            # The position was moved on before the body.
            self._loop_items[name] = LoopValue(index.name, -1, known)
        head = self._loop_head(index < _length(collection, span), span)
        take = (
            Assign(span, name, get_item(collection, index)),
            assign(index, index + 1),
        )
        self._close_loop(head, self._block(take, Goto(span, self._statements(statement.body, head))), after)
        return self._block(before, Goto(span, head))

    def _for_numbers(self, statement: ForEach, low: Formula, high: Formula, after: int) -> int:
        """Return a loop over neighbouring numbers: its variable counts itself."""
        span, turn = statement.span, Variable(statement.span, statement.name)
        before: Statements = (assign(turn, low),)
        if not isinstance(high, Literal):
            end = Variable(span, f"{turn.name}_end")
            before = (assign(end, high), *before)
            high = end
        head = self._loop_head(turn < high, span)
        more = assign(turn, turn + 1)
        self._close_loop(head, self._statements(statement.body, self._block((more,), Goto(span, head))), after)
        return self._block(before, Goto(span, head))

    # Calls.

    def _call(self, statement: CallRuntime, after: int) -> int:
        procedure = self.procedures[statement.function]
        span = statement.span
        arguments = tuple(zip(procedure.parameters, statement.arguments, strict=True))
        if self._calls[procedure.name] == 1:
            same, given = self._bind_arguments(procedure, arguments)
            self.names |= same
            entry = self._statements(rename_variables(procedure.body, same), after)
            return self._block(given, Goto(span, entry)) if given else entry
        if procedure.name not in self.entries:
            owner, self._owner = self._owner, procedure.name
            around, self._around = self._around, ()
            self.entries[procedure.name] = self._statements(
                procedure.body, self._block((), Return(span, procedure.name))
            )
            self._owner, self._around = owner, around
        entry = self.entries[procedure.name]
        return self._block((), CallBlock(span, procedure.name, entry, arguments, after, self._around))

    def _bind_arguments(
        self, procedure: Procedure, arguments: tuple[tuple[str, Formula], ...]
    ) -> tuple[dict[str, str], Statements]:
        """Return which parameters can bear the name of what is given for them, and how the others get their values."""
        assigned = assigned_in(procedure.body)
        same: dict[str, str] = {}
        given: Statements = ()
        for name, argument in arguments:
            # A body gives values to variables of its own alone, so those of its caller stay as they are.
            if isinstance(argument, Variable) and name not in assigned:
                same[name] = argument.name
            else:
                given += (Assign(argument.span, name, argument),)
        return same, given


def _is_plain(statement: Statement) -> bool:
    """Whether a statement asks nobody and leaves no body around it."""
    return not asks((statement,)) and not _leaves_outward((statement,), frozenset())


def _leaves_outward(statements: Statements, inside: frozenset[str]) -> bool:
    for one in statements:
        if isinstance(one, Break) and one.label not in inside:
            return True
        if isinstance(one, Finish):
            return True
        within = inside | {one.label} if isinstance(one, Labelled) else inside
        if any(_leaves_outward(body, within) for body in bodies(one)):
            return True
    return False


def _number_range(items: Formula) -> tuple[Formula, Formula] | None:
    """Return the ends of a collection that is a row of neighbouring numbers."""
    if isinstance(items, CallPure) and items.function == "range":
        low = items.arguments[0] if len(items.arguments) == 2 else Literal(items.span, 0)
        return low, items.arguments[-1]
    if isinstance(items, Literal) and isinstance(items.value, tuple) and items.value:
        first = items.value[0]
        if isinstance(first, int) and items.value == tuple(range(first, first + len(items.value))):
            return Literal(items.span, first), Literal(items.span, first + len(items.value))
    return None


def _length(collection: Formula, span: Span) -> Formula:
    if isinstance(collection, Literal) and isinstance(collection.value, tuple):
        return Literal(span, len(collection.value))
    return CallPure(span, "len", (collection,))


def _count_calls(main: Procedure, procedures: dict[str, Procedure]) -> Counter[str]:
    """Return from how many places each procedure that asks is called."""
    counts = Counter[str]()
    waiting = [main.body]
    while waiting:
        for statement in waiting.pop():
            waiting += bodies(statement)
            if isinstance(statement, CallRuntime) and statement.deciding:
                counts[statement.function] += 1
                if counts[statement.function] == 1:
                    waiting.append(procedures[statement.function].body)
    return counts
