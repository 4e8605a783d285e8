"""The nodes of a plan: what remains to be computed when every look-up is done. Each has the span it came from."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field, frozen

from aodrules.compiler.formulas import Constant, Formula, Literal, Term, Variable, lift, negate, split_offset
from aodrules.facts.state import Cause
from aodrules.source.spans import Span

Entered: TypeAlias = "tuple[str, str, tuple[tuple[str, Formula], ...], Formula | None]"
"""A named step or the turn of a loop: its kind, its address, the names it makes, and of a `repeat` the turn from 0."""


@frozen(eq=False)
class LoopValue:
    """What a loop has come to, by the variables that are kept for it: a number, or the item at a position."""

    variable: str | None
    """The number or the position; nothing where it is known."""
    offset: int = 0
    """What is added to it."""
    items: str | tuple[Constant, ...] | None = None
    """The variable of the items, or the items."""

    @property
    def variables(self) -> frozenset[str]:
        """The variables that tell it."""
        return frozenset(one for one in (self.variable, self.items) if isinstance(one, str))


Within: TypeAlias = "tuple[tuple[str, str, tuple[tuple[str, LoopValue], ...], LoopValue | None], ...]"
"""The named steps and loops around something, the outermost first, as `Entered`."""


def variables_of(within: Within) -> frozenset[str]:
    """Return the variables that tell what the loops around something have come to."""
    values = [
        value for _, _, names, turn in within for value in (*(one for _, one in names), turn) if value is not None
    ]
    return frozenset[str]().union(*(value.variables for value in values))


# Statements.


@frozen(eq=False)
class Assign:
    """Give a variable a value."""

    span: Span
    name: str
    value: Formula


@frozen(eq=False)
class CellWrite:
    """Give a cell a value, or add to it (`operator` is `+`, `-`, `|`, `&`)."""

    span: Span
    base: int
    index: Formula | None
    value: Formula
    operator: str | None = None


@frozen(eq=False)
class WriteLog:
    """Write an entry to the log; nothing in code without a log."""

    span: Span
    parts: tuple[Formula, ...]
    cause: Cause | None = None
    """The body that does it."""


@frozen(eq=False)
class IfLogging:
    """Statements that only code with a log needs."""

    span: Span
    body: Statements


@frozen(eq=False)
class CallRuntime:
    """Call something that changes the state: a runtime function, or a procedure of the plan that never asks."""

    span: Span
    function: str
    arguments: tuple[Formula, ...]
    result: str | None = None
    planned: bool = False
    deciding: bool = False
    """Whether the procedure asks somebody: then it is cut into blocks."""
    cause: Cause | None = None
    """Of a runtime function: the body that calls it."""


@frozen(eq=False)
class Branch:
    """Do one or the other."""

    span: Span
    condition: Formula
    then: Statements
    otherwise: Statements = ()


@frozen(eq=False)
class Switch:
    """Do what belongs to a number; nothing if nothing does."""

    span: Span
    subject: Formula
    cases: tuple[tuple[int, Statements], ...]


@frozen(eq=False)
class ForEach:
    """Do `body` for every item of a tuple, which is fixed at the start."""

    span: Span
    name: str
    items: Formula
    body: Statements


@frozen(eq=False)
class WhileLoop:
    """Do `body` while a condition holds; something else bounds it."""

    span: Span
    condition: Formula
    body: Statements


@frozen(eq=False)
class Labelled:
    """A body that can be left, or of which somebody who is asked inside is told that it is under way."""

    span: Span
    label: str
    body: Statements
    entered: Entered | None = None


@frozen(eq=False)
class Break:
    """Go on after the body with this label."""

    span: Span
    label: str


@frozen(eq=False)
class AppendCode:
    """Add the code of a legal action to the list being made."""

    span: Span
    code: Formula


@frozen(eq=False)
class AppendByKey:
    """Add the codes that belong to a key: a bit for each open condition. `options` says which codes need which bits."""

    span: Span
    key: Variable
    options: tuple[Constant, ...]


@frozen(eq=False)
class Ask:
    """Wait for an answer; then `code` is bound and the statements after it run."""

    span: Span
    point: int
    codes: Formula
    """The legal codes, already listed."""
    code: str


@frozen(eq=False)
class Finish:
    """The game is over."""

    span: Span


Statement: TypeAlias = (
    Assign
    | CellWrite
    | WriteLog
    | IfLogging
    | CallRuntime
    | Branch
    | Switch
    | ForEach
    | WhileLoop
    | Labelled
    | Break
    | AppendCode
    | AppendByKey
    | Ask
    | Finish
)
Statements: TypeAlias = "tuple[Statement, ...]"


def assign(variable: Variable, value: Term) -> Assign:
    """Return what gives a variable a value."""
    return Assign(variable.span, variable.name, lift(variable.span, value))


def write_cell(span: Span, base: int, offset: Formula, value: Term) -> CellWrite:
    """Return what gives a cell a value; a known part of the offset goes into the base."""
    return CellWrite(span, *split_offset(base, offset), lift(span, value))


def write_log(span: Span, *parts: Term) -> WriteLog:
    """Return what writes an entry to the log."""
    return WriteLog(span, tuple(lift(span, part) for part in parts))


def log(span: Span, *parts: Term, when: Formula | None = None) -> IfLogging:
    """Return what writes an entry to the log, always or under a condition, and is there only in code with a log."""
    entry = write_log(span, *parts)
    return IfLogging(span, (entry,) if when is None else branch(span, when, (entry,)))


def append_code(span: Span, code: Term) -> AppendCode:
    """Return what adds the code of a legal action."""
    return AppendCode(span, lift(span, code))


def call_runtime(span: Span, function: str, *arguments: Term, result: Variable | None = None) -> CallRuntime:
    """Return the call of a function of the runtime that changes the state."""
    given = tuple(lift(span, one) for one in arguments)
    return CallRuntime(span, function, given, None if result is None else result.name)


def branch(span: Span, condition: Formula, then: Statements, otherwise: Statements = ()) -> Statements:
    """Return the statements of a branch; none if nothing is left of it."""
    if isinstance(condition, Literal):
        return then if condition.value else otherwise
    if not then and not otherwise:
        return ()
    if not then:
        return (Branch(span, negate(condition), otherwise),)
    return (Branch(span, condition, then, otherwise),)


# What a plan is made of.


@frozen(eq=False)
class Function:
    """A formula with parameters: a value, or the legal codes of a decision (`lists`)."""

    name: str
    span: Span
    parameters: tuple[str, ...]
    body: Statements
    result: Formula | None
    lists: bool = False
    first_only: bool = False
    """Whether the first code is enough: nobody asks which there are."""
    kept: str | None = None
    """The kept value whose results it works out."""
    on_copy: bool = False
    """Whether it works on a copy of the state, so that what its body changes is forgotten."""


@frozen(eq=False)
class Procedure:
    """Statements with parameters; if it asks somebody it is `deciding` and lives in blocks."""

    name: str
    span: Span
    parameters: tuple[str, ...]
    body: Statements
    deciding: bool = False


Around: TypeAlias = "tuple[tuple[str, Formula, str | None], ...]"
"""Names of the body around a question, what they stand for, and of places the field."""


@frozen(eq=False)
class DecisionPoint:
    """A place where somebody is asked."""

    number: int
    span: Span
    decision: str
    """The address of the decision."""
    player: Formula
    legal: str
    """The function that lists the codes."""
    inputs: tuple[str, ...]
    """The variables that function is given."""
    arguments: tuple[tuple[str, Formula], ...]
    """What the question shows (`Question.arguments`)."""
    shown: tuple[str, ...] = ()
    """The variables that the function `shown_NUMBER` is given."""
    size: int = 0
    """How many codes the decision has."""
    around: Around = ()
    """What else decides which answers are legal."""
    within: Within = ()
    """The named steps and loops around it, in the procedure that it is asked in."""


@frozen(eq=False)
class Goto:
    """Go on with another block."""

    span: Span
    block: int


@frozen(eq=False)
class CondJump:
    """Go on with one block or the other."""

    span: Span
    condition: Formula
    then: int
    otherwise: int


@frozen(eq=False)
class Dispatch:
    """Go on with the block of a number, or with the default."""

    span: Span
    subject: Formula
    cases: tuple[tuple[int, int], ...]
    default: int


@frozen(eq=False)
class CallBlock:
    """Start a procedure that several places call; it returns to the block `back`."""

    span: Span
    procedure: str
    block: int
    arguments: tuple[tuple[str, Formula], ...]
    back: int
    within: Within = ()
    """The named steps and loops around the call."""


@frozen(eq=False)
class Return:
    """Go back to where the procedure was called from."""

    span: Span
    procedure: str


@frozen(eq=False)
class AwaitAnswer:
    """Wait for the answer to a question, and go on with a block."""

    span: Span
    point: int
    codes: Formula
    code: str
    block: int


@frozen(eq=False)
class End:
    """The game is over."""

    span: Span


Exit: TypeAlias = Goto | CondJump | Dispatch | CallBlock | Return | AwaitAnswer | End


@frozen(eq=False)
class Block:
    """Statements that ask nobody, and where to go on."""

    number: int
    procedure: str
    body: Statements
    exit: Exit


@frozen(eq=False)
class Frames:
    """The cells of the variables that outlive a function, and of the block each procedure returns to."""

    cells: dict[str, int] = field(factory=dict)
    """By variable."""
    returns: dict[str, int] = field(factory=dict)
    """By procedure."""
    live_in: dict[int, tuple[str, ...]] = field(factory=dict)
    """By entry block: the variables that are needed at its start."""
    first: int = 0
    size: int = 0
