"""From statements of a plan to Python statements."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from attrs import evolve

from aodrules.compiler.codegen.formulas import write_cell_number, write_condition, write_formula, write_formulas
from aodrules.compiler.codegen.quiet_moves import QuietMove, find_quiet_move
from aodrules.compiler.codegen.writer import LOG, FunctionWriter, OpenLoop
from aodrules.compiler.formulas import (
    CallPure,
    CellRead,
    Formula,
    Generator,
    Literal,
    Op,
    Reduce,
    Variable,
    all_of,
    call_pure,
    conjuncts,
)
from aodrules.compiler.nodes import (
    AppendByKey,
    AppendCode,
    Assign,
    Branch,
    Break,
    CallRuntime,
    CellWrite,
    Finish,
    ForEach,
    IfLogging,
    Labelled,
    Statements,
    Switch,
    WhileLoop,
    WriteLog,
)
from aodrules.compiler.visit import children, form, never_goes_on, read_by
from aodrules.facts.state import Cause, LogNote

CODES, ADD = "codes", "add"
"""The names under which a function that lists codes keeps them, and the way to add one."""
MANY_CASES = 4
"""With more cases a switch is halved again and again instead of tried one by one."""


def write_statements(writer: FunctionWriter, statements: Statements) -> None:
    """Write statements."""
    if writer.codes is not None and statements is writer.codes.begins_in:
        begin_code_list(writer)
    for statement in statements:
        writer.build.at(statement.span)
        _STATEMENTS[type(statement)](writer, statement)


def _body(writer: FunctionWriter, statements: Statements) -> list[ast.stmt]:
    return writer.apart(write_statements, statements)[0]


# Changes.


def _assign(writer: FunctionWriter, statement: Assign) -> None:
    value = write_formula(writer, statement.value)
    writer.build.at(statement.span)
    writer.assign(statement.name, value)


def _cell_write(writer: FunctionWriter, statement: CellWrite) -> None:
    change = _change_of_cell(statement)
    value = write_formula(writer, statement.value if change is None else change[1])
    number = write_cell_number(writer, statement.base, statement.index)
    cell = writer.build.stored_item(writer.state(), number)
    if change is None:
        writer.add(writer.build.assign_to([cell], value))
    else:
        writer.add(writer.build.augment(cell, change[0], value))


def _write_log(writer: FunctionWriter, statement: WriteLog) -> None:
    if writer.log:
        what, *parts = write_formulas(writer, statement.parts)
        if statement.cause is not None:
            assert isinstance(what, ast.Constant)  # what an entry notes is told where the rules are lowered
            what = writer.build.name(writer.constants.name(LogNote(str(what.value), statement.cause)))
        writer.add(writer.build.expression(writer.build.call(LOG, [writer.build.tuple([what, *parts])])))


def _write_cause(writer: FunctionWriter, cause: Cause | None) -> None:
    """Write which body does what a function of the runtime notes next, where a log is kept."""
    if writer.log and cause is not None:
        body = writer.build.name(writer.constants.name(cause))
        writer.add(writer.build.expression(writer.build.call(LOG, [body])))


def _if_logging(writer: FunctionWriter, statement: IfLogging) -> None:
    if writer.log:
        write_statements(writer, statement.body)


def _call_runtime(writer: FunctionWriter, statement: CallRuntime) -> None:
    if statement.function == "mark_results":
        _mark_results(writer, statement)
        return
    if statement.function == "reset_cells" and not (writer.log or writer.calls_log):
        _reset_cells(writer, statement)
        return
    quiet = None if writer.log or writer.calls_log else find_quiet_move(statement)
    if quiet is not None:
        _move_quietly(writer, quiet, statement.result)
        return
    given = [writer.state()]
    if writer.log or writer.calls_log or not statement.planned:
        given.append(writer.log_argument())
    arguments = write_formulas(writer, statement.arguments)
    _write_cause(writer, statement.cause)
    call = writer.build.call(statement.function, given + arguments)
    if statement.result is None:
        writer.add(writer.build.expression(call))
    else:
        writer.assign(statement.result, call)


def _move_quietly(writer: FunctionWriter, quiet: QuietMove, result: str | None) -> None:
    build = writer.build
    arguments = write_formulas(writer, quiet.arguments)
    fixed = build.name(writer.constants.name(quiet.fixed))
    call = build.call(quiet.function, [writer.state(), *arguments, fixed])
    writer.add(build.expression(call) if result is None else build.assign(result, call))


def _mark_results(writer: FunctionWriter, statement: CallRuntime) -> None:
    """Write the same mark into several cells at once."""
    build, (first, many, mark) = writer.build, statement.arguments
    assert isinstance(many, Literal)
    assert isinstance(many.value, int)
    assert isinstance(mark, Literal)
    begin, end = (write_formula(writer, one) for one in (first, first + many))
    marks = writer.constants.name((mark.value,) * many.value)
    writer.add(build.assign_to([build.stored_items(writer.state(), begin, end)], build.name(marks)))


def _reset_cells(writer: FunctionWriter, statement: CallRuntime) -> None:
    """Write the cells of a field back to their start at once, where no log says which of them changed."""
    build, (_, base, _, starts) = writer.build, statement.arguments
    assert isinstance(base, Literal)
    assert isinstance(base.value, int)
    assert isinstance(starts, Literal)
    assert isinstance(starts.value, tuple)
    begin, end = (build.constant(one) for one in (base.value, base.value + len(starts.value)))
    writer.add(build.assign_to([build.stored_items(writer.state(), begin, end)], write_formula(writer, starts)))


def _finish(writer: FunctionWriter, _: Finish) -> None:
    writer.add(writer.build.raise_("GameOver"))


# Lists of codes.


def begin_code_list(writer: FunctionWriter) -> None:
    """Write the list to which codes are added."""
    writer.assign(CODES, writer.build.empty_list())
    writer.assign(ADD, writer.build.attribute(CODES, "append"))


def _append_code(writer: FunctionWriter, statement: AppendCode) -> None:
    code = write_formula(writer, statement.code)
    if writer.codes is not None and writer.codes.first_only:
        writer.add(writer.build.return_(writer.build.tuple([code])))
    else:
        writer.add(writer.build.expression(writer.build.call(ADD, [code])))


def _append_by_key(writer: FunctionWriter, statement: AppendByKey) -> None:
    """Write what looks codes up; as the last statement it gives the result, without a copy if there is no other."""
    build, found, key = writer.build, writer.fresh_name(), statement.key.name
    table = writer.constants.new_table()
    writer.assign(found, build.call_method(table, "get", [build.name(key)]))
    options = build.name(writer.constants.name(statement.options))
    fill = build.call("fill_codes", [build.name(table), build.name(key), options])
    writer.add(build.if_(build.is_none(found), [build.assign(found, fill)]))
    if writer.codes is None or statement is not writer.codes.last:
        writer.add(build.expression(build.call_method(CODES, "extend", [build.name(found)])))
        return
    if writer.codes.is_made:
        whole = build.binary("+", build.call("tuple", [build.name(CODES)]), build.name(found))
        writer.add(build.if_(build.name(CODES), [build.return_(whole)]))
    writer.add(build.return_(build.name(found)))


# Control.


def _branch(writer: FunctionWriter, statement: Branch) -> None:
    statement = _move_loops_inside(statement)
    condition = write_condition(writer, statement.condition)
    then, otherwise = _body(writer, statement.then), _body(writer, statement.otherwise)
    writer.build.at(statement.span)
    if then and otherwise and never_goes_on(statement.then):
        writer.add(writer.build.if_(condition, then))
        writer.lines += otherwise
    elif then or otherwise:
        writer.add(writer.build.if_(condition, then, otherwise))


def _switch(writer: FunctionWriter, statement: Switch) -> None:
    value = write_formula(writer, statement.subject)
    subject = value.id if isinstance(value, ast.Name) else writer.fresh_name()
    if not isinstance(value, ast.Name):
        writer.assign(subject, value)
    cases = [(number, _body(writer, body)) for number, body in statement.cases]
    writer.build.at(statement.span)
    writer.lines += write_cases(writer, subject, cases)


def write_cases(writer: FunctionWriter, subject: str, cases: list[tuple[int, list[ast.stmt]]]) -> list[ast.stmt]:
    """Return what is done for each number."""
    build = writer.build
    if len(cases) > MANY_CASES:
        middle = len(cases) // 2
        below = build.binary("<", build.name(subject), build.constant(cases[middle][0]))
        lower, upper = write_cases(writer, subject, cases[:middle]), write_cases(writer, subject, cases[middle:])
        return [build.if_(below, lower, upper)]
    result: list[ast.stmt] = []
    for number, body in reversed(cases):
        same = build.binary("==", build.name(subject), build.constant(number))
        result = [build.if_(same, body, result)]
    return result


def _for_each(writer: FunctionWriter, statement: ForEach) -> None:
    statement = _run_over_what_is_sifted(statement)
    items = write_formula(writer, _first_if_enough(writer, statement))
    if _append_all(writer, statement, items):
        return
    statement = _add_up_outside(writer, statement)
    loop = OpenLoop()
    body = _loop_body(writer, loop, statement.body)
    writer.build.at(statement.span)
    writer.add(writer.build.for_(statement.name, items, body))
    _test_flags(writer, loop)


def _run_over_what_is_sifted(statement: ForEach) -> ForEach:
    """Return a loop over a set that is sifted out of another as a loop over that, with the tests inside."""
    match statement.items:
        case CallPure(_, "set_items", (Reduce(_, "set", Variable(_, item), (Generator(name, items, tests),), False),)):
            if item == name and tests and isinstance(items, CallPure) and items.function == "set_items":
                given = Assign(statement.span, statement.name, Variable(statement.span, name))
                inner = Branch(statement.span, all_of(statement.span, *tests), (given, *statement.body))
                return evolve(statement, name=name, items=items, body=(inner,))
    return statement


def _first_if_enough(writer: FunctionWriter, statement: ForEach) -> Formula:
    """Return what a loop runs over: of a set the first member alone, if its code is the result."""
    match statement.items, statement.body:
        case CallPure(span, "set_items", (members,)), (AppendCode(),) if writer.codes and writer.codes.first_only:
            name = writer.fresh_name()
            writer.assign(name, write_formula(writer, members))
            found = Variable(span, name)
            return call_pure(span, "set_items", found & (Literal(span, 0) - found))
    return statement.items


def _append_all(writer: FunctionWriter, statement: ForEach, items: ast.expr) -> bool:
    """Write what adds all items of a loop as codes, if that is all it does."""
    match statement.body:
        case (AppendCode(_, Variable(_, statement.name)),) if writer.codes is not None and not writer.codes.first_only:
            writer.add(writer.build.expression(writer.build.call_method(CODES, "extend", [items])))
            return True
    return False


def _add_up_outside(writer: FunctionWriter, statement: ForEach) -> ForEach:
    """Write before a loop what its codes have in common, and return the loop that adds the rest."""
    match statement.body:
        case (AppendCode(span, code),) if writer.codes is not None and not writer.codes.first_only:
            common, own = _split_last(code, statement.name)
            if isinstance(common, Op) and own is not None:
                name = writer.fresh_name()
                writer.assign(name, write_formula(writer, common))
                return evolve(statement, body=(AppendCode(span, Variable(span, name) + own),))
    return statement


def _split_last(code: Formula, name: str) -> tuple[Formula, Formula | None]:
    """Return a sum without the variable that is added last, and that."""
    match code:
        case Variable(_, found) if found == name:
            return Literal(code.span, 0), code
        case Op(_, "+", (first, second)) if name not in read_by(first):
            rest, own = _split_last(second, name)
            return first + rest, own
    return code, None


def _while(writer: FunctionWriter, statement: WhileLoop) -> None:
    build = writer.build
    lines, condition = writer.apart(write_condition, statement.condition)
    loop = OpenLoop()
    body = _loop_body(writer, loop, statement.body)
    build.at(statement.span)
    if lines:
        leave = build.if_(build.negate(condition), [build.break_()])
        writer.add(build.while_(build.constant(value=True), [*lines, leave, *body]))
    else:
        writer.add(build.while_(condition, body))
    _test_flags(writer, loop)


def _loop_body(writer: FunctionWriter, loop: OpenLoop, body: Statements) -> list[ast.stmt]:
    writer.loops.append(loop)
    lines = _body(writer, body)
    writer.loops.pop()
    return lines


def _labelled(writer: FunctionWriter, statement: Labelled) -> None:
    """Write a body that can be left as a loop that runs once."""
    build, loop = writer.build, OpenLoop(statement.label)
    body = _loop_body(writer, loop, statement.body)
    build.at(statement.span)
    if loop.flag is not None:
        writer.assign(loop.flag, build.constant(value=False))
    writer.add(build.while_(build.constant(value=True), [*body, build.break_()]))
    _test_flags(writer, loop)


def _break(writer: FunctionWriter, statement: Break) -> None:
    """Write the way out of a body with a label: from inside other loops with a flag that each of them looks at."""
    if statement.label == writer.returns:
        writer.add(writer.build.return_())
        return
    depth = next(depth for depth, loop in enumerate(reversed(writer.loops)) if loop.label == statement.label)
    target = writer.loops[-1 - depth]
    if depth:
        target.flag = target.flag or writer.fresh_name()
        for loop in writer.loops[-depth:]:
            if target.flag not in loop.tested:
                loop.tested.append(target.flag)
        writer.assign(target.flag, writer.build.constant(value=True))
    writer.add(writer.build.break_())


def _test_flags(writer: FunctionWriter, loop: OpenLoop) -> None:
    for flag in loop.tested:
        writer.add(writer.build.if_(writer.build.name(flag), [writer.build.break_()]))


def _move_loops_inside(statement: Branch) -> Branch:
    """Return a branch in which a loop of its condition runs inside, where what comes before it holds."""
    tests = conjuncts(statement.condition)
    place = next((place for place, test in enumerate(tests) if place and _has_loop(test)), None)
    if place is None or statement.otherwise:
        return statement
    before, after = (all_of(statement.span, *some) for some in (tests[:place], tests[place:]))
    return Branch(statement.span, before, (Branch(statement.span, after, statement.then),))


def _has_loop(formula: object) -> bool:
    return isinstance(formula, Reduce) or any(map(_has_loop, children(formula)))


def _change_of_cell(statement: CellWrite) -> tuple[str, Formula] | None:
    """Return how a cell is changed from what it holds, if the new value is just that."""
    value = statement.value
    if not isinstance(value, Op) or value.operator not in {"+", "-", "|", "&"}:
        return None
    old, other = value.operands
    same = isinstance(old, CellRead) and old.base == statement.base and form(old.index) == form(statement.index)
    return (value.operator, other) if same else None


_STATEMENTS: dict[type, Callable[[FunctionWriter, Any], None]] = {
    Assign: _assign,
    CellWrite: _cell_write,
    WriteLog: _write_log,
    IfLogging: _if_logging,
    CallRuntime: _call_runtime,
    Branch: _branch,
    Switch: _switch,
    ForEach: _for_each,
    WhileLoop: _while,
    Labelled: _labelled,
    Break: _break,
    AppendCode: _append_code,
    AppendByKey: _append_by_key,
    Finish: _finish,
}
