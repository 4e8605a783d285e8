"""Any value of the rules, to be shown: by its name, with arguments as people write them; for a seat what it may know.

For a seat the formula is worked out over a state in which whatever the seat may not know is a stand-in that refuses
every question. So the way of the work up to the first such question, and whether there is one, depend only on what the
seat knows: neither a result nor a refusal tells more than that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from attrs import define, evolve

from aodrules.arguments import check_text, format_argument, whole_number
from aodrules.check.checked import Parameter, Value
from aodrules.errors import ArgumentError, SecretError
from aodrules.facts.state import Indices, PlainState
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.places import items_at, numbers_at, unpacked
from aodrules.lang.types import (
    Bag,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Piece,
    Player,
    SetOf,
    Type,
)
from aodrules.play.ids import SPECTATOR, IdTable, field_path
from aodrules.source.wording import did_you_mean, listed, quote, quotes

_T = TypeVar("_T")


def value_of(names: IdTable, evaluator: Evaluator, name: str, arguments: Mapping[str, Any]) -> Any:
    """Return what a value of the rules is worth, as people read it.

    Raises:
        ArgumentError: There is no such value, or it is given something else.
    """
    value = _find(names, name)
    given = _arguments(names, evaluator, value, arguments)
    return names.readable(value.type, evaluator.named_value(value.name, given))


def seat_value(names: IdTable, state: PlainState, seat: int, name: str, arguments: Mapping[str, Any]) -> Any:
    """Return what a value of the rules is worth, if a seat may know it.

    Raises:
        ArgumentError: There is no such value, or it is given something else.
        SecretError: It depends on what the seat may not know.
    """
    called = quote(_find(names, name).name)
    return as_known(names, state, seat, called, lambda known: value_of(names, known, name, arguments))


def as_known(names: IdTable, state: PlainState, seat: int, what: str, find: Callable[[Evaluator], _T]) -> _T:
    """Return what is found with an evaluator that tells only what a seat may know.

    Raises:
        SecretError: It depends on what the seat may not know.
    """
    try:
        return find(Evaluator(names.tables, _known_state(names, state, seat)))
    except _HiddenRead as hidden:
        who = "a spectator" if seat == SPECTATOR else quote(names.seats[seat])
        why = f"{who} may not know {what} here: it depends on what is hidden in {hidden}"
    raise SecretError(why)


def unknown_name() -> Any:
    """Return what stands for a name of steps under way that a seat may not know."""
    return _HiddenItem("the steps under way")


def totals(names: IdTable, state: PlainState, seat: int | None) -> tuple[tuple[int | None, ...], frozenset[str]]:
    """Return each player's points as if the game ended now, and the fields on which they depend.

    For a seat, points that depend on what it may not know are nothing; if none is given, all are told.
    """
    evaluator, fields = _noting_evaluator(names, state, seat)
    found = tuple(_total(evaluator, number) for number in range(len(names.seats)))
    return found, frozenset(fields.noted)


def noted_value(
    names: IdTable, state: PlainState, seat: int | None, name: str, given: tuple[int, ...]
) -> tuple[Any, bool, frozenset[str]]:
    """Return what a value of the rules is worth, whether a seat may know it, and the fields on which that depends.

    If no seat is given, everything is told.
    """
    evaluator, fields = _noting_evaluator(names, state, seat)
    try:
        found = names.readable(names.tables.rules.values[name].type, evaluator.named_value(name, given))
    except _HiddenRead:
        return None, False, frozenset(fields.noted)
    return found, True, frozenset(fields.noted)


def _noting_evaluator(names: IdTable, state: PlainState, seat: int | None) -> tuple[Evaluator, _NotedCells]:
    """Return what evaluates as far as a seat may know, and what notes which fields it reads."""
    known = state if seat is None else _known_state(names, state, seat)
    fields = _NotedCells(known.fields)
    evaluator = Evaluator(names.tables, evolve(known, fields=fields))
    # Kept values would look at the whole state to see whether they still hold.
    evaluator.on_use = lambda _: None
    return evaluator, fields


def _total(evaluator: Evaluator, player: int) -> int | None:
    try:
        return evaluator.total(player)
    except _HiddenRead:
        return None


class _NotedCells(dict[str, Any]):
    """The cells of all fields; notes which fields are read."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        super().__init__(fields)
        self.noted: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.noted.add(name)
        return super().__getitem__(name)

    def items(self) -> Any:
        """Return all cells: who takes all may read any."""
        self.noted.update(self)
        return super().items()


# Names and arguments.


def _find(names: IdTable, name: str) -> Value:
    values = names.tables.rules.values
    if check_text("the name of a value", name) in values:
        return values[name]
    known = [each for each in values if ":" not in each]
    help_ = did_you_mean(name, known) or listed(known)
    raise ArgumentError(f"the rules have no value {quote(name)}" + (f"; {help_}" if help_ else ""))


def _arguments(names: IdTable, evaluator: Evaluator, value: Value, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    known = {one.name: one for one in value.parameters}
    for name in arguments:
        if name not in known:
            help_ = did_you_mean(name, known) or (f"it takes {quotes(known)}" if known else "it takes nothing")
            raise ArgumentError(f"`{value.name}` takes no {quote(name)}; {help_}")
    found: dict[str, Any] = {}
    for one in value.parameters:
        found[one.name] = _argument(names, evaluator, value, one, arguments, found)
    return tuple(found.values())


def _argument(
    names: IdTable,
    evaluator: Evaluator,
    value: Value,
    parameter: Parameter,
    arguments: Mapping[str, Any],
    before: Mapping[str, Any],
) -> Any:
    if parameter.name in arguments:
        try:
            return _number_of(names, parameter.type, arguments[parameter.name])
        except _MisfitError as misfit:
            raise ArgumentError(f"`{parameter.name}` of `{value.name}` is {misfit}") from None
    if parameter.default is not None:
        return evaluator.argument(parameter.default, before)
    missing = [one.name for one in value.parameters if one.name not in arguments and one.default is None]
    raise ArgumentError(f"`{value.name}` needs {quotes(missing)}")


class _MisfitError(Exception):
    """Something that a parameter cannot be."""


def _number_of(names: IdTable, type_: Type, given: Any) -> Any:
    """Return something that somebody wrote as the engines have it."""
    if isinstance(type_, Maybe):
        return None if given is None else _number_of(names, type_.of, given)
    if isinstance(type_, HiddenPiece):
        return _number_of(names, type_.of, given)
    if isinstance(type_, Bag):
        return _bag_of(names, type_, given)
    if isinstance(type_, ListOf | SetOf):
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise _MisfitError(f"a {type_}, given as a list, not {format_argument(given)}")
        items = [_number_of(names, type_.of, one) for one in given]
        return tuple(items) if isinstance(type_, ListOf) else sum({1 << item for item in items})
    if isinstance(type_, Flag):
        if isinstance(given, bool):
            return given
        raise _MisfitError(f"true or false, not {format_argument(given)}")
    if isinstance(type_, Number):
        return _whole(type_, given)
    if isinstance(type_, Player | Member | Piece):
        return _named(names, type_, given)
    raise _MisfitError(f"a {type_}, which cannot be given from outside")


def _whole(type_: Number, given: Any) -> int:
    number = whole_number(given)
    low, high = type_.low, type_.high
    if number is None or (low is not None and number < low) or (high is not None and number > high):
        raise _MisfitError(f"a {type_}, not {format_argument(given)}")
    return number


def _named(names: IdTable, type_: Player | Member | Piece, given: Any) -> int:
    words = given.split() if isinstance(given, str) else []
    found = names.parse(type_, words)
    if found is not None and found[1] == len(words) and _is_of_kind(names, type_, found[0]):
        return found[0]
    if isinstance(type_, Piece):
        raise _MisfitError(
            f"a {type_}, as in {quote(f'{names.seats[0]} {_members(names, type_)[0]}')}, not {format_argument(given)}"
        )
    known = names.seats if isinstance(type_, Player) else _members(names, type_)
    help_ = did_you_mean(given, known) if isinstance(given, str) else None
    raise _MisfitError(f"a {type_}, not {format_argument(given)}; {help_ or listed(known) or 'there is none'}")


def _members(names: IdTable, type_: Member | Piece) -> list[str]:
    rules = names.tables.rules
    return [rules.family(type_.kind).members[place] for place in rules.kinds[type_.kind].places]


def _is_of_kind(names: IdTable, type_: Player | Member | Piece, number: int) -> bool:
    if isinstance(type_, Player):
        return True
    return number % names.tables.family_size(type_.kind) in names.tables.rules.kinds[type_.kind].places


def _bag_of(names: IdTable, type_: Bag, given: Any) -> tuple[int, ...]:
    if not isinstance(given, Mapping):
        raise _MisfitError(f"a {type_}, given as numbers by name, not {format_argument(given)}")
    counts = [0] * names.tables.family_size(type_.kind)
    for name, count in given.items():
        counts[_named(names, Member(type_.kind), name)] += _whole(Number(0, None), count)
    return tuple(counts)


# What a seat may know.


class _HiddenRead(BaseException):
    """Something was read that a seat may not know. No code on the way may take it for a mistake of its own."""


class _HiddenItem:
    """Something that a seat may not know: it refuses every question."""

    def __init__(self, where: str) -> None:
        self._where = where

    def _refuse(self, *_: object) -> NoReturn:
        raise _HiddenRead(self._where)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __bool__ = __index__ = __int__ = __str__ = __repr__ = __format__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __rmod__ = _refuse
    __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __neg__ = __abs__ = __pow__ = __rpow__ = _refuse
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _refuse
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse
    __len__ = __iter__ = __contains__ = __getitem__ = __call__ = __reduce_ex__ = __copy__ = __deepcopy__ = _refuse
    __getattr__ = _refuse


class _HiddenPiece(_HiddenItem):
    """A piece that a seat may not know: that it is there is known."""

    def __eq__(self, other: object) -> bool:  # type: ignore[override]  # what it takes from its base never returns
        return False if other is None else self._refuse()

    def __ne__(self, other: object) -> bool:  # type: ignore[override]
        return True if other is None else self._refuse()

    __hash__ = _HiddenItem.__hash__  # type: ignore[assignment]


@define(eq=False)
class _KnownCells:
    """The cells of a field as a seat knows them: whatever else is read of them is refused."""

    names: IdTable
    state: PlainState
    name: str
    seat: int

    def __getitem__(self, offset: int | slice) -> Any:
        if isinstance(offset, slice):
            # A state that is copied, to try something out on it, is not known any better.
            return self if offset == slice(None) else self._refuse()
        at = self._at(offset)
        if self.names.sees(self.name, at, self.seat):
            return self.state.fields[self.name][offset]
        declared = self.names.tables.rules.fields[self.name]
        if declared.holds is None or isinstance(declared.type, Bag):
            self._refuse(at)
        return self._pieces(at, is_list=isinstance(declared.type, ListOf))

    def _pieces(self, at: Indices, *, is_list: bool) -> Any:
        """Return the pieces of a list or maybe: those that the seat knows, and that others are there."""
        tables = self.names.tables
        held, numbers = items_at(tables, self.state, self.name, at), numbers_at(tables, self.state, self.name, at)
        known = [self.names.is_among(unpacked(tables, number).which, self.seat) for number in numbers]
        where = quote(field_path(self.names, self.name, at))
        items = tuple(item if is_known else _HiddenPiece(where) for item, is_known in zip(held, known, strict=False))
        return items if is_list else items[0] if items else None

    def _at(self, offset: int) -> Indices:
        shape = self.names.tables.shapes[self.name]
        return next(at for at in shape.indices() if shape.offset(at) == offset)

    def _refuse(self, at: Indices | None = None) -> NoReturn:
        raise _HiddenRead(quote(self.name if at is None else field_path(self.names, self.name, at)))

    def __setitem__(self, offset: object, value: object) -> NoReturn:
        self._refuse()

    def __iter__(self) -> NoReturn:
        self._refuse()

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]  # it stands for a list


class _NoKnowledge:
    """Who knows what in a field: nobody is told."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, offset: object) -> Any:
        if offset == slice(None):
            return self
        raise _HiddenRead(f"who knows of {quote(self._name)}")

    def __setitem__(self, offset: object, value: object) -> NoReturn:
        raise _HiddenRead(f"who knows of {quote(self._name)}")


def _known_state(names: IdTable, state: PlainState, seat: int) -> PlainState:
    """Return a state that refuses to tell what a seat may not know."""
    rules = names.tables.rules
    fields: dict[str, Any] = {
        name: _KnownCells(names, state, name, seat) if rules.fields[name].secret else cells
        for name, cells in state.fields.items()
    }
    knowledge: dict[str, Any] = {name: _NoKnowledge(name) for name in state.knowledge}
    return PlainState(fields, knowledge, 0, state.left, state.over, state.step)
