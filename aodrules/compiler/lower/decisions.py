"""Questions: the codes listed, somebody asked (or chance), and what each answer does."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from aodrules.check.checked import DecisionDef, Option, Parameter
from aodrules.check.steps import Choose
from aodrules.check.visit import names_deciding
from aodrules.compiler.formulas import (
    CallPure,
    CellRead,
    Formula,
    Literal,
    Op,
    Variable,
    all_of,
    any_of,
    call_pure,
    length,
    nonzero,
    tuple_of,
)
from aodrules.compiler.layout import LEFT
from aodrules.compiler.lower.bodies import lower_steps
from aodrules.compiler.lower.calls import call_procedure, count_use, lower_body
from aodrules.compiler.lower.cells import LoweredPlace
from aodrules.compiler.lower.expressions import lower_expression
from aodrules.compiler.lower.options import (
    CodeShape,
    find_holding,
    is_offered_by_kind,
    is_open,
    list_option,
    lower_conditions,
    make_code_shape,
    supply_names,
)
from aodrules.compiler.lower.places import bind_arguments, is_fixed, lower_arguments, pass_arguments
from aodrules.compiler.lower.planner import Planner, to_identifier
from aodrules.compiler.lower.scope import LowerScope, Meaning
from aodrules.compiler.lower.uses import CLOSED, ending_after, uses_of
from aodrules.compiler.nodes import (
    AppendCode,
    Around,
    Ask,
    Branch,
    Break,
    DecisionPoint,
    Function,
    IfLogging,
    Labelled,
    Statements,
    WhileLoop,
    assign,
    branch,
    call_runtime,
    write_log,
)
from aodrules.compiler.passes.legality_keys import list_codes
from aodrules.compiler.passes.merge_bag_tests import merge_bag_tests
from aodrules.compiler.passes.redundant_checks import drop_known_conditions
from aodrules.compiler.variables import flow, leaves, read_by
from aodrules.compiler.visit import form
from aodrules.lang.expressions import Const
from aodrules.lang.types import NUMBER, PLAYER, Bag, Type
from aodrules.source.spans import Span


def lower_choose(planner: Planner, step: Choose, scope: LowerScope) -> Statements:
    """Return a question."""
    decision = planner.rules.decisions[step.decision]
    by = None if step.by is None else lower_expression(planner, step.by, scope)
    meanings = lower_arguments(planner, step.arguments, scope)
    parameters, meanings = _add_decider(decision, by, meanings)
    if decision.inline:
        statements, names = bind_arguments(planner, parameters, meanings, step.span)
        return statements + _lower_decision(planner, decision, scope.bind_all(names), by_chance=by is None)
    given = pass_arguments(planner, parameters, meanings)
    key = f"decision_{to_identifier(step.decision.removeprefix('decision.'))}{'_by_chance' if by is None else ''}"
    return call_procedure(
        planner,
        key,
        given,
        lambda inner: _lower_decision(planner, decision, inner, by_chance=by is None),
        decision.span,
    )


def _add_decider(
    decision: DecisionDef, by: Formula | None, meanings: list[Meaning]
) -> tuple[tuple[Parameter, ...], list[Meaning]]:
    if by is None:
        return decision.parameters, meanings
    return (Parameter("player", PLAYER, decision.span), *decision.parameters), [by, *meanings]


def _lower_decision(planner: Planner, decision: DecisionDef, scope: LowerScope, *, by_chance: bool) -> Statements:
    """Return a question in a body that has the decider and the arguments at hand."""
    span, possible, all_options = decision.span, _find_shapes(planner, decision), len(decision.options)
    decision, shapes = evolve(decision, options=tuple(possible)), list(possible.values())
    again = any(option.again is not None for option in decision.options)
    counters = _make_counters(planner, decision, scope)
    for option in decision.options:
        if option.beside:
            scope = scope.bind(ending_after(option), _test_ending_after(planner, decision, option, scope))
    scope = scope.bind_all({uses_of(option): counter for option, counter in counters.items()})
    done = planner.fresh("answered") if again else None
    leave: Statements = () if done is None else (Break(span, done),)
    statements = _ask_once(planner, decision, shapes, scope, done, by_chance=by_chance)
    if decision.always_asked and 0 < len(counters) == all_options:
        is_left = any_of(span, *(is_open(counter) for counter in counters.values()))
        statements = branch(span, is_left, statements, leave)
    if planner.somebody_leaves and not by_chance:
        here = scope.formula("player").is_not_in(CellRead(span, LEFT))
        statements = branch(span, here, statements, leave)
    if done is None:
        return statements
    loop = WhileLoop(span, Literal(span, value=True), statements)
    starts = (assign(counter.at(span), 0) for counter in counters.values())
    return *starts, Labelled(span, done, (loop,))


def _ask_once(
    planner: Planner,
    decision: DecisionDef,
    shapes: list[CodeShape],
    scope: LowerScope,
    done: str | None,
    *,
    by_chance: bool,
) -> Statements:
    """Return the codes listed, the question, and what the answers do; where it may be asked again, all leave it."""
    span = decision.span
    size = sum(shape.codes for shape in shapes)
    legal = _make_listing(planner, decision, shapes, size, scope)
    codes, code = planner.variable("codes", span), planner.variable("code", span)
    listing = assign(codes, call_listing(legal, span))
    answers = _lower_answers(planner, decision, shapes, code, scope, done)
    if by_chance:
        asking: Statements = (call_runtime(span, "roll_item", codes, result=code),)
    else:
        asking = (Ask(span, _make_site(planner, decision, scope, legal, size), codes, code.name),)
    statements = (listing, *_ask_if_any(planner, decision, codes, asking + answers, scope, done))
    if decision.optional and not decision.always_asked:
        # Most windows stay shut: what the options ask of the state as a whole is looked at before they are listed.
        statements = branch(span, _guard(legal, span), statements, () if done is None else (Break(span, done),))
    return statements


def _make_counters(planner: Planner, decision: DecisionDef, scope: LowerScope) -> dict[Option, Variable]:
    """Return a variable for each option that asks again, without those that a limit stops before."""
    return {
        option: planner.variable("uses", option.span)
        for option in decision.options
        if option.again is not None and not _is_stopped_before(planner, option, scope)
    }


def _is_stopped_before(planner: Planner, option: Option, scope: LowerScope) -> bool:
    """Whether a limit for the whole game, on what only the decider uses, stops an option before `again` does."""
    if option.limit is None or is_offered_by_kind(option) or (option.scope and not option.scope.owner):
        return False
    most = find_holding(planner, option, scope).most
    for period, _, number in option.limit.periods:
        match number, option.again:
            case Const(value=int(often)), Const(value=int(again)) if period == "game" and often * most <= again:
                return True
    return False


def _test_ending_after(planner: Planner, decision: DecisionDef, option: Option, scope: LowerScope) -> Formula:
    """Return whether an answer is possible that ends the decision after an option and that it cannot take away."""
    endings = [each for each in decision.options if each.address in option.beside]
    lists = (
        add_listing(
            planner, each.address, list_option(planner, each, make_code_shape(planner, each, 0), scope), each.span
        )
        for each in endings
    )
    possible = (nonzero(length(call_listing(one, option.span))) for one in lists)
    return any_of(option.span, *possible)


def _find_shapes(planner: Planner, decision: DecisionDef) -> dict[Option, CodeShape]:
    """Return the options with their shapes, without those over a kind that has no members."""
    found: dict[Option, CodeShape] = {}
    offset = 0
    for option in decision.options:
        shape = make_code_shape(planner, option, offset)
        if shape.codes:
            found[option] = shape
        offset += shape.codes
    return found


def _ask_if_any(
    planner: Planner, decision: DecisionDef, codes: Variable, asked: Statements, scope: LowerScope, done: str | None
) -> Statements:
    """Return the question under the condition that there is something to ask."""
    span = decision.span
    leave: Statements = () if done is None else (Break(span, done),)
    if decision.optional:
        if decision.always_asked:
            return asked
        return branch(span, length(codes) > 1, asked, leave)
    if not decision.says_otherwise:
        stuck = write_log(span, "stuck", decision.address)
        otherwise: Statements = (IfLogging(span, (stuck,)),)
    elif decision.inline:
        otherwise = lower_steps(planner, decision.otherwise, scope)
    else:
        otherwise = lower_body(
            planner, lambda inner: lower_steps(planner, decision.otherwise, inner), scope.names, span
        )
    return branch(span, nonzero(length(codes)), asked, otherwise + leave)


# Listing.


def _make_listing(
    planner: Planner, decision: DecisionDef, shapes: list[CodeShape], size: int, scope: LowerScope
) -> Function:
    options = list(zip(decision.options, shapes, strict=True))
    body = list_codes(planner, options, scope, size if decision.optional else None, decision.span)
    return add_listing(planner, decision.address, merge_bag_tests(body), decision.span)


def call_listing(legal: Function, span: Span) -> Formula:
    """Return the call of a function that lists codes."""
    return CallPure(span, legal.name, tuple(Variable(span, name) for name in legal.parameters), planned=True)


def _make_site(planner: Planner, decision: DecisionDef, scope: LowerScope, legal: Function, size: int) -> int:
    shown = []
    for parameter in decision.parameters:
        meaning = scope.names[parameter.name]
        if not isinstance(meaning, LoweredPlace):
            shown.append((parameter.name, meaning))
    return add_site(
        planner,
        decision.address,
        scope.formula("player"),
        legal,
        tuple(shown),
        size + decision.optional,
        decision.span,
        _find_names_around(planner, decision, scope),
    )


def _find_names_around(planner: Planner, decision: DecisionDef, scope: LowerScope) -> Around:
    """Return what decides beside the arguments which answers are legal: names of the body around, and places."""
    types = {name: type_ for option in decision.options for name, type_ in names_deciding(option).items()}
    types |= {uses_of(option): NUMBER for option in decision.options if option.again is not None}
    told = {one.name for one in decision.parameters if not isinstance(scope.names[one.name], LoweredPlace)} | {"player"}
    names = sorted(name for name in types if name in scope.names and name not in told)
    return tuple((name, *_convert_to_plain(planner, scope.names[name], types[name], decision.span)) for name in names)


def _convert_to_plain(planner: Planner, meaning: Meaning, type_: Type | None, span: Span) -> tuple[Formula, str | None]:
    """Return a name in plain form, and the field of a place, whose indices and position are told."""
    if isinstance(meaning, LoweredPlace):
        parts = (*meaning.at, meaning.index)
        indices = tuple(Literal(span, None) if one is None else one for one in parts)
        return tuple_of(span, *indices), meaning.cells.name
    if isinstance(type_, Bag):
        shape = planner.bag(type_)
        return call_pure(span, "bag_counts", meaning, shape.width, shape.members), None
    return meaning, None


def add_site(
    planner: Planner,
    address: str,
    player: Formula,
    legal: Function,
    shown: tuple[tuple[str, Formula], ...],
    size: int,
    span: Span,
    around: Around = (),
) -> int:
    """Return the number of a new place where somebody is asked; numbers start at 1."""
    number = len(planner.sites) + 1
    told = [formula for _, formula in shown] + [formula for _, formula, _ in around]
    needed = sorted(set[str]().union(*map(read_by, told)))
    values = tuple_of(span, *told)
    shows = Function(f"shown_{number}", span, tuple(needed), (), values)
    planner.functions[shows.name] = shows
    site = DecisionPoint(
        number, span, address, player, legal.name, legal.parameters, shown, shows.parameters, size, around
    )
    planner.sites.append(site)
    return number


# Answers.


def _lower_answers(
    planner: Planner,
    decision: DecisionDef,
    shapes: list[CodeShape],
    code: Variable,
    scope: LowerScope,
    done: str | None,
) -> Statements:
    """Return what each answer does."""
    leave: Statements = () if done is None else (Break(decision.span, done),)
    answers = [
        (shape.offset, shape.codes, _lower_answer(planner, option, shape, code, scope, leave))
        for option, shape in zip(decision.options, shapes, strict=True)
    ]
    if decision.optional:
        answers.append((sum(shape.codes for shape in shapes), 1, leave))
    return _found_by_code(code, answers, decision.span) if answers else leave


def _ask_again(planner: Planner, option: Option, leave: Statements, scope: LowerScope) -> Statements:
    """Return what happens after an option: the question again, or on with the game."""
    if option.again is None:
        return leave
    uses = scope.names.get(uses_of(option))
    if not isinstance(uses, Variable):
        return ()
    span = option.span
    close = assign(uses, CLOSED)
    count = assign(uses, uses + 1)
    return branch(span, uses >= lower_expression(planner, option.again, scope), (close,), (count,))


def _lower_answer(
    planner: Planner, option: Option, shape: CodeShape, code: Variable, scope: LowerScope, leave: Statements
) -> Statements:
    """Return what an option does: its arguments read from the code, its use counted, its steps, what follows."""
    span = option.span
    read, scope = _fix_names(planner, supply_names(planner, option, scope), [one.name for one in option.given], span)
    divisor = shape.codes
    for parameter, low, size in zip(option.parameters, shape.lows, shape.sizes, strict=True):
        divisor //= size
        variable = planner.variable(parameter.name, span)
        read += (assign(variable, _decode(code, shape, divisor, size, low)),)
        scope = scope.bind(parameter.name, variable)
    holding = find_holding(planner, option, scope)
    if holding.is_nowhere:
        return leave
    if option.scope is not None:
        more, scope = _fix_names(planner, holding.bind(scope), ["owner"], span)
        read += more
    if option.limit is not None:
        if "owner" in scope.names:
            holding = evolve(holding, owner=scope.formula("owner"))
        read += count_use(planner, option.limit, holding, scope, span)
    label = planner.fresh("option")
    body = lower_steps(planner, option.body, LowerScope(scope.names, label, scope.steps))
    if option.limit is None:
        body = drop_known_conditions(body, frozenset(map(form, lower_conditions(planner, option, holding, scope))))
    if leaves(body, label):
        body = (Labelled(span, label, body),)
    return read + body + _ask_again(planner, option, leave, scope)


def _fix_names(planner: Planner, scope: LowerScope, names: list[str], span: Span) -> tuple[Statements, LowerScope]:
    """Return statements that keep what some names stand for, and the scope in which they are variables."""
    statements: Statements = ()
    for name in names:
        meaning = scope.names.get(name)
        if meaning is not None and not isinstance(meaning, LoweredPlace) and not is_fixed(planner, meaning):
            variable = planner.variable(name, span)
            statements += (assign(variable, meaning),)
            scope = scope.bind(name, variable)
    return statements, scope


def add_listing(planner: Planner, address: str, body: Statements, span: Span) -> Function:
    """Return a new function that lists the codes of a decision."""
    key = planner.fresh(f"legal_{to_identifier(address)}")
    planner.functions[key] = Function(key, span, tuple(sorted(flow(body)[0])), body, None, lists=True)
    return planner.functions[key]


def _found_by_code(code: Variable, answers: Sequence[tuple[int, int, Statements]], span: Span) -> Statements:
    """Return what finds the answer that a code is: each is its first code, how many it has, and what it does.

    Each test leaves about half of the codes, so that answers with many of them are found first.
    """
    if len(answers) == 1:
        return answers[0][2]
    weights = [codes for _, codes, _ in answers]
    half = min(range(1, len(answers)), key=lambda place: abs(sum(weights[:place]) - sum(weights[place:])))
    below = code < answers[half][0]
    lower, upper = _found_by_code(code, answers[:half], span), _found_by_code(code, answers[half:], span)
    return branch(span, below, lower, upper)


def _guard(legal: Function, span: Span) -> Formula:
    """Return what must hold for a list of codes to hold more than the last, as far as that is easily seen."""
    tests: list[Formula] = []
    for statement in legal.body[:-1]:
        if not isinstance(statement, Branch) or statement.otherwise:
            return Literal(span, value=True)
        tests.append(_condition(statement))
    return any_of(span, *_weakest(tests)) if isinstance(legal.body[-1], AppendCode) else Literal(span, value=True)


def _condition(statement: Branch) -> Formula:
    """Return what must hold for a branch, and for one of those under it if it only stands before them."""
    inner = [one for one in statement.then if isinstance(one, Branch) and not one.otherwise]
    if len(inner) < len(statement.then):
        return statement.condition
    within = any_of(statement.span, *_weakest([one.condition for one in inner]))
    return all_of(statement.span, statement.condition, within)


def _weakest(tests: list[Formula]) -> list[Formula]:
    """Return some conditions without those that can only hold where another holds too."""
    kept: dict[frozenset[object], Formula] = {}
    for test in tests:
        parts = test.operands if isinstance(test, Op) and test.operator == "and" else (test,)
        kept.setdefault(frozenset(map(form, parts)), test)
    return [test for own, test in kept.items() if not any(other < own for other in kept)]


def _decode(code: Variable, shape: CodeShape, divisor: int, size: int, low: int) -> Formula:
    """Return one argument out of a code."""
    digit = (code - shape.offset) // divisor
    return (digit % size if shape.codes > divisor * size else digit) + low
