"""The legal instances of options: each condition tested as soon as what it reads is known."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from attrs import frozen

from aodrules.check.checked import Option, Parameter
from aodrules.compiler.formulas import (
    Bind,
    CallPure,
    CellRead,
    Formula,
    Literal,
    Op,
    Reduce,
    Variable,
    add_up,
    all_of,
    call_pure,
    length,
    nonzero,
    reduce_over,
    select,
)
from aodrules.compiler.lower.calls import lower_argument, test_limit
from aodrules.compiler.lower.expressions import lower_all, lower_expression, lower_items
from aodrules.compiler.lower.holders import EffectHolding, count_copies, has_holders
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import (
    ForEach,
    Function,
    Statements,
    append_code,
    assign,
    branch,
)
from aodrules.compiler.passes.narrowing import narrow_domain
from aodrules.compiler.plan import uses_of
from aodrules.compiler.visit import children, read_by
from aodrules.lang.expressions import BuiltinCall, Possible
from aodrules.lang.types import OWNER, PLAYER, Flag, ListOf, Member, Number, Owner, Piece, Player, SetOf, bare
from aodrules.source.spans import Span


@frozen(eq=False)
class CodeShape:
    """The codes of one option: the first, and for each parameter its lowest value and how many there are."""

    offset: int
    lows: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def codes(self) -> int:
        """How many codes there are."""
        return prod(self.sizes)

    @property
    def scales(self) -> tuple[int, ...]:
        """How many codes on a code is for the next value of each parameter."""
        return tuple(prod(self.sizes[number + 1 :]) for number in range(len(self.sizes)))


def make_code_shape(planner: Planner, option: Option, offset: int) -> CodeShape:
    """Return the codes of an option that follows so many others."""
    parameters = option.parameters
    return CodeShape(
        offset,
        tuple(one.low if isinstance(one.type, Number) else 0 for one in parameters),
        tuple(one.size if isinstance(one.type, Number) else planner.domain_size(one.type) for one in parameters),
    )


def supply_names(planner: Planner, option: Option, scope: LowerScope) -> LowerScope:
    """Return the names an option starts with: those of the decision, and what a `use` supplies."""
    for parameter, value in zip(option.given, option.supplied, strict=False):
        scope = scope.bind(parameter.name, lower_argument(planner, value, scope))
    return scope


def find_holding(planner: Planner, option: Option, scope: LowerScope) -> EffectHolding:
    """Return who carries an offered option, for the decider; of several holders the first by seat counts."""
    effect_scope, span = option.scope, option.span
    if effect_scope is None or effect_scope.kind is None:
        return EffectHolding(None, None, Literal(span, 1), 1)
    member = scope.formula("self") if is_offered_by_kind(option) else Literal(span, effect_scope.members[0])
    if effect_scope.field is None:
        return EffectHolding(member, None, Literal(span, 1), 1)
    counts = planner.piece_counts(planner.family(effect_scope.kind))
    most = max([1, *(counts[number] for number in effect_scope.members)])
    owned = has_holders(planner, effect_scope)
    if owned and not effect_scope.owner:
        return _find_first_holder(planner, effect_scope.field, member, most, span)
    if owned and "player" not in scope.names:
        # Chance owns nothing.
        return EffectHolding(member, None, Literal(span, 0), 1)
    owner = scope.formula("player") if owned else None
    return EffectHolding(member, owner, count_copies(planner, effect_scope.field, member, owner, span), most)


def _find_first_holder(planner: Planner, field: str, member: Formula, most: int, span: Span) -> EffectHolding:
    owner: Formula = Literal(span, None)
    copies: Formula = Literal(span, 0)
    for seat in reversed(range(planner.players)):
        held = count_copies(planner, field, member, Literal(span, seat), span)
        owner = select(span, nonzero(held), seat, owner)
        copies = select(span, nonzero(held), held, copies)
    return EffectHolding(member, owner, copies, most)


def lower_domain(planner: Planner, parameter: Parameter, scope: LowerScope) -> Formula:
    """Return the values to try for a parameter, in ascending order."""
    span = parameter.span
    if parameter.domain is None:
        return _lower_whole_domain(planner, parameter)
    items, is_number = lower_items(planner, parameter.domain, scope), isinstance(parameter.type, Number)
    low, high = parameter.low, parameter.low + parameter.size
    if isinstance(items, Literal) and isinstance(items.value, tuple):
        values = {one for one in items.value if isinstance(one, int) and (not is_number or low <= one < high)}
        return Literal(span, tuple(sorted(values)))
    if is_number:
        return call_pure(span, "within", items, low, high)
    return items if isinstance(bare(parameter.domain.type), SetOf) else call_pure(span, "distinct", items)


def _all_owners(planner: Planner, span: Span) -> Formula:
    return lower_expression(planner, BuiltinCall(ListOf(OWNER), span, "owners", ()), LowerScope())


def _lower_whole_domain(planner: Planner, parameter: Parameter) -> Formula:
    of, span = parameter.type, parameter.span
    players = lower_expression(planner, BuiltinCall(ListOf(PLAYER), span, "players", ()), LowerScope())
    if isinstance(of, Member):
        return Literal(span, planner.rules.kinds[of.kind].places)
    if isinstance(of, Player):
        return players
    if isinstance(of, Owner):
        return _all_owners(planner, span)
    if isinstance(of, Flag):
        return Literal(span, (False, True))
    if isinstance(of, Piece):
        size, places = planner.family_size(of.kind), planner.rules.kinds[of.kind].places
        is_mixed = planner.rules.sides_owning(of.kind) > 0
        owners = _all_owners(planner, span) if is_mixed else players
        pieces = tuple(owner * size + place for owner in planner.owners_of(of.kind) for place in places)
        if planner.somebody_leaves or is_mixed:
            piece = planner.variable("piece", span)
            return reduce_over(span, "list", piece, piece, Literal(span, pieces), (piece // size).is_in(owners))
        return Literal(span, pieces)
    return Literal(span, tuple(range(parameter.low, parameter.low + parameter.size)))


# Listing.


def list_option(planner: Planner, option: Option, shape: CodeShape, scope: LowerScope) -> Statements:
    """Return the statements that list the codes of an option."""
    scope = supply_names(planner, option, scope)
    variables = [planner.variable(one.name, one.span) for one in option.parameters]
    inner = bind_parameters(option, variables, scope)
    holding = find_holding(planner, option, inner)
    if holding.is_nowhere:
        return ()
    inner = holding.bind(inner)
    tests = lower_conditions(planner, option, holding, inner)
    return _loop_over_parameters(planner, option, shape, variables, tests, inner)


def bind_parameters(option: Option, arguments: Sequence[Formula], scope: LowerScope) -> LowerScope:
    """Return the names with the parameters of an option."""
    names = (parameter.name for parameter in option.parameters)
    return scope.bind_all(dict(zip(names, arguments, strict=True)))


def lower_conditions(planner: Planner, option: Option, holding: EffectHolding, scope: LowerScope) -> list[Formula]:
    """Return all that must hold, split where `and` joins it."""
    tests = [nonzero(holding.copies)]
    uses = scope.names.get(uses_of(option))
    if isinstance(uses, Variable):
        tests.append(is_open(uses))
    if option.beside:
        tests.append(scope.formula(ending_after(option)))
    if option.limit is not None:
        tests.append(test_limit(planner, option.limit, holding, scope, option.span))
    tests += [lower_expression(planner, one.expression, scope) for one in option.conditions]
    parts = [part for test in tests for part in _split_at_and(test)]
    return sorted(parts, key=_reads_state)


def _loop_over_parameters(
    planner: Planner,
    option: Option,
    shape: CodeShape,
    variables: list[Variable],
    tests: list[Formula],
    scope: LowerScope,
) -> Statements:
    """Return loops over the parameters, each condition at the loop of the last one it reads.

    What reads a single later parameter is tested beforehand, once.
    """
    span = option.span
    levels: list[list[Formula]] = [[] for _ in range(len(variables) + 1)]
    for test in tests:
        levels[_find_level(test, variables)].append(test)
    before: Statements = ()
    domains = []
    for number, (parameter, variable) in enumerate(zip(option.parameters, variables, strict=True)):
        domain, level = lower_domain(planner, parameter, scope), levels[number + 1]
        if planner.does("narrow_domains"):
            domain, level = narrow_domain(domain, variable, level)
        own = [one for one in level if _reads_only(one, variable, variables)]
        if number and own and _find_level(domain, variables) == 0:
            level = [one for one in level if one not in own]
            chosen = planner.variable(f"{parameter.name}s", span)
            before += (assign(chosen, reduce_over(span, "list", variable, variable, domain, *own)),)
            domain = chosen
        levels[number + 1] = level
        domains.append(domain)
    statements: Statements = (append_code(span, _encode(shape, variables, span)),)
    for number in reversed(range(len(variables))):
        statements = branch(span, all_of(span, *levels[number + 1]), statements)
        if not statements:
            return ()
        statements = (ForEach(span, variables[number].name, domains[number], statements),)
    return branch(span, all_of(span, *levels[0]), before + statements)


def ending_after(option: Option) -> str:
    """Return the name of what says whether an option leaves an answer that ends the decision."""
    return f"ending after {option.address}"


def is_open(uses: Variable) -> Formula:
    """Return whether an option that asks again may still be chosen."""
    return uses >= 0


def _encode(shape: CodeShape, arguments: Sequence[Formula], span: Span) -> Formula:
    code: Formula = Literal(span, 0)
    lowest = 0
    for argument, low, size in zip(arguments, shape.lows, shape.sizes, strict=True):
        code, lowest = code * size + argument, lowest * size + low
    return add_up(span, shape.offset - lowest, code)


def is_offered_by_kind(option: Option) -> bool:
    """Whether the first parameter is the member that offers."""
    return bool(option.scope and option.parameters and option.parameters[0].name == "self")


def _split_at_and(test: Formula) -> list[Formula]:
    """Return the parts of a condition that `and` joins; names bound around them are bound for each."""
    if isinstance(test, Op) and test.operator == "and":
        return [part for one in test.operands for part in _split_at_and(one)]
    if isinstance(test, Bind):
        return [
            Bind(test.span, test.name, test.value, part) if test.name in read_by(part) else part
            for part in _split_at_and(test.body)
        ]
    return [test]


def _reads_state(formula: object) -> bool:
    """Whether a formula reads more than variables and tables: such tests come last."""
    return isinstance(formula, CellRead | CallPure | Reduce) or any(map(_reads_state, children(formula)))


def _find_level(formula: Formula, variables: list[Variable]) -> int:
    """Return how many parameters must be known before a formula can be computed."""
    read = read_by(formula)
    return max((number + 1 for number, variable in enumerate(variables) if variable.name in read), default=0)


def _reads_only(formula: Formula, variable: Variable, variables: list[Variable]) -> bool:
    read = read_by(formula)
    return all(one is variable or one.name not in read for one in variables)


def lower_possible(planner: Planner, expression: Possible, scope: LowerScope) -> Formula:
    """Return whether an option has a legal instance: a function lists them, up to the first."""
    option = planner.rules.options[expression.option]
    key = f"possible_{option.id}"
    names = ["player", *(parameter.name for parameter in option.given)]
    arguments = lower_all(planner, (expression.player, *expression.arguments), scope)
    if key not in planner.functions:
        variables = [planner.variable(name, expression.span) for name in names]
        inner = LowerScope(dict(zip(names, variables, strict=True)))
        body = list_option(planner, option, make_code_shape(planner, option, 0), inner)
        parameters = tuple(variable.name for variable in variables)
        planner.functions[key] = Function(key, option.span, parameters, body, None, lists=True, first_only=True)
    return nonzero(length(CallPure(expression.span, key, arguments, planned=True)))
