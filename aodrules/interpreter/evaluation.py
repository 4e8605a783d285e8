"""What an expression is worth in a state: the meaning of the expressions of the language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from attrs import frozen

from aodrules.check.checked import Modifier, Value
from aodrules.check.steps import FieldPlace, ParameterPlace
from aodrules.facts.state import PlaceRef, PlainState
from aodrules.interpreter.holders import Holder, holders
from aodrules.interpreter.options import instances
from aodrules.interpreter.places import cell, pieces_at
from aodrules.interpreter.tables import Tables
from aodrules.lang.builtins.entry import GraphLinks
from aodrules.lang.builtins.table import BUILTINS, MEANINGS
from aodrules.lang.expressions import (
    AfterVerb,
    AttributeRead,
    BagCount,
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    FieldRead,
    IfElse,
    IsKind,
    ItemAt,
    Knows,
    LimitUsed,
    Local,
    Operation,
    PieceMember,
    PieceOwner,
    PlaceRead,
    Possible,
    ValueCall,
    WhenPresent,
)
from aodrules.lang.modifiers import MODIFIERS
from aodrules.lang.operators import OPERATIONS
from aodrules.lang.types import Bag, Member, Piece, Type, item_type, items_in, kind_of

Names: TypeAlias = Mapping[str, Any]


@frozen
class Contribution:
    """What one source contributes to a number: the formula, or a modifier and who carries it."""

    address: str
    amount: int
    holder: int | None = None
    """The seat whose effect it is."""
    kind: str | None = None
    member: int | None = None
    """The member that carries the effect."""


class Evaluator:
    """Answers what expressions are worth in one state, which may change meanwhile.

    `before` is an earlier state, for properties that speak of a step from one to the other.
    """

    def __init__(self, tables: Tables, state: PlainState, before: PlainState | None = None) -> None:
        self.tables = tables
        self.state = state
        self._before = Evaluator(tables, before) if before is not None else None
        self._kept: dict[tuple[str, tuple[Any, ...]], Any] = {}
        self._kept_for: tuple[object, object, object] = (None, None, None)
        """The fields, knowledge and those who left with which kept values were worked out."""
        self.on_use: Callable[[str], None] | None = None
        """Is told the name of each value that is computed and the address of each modifier that applies."""
        self._methods: dict[type, Callable[[Any, Names], Any]] = {
            Const: self._const,
            Local: self._local,
            FieldRead: self._field_read,
            AttributeRead: self._attribute_read,
            BagCount: self._bag_count,
            ItemAt: self._item_at,
            PieceMember: self._piece_member,
            PieceOwner: self._piece_owner,
            ValueCall: self._value_call,
            Operation: self._operation,
            BuiltinCall: self._builtin_call,
            IsKind: self._is_kind,
            IfElse: self._if_else,
            WhenPresent: self._when_present,
            Comprehension: self._comprehension,
            PlaceRead: self._place_read,
            LimitUsed: self._limit_used,
            Possible: self._possible,
            AfterVerb: self._after_verb,
            Knows: self._knows,
        }

    def value(self, expression: Expression, locals_: Names) -> Any:
        """Return what an expression is worth."""
        return self._methods[type(expression)](expression, locals_)

    def items(self, expression: Expression, locals_: Names) -> tuple[Any, ...]:
        """Return the items of a collection, in order; of a bag each copy."""
        return items_in(expression.type, self.value(expression, locals_))

    def place(self, reference: FieldPlace | ParameterPlace, locals_: Names) -> PlaceRef:
        """Return the place that is meant."""
        if isinstance(reference, ParameterPlace):
            place: PlaceRef = locals_[reference.name]
            return place
        at = tuple(None if index is None else self.value(index, locals_) for index in reference.at)
        return PlaceRef(reference.field, at, None if reference.index is None else self.value(reference.index, locals_))

    def argument(self, given: Expression | FieldPlace | ParameterPlace, locals_: Names) -> Any:
        """Return what is given for a parameter: a value or a place."""
        if isinstance(given, FieldPlace | ParameterPlace):
            return self.place(given, locals_)
        return self.value(given, locals_)

    # What builtins ask.

    @property
    def seats(self) -> int:
        """How many began the game."""
        return self.tables.players

    def remaining(self) -> tuple[int, ...]:
        """Return the seats still in the game."""
        return tuple(seat for seat in range(self.tables.players) if seat not in self.state.left)

    def sides(self) -> tuple[int, ...]:
        """Return the sides in the game as owners, in order."""
        return tuple(self.tables.players + place for place in self.tables.rules.sides_in_game())

    def first_side(self, kind: str) -> int:
        """Return the first side of a kind's family as an owner."""
        return self.tables.players + self.tables.rules.first_side(kind)

    def places(self, kind: str) -> tuple[int, ...]:
        """Return the members of a kind, in order."""
        return self.tables.rules.kinds[kind].places

    def family_size(self, kind: str) -> int:
        """Return how many members the family of a kind has."""
        return self.tables.family_size(kind)

    def graph(self, name: str) -> GraphLinks:
        """Return a graph or grid."""
        return self.tables.rules.graphs[name]

    def sets_worth(self, name: str, counts: Sequence[int], wild: int) -> int:
        """Return what pieces are worth in the sets of a declaration."""
        return self.tables.sets_worth[name](counts, wild)

    def order(self) -> tuple[int, ...]:
        """Return the players in the order in which the game asks those who hold something."""
        order = self.tables.rules.game.order
        return self.remaining() if order is None else self.items(order, {})

    def named_value(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """Return what a value of the rules is worth, modifiers applied."""
        value = self.tables.rules.values[name]
        if value.kept and self.on_use is None:
            return self._kept_value(value, arguments)
        return self._worked_out(value, arguments)

    def _worked_out(self, value: Value, arguments: tuple[Any, ...]) -> Any:
        *_, (_, _, result) = self._applied(value, arguments)
        return result

    def _kept_value(self, value: Value, arguments: tuple[Any, ...]) -> Any:
        """Return a kept value: that of before while the whole state is the same, whatever the value reads of it."""
        state, (fields, knowledge, left) = self.state, self._kept_for
        if state.fields != fields or state.knowledge != knowledge or state.left != left:
            seen = state.copy()
            self._kept_for, self._kept = (seen.fields, seen.knowledge, seen.left), {}
        key = (value.name, arguments)
        if key not in self._kept:
            self._kept[key] = self._worked_out(value, arguments)
        return self._kept[key]

    def shares(self, name: str, arguments: tuple[Any, ...]) -> list[Contribution]:
        """Return how a number comes about: the formula first, then what each modifier adds.

        Where the formula only calls another value, that one's shares stand for it.
        """
        value = self.tables.rules.values[name]
        (_, _, base), *_ = applied = list(self._applied(value, arguments))
        return self._base_shares(value, arguments, base) + [
            Contribution(modifier.address, after - before, holder.owner, modifier.scope.kind, holder.member)
            for (_, _, before), (modifier, holder, after) in pairwise(applied)
            if modifier is not None
        ]

    def points(self, seat: int) -> tuple[int, ...]:
        """Return a seat's points by source, in the order of the rules, as if the game ended now."""
        return tuple(self.named_value(source.value, (seat,)) for source in self.tables.rules.game.points)

    def total(self, seat: int) -> int:
        """Return a seat's points in all, as if the game ended now."""
        if "total" not in self.tables.rules.values:
            return sum(self.points(seat))
        total: int = self.named_value("total", (seat,))
        return total

    def outlook(self, seat: int) -> int:
        """Return what bots compare: what the state promises a seat, by the game's own outlook, else its points."""
        parts = self.tables.rules.game.outlook
        return sum(self.value(one, {"player": seat}) for one in parts) if parts else self.total(seat)

    def standing(self, seat: int) -> tuple[int, ...]:
        """Return what decides who wins, more being better: is the seat in the game, may it win, then each number."""
        game, names = self.tables.rules.game, {"player": seat}
        may_win = game.winner_if is None or self.value(game.winner_if, names)
        compared_by = (*(() if game.winner_most is None else (game.winner_most,)), *game.winner_then)
        return (seat not in self.state.left, may_win, *(self.value(one, names) for one in compared_by))

    def has_won(self, seat: int) -> bool:
        """Whether a seat is first, alone or with others, as if the game ended now."""
        mine = self.standing(seat)
        return all(mine[:2]) and all(mine >= self.standing(other) for other in range(self.tables.players))

    # Values and their modifiers.

    def _base_shares(self, value: Value, arguments: tuple[Any, ...], worth: int) -> list[Contribution]:
        if isinstance(value.formula, ValueCall):
            locals_ = _named(value, arguments)
            inner = tuple(self.value(argument, locals_) for argument in value.formula.arguments)
            return self.shares(value.formula.value, inner)
        return [Contribution(value.address, worth)]

    def _applied(self, value: Value, arguments: tuple[Any, ...]) -> Iterator[tuple[Modifier | None, Holder, Any]]:
        """Return the result of the formula and then after each modifier that applies, with who holds it."""
        locals_ = _named(value, arguments)
        if self.on_use is not None:
            self.on_use(value.address)
        result = self.value(value.formula, locals_)
        yield None, Holder(), result
        for modifier in self.tables.modifiers.get(value.name, ()):
            for holder, after in self._modified(modifier, result, locals_):
                result = after
                if self.on_use is not None:
                    self.on_use(modifier.address)
                yield modifier, holder, result

    def _modified(self, modifier: Modifier, result: Any, locals_: Names) -> Iterator[tuple[Holder, Any]]:
        owners = (locals_["player"],) if modifier.scope.owner else None
        for holder in holders(self.tables, self.state, modifier.scope, owners):
            names = {**locals_, **holder.names}
            if modifier.condition is not None and not self.value(modifier.condition, names):
                continue
            amount = self.value(modifier.amount, names)
            for _ in range(holder.copies):
                result = MODIFIERS[modifier.operation].apply(result, amount)
            yield holder, result
            if modifier.operation == "set":
                return

    # Expressions, one method for each node.

    def _const(self, expression: Const, _: Names) -> Any:
        return expression.value

    def _local(self, expression: Local, locals_: Names) -> Any:
        return locals_[expression.name]

    def _field_read(self, expression: FieldRead, locals_: Names) -> Any:
        at = [self.value(index, locals_) for index in expression.at]
        return self.state.fields[expression.field][self.tables.shapes[expression.field].offset(at)]

    def _attribute_read(self, expression: AttributeRead, locals_: Names) -> Any:
        value = self.attribute(expression.attribute, self.value(expression.of, locals_))
        for index in expression.at:
            value = value[self.value(index, locals_)]
        return value

    def attribute(self, name: str, member: int) -> Any:
        """Return an attribute of a member."""
        return self.tables.attributes[name][member]

    def _bag_count(self, expression: BagCount, locals_: Names) -> int:
        counts: tuple[int, ...] = self.value(expression.bag, locals_)
        member: int = self.value(expression.member, locals_)
        return counts[member]

    def _item_at(self, expression: ItemAt, locals_: Names) -> Any:
        items = self.items(expression.items, locals_)
        index = self.value(expression.index, locals_)
        return items[index] if 0 <= index < len(items) else None

    def _piece_member(self, expression: PieceMember, locals_: Names) -> int:
        return self._member(expression.piece.type, self.value(expression.piece, locals_))

    def _piece_owner(self, expression: PieceOwner, locals_: Names) -> int:
        piece: int = self.value(expression.piece, locals_)
        return piece // self.tables.family_size(kind_of(expression.piece.type))

    def _member(self, type_: Type, item: int) -> int:
        """Return the member that a member or a piece is."""
        return item % self.tables.family_size(kind_of(type_)) if isinstance(item_type(type_), Piece) else item

    def _value_call(self, expression: ValueCall, locals_: Names) -> Any:
        return self.named_value(expression.value, tuple(self.value(one, locals_) for one in expression.arguments))

    def _operation(self, expression: Operation, locals_: Names) -> Any:
        entry = OPERATIONS[expression.operator]
        if entry.deciding is not None:
            return self._connected(expression, locals_, deciding=entry.deciding)
        assert entry.evaluate is not None
        return entry.evaluate(self, expression, *(self.value(one, locals_) for one in expression.operands))

    def _connected(self, expression: Operation, locals_: Names, *, deciding: bool) -> bool:
        decided = any(bool(self.value(one, locals_)) is deciding for one in expression.operands)
        return decided is deciding

    def _is_kind(self, expression: IsKind, locals_: Names) -> Any:
        evaluate = OPERATIONS["is"].evaluate
        assert evaluate is not None
        return evaluate(self, expression, self.value(expression.of, locals_))

    def _if_else(self, expression: IfElse, locals_: Names) -> Any:
        chosen = expression.then if self.value(expression.condition, locals_) else expression.otherwise
        return self.value(chosen, locals_)

    def _when_present(self, expression: WhenPresent, locals_: Names) -> Any:
        found = self.value(expression.of, locals_)
        return None if found is None else self.value(expression.then, {**locals_, expression.name: found})

    def _place_read(self, expression: PlaceRead, locals_: Names) -> Any:
        """Read a place in the form that is asked for, whatever form the field has."""
        owner = None if expression.owner is None else self.value(expression.owner, locals_)
        pieces = pieces_at(self.tables, self.state, locals_[expression.name], owner)
        size = self.tables.family_size(kind_of(expression.type))
        if isinstance(expression.type, Bag):
            counts = Counter(piece.member for piece in pieces)
            return tuple(counts[member] for member in range(size))
        return tuple((piece.owner or 0) * size + piece.member for piece in pieces)

    def _limit_used(self, expression: LimitUsed, locals_: Names) -> int:
        at = () if expression.whose is None else (self.value(expression.whose, locals_),)
        return int(cell(self.tables, self.state, expression.limit, at))

    def _possible(self, expression: Possible, locals_: Names) -> bool:
        option = self.tables.rules.options[expression.option]
        given = (self.value(argument, locals_) for argument in expression.arguments)
        names = dict(zip((one.name for one in option.given), given, strict=True))
        return any(True for _ in instances(self, option, {"player": self.value(expression.player, locals_), **names}))

    def _after_verb(self, expression: AfterVerb, locals_: Names) -> Any:
        return self.after(expression, locals_).value(expression.then, locals_)

    def after(self, expression: AfterVerb, locals_: Names) -> Evaluator:
        """Return what says what expressions are worth when a verb has been done, which is tried on a copy."""
        verb = self.tables.rules.verbs[expression.verb]
        given = (self.value(argument, locals_) for argument in expression.arguments)
        names = dict(zip((one.name for one in verb.parameters), given, strict=True))
        state = self.state.copy()
        self.tables.try_out(self.tables, state, verb.body, names)
        return Evaluator(self.tables, state)

    def _knows(self, expression: Knows, locals_: Names) -> bool:
        field = self.tables.rules.fields[expression.field]
        offset = self.tables.shapes[field.name].offset([self.value(index, locals_) for index in expression.at])
        if field.name not in self.state.knowledge:
            return True
        known: Any = self.state.knowledge[field.name][offset]
        if expression.index is not None:
            index = self.value(expression.index, locals_)
            known = known[index] if 0 <= index < len(known) else -1
        elif self.state.fields[field.name][offset] is None:
            known = -1
        return bool(known >> self.value(expression.player, locals_) & 1)

    # Collections.

    def _comprehension(self, expression: Comprehension, locals_: Names) -> Any:
        over = BUILTINS[expression.gives].over
        assert over is not None
        rounds, name = self.runs(expression, locals_), expression.loops[-1].name
        if over.ranks:
            return over.evaluate((self.value(expression.item, names), names[name]) for names in rounds)
        return over.evaluate(self.value(expression.item, names) for names in rounds)

    def runs(self, expression: Comprehension, locals_: Names, depth: int = 0) -> Iterator[Names]:
        """Return the names as they are for each item that counts, loop inside loop."""
        if depth == len(expression.loops):
            yield locals_
            return
        loop = expression.loops[depth]
        for item in self.items(loop.items, locals_):
            names = {**locals_, loop.name: item}
            if all(self.value(condition, names) for condition in loop.conditions):
                yield from self.runs(expression, names, depth + 1)

    def _builtin_call(self, expression: BuiltinCall, locals_: Names) -> Any:
        if expression.builtin == "before" and self._before is not None:
            return self._before.value(expression.arguments[0], locals_)
        if expression.builtin == "won":
            return self.has_won(self.value(expression.arguments[0], locals_))
        if expression.builtin == "share":
            return self._share(expression, locals_)
        evaluate = MEANINGS[expression.builtin].evaluate
        assert evaluate is not None
        return evaluate(self, expression, *(self.value(argument, locals_) for argument in expression.arguments))

    def _share(self, expression: BuiltinCall, locals_: Names) -> int:
        """Return how much of a number effects give: those that a member carries, or all."""
        call, *carriers = expression.arguments
        assert isinstance(call, ValueCall)  # the checker sees to it
        _, *shares = self.shares(call.value, tuple(self.value(each, locals_) for each in call.arguments))
        if not carriers:
            return sum(each.amount for each in shares)
        (carrier,) = carriers
        assert isinstance(carrier.type, Member)
        kinds, member = self.tables.rules.kinds, self.value(carrier, locals_)
        family = kinds[carrier.type.kind].family
        return sum(
            each.amount
            for each in shares
            if each.member == member and each.kind is not None and kinds[each.kind].family == family
        )


def _named(value: Value, arguments: tuple[Any, ...]) -> dict[str, Any]:
    """Return the parameters of a value with what is given for them."""
    return dict(zip((parameter.name for parameter in value.parameters), arguments, strict=True))
