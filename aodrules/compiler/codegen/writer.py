"""The state of one function that is being written: the lines so far, its fresh names, the loops around."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from attrs import define, field

from aodrules.compiler.codegen.ast_builder import AstBuilder
from aodrules.compiler.formulas import Constant, Memoized
from aodrules.compiler.nodes import AppendByKey, Statements

STATE, LOG = "S", "log"
"""The parameters of generated functions: the list of cells, and what takes the entries of the log."""
BLOCKS = "blocks"
"""Under this name generated code finds the functions of blocks by number, for the way back to whoever called."""

P = ParamSpec("P")
T = TypeVar("T")


class ConstantPool:
    """The named constants of generated code: equal ones share a name."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, Constant], str] = {}
        self.tables: list[str] = []
        """Names of tables that are empty at first and filled while games are played."""
        self._tables_of: dict[Memoized, str] = {}

    def name(self, value: Constant) -> str:
        """Return the name of a constant."""
        # `True == 1`, so equality alone would mix flags and numbers.
        key = (repr(value), value)
        return self._names.setdefault(key, f"C{len(self._names)}")

    def new_table(self) -> str:
        """Return the name of a new table."""
        self.tables.append(f"K{len(self.tables)}")
        return self.tables[-1]

    def table_of(self, formula: Memoized) -> str:
        """Return the name of the table of a formula: the same wherever the same node stands."""
        if formula not in self._tables_of:
            self._tables_of[formula] = self.new_table()
        return self._tables_of[formula]

    def values(self) -> dict[str, Constant]:
        """Return the constants by name."""
        return {name: value for (_, value), name in self._names.items()}


@define(eq=False)
class OpenLoop:
    """A Python loop that is being written: a loop of the rules, or the body with a label."""

    label: str | None = None
    flag: str | None = None
    """The flag that says that this body is left, if it is left from inside another loop."""
    tested: list[str] = field(factory=list)
    """The flags of bodies around this loop that are left from inside it: each is looked at after the loop."""


@define(eq=False)
class CodeList:
    """How a function that lists codes makes its result."""

    begins_in: Statements | None = None
    """The one body that adds codes, if there is only one: the list is made there."""
    last: AppendByKey | None = None
    """The look-up at the end of the function: what it finds is returned."""
    is_made: bool = True
    """Whether codes are added to a list at all."""
    first_only: bool = False
    """Whether the first code that would be added is the result."""


@define(eq=False)
class FunctionWriter:
    """Collects the statements of one function, and knows what its parts must agree on."""

    build: AstBuilder
    constants: ConstantPool
    log: bool
    """Whether the entries of the log are written too."""
    calls_log: bool = False
    """Whether what is called writes entries though this does not: then they are forgotten."""
    lines: list[ast.stmt] = field(factory=list)
    loops: list[OpenLoop] = field(factory=list)
    """The loops around what is written now, the innermost last."""
    returns: str | None = None
    """The label of the body that is the whole function: to leave it is to return."""
    codes: CodeList | None = None
    _fresh: int = 0

    def fresh_name(self) -> str:
        """Return the name of a new local; variables of the plan never look like it."""
        self._fresh += 1
        return f"t{self._fresh}"

    def add(self, statement: ast.stmt) -> None:
        """Write a statement."""
        self.lines.append(statement)

    def assign(self, name: str, value: ast.expr) -> None:
        """Write `name = value`."""
        self.lines.append(self.build.assign(name, value))

    def apart(
        self, write: Callable[Concatenate[FunctionWriter, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> tuple[list[ast.stmt], T]:
        """Return the lines that `write` writes, which do not go into the function, and what it returns."""
        before, self.lines = self.lines, []
        result = write(self, *args, **kwargs)
        lines, self.lines = self.lines, before
        return lines, result

    def state(self) -> ast.expr:
        """Return the list of cells."""
        return self.build.name(STATE)

    def log_argument(self) -> ast.expr:
        """Return what is handed on as the log."""
        if self.calls_log:
            return self.build.name("forget_entry")
        return self.build.name(LOG) if self.log else self.build.constant(value=None)

    def parameters(self) -> list[str]:
        """Return the parameters that every function has that changes the state."""
        return [STATE, LOG] if self.log else [STATE]
