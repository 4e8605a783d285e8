"""From statements of a plan to Python statements."""

from __future__ import annotations

import ast

from aodrules.compiler.codegen.formulas import LOG, STATE, ConstantPool, FormulaWriter
from aodrules.compiler.folding import conjuncts, operation
from aodrules.compiler.nodes import (
    AppendByKey,
    AppendCode,
    Assign,
    Branch,
    Break,
    CallRuntime,
    CellRead,
    CellWrite,
    Finish,
    ForEach,
    Formula,
    IfLogging,
    Labelled,
    Op,
    Reduce,
    Statement,
    Statements,
    Switch,
    WhileLoop,
    WriteLog,
)
from aodrules.compiler.variables import never_goes_on
from aodrules.compiler.visit import children, form
from aodrules.source.spans import Span

ADD = "add"
"""The name under which a function that lists codes keeps the way to add one."""
MANY_CASES = 4
"""With more cases a switch is halved again and again instead of tried one by one."""


class _Around:
    """A Python loop that is being written: the body with a label, or a loop of the rules."""

    def __init__(self, label: str | None) -> None:
        self.label = label
        self.passed: list[str] = []
        """Labels of outer bodies that are left from inside, by a flag that is looked at after this loop."""
        self.flag: str | None = None


class StatementWriter(FormulaWriter):
    """Writes statements; with `log` also the entries of the log."""

    def __init__(self, span: Span, constants: ConstantPool, *, log: bool) -> None:
        super().__init__(span, constants)
        self.log = log
        self._around: list[_Around] = []
        self.returns: str | None = None
        """The label of the body that is the whole function: to leave it is to return."""

    def statements(self, statements: Statements) -> None:
        """Write statements."""
        for statement in statements:
            self.trees.go_to(statement.span)
            self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        writers = {
            Assign: self._assign,
            CellWrite: self._cell_write,
            WriteLog: self._note,
            IfLogging: self._noting,
            CallRuntime: self._perform,
            Branch: self._branch,
            Switch: self._switch,
            ForEach: self._each,
            WhileLoop: self._again,
            Labelled: self._labelled,
            Break: self._leave,
            AppendCode: self._emit,
            AppendByKey: self._emit_by_key,
            Finish: self._finish,
        }
        writers[type(statement)](statement)  # type: ignore[operator]

    def inner(self, statements: Statements) -> list[ast.stmt]:
        """Return statements written apart."""
        return self.block(lambda: self.statements(statements))

    # Changes.

    def _assign(self, statement: Assign) -> None:
        value = self.formula(statement.value)
        self.trees.go_to(statement.span)
        self.lines.append(self.trees.assign([self.trees.stored(statement.name)], value))

    def _cell_write(self, statement: CellWrite) -> None:
        change = _change(statement)
        value = self.formula(statement.value if change is None else change[1])
        cell = self.trees.stored_item(self.trees.name(STATE), self.cell(statement.base, statement.index))
        if change is None:
            self.lines.append(self.trees.assign([cell], value))
        else:
            self.lines.append(self.trees.augmented(cell, change[0], value))

    def _note(self, statement: WriteLog) -> None:
        if self.log:
            entry = self.trees.tuple(self.formulas(statement.parts))
            self.lines.append(self.trees.expression(self.trees.call(LOG, [entry])))

    def _noting(self, statement: IfLogging) -> None:
        if self.log:
            self.statements(statement.body)

    def log_argument(self) -> ast.expr:
        """Return what is handed on as the log."""
        return self.trees.name(LOG) if self.log else self.trees.constant(value=None)

    def _perform(self, statement: CallRuntime) -> None:
        given = [self.trees.name(STATE)]
        if self.log or not statement.planned:
            given.append(self.log_argument())
        call = self.trees.call(statement.function, given + self.formulas(statement.arguments))
        if statement.result is None:
            self.lines.append(self.trees.expression(call))
        else:
            self.lines.append(self.trees.assign([self.trees.stored(statement.result)], call))

    def _emit(self, statement: AppendCode) -> None:
        self.lines.append(self.trees.expression(self.trees.call(ADD, [self.formula(statement.code)])))

    def _emit_by_key(self, statement: AppendByKey) -> None:
        """Write what looks codes up; as the last statement it gives the result, without a copy if there is no other."""
        trees, found, key = self.trees, self.temporary(), statement.key.name
        table = self.constants.table()
        self.lines.append(trees.assign([trees.stored(found)], trees.asked(table, "get", [trees.name(key)])))
        options = trees.name(self.constants.name(statement.options))
        filled = trees.call("fill_codes", [trees.name(table), trees.name(key), options])
        missing = trees.binary("is", trees.name(found), trees.constant(value=None))
        self.lines.append(trees.if_(missing, [trees.assign([trees.stored(found)], filled)], []))
        self.keyed(found)

    def keyed(self, found: str) -> None:
        """Write what happens to codes that were looked up."""
        self.lines.append(self.trees.method("codes", "extend", [self.trees.name(found)]))

    def _finish(self, _: Finish) -> None:
        self.lines.append(self.trees.raise_("GameOver"))

    # Control.

    def _branch(self, statement: Branch) -> None:
        statement = _with_loops_inside(statement)
        condition = self.condition(statement.condition)
        then, otherwise = self.inner(statement.then), self.inner(statement.otherwise)
        self.trees.go_to(statement.span)
        if then and otherwise and never_goes_on(statement.then):
            self.lines.append(self.trees.if_(condition, then, []))
            self.lines += otherwise
        elif then or otherwise:
            self.lines.append(self.trees.if_(condition, then, otherwise))

    def _switch(self, statement: Switch) -> None:
        subject = self.temporary()
        self.lines.append(self.trees.assign([self.trees.stored(subject)], self.formula(statement.subject)))
        cases = [(number, self.inner(body)) for number, body in statement.cases]
        self.trees.go_to(statement.span)
        self.lines += self.cases(subject, cases)

    def cases(self, subject: str, cases: list[tuple[int, list[ast.stmt]]]) -> list[ast.stmt]:
        """Return what is done for each number."""
        trees = self.trees
        if len(cases) > MANY_CASES:
            middle = len(cases) // 2
            below = trees.binary("<", trees.name(subject), trees.constant(cases[middle][0]))
            return [trees.if_(below, self.cases(subject, cases[:middle]), self.cases(subject, cases[middle:]))]
        result: list[ast.stmt] = []
        for number, body in reversed(cases):
            same = trees.binary("==", trees.name(subject), trees.constant(number))
            result = [trees.if_(same, body, result)]
        return result

    def _each(self, statement: ForEach) -> None:
        items = self.formula(statement.items)
        body = self._in_loop(_Around(None), statement.body)
        self.trees.go_to(statement.span)
        self.lines.append(self.trees.for_(statement.name, items, body[0]))
        self._look_at_flags(body[1])

    def _again(self, statement: WhileLoop) -> None:
        lines, condition = self.inside(lambda: self.condition(statement.condition))
        assert condition is not None
        body, around = self._in_loop(_Around(None), statement.body)
        self.trees.go_to(statement.span)
        if lines:
            out = self.trees.if_(self.trees.negated(condition), [self.trees.break_()], [])
            self.lines.append(self.trees.while_(self.trees.constant(value=True), [*lines, out, *body]))
        else:
            self.lines.append(self.trees.while_(condition, body))
        self._look_at_flags(around)

    def _in_loop(self, around: _Around, body: Statements) -> tuple[list[ast.stmt], _Around]:
        self._around.append(around)
        lines = self.inner(body)
        self._around.pop()
        return lines, around

    def _labelled(self, statement: Labelled) -> None:
        around = _Around(statement.label)
        body, _ = self._in_loop(around, statement.body)
        self.trees.go_to(statement.span)
        if around.flag is not None:
            self.lines.append(self.trees.assign([self.trees.stored(around.flag)], self.trees.constant(value=False)))
        body.append(self.trees.break_())
        self.lines.append(self.trees.while_(self.trees.constant(value=True), body))
        self._look_at_flags(around)

    def _leave(self, statement: Break) -> None:
        if statement.label == self.returns:
            self.lines.append(self.trees.return_())
            return
        depth = next(number for number, one in enumerate(reversed(self._around)) if one.label == statement.label)
        passed = self._around[len(self._around) - depth :]
        target = self._around[-1 - depth]
        if passed:
            target.flag = target.flag or self.temporary()
            for one in passed:
                if target.flag not in one.passed:
                    one.passed.append(target.flag)
            self.lines.append(self.trees.assign([self.trees.stored(target.flag)], self.trees.constant(value=True)))
        self.lines.append(self.trees.break_())

    def _look_at_flags(self, around: _Around) -> None:
        for flag in around.passed:
            self.lines.append(self.trees.if_(self.trees.name(flag), [self.trees.break_()], []))


def _with_loops_inside(statement: Branch) -> Branch:
    """Return a branch in which a loop of its condition runs inside, where what comes before it holds."""
    tests = conjuncts(statement.condition)
    place = next((place for place, test in enumerate(tests) if place and _has_loop(test)), None)
    if place is None or statement.otherwise:
        return statement
    before, after = (operation(statement.span, "and", *some) for some in (tests[:place], tests[place:]))
    return Branch(statement.span, before, (Branch(statement.span, after, statement.then),))


def _has_loop(formula: object) -> bool:
    return isinstance(formula, Reduce) or any(map(_has_loop, children(formula)))


def _change(statement: CellWrite) -> tuple[str, Formula] | None:
    """Return how a cell is changed from what it holds, if the new value is just that."""
    value = statement.value
    if not isinstance(value, Op) or value.operator not in {"+", "-", "|", "&"}:
        return None
    old, other = value.operands
    same = isinstance(old, CellRead) and old.base == statement.base and form(old.index) == form(statement.index)
    return (value.operator, other) if same else None
