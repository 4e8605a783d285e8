"""Questions: the codes listed, somebody asked (or chance), and what each answer does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import prod

from attrs import evolve, frozen

from aodrules.check.checked import DecisionDef, Option
from aodrules.check.steps import Choose
from aodrules.check.visit import names_deciding
from aodrules.compiler.formulas import (
    CallPure,
    Formula,
    Literal,
    Variable,
    any_of,
    call_pure,
    length,
    nonzero,
    tuple_of,
)
from aodrules.compiler.lower.bodies import lower_steps
from aodrules.compiler.lower.calls import (
    bind_arguments,
    call_procedure,
    count_use,
    lower_arguments,
    lower_body,
)
from aodrules.compiler.lower.causes import cause_of_effect, caused_by
from aodrules.compiler.lower.expressions import is_playing, lower_expression
from aodrules.compiler.lower.options import (
    CodeShape,
    ending_after,
    find_holding,
    is_offered_by_kind,
    is_open,
    list_option,
    lower_conditions,
    make_code_shape,
    supply_names,
)
from aodrules.compiler.lower.planner import Planner, to_identifier
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope, Meaning
from aodrules.compiler.nodes import (
    Around,
    Ask,
    Break,
    DecisionPoint,
    Function,
    Labelled,
    Statements,
    WhileLoop,
    assign,
    branch,
    call_runtime,
    log,
)
from aodrules.compiler.passes.guards import guard_listing
from aodrules.compiler.passes.legality_keys import list_codes
from aodrules.compiler.passes.merge_bag_tests import merge_bag_tests
from aodrules.compiler.passes.redundant_checks import drop_known_conditions
from aodrules.compiler.plan import CLOSED, uses_of
from aodrules.compiler.visit import flow, form, leaves, read_by
from aodrules.facts.state import Cause
from aodrules.lang.expressions import Const
from aodrules.lang.types import NUMBER, Bag, Type
from aodrules.source.spans import Span


@frozen(eq=False)
class AskedDecision:
    """A decision to be asked where the decider and the arguments are at hand."""

    decision: DecisionDef
    shapes: dict[Option, CodeShape]
    """The options that have codes, with those."""
    scope: LowerScope
    by_chance: bool
    leave: Statements = ()
    """What leaves a decision that may be asked again."""

    @property
    def span(self) -> Span:
        """Where the decision stands."""
        return self.decision.span

    @property
    def size(self) -> int:
        """How many codes the options have."""
        return sum(shape.codes for shape in self.shapes.values())


def lower_choose(planner: Planner, step: Choose, scope: LowerScope) -> Statements:
    """Return a question."""
    decision = planner.rules.decisions[step.decision]
    decider = {} if step.by is None else {"player": lower_expression(planner, step.by, scope)}
    meanings = {**decider, **lower_arguments(planner, decision.parameters, step.arguments, scope)}
    if decision.inline:
        statements, names = bind_arguments(planner, meanings, step.span)
        return statements + _lower_decision(planner, step, scope.bind_all(names))
    key = f"decision_{step.decision.removeprefix('decision.')}{'_by_chance' if step.by is None else ''}"
    return call_procedure(planner, key, meanings, partial(_lower_decision, planner, step), decision.span, None)


def _lower_decision(planner: Planner, step: Choose, scope: LowerScope) -> Statements:
    """Return a question in a body that has the decider and the arguments at hand."""
    decision, by_chance = planner.rules.decisions[step.decision], step.by is None
    span, shapes = decision.span, _find_shapes(planner, decision)
    counters = _make_counters(planner, shapes, scope)
    for option in shapes:
        if option.beside:
            scope = scope.bind(ending_after(option), _test_ending_after(planner, shapes, option, scope))
    scope = scope.bind_all({uses_of(option): counter for option, counter in counters.items()})
    done = planner.fresh("answered") if any(option.again is not None for option in shapes) else None
    leave: Statements = () if done is None else (Break(span, done),)
    statements = _ask_once(planner, AskedDecision(decision, shapes, scope, by_chance, leave))
    if decision.always_asked and 0 < len(counters) == len(decision.options):
        is_left = any_of(span, *(is_open(counter) for counter in counters.values()))
        statements = branch(span, is_left, statements, leave)
    if planner.somebody_leaves and not by_chance:
        here = is_playing(scope.formula("player"), span)
        statements = branch(span, here, statements, leave)
    if done is None:
        return statements
    loop = WhileLoop(span, Literal(span, value=True), statements)
    starts = (assign(counter.at(span), 0) for counter in counters.values())
    return *starts, Labelled(span, done, (loop,))


def _ask_once(planner: Planner, question: AskedDecision) -> Statements:
    """Return the codes listed, the question, and what the answers do; where it may be asked again, all leave it."""
    span, decision = question.span, question.decision
    passing = question.size if decision.optional else None
    body = list_codes(planner, question.shapes, question.scope, passing, span)
    if planner.does("merge_bag_tests"):
        body = merge_bag_tests(body)
    legal = add_listing(planner, decision.address, body, span)
    codes, code = planner.variable("codes", span), planner.variable("code", span)
    answers = _lower_answers(planner, question, code)
    if question.by_chance:
        asking: Statements = (call_runtime(span, "roll_item", codes, result=code),)
    else:
        asking = (Ask(span, _add_own_site(planner, question, legal), codes, code.name),)
    asked = _ask_if_any(planner, question, codes, asking + answers)
    statements = (assign(codes, call_listing(legal, span)), *asked)
    if decision.optional and not decision.always_asked and planner.does("guard_listings"):
        # Most windows stay shut: what the options ask of the state as a whole is looked at before they are listed.
        return branch(span, guard_listing(legal, span), statements, question.leave)
    return statements


def _make_counters(planner: Planner, options: Iterable[Option], scope: LowerScope) -> dict[Option, Variable]:
    """Return a variable for each option that asks again, without those that a limit stops before."""
    return {
        option: planner.variable("uses", option.span)
        for option in options
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


def _test_ending_after(planner: Planner, options: Iterable[Option], option: Option, scope: LowerScope) -> Formula:
    """Return whether an answer is possible that ends the decision after an option and that it cannot take away."""
    tests = []
    for ending in options:
        if ending.address in option.beside:
            body = list_option(planner, ending, make_code_shape(planner, ending, 0), scope)
            legal = add_listing(planner, ending.address, body, ending.span)
            tests.append(nonzero(length(call_listing(legal, option.span))))
    return any_of(option.span, *tests)


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


def _ask_if_any(planner: Planner, question: AskedDecision, codes: Variable, asked: Statements) -> Statements:
    """Return the question under the condition that there is something to ask."""
    span, decision = question.span, question.decision
    if decision.optional:
        return asked if decision.always_asked else branch(span, length(codes) > 1, asked, question.leave)
    if not decision.says_otherwise:
        otherwise: Statements = caused_by((log(span, "stuck", decision.address),), Cause(decision.address))
    elif decision.inline:
        otherwise = lower_steps(planner, decision.otherwise, question.scope)
    else:
        steps = partial(lower_steps, planner, decision.otherwise)
        otherwise = lower_body(planner, steps, question.scope.names, span, Cause(decision.address))
    return branch(span, nonzero(length(codes)), asked, otherwise + question.leave)


# Listing.


def call_listing(legal: Function, span: Span) -> Formula:
    """Return the call of a function that lists codes."""
    return CallPure(span, legal.name, tuple(Variable(span, name) for name in legal.parameters), planned=True)


def _add_own_site(planner: Planner, question: AskedDecision, legal: Function) -> int:
    decision, scope = question.decision, question.scope
    meanings = ((one.name, scope.names[one.name]) for one in decision.parameters)
    shown = tuple((name, meaning) for name, meaning in meanings if not isinstance(meaning, LoweredPlace))
    player, around = scope.formula("player"), _find_names_around(planner, question)
    size = question.size + decision.optional
    return add_site(planner, decision.address, player, legal, shown, size, decision.span, around)


def _find_names_around(planner: Planner, question: AskedDecision) -> Around:
    """Return what decides beside the arguments which answers are legal: names of the body around, and places."""
    decision, scope, options = question.decision, question.scope, question.shapes
    types = {name: type_ for option in options for name, type_ in names_deciding(option).items()}
    types |= {uses_of(option): NUMBER for option in options if option.again is not None}
    told = {one.name for one in decision.parameters if not isinstance(scope.names[one.name], LoweredPlace)} | {"player"}
    names = sorted(name for name in types if name in scope.names and name not in told)
    return tuple((name, *_convert_to_plain(planner, scope.names[name], types[name], decision.span)) for name in names)


def _convert_to_plain(planner: Planner, meaning: Meaning, type_: Type | None, span: Span) -> tuple[Formula, str | None]:
    """Return a name in plain form, and the field of a place, whose indices and position are told."""
    if isinstance(meaning, LoweredPlace):
        return tuple_of(span, *meaning.at, meaning.index), meaning.cells.name
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
    number = len(planner.decision_points) + 1
    told = [formula for _, formula in shown] + [formula for _, formula, _ in around]
    needed = tuple(sorted(set[str]().union(*map(read_by, told))))
    name = f"shown_{number}"
    planner.functions[name] = Function(name, span, needed, (), tuple_of(span, *told))
    planner.decision_points.append(
        DecisionPoint(number, span, address, player, legal.name, legal.parameters, shown, needed, size, around)
    )
    return number


# Answers.


def _lower_answers(planner: Planner, question: AskedDecision, code: Variable) -> Statements:
    answers = [
        (shape.offset, shape.codes, _lower_answer(planner, question, option, code))
        for option, shape in question.shapes.items()
    ]
    if question.decision.optional:
        answers.append((question.size, 1, question.leave))
    return _find_answer(code, answers, question.span) if answers else question.leave


def _ask_again(planner: Planner, option: Option, leave: Statements, scope: LowerScope) -> Statements:
    """Return what happens after an option: the question again, or on with the game."""
    if option.again is None:
        return leave
    uses = scope.names.get(uses_of(option))
    if not isinstance(uses, Variable):
        return ()
    is_last = uses >= lower_expression(planner, option.again, scope)
    return branch(option.span, is_last, (assign(uses, CLOSED),), (assign(uses, uses + 1),))


def _lower_answer(planner: Planner, question: AskedDecision, option: Option, code: Variable) -> Statements:
    """Return what an option does: its arguments read from the code, its use counted, its steps, what follows."""
    span, shape, scope = option.span, question.shapes[option], supply_names(planner, option, question.scope)
    read, scope = _fix_names(planner, scope, [one.name for one in option.given], span)
    for number, parameter in enumerate(option.parameters):
        variable = planner.variable(parameter.name, span)
        read += (assign(variable, _decode(code, shape, number)),)
        scope = scope.bind(parameter.name, variable)
    holding, cause = find_holding(planner, option, scope), cause_of_effect(option.address, option.scope)
    if holding.is_nowhere:
        return question.leave
    if option.scope is not None:
        more, scope = _fix_names(planner, holding.bind(scope), ["owner"], span)
        read += more
    if option.limit is not None:
        if "owner" in scope.names:
            holding = evolve(holding, owner=scope.formula("owner"))
        read += caused_by(count_use(planner, option.limit, holding, scope, span), cause)
    label = planner.fresh("option")
    inner = LowerScope(scope.names, label, scope.steps, active=scope.active)
    body = caused_by(lower_steps(planner, option.body, inner), cause)
    if option.limit is None and planner.does("redundant_checks"):
        body = drop_known_conditions(body, frozenset(map(form, lower_conditions(planner, option, holding, scope))))
    if leaves(body, label):
        body = (Labelled(span, label, body),)
    return read + body + _ask_again(planner, option, question.leave, scope)


def _fix_names(planner: Planner, scope: LowerScope, names: list[str], span: Span) -> tuple[Statements, LowerScope]:
    """Return statements that keep what some names stand for, and the scope in which they are variables."""
    found = ((name, scope.names[name]) for name in names if name in scope.names)
    fixed = {name: meaning for name, meaning in found if not isinstance(meaning, LoweredPlace)}
    statements, kept = bind_arguments(planner, fixed, span)
    return statements, scope.bind_all(kept)


def add_listing(planner: Planner, address: str, body: Statements, span: Span) -> Function:
    """Return a new function that lists the codes of a decision."""
    key = planner.fresh(f"legal_{to_identifier(address)}")
    planner.functions[key] = Function(key, span, tuple(sorted(flow(body)[0])), body, None, lists=True)
    return planner.functions[key]


def _find_answer(code: Variable, answers: Sequence[tuple[int, int, Statements]], span: Span) -> Statements:
    """Return what finds the answer that a code is: each is its first code, how many it has, and what it does.

    Each test leaves about half of the codes, so that answers with many of them are found first.
    """
    if len(answers) == 1:
        return answers[0][2]
    weights = [codes for _, codes, _ in answers]
    half = min(range(1, len(answers)), key=lambda place: abs(sum(weights[:place]) - sum(weights[place:])))
    lower, upper = _find_answer(code, answers[:half], span), _find_answer(code, answers[half:], span)
    return branch(span, code < answers[half][0], lower, upper)


def _decode(code: Variable, shape: CodeShape, number: int) -> Formula:
    digit = (code - shape.offset) // shape.scales[number]
    is_first = prod(shape.sizes[:number]) == 1
    return (digit if is_first else digit % shape.sizes[number]) + shape.lows[number]
