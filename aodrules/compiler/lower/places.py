"""Places of pieces, resolved while planning: what is left at run time are indices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from aodrules.check.checked import Parameter
from aodrules.check.steps import Argument, FieldPlace, ParameterPlace, PlaceReference
from aodrules.compiler.formulas import Formula, Literal, Variable, is_simple
from aodrules.compiler.layout import FieldCells
from aodrules.compiler.lower.cells import LoweredPlace
from aodrules.compiler.lower.expressions import keep_all, lower_expression
from aodrules.compiler.lower.holders import holder_dimension
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope, Meaning
from aodrules.compiler.nodes import Statements, assign
from aodrules.compiler.place_layout import PlaceLayout
from aodrules.lang.types import ListOf, Piece, item_type
from aodrules.source.spans import Span


@frozen(eq=False)
class Given:
    """Arguments ready to be handed over: the names inside, the variables they need, and what tells places apart."""

    names: dict[str, Meaning]
    parameters: tuple[str, ...]
    arguments: tuple[Formula, ...]
    shape: str
    """Equal for calls that can share one body."""


def lower_place(planner: Planner, reference: PlaceReference, scope: LowerScope) -> LoweredPlace:
    """Return the place that is meant."""
    if isinstance(reference, ParameterPlace):
        return scope.place(reference.name)
    cells = planner.layout.fields[reference.field]
    at = tuple(None if one is None else lower_expression(planner, one, scope) for one in reference.at)
    index = None if reference.index is None else lower_expression(planner, reference.index, scope)
    return LoweredPlace(reference.span, cells, at, index)


def keep_place(planner: Planner, place: LoweredPlace) -> tuple[Statements, LoweredPlace]:
    """Return statements that compute the indices of a place once, and the place with simple indices."""
    formulas = tuple(one for one in (*place.at, place.index) if one is not None)
    statements, kept = keep_all(planner, formulas, place.span)
    simple = iter(kept)
    at = tuple(None if one is None else next(simple) for one in place.at)
    index = None if place.index is None else next(simple)
    return statements, evolve(place, at=at, index=index)


def lower_argument(planner: Planner, argument: Argument, scope: LowerScope) -> Meaning:
    """Return what is given for a parameter."""
    if isinstance(argument, FieldPlace | ParameterPlace):
        return lower_place(planner, argument, scope)
    return lower_expression(planner, argument, scope)


def lower_arguments(
    planner: Planner, parameters: Sequence[Parameter], arguments: Sequence[Argument], scope: LowerScope
) -> dict[str, Meaning]:
    """Return what is given for some parameters, by their names."""
    given = zip(parameters, arguments, strict=True)
    return {parameter.name: lower_argument(planner, argument, scope) for parameter, argument in given}


def bind_arguments(
    planner: Planner, meanings: Mapping[str, Meaning], span: Span
) -> tuple[Statements, dict[str, Meaning]]:
    """Return statements that fix arguments, and the names they get in a body that is written in place."""
    statements: Statements = ()
    names: dict[str, Meaning] = {**meanings}
    for name, meaning in meanings.items():
        if isinstance(meaning, LoweredPlace):
            before, names[name] = keep_place(planner, meaning)
            statements += before
        elif not is_fixed(planner, meaning):
            names[name] = variable = planner.variable(name, span)
            statements += (assign(variable, meaning),)
    return statements, names


def is_fixed(planner: Planner, formula: Formula) -> bool:
    """Whether a formula stays the same while a body runs: a literal, or a variable that nothing changes."""
    if isinstance(formula, Variable):
        return formula.name.rpartition("_")[0] not in planner.changed
    return is_simple(formula)


def pass_arguments(planner: Planner, meanings: Mapping[str, Meaning]) -> Given:
    """Return arguments for a body that several places share: indices of places become parameters of their own."""
    names: dict[str, Meaning] = {}
    arguments: dict[str, Formula] = {}
    shapes: list[str] = []

    def hand(name: str, formula: Formula) -> Variable:
        variable = planner.variable(name, formula.span)
        arguments[variable.name] = formula
        return variable

    def hand_index(name: str, formula: Formula | None) -> Formula | None:
        return formula if formula is None or isinstance(formula, Literal) else hand(name, formula)

    for name, meaning in meanings.items():
        if isinstance(meaning, LoweredPlace):
            shapes.append(_name_shape(meaning))
            at = tuple(hand_index("at", one) for one in meaning.at)
            names[name] = evolve(meaning, at=at, index=hand_index("index", meaning.index))
        else:
            names[name] = hand(name, meaning)
    return Given(names, tuple(arguments), tuple(arguments.values()), "|".join(shapes))


def lay_out_place(planner: Planner, place: LoweredPlace) -> PlaceLayout:
    """Return all that the runtime must know about a place."""
    cells = place.cells
    field = cells.field
    inner, holder = item_type(field.type), holder_dimension(cells)
    return PlaceLayout(
        cells.name,
        cells.base,
        cells.strides,
        cells.shape,
        cells.container,
        0 if cells.bag is None else cells.bag.width,
        planner.family_size(field.holds or "player"),
        isinstance(inner, Piece),
        cells.owner_stride if None in place.at else 0,
        -1 if field.owner_dimension is None else field.owner_dimension,
        -1 if cells.knowledge is None else cells.knowledge,
        field.secret or "",
        -1 if holder is None else holder,
        _find_room(cells),
        planner.players,
    )


def _name_shape(place: LoweredPlace) -> str:
    """Return what is fixed about a place, as a text; equal for places that can share one body."""
    parts = ["owner" if one is None else str(one.value) if isinstance(one, Literal) else "*" for one in place.at]
    index = place.index
    position = "" if index is None else f"@{index.value}" if isinstance(index, Literal) else "@*"
    return f"{place.cells.name}[{','.join(parts)}]{position}"


def _find_room(cells: FieldCells) -> int:
    """Return the most items of a list; -1 where nothing but the pieces bounds it."""
    of = cells.field.type
    return of.limit if isinstance(of, ListOf) and of.limit is not None else -1
