"""Checks a plan against its types: every operator is applied to what it can be applied to, and everything fits.

What was inferred is narrower than a rule tells from the types of the parts alone, because conditions were looked at. So
each type must lie inside what its rule gives (`verify_types`), and must have all that inference finds
(`verify_inferred`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from aodrules.check.checked import CheckedRules
from aodrules.compiler.formulas import (
    Bind,
    CallPure,
    CellRead,
    ComputedOnce,
    Formula,
    Literal,
    Memoized,
    Op,
    Reduce,
    Select,
    TableRead,
    Variable,
)
from aodrules.compiler.layout import FieldCells
from aodrules.compiler.nodes import (
    AwaitAnswer,
    Branch,
    CellWrite,
    CondJump,
    Dispatch,
    ForEach,
    Switch,
    WhileLoop,
)
from aodrules.compiler.plan import Plan
from aodrules.compiler.types.cell_types import declared_types, field_ranges
from aodrules.compiler.types.infer_types import PlanTypes, infer_types
from aodrules.compiler.types.plan_type import (
    FLAG,
    NEVER,
    WORD,
    BagType,
    ListType,
    NullableType,
    NumberType,
    PlanType,
    SetType,
    TupleType,
    has_value,
    includes,
    join_types,
    without_none,
)
from aodrules.compiler.types.type_rules import FUNCTIONS, OPERATORS, UNBOUNDED, list_of, number_of
from aodrules.compiler.visit import children, walk
from aodrules.errors import InternalError
from aodrules.source.spans import Span


def verify_types(plan: Plan, rules: CheckedRules, types: PlanTypes) -> None:
    """Refuse types of a plan that do not fit each other: a mistake of ours."""
    unknown = {kept.results + way for kept in plan.layout.kept.values() for way in range(kept.ways)}
    for cell, of in enumerate(types.cells[: plan.layout.frames]):
        _expect(
            cell in unknown or has_value(of, plan.start[cell]),
            f"cell {cell} starts as {plan.start[cell]}, which is not {of}",
        )
    for cells in plan.layout.fields.values():
        for of in types.cells[cells.base : cells.base + cells.size]:
            width = None if cells.bag is None else cells.bag.width
            _expect(width == (of.width if isinstance(of, BagType) else None), f"`{cells.name}` is packed otherwise")
    for name, cell in plan.frames.cells.items():
        _fits(types.variables.get(name, types.cells[cell]), types.cells[cell], f"`{name}` and its cell {cell}")
    for (node, name), of in types.given.items():
        _fits(of, types.variables[name] if name else of, f"what {type(node).__name__} gives `{name}`")
    for of in (*types.cells, *types.variables.values(), *types.results.values(), *types.formulas.values()):
        _verify_size(of)
    counters = declared_types(rules, plan.players).counters
    fields = plan.layout.fields.values()
    pieces = _cells_of(cells for cells in fields if cells.field.holds is not None)
    counts = _cells_of(cells for cells in fields if cells.name in counters)
    verifier = _Verifier(plan, types, field_ranges(plan), pieces, counts)
    for part in (*plan.functions.values(), *plan.procedures.values(), *plan.graph.blocks.values()):
        for node in walk(part):
            verifier.verify(node)


def _cells_of(fields: Iterable[FieldCells]) -> frozenset[int]:
    return frozenset(cell for cells in fields for cell in range(cells.base, cells.base + cells.size))


def verify_inferred(plan: Plan, rules: CheckedRules, types: PlanTypes) -> None:
    """Refuse types that lack what inference finds: a mistake of ours, or types for another plan."""
    found = infer_types(plan, rules)
    for cell, (of, wide) in enumerate(zip(found.cells, types.cells, strict=True)):
        _fits(of, wide, f"cell {cell}")
    for inferred, given in ((found.variables, types.variables), (found.results, types.results)):
        for name, of in inferred.items():
            _fits(of, given[name], f"`{name}`")
    for formula, of in found.formulas.items():
        _fits(of, types.of(formula), f"a formula at {formula.span}")
    for key, of in found.given.items():
        _fits(of, types.given[key], f"what {type(key[0]).__name__} gives `{key[1]}`")


def _fits(of: PlanType, wide: PlanType, what: str) -> None:
    _expect(includes(wide, of), f"{what}: {of} does not fit {wide}")


def _expect(holds: bool, message: str) -> None:  # noqa: FBT001 - it is what is expected
    if not holds:
        raise InternalError(f"the types of a plan do not hold: {message}")


def _verify_size(of: PlanType) -> None:
    """Refuse what has no bounds that could be relied on, and bags whose counts straddle two words."""
    match of:
        case NumberType(low, high):
            _expect(low is not None and high is not None, f"nothing bounds {of}")
        case BagType(_, _, width):
            _expect(of.bits < WORD or WORD % width == 0, f"a count of {of} straddles two words")
        case SetType(members):
            _expect(members < UNBOUNDED, f"nothing bounds {of}")
        case NullableType(inner):
            _verify_size(inner)
        case ListType(item, capacity):
            _expect(capacity < UNBOUNDED, f"nothing bounds {of}")
            _verify_size(item)
        case TupleType(items):
            for item in items:
                _verify_size(item)


@frozen(eq=False)
class _Verifier:
    """Looks at every node that can be reached, together with the types of its parts."""

    plan: Plan
    types: PlanTypes
    fields: list[range]
    """By cell: the cells of its field."""
    pieces: frozenset[int]
    """The cells in which pieces lie."""
    counts: frozenset[int]
    """The cells of fields that count how often something limited was used."""

    def verify(self, node: object) -> None:
        """Look at one node."""
        match node:
            case Formula():
                self._formula(node)
            case CellWrite() if (node, "") in self.types.given:
                self._cell_write(node)
            case Branch(condition=condition) | WhileLoop(condition=condition) | CondJump(condition=condition):
                _fits(self.types.of(condition), FLAG, f"a condition at {condition.span}")
            case Switch(subject=subject) | Dispatch(subject=subject):
                number_of(self.types.of(subject))
            case ForEach(_, _, items) if items in self.types.formulas:
                list_of(self.types.of(items))
            case AwaitAnswer(_, point, codes) if codes in self.types.formulas:
                found = list_of(self.types.of(codes))
                code = NumberType(0, self.plan.decision_points[point].size - 1)
                _fits(found, ListType(code, found.capacity), "legal codes")

    def _cell_write(self, write: CellWrite) -> None:
        # Where a field cannot be none, the checker saw to it that what it is given is not.
        of = without_none(self.types.given[write, ""])
        for cell in self._cells(write.base, write.index, write.span):
            held = without_none(self.types.cells[cell])
            if not includes(held, of):
                moves = cell in self.pieces and _is_pieces_like(of, held)
                counts = cell in self.counts and _is_one_more(of, held)
                _expect(moves or counts, f"{of} at {write.span} does not fit cell {cell}: {held}")

    def _formula(self, formula: Formula) -> None:
        of = self.types.of(formula)
        if of is NEVER:
            return
        for part in _certain_parts(formula):
            _expect(part in self.types.formulas, f"a part of {type(formula).__name__} at {formula.span} has no type")
        given = self._rule(formula, of)
        if given is not None:
            _fits(of, given, f"{type(formula).__name__} at {formula.span}")

    def _rule(self, formula: Formula, of: PlanType) -> PlanType | None:
        """Return the widest type that a formula can have for the types of its parts; nothing where they say nothing."""
        types = self.types
        match formula:
            case Op():
                return self._operation(formula)
            case CallPure(_, function, arguments):
                return types.results[function] if formula.planned else FUNCTIONS[function](*map(types.of, arguments))
            case Literal(_, value):
                _expect(has_value(of, value), f"{value} at {formula.span} is not {of}")
            case Variable(_, name):
                return types.variables[name]
            case CellRead(_, base, index):
                cells = self._cells(base, index, formula.span)
                return join_types(*types.cells[cells.start : cells.stop])
            case TableRead(_, table, index):
                self._inside(range(len(table)), 0, index, formula.span)
            case Select(_, condition, then, otherwise):
                _fits(types.of(condition), FLAG, f"a condition at {condition.span}")
                return join_types(types.of(then), types.of(otherwise))
            case Bind(body=inner) | Memoized(value=inner) | ComputedOnce(value=inner):
                return types.of(inner)
        return None

    def _operation(self, formula: Op) -> PlanType:
        sign, operands = formula.operator, formula.operands
        types = [self.types.of(one) for one in operands]
        if sign == ">>" and isinstance(types[0], BagType):
            _expect(_is_whole_counts(operands[1], types[0].width), f"a bag is cut inside a count at {formula.span}")
        if sign == "<<" and isinstance(self.types.of(formula), BagType):
            return self.types.of(formula)
        return OPERATORS[sign](*types)

    def _cells(self, base: int, index: Formula | None, span: Span) -> range:
        return range(base, base + 1) if index is None else self._inside(self.fields[base], base, index, span)

    def _inside(self, within: range, base: int, index: Formula, span: Span) -> range:
        """Return the places that an index means, which must be there."""
        of = number_of(self.types.of(index))
        assert of.low is not None
        assert of.high is not None
        found = range(base + of.low, base + of.high + 1)
        is_inside = within.start <= found.start and found.stop <= within.stop
        _expect(is_inside, f"{of} at {span} leads out of {len(within)} places")
        return found


def _certain_parts(formula: Formula) -> Iterator[Formula]:
    """Return the parts of a formula that are computed whenever it is."""
    if isinstance(formula, Reduce):
        yield formula.loops[0].items
    elif isinstance(formula, Select):
        yield formula.condition
    elif isinstance(formula, Op) and formula.operator in {"and", "or"}:
        yield formula.operands[0]
    else:
        yield from children(formula)


def _is_pieces_like(of: PlanType, held: PlanType) -> bool:
    """Whether pieces are only too many for a cell: no more come to lie there than there are or than it has room for."""
    if isinstance(of, BagType) and isinstance(held, BagType):
        return of.is_packed_like(held)
    return isinstance(of, ListType) and isinstance(held, ListType) and includes(held.item, of.item)


def _is_one_more(of: PlanType, held: PlanType) -> bool:
    """Whether a count is only one too many: it was tested before that the limit is not reached."""
    if not isinstance(held, NumberType) or held.high is None:
        return False
    return includes(evolve(held, high=held.high + 1), of)


def _is_whole_counts(places: Formula, width: int) -> bool:
    """Whether a shift is by whole counts of a bag."""
    match places:
        case Literal(_, int(number)) | Op(_, "*", (_, Literal(_, int(number)))):
            return number % width == 0
    return width == 1
