"""How many there can be of everything before play: members, players, pieces, and how large attributes are."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from attrs import define, field

from aodrules.check.analyse.constants import ConstantEvaluator, Names, is_number
from aodrules.check.analyse.set_search import SearchSteps, steps_of_search
from aodrules.check.checked import CheckedRules, EffectScope, Field
from aodrules.check.steps import LeaveGame
from aodrules.check.visit import all_bodies, walk, walk_steps
from aodrules.lang.builtins.entry import GraphLinks
from aodrules.lang.expressions import AttributeRead, BuiltinCall, Const, Expression, Local, Operation
from aodrules.lang.interval import ANY, SOME, Interval, exactly, hull, up_to
from aodrules.lang.types import (
    Bag,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Owner,
    Piece,
    Player,
    SetOf,
    Type,
    Unknown,
    present,
)


@define(eq=False)
class Sizes:
    """Sizes of a ruleset, over all numbers of players it is made for."""

    rules: CheckedRules
    by_players: tuple[ConstantEvaluator, ...] = field(init=False)
    """What is fixed before play, for each number of players."""
    in_play: tuple[ConstantEvaluator, ...] = field(init=False)
    """What stays so in play, in which somebody may leave."""
    _attributes: dict[tuple[str, str], Interval] = field(factory=dict)
    _pieces: dict[str, tuple[int, ...]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        low, high = self.rules.game.players
        numbers = range(low, max(low, high) + 1)
        self.by_players = tuple(ConstantEvaluator(self.rules, number) for number in numbers)
        stay = not any(isinstance(step, LeaveGame) for body in all_bodies(self.rules) for step in walk_steps(body))
        self.in_play = tuple(ConstantEvaluator(self.rules, number, everybody_stays=stay) for number in numbers)

    @property
    def players(self) -> Interval:
        """How many can play."""
        return Interval(self.by_players[0].players, self.by_players[-1].players)

    @property
    def most_players(self) -> int:
        """The most that can play."""
        return self.by_players[-1].players

    @property
    def most_sides(self) -> int:
        """The most sides there can be."""
        return len(self.rules.sides)

    def most_owners(self, kind: str) -> int:
        """Return how many can own pieces of a kind: nobody but the players, unless sides do too."""
        return self.most_players + self.rules.sides_owning(kind)

    def known_number(self, expression: Expression) -> Interval | None:
        """Return where a number lies that no play can change; nothing if play can."""
        found = [one.value(expression) for one in self.in_play]
        numbers = [exactly(each) for each in found if is_number(each)]
        return hull(*numbers) if len(numbers) == len(found) else None

    def members(self, kind: str) -> tuple[int, ...]:
        """Return the members of a kind; none for what is no kind."""
        found = self.rules.kinds.get(kind)
        return found.places if found else ()

    def in_game(self, kind: str) -> Interval:
        """Return how many members of a kind can be in the game."""
        return hull(*(exactly(len(one.places(kind))) for one in self.by_players))

    def attribute(self, name: str, member: int, at: int | None = None) -> Interval:
        """Return where an attribute of a member lies."""
        tables = range(self._width(name, member)) if at is None else (at,)
        found = [one.attribute(name, member, place) for one in self.by_players for place in tables]
        numbers = [exactly(each) for each in found if is_number(each)]
        return hull(*numbers) if numbers else SOME

    def _width(self, name: str, member: int) -> int:
        attribute = self.rules.attributes.get(name)
        entry = attribute.values[member] if attribute and member < len(attribute.values) else None
        return len(entry) if isinstance(entry, tuple) else 1

    def attribute_of_kind(self, name: str, kind: str) -> Interval:
        """Return where an attribute of all members of a kind lies."""
        key = (name, kind)
        if key not in self._attributes:
            each = [self.attribute(name, member) for member in self.members(kind)]
            numbers = [one for one in each if one is not SOME]
            self._attributes[key] = hull(*numbers) if numbers else SOME
        return self._attributes[key]

    def is_owned(self, kind: str) -> bool:
        """Whether the pieces of a kind have owners."""
        pieces = self.rules.family(kind).pieces if kind in self.rules.kinds else None
        return pieces is not None and pieces.owned

    def common(self, kind: str) -> frozenset[int]:
        """Return the members of a family whose pieces are nobody's until they are taken."""
        pieces = self.rules.family(kind).pieces if kind in self.rules.kinds else None
        return frozenset() if pieces is None else pieces.common

    def copies(self, kind: str) -> tuple[int, ...]:
        """Return the most pieces each member of a family has, of owned kinds of one owner."""
        family = self.rules.kinds[kind].family if kind in self.rules.kinds else ""
        if family not in self._pieces:
            counts = [one.pieces(family) for one in self.by_players]
            for side in range(self.rules.sides_owning(family)):
                counts += [one.pieces_of_side(family, side) for one in self.by_players]
            self._pieces[family] = tuple(max(each) for each in zip(*counts, strict=False))
        return self._pieces[family]

    def pieces(self, kind: str, *, of_one_owner: bool = False) -> int:
        """Return the most pieces of a kind there are, of one owner or of all."""
        copies = self.copies(kind)
        owners = self.most_owners(kind) if self.is_owned(kind) and not of_one_owner else 1
        common = self.common(kind)
        counted = [place for place in self.members(kind) if place < len(copies)]
        return sum(copies[place] if place in common else copies[place] * owners for place in counted)

    def carriers(self, scope: EffectScope) -> Iterable[tuple[int | None, int]]:
        """Iterate over the members that carry an effect, each with the most copies that can hold at once."""
        if scope.kind is None:
            return ((None, 1),)
        if scope.field is None:
            return tuple((member, 1) for member in scope.members)
        copies = self.copies(scope.kind)
        owners = self.most_owners(scope.kind) if self.is_owned(scope.kind) and not scope.owner else 1
        common = self.common(scope.kind)
        return tuple(
            (each, copies[each] * (1 if each in common else owners) if each < len(copies) else 1)
            for each in scope.members
        )

    # What builtins ask.

    def graph(self, name: str) -> GraphLinks | None:
        """Return a graph or grid; nothing where it was not understood."""
        return self.rules.graphs.get(name)

    def worths(self, name: str) -> tuple[int, ...]:
        """Return what each set of a declaration is worth."""
        sets = self.rules.sets.get(name)
        return tuple(shape.worth for shape in sets.shapes) if sets else ()

    def search_of_sets(self, call: BuiltinCall, wild: int) -> SearchSteps:
        """Return the most steps to search for sets in a bag, with at most so many wild pieces."""
        sets, bag = self.rules.sets.get(call.names[0]), call.arguments[0].type
        if sets is None or not isinstance(bag, Bag):
            return SearchSteps(0, 0)
        all_copies = self.copies(bag.kind)
        copies = [all_copies[each] for each in self.members(bag.kind) if each < len(all_copies)]
        return steps_of_search(sets, copies, wild)

    def longest_range(self, call: BuiltinCall) -> int | None:
        """Return the most numbers of a range between attributes of one member; nothing if it is no such."""
        parts = [part for each in call.arguments for part in walk(each)]
        locals_ = {part.name: present(part.type) for part in parts if isinstance(part, Local)}
        if len(locals_) != 1 or not all(isinstance(part, Const | Local | AttributeRead | Operation) for part in parts):
            return None
        [(name, kind)] = locals_.items()
        members = self.members(kind.kind) if isinstance(kind, Member) else ()
        lengths = [self.range_length(call, {name: member}) for member in members]
        return max((10**9 if each is None else each for each in lengths), default=None)

    def range_length(self, call: BuiltinCall, names: Names) -> int | None:
        """Return the most numbers of a range over some names that are known; nothing if play decides about it."""
        lengths = []
        for constants in self.in_play:
            ends = [constants.value(each, names) for each in call.arguments]
            numbers = [end for end in ends if is_number(end)]
            if len(numbers) < len(ends):
                return None
            lengths.append(len(range(*numbers)))
        return max(lengths)

    # Types and fields.

    def of_type(self, type_: Type) -> Interval:
        """Return all that can be said of a thing of a type."""
        if isinstance(type_, Maybe | HiddenPiece):
            return self.of_type(type_.of)
        if isinstance(type_, Number):
            return Interval(type_.low, type_.high)
        if isinstance(type_, Bag):
            return Interval(0, _fewer(self.pieces(type_.kind), type_.limit), ANY)
        if isinstance(type_, ListOf):
            return Interval(0, self._longest(type_), self.of_type(type_.of))
        if isinstance(type_, SetOf):
            return Interval(0, _fewer(self.how_many(type_.of) or 0, type_.limit), ANY)
        return SOME if isinstance(type_, Unknown) else ANY

    def how_many(self, type_: Type) -> int | None:
        """Return how many different things of a type there are; nothing for numbers."""
        if isinstance(type_, Maybe | HiddenPiece):
            return self.how_many(type_.of)
        if isinstance(type_, Member):
            return len(self.members(type_.kind))
        if isinstance(type_, Player):
            return self.most_players
        if isinstance(type_, Owner):
            return self.most_players + self.most_sides
        if isinstance(type_, Piece):
            return len(self.members(type_.kind)) * self.most_owners(type_.kind)
        if isinstance(type_, Number) and type_.low is not None and type_.high is not None:
            return type_.high - type_.low + 1
        return 2 if isinstance(type_, Flag) else None

    def _longest(self, of: ListOf) -> int | None:
        item = of.of.of if isinstance(of.of, HiddenPiece) else of.of
        bound: int | None = None
        if isinstance(item, Player):
            bound = self.most_players
        elif isinstance(item, Piece) or (isinstance(item, Member) and self.pieces(item.kind)):
            bound = self.pieces(item.kind)
        if of.limit is None or bound is None:
            return bound if of.limit is None else of.limit
        return min(bound, of.limit)

    def cells(self, of: Field) -> int:
        """Return how many parts a field has."""
        return prod(self.how_many(each) or 0 for each in of.dimensions)

    def field(self, of: Field) -> Interval:
        """Return where what one part of a field holds lies."""
        if isinstance(of.type, Bag):
            pieces = self.pieces(of.type.kind, of_one_owner=of.owner_dimension is not None)
            return Interval(0, _fewer(pieces, of.type.limit), ANY)
        found = self.of_type(of.type)
        if isinstance(of.type, ListOf) and of.holds and of.owner_dimension is not None:
            return Interval(0, min(found.most, self.pieces(of.holds, of_one_owner=True)), found.item)
        # Where a member lacks the field it reads as 0.
        return hull(found, exactly(0)) if of.only is not None and isinstance(of.type, Number) else found

    def count_of(self, kind: str, member: int | None) -> Interval:
        """Return how many of one member a bag can hold."""
        copies = self.copies(kind)
        if member is not None:
            return up_to(copies[member] if member < len(copies) else 0)
        return up_to(max((copies[each] for each in self.members(kind) if each < len(copies)), default=0))


def _fewer(number: int, limit: int | None) -> int:
    return number if limit is None else min(number, limit)
