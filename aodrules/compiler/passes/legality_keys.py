"""Legal codes by key: where each condition of an option reads one parameter at most, the codes depend on a few bits.

    if S[8] > 3:                                  key = 0
        add 0                                     if S[8] > 3: key = key + 1
    for box in (0, 1):                       →    if S[20] is None: key = key + 2
        if S[20 + box] is None:                   if S[21] is None: key = key + 4
            add 1 + box                           add the codes of key

The codes of a key are found once and remembered. Bits that depend on one bag alone are remembered for what it holds
(`memoize_keys`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from aodrules.check.checked import Option
from aodrules.compiler.formulas import (
    CallPure,
    CellRead,
    Constant,
    Formula,
    Literal,
    Memoized,
    Op,
    Select,
    Variable,
    add_up,
    all_of,
    negate,
    select,
    tuple_of,
)
from aodrules.compiler.lower.options import (
    CodeShape,
    bind_parameters,
    find_holding,
    list_option,
    lower_conditions,
    lower_domain,
    supply_names,
)
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import AppendByKey, Statement, Statements, append_code, assign, branch
from aodrules.compiler.passes.share_formulas import find_shared
from aodrules.compiler.visit import depends_on, form, read_by, repeated_reads, replace_reads, transform
from aodrules.source.spans import Span

MOST_BITS = 40
MOST_VALUES = 16
"""Of a parameter; more are better run over."""
WORTH_REMEMBERING = 4
"""Conditions; fewer are tested as fast as they are looked up."""


@frozen(eq=False)
class KeyedOption:
    """An option by key: for each parameter the open condition of each value (`None`: it is never legal)."""

    shape: CodeShape
    guard: Formula
    values: tuple[tuple[tuple[int, Formula], ...], ...]

    @property
    def is_never_legal(self) -> bool:
        """Whether it is known beforehand that the guard does not hold."""
        return isinstance(self.guard, Literal) and not self.guard.value


@define(eq=False)
class KeyBits:
    """The open conditions of some options, each once."""

    conditions: dict[object, Formula] = field(factory=dict)

    def mask(self, condition: Formula) -> int:
        """Return the bit of a condition; 0 for one that always holds."""
        if isinstance(condition, Literal):
            return 0
        key = form(condition)
        self.conditions.setdefault(key, condition)
        return 1 << list(self.conditions).index(key)


def list_codes(
    planner: Planner, options: Mapping[Option, CodeShape], scope: LowerScope, passing: int | None, span: Span
) -> Statements:
    """Return the statements that list the codes of options, and of passing if that is possible."""
    by_key = planner.does("legality_keys")
    keyed = [_make_keyed(planner, option, shape, scope) if by_key else None for option, shape in options.items()]
    together = None not in keyed
    statements: list[Statement] = []
    group: list[KeyedOption] = []
    for (option, shape), one in zip(options.items(), keyed, strict=True):
        if one is not None and one.is_never_legal:
            continue
        # A single answer among others that are run over is not worth a key.
        if one is not None and (together or one.values) and _count_bits([*group, one]) <= MOST_BITS:
            group.append(one)
            continue
        statements += _append_by_key(planner, group, span)
        group = []
        statements += list_option(planner, option, shape, scope)
    if passing is not None and group:
        group.append(KeyedOption(CodeShape(passing, (), ()), Literal(span, value=True), ()))
    elif passing is not None:
        statements.append(append_code(span, passing))
    return (*statements, *_append_by_key(planner, group, span))


def _make_keyed(planner: Planner, option: Option, shape: CodeShape, scope: LowerScope) -> KeyedOption | None:
    """Return an option by key, or nothing if its conditions read several parameters or its guard may fail."""
    scope = supply_names(planner, option, scope)
    variables = [planner.variable(one.name, one.span) for one in option.parameters]
    tests = _lower_tests(planner, option, variables, scope)
    if tests is None or any(sum(one.name in read_by(test) for one in variables) > 1 for test in tests):
        return None
    own = frozenset(one.name for one in variables)
    guards = [test for test in tests if not read_by(test) & own]
    if guards and variables:
        return None
    known = {form(guard) for guard in guards}
    values = []
    for number, parameter in enumerate(option.parameters):
        domain = lower_domain(planner, parameter, bind_parameters(option, variables, scope))
        if not isinstance(domain, Literal) or not isinstance(domain.value, tuple) or len(domain.value) > MOST_VALUES:
            return None
        values.append(tuple(_find_cases(planner, option, number, domain.value, variables, scope, known)))
    return KeyedOption(shape, all_of(option.span, *guards), tuple(values))


def _lower_tests(
    planner: Planner, option: Option, arguments: Sequence[Formula], scope: LowerScope
) -> list[Formula] | None:
    inner = bind_parameters(option, arguments, scope)
    holding = find_holding(planner, option, inner)
    if holding.is_nowhere:
        return None
    tests = lower_conditions(planner, option, holding, holding.bind(inner))
    return [test for test in tests if not (isinstance(test, Literal) and test.value)]


def _find_cases(
    planner: Planner,
    option: Option,
    number: int,
    domain: tuple[Constant, ...],
    variables: list[Variable],
    scope: LowerScope,
    known: set[object],
) -> list[tuple[int, Formula]]:
    """Return the values of one parameter with what must hold for each."""
    others = frozenset(one.name for place, one in enumerate(variables) if place != number)
    cases = []
    for value in domain:
        arguments: list[Formula] = [*variables]
        arguments[number] = Literal(option.span, value)
        tests = _lower_tests(planner, option, arguments, scope)
        if tests is None:
            continue
        own = [test for test in tests if not read_by(test) & others and form(test) not in known]
        condition = all_of(option.span, *own)
        if not isinstance(condition, Literal) or condition.value:
            assert isinstance(value, int)
            cases.append((value, condition))
    return cases


def _append_by_key(planner: Planner, group: list[KeyedOption], span: Span) -> Statements:
    """Return the statements that look the codes of some options up."""
    if not group:
        return ()
    bits = KeyBits()
    spec = tuple(_specify(one, bits) for one in group)
    if not bits.conditions:
        return tuple(append_code(span, code) for one in group for code in _list_all(one))
    flags = [select(span, condition, 1 << number, 0) for number, condition in enumerate(bits.conditions.values())]
    before, flags, kept = _read_cells_once(planner, flags, span)
    bags = [variable for read, variable in kept if _is_bag(planner, read)]
    key = planner.variable("key", span)
    parts = _memoize(flags, bags, span) if planner.does("memoize_keys") else flags
    return (*before, *_gather_key(key, parts, span), AppendByKey(span, key, spec))


def _read_cells_once(
    planner: Planner, flags: Sequence[Formula], span: Span
) -> tuple[Statements, list[Formula], list[tuple[CellRead, Variable]]]:
    """Return what reads cells that flags read several times, the flags with variables for these, and which is which.

    What the function computes only once reads its cells by itself, or it would not be known as the same elsewhere.
    """
    shared = find_shared(flags) if planner.does("share_formulas") else {}
    hidden = {number: planner.variable("shared", span) for number in shared}
    flags = [transform(flag, lambda part: hidden.get(id(part), part)) for flag in flags]
    reads = repeated_reads(tuple_of(span, *flags), frozenset[str]().union(*map(read_by, flags)))
    kept = {form(read): planner.variable("held", span) for read in reads}
    shown = {hidden[number].name: node for number, node in shared.items()}

    def show(part: Any) -> Any:
        return shown.get(part.name, part) if isinstance(part, Variable) else part

    before = tuple(assign(kept[form(read)], read) for read in reads)
    flags = [transform(replace_reads(flag, kept), show) for flag in flags]
    return before, flags, [(read, kept[form(read)]) for read in reads]


def _is_bag(planner: Planner, read: CellRead) -> bool:
    fields = planner.layout.fields.values()
    return any(one.base <= read.base < one.base + one.size and one.container == "bag" for one in fields)


def _memoize(flags: Sequence[Formula], bags: Sequence[Variable], span: Span) -> list[Formula]:
    """Return the flags of a key; many that depend on one bag alone are remembered together for what it holds."""
    left = [*flags]
    found: list[Formula] = []
    for variable in bags:
        own = [flag for flag in left if depends_on(flag) == frozenset((variable.name,))]
        if len(own) >= WORTH_REMEMBERING:
            left = [flag for flag in left if flag not in own]
            found.append(Memoized(span, variable, _unite(own, span)))
    return found + left


def _gather_key(key: Variable, parts: Sequence[Formula], span: Span) -> Statements:
    """Return what gathers a key, bit by bit: a bit is added where its condition holds.

    There is room in most places most of the time, so such bits are there at first, and taken away where there is not.
    """
    flags = [part for part in parts if isinstance(part, Select)]
    usual = {flag: flag.then for flag in flags if _is_usual(flag.condition)}
    start = _unite([*(part for part in parts if not isinstance(part, Select)), *usual.values()], span)
    statements: Statements = (assign(key, start),)
    for flag in flags:
        if flag in usual:
            statements += branch(span, negate(flag.condition), (assign(key, key - flag.then),))
        else:
            statements += branch(span, flag.condition, (assign(key, key + flag.then),))
    return statements


def _is_usual(condition: Formula) -> bool:
    """Whether a condition asks for room in a list."""
    match condition:
        case Op(_, "<", (CallPure(_, "len"), _)):
            return True
    return False


def _unite(flags: Sequence[Formula], span: Span) -> Formula:
    return add_up(span, *flags)  # Each has a bit of its own, and Python adds faster than it unites.


def _specify(keyed: KeyedOption, bits: KeyBits) -> Constant:
    """Return an option as the runtime wants it: first code, guard, and for each parameter its values and bits."""
    shape = keyed.shape
    parameters = tuple(
        tuple(((value - low) * scale, bits.mask(condition)) for value, condition in cases)
        for cases, low, scale in zip(keyed.values, shape.lows, shape.scales, strict=True)
    )
    return shape.offset, bits.mask(keyed.guard), parameters


def _count_bits(group: list[KeyedOption]) -> int:
    bits = KeyBits()
    for one in group:
        _specify(one, bits)
    return len(bits.conditions)


def _list_all(keyed: KeyedOption) -> list[int]:
    codes = [keyed.shape.offset]
    for cases, low, scale in zip(keyed.values, keyed.shape.lows, keyed.shape.scales, strict=True):
        codes = [code + (value - low) * scale for code in codes for value, _ in cases]
    return codes
