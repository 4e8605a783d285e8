"""What expressions come to before any game begins: over members, attributes and the number of players alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, TypeAlias, TypeGuard

from attrs import define, evolve, field

from aodrules.check.analyse.bounds import DEEPEST, MOST_ITEMS, MOST_ROUNDS
from aodrules.check.checked import Attribute, CheckedRules
from aodrules.check.for_players import rules_for
from aodrules.lang.builtins.entry import GraphLinks
from aodrules.lang.builtins.table import BUILTINS, MEANINGS
from aodrules.lang.expressions import (
    AttributeRead,
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    IfElse,
    IsKind,
    ItemAt,
    Local,
    Loop,
    Operation,
    WhenPresent,
)
from aodrules.lang.interval import LARGEST
from aodrules.lang.operators import OPERATIONS
from aodrules.lang.types import Maybe, Member, Nothing, Owner, Player, Type, Unknown, items_in


class NotConstant:
    """What cannot be said beforehand."""

    def __repr__(self) -> str:
        return "UNSURE"


UNSURE: Final = NotConstant()
Known: TypeAlias = "int | bool | tuple[Any, ...] | NotConstant | None"
Names: TypeAlias = Mapping[str, Known]


_NONE: Names = {}


@define(eq=False)
class ConstantEvaluator:
    """What is known about a ruleset for one number of players."""

    rules: CheckedRules
    players: int
    bounded: bool = True
    """Whether what takes long or is large is left unsure; once the rules are checked all of it can be computed."""
    everybody_stays: bool = True
    """Whether those who began are the players whenever it is asked; before play they are."""
    _attributes: dict[tuple[str, int, int], Known] = field(factory=dict)
    _depth: int = 0
    _taken: int = 0

    def __attrs_post_init__(self) -> None:
        self.rules = rules_for(self.rules, self.players)

    def value(self, expression: Expression, names: Names = _NONE) -> Known:
        """Return what an expression comes to, `UNSURE` where that depends on play."""
        if isinstance(expression.type, Unknown):
            return UNSURE
        self._depth += 1
        reader = self._readers.get(type(expression))
        found = UNSURE if reader is None else reader(self, expression, names)
        self._depth -= 1
        if found is None and not isinstance(expression.type, Maybe | Nothing):
            return UNSURE  # What should be there is not: that is reported, or a test before this excludes it.
        return UNSURE if self.bounded and is_number(found) and abs(found) > LARGEST else found

    def attribute(self, name: str, member: int, at: int = 0) -> Known:
        """Return an attribute of a member; `at` is the place in a table."""
        key = (name, member, at)
        if key not in self._attributes:
            # An attribute that needs itself is unsure; the call graph reports it.
            self._attributes[key] = UNSURE
            if self._depth < DEEPEST or not self.bounded:
                self._attributes[key] = self._attribute(self.rules.attributes.get(name), member, at)
        return self._attributes[key]

    def members(self, of: Type) -> tuple[int, ...]:
        """Return the seats, owners or members that a type can stand for."""
        if isinstance(of, Player):
            return tuple(range(self.players))
        if isinstance(of, Owner):
            return (*range(self.players), *self.sides())
        if isinstance(of, Member) and of.kind in self.rules.kinds:
            return self.rules.kinds[of.kind].places
        return ()

    def pieces(self, family: str) -> tuple[int, ...]:
        """Return how many pieces each member of a family has, of owned kinds each player's; 0 where that is unsure."""
        kind = self.rules.kinds.get(family)
        if kind is None or kind.pieces is None:
            return ()
        return self._counts(kind.pieces.counts, None)

    def pieces_of_side(self, family: str, side: int) -> tuple[int, ...]:
        """Return how many pieces of each member of a family a side has; 0 where that is unsure."""
        pieces = self.rules.kinds[family].pieces
        if pieces is None or not pieces.of_sides:
            return ()
        return self._counts(pieces.of_sides[side], self.rules.sides[side][1])

    def _counts(self, counts: tuple[Expression, ...], of: int | None) -> tuple[int, ...]:
        """Return numbers of pieces: over the member, or for a side over the side."""
        found = (self.value(count, {"self": place if of is None else of}) for place, count in enumerate(counts))
        return tuple(max(0, count) if is_number(count) else 0 for count in found)

    def _attribute(self, attribute: Attribute | None, member: int, at: int) -> Known:
        if attribute is None or not 0 <= member < len(attribute.values):
            return UNSURE
        entry = attribute.values[member]
        if isinstance(entry, tuple):
            entry = entry[at] if at < len(entry) else None
        if entry is None:
            return None
        # Attributes are fixed before anybody can leave.
        before = self if self.everybody_stays else evolve(self, everybody_stays=True)
        return before.value(entry, {"self": member})

    def _const(self, const: Const, _: Names) -> Known:
        return const.value

    def _local(self, local: Local, names: Names) -> Known:
        return names.get(local.name, UNSURE)

    def _when_present(self, when: WhenPresent, names: Names) -> Known:
        of = self.value(when.of, names)
        return of if of is None or of is UNSURE else self.value(when.then, {**names, when.name: of})

    def _attribute_read(self, read: AttributeRead, names: Names) -> Known:
        of = self.value(read.of, names)
        at = [self.value(each, names) for each in read.at]
        place = at[0] if at else 0
        return self.attribute(read.attribute, of, place) if is_number(of) and is_number(place) else UNSURE

    def _if_else(self, choice: IfElse, names: Names) -> Known:
        condition = self.value(choice.condition, names)
        if condition is UNSURE:
            return UNSURE
        return self.value(choice.then if condition else choice.otherwise, names)

    def _is_kind(self, test: IsKind, names: Names) -> Known:
        of, evaluate = self.value(test.of, names), OPERATIONS["is"].evaluate
        assert evaluate is not None
        is_known = test.kind in self.rules.kinds or test.kind == "player"
        found: Known = evaluate(self, test, of) if of is not UNSURE and is_known else UNSURE
        return found

    def _item_at(self, read: ItemAt, names: Names) -> Known:
        items, index = self._items(read.items, names), self.value(read.index, names)
        if not isinstance(items, tuple) or not is_number(index):
            return UNSURE
        found: Known = items[index] if 0 <= index < len(items) else None
        return found

    def _items(self, expression: Expression, names: Names) -> tuple[Any, ...] | NotConstant:
        """Return the items of a collection."""
        held = self.value(expression, names)
        return held if isinstance(held, NotConstant) else items_in(expression.type, held)

    def _operation(self, operation: Operation, names: Names) -> Known:
        operator = OPERATIONS[operation.operator]
        if operator.deciding is not None:
            return self._connected(operation, names, deciding=operator.deciding)
        operands: list[Any] = [self.value(each, names) for each in operation.operands]
        if UNSURE in operands or (operator.divides and operands[1] == 0):
            return UNSURE
        assert operator.evaluate is not None
        found: Known = operator.evaluate(self, operation, *operands)
        return found

    def _connected(self, operation: Operation, names: Names, *, deciding: bool) -> Known:
        found: list[Known] = []
        for operand in operation.operands:
            found.append(self.value(operand, names))
            if found[-1] is deciding:  # What follows may make no sense then: `x != none and x > 1`.
                return deciding
        return UNSURE if UNSURE in found else not deciding

    def _builtin(self, call: BuiltinCall, names: Names) -> Known:
        builtin = MEANINGS.get(call.builtin)
        if builtin is None or builtin.evaluate is None or (builtin.of_those_left and not self.everybody_stays):
            return UNSURE
        arguments: list[Any] = [self.value(each, names) for each in call.arguments]
        if UNSURE in arguments:
            return UNSURE
        if call.builtin == "range" and self.bounded and arguments[1] - arguments[0] > MOST_ITEMS:
            return UNSURE
        found: Known = builtin.evaluate(self, call, *arguments)
        return found

    # What builtins ask.

    @property
    def seats(self) -> int:
        """How many begin the game."""
        return self.players

    def remaining(self) -> tuple[int, ...]:
        """Return the seats still in the game: nobody left it yet."""
        return tuple(range(self.players))

    def sides(self) -> tuple[int, ...]:
        """Return the sides in the game as owners, in order."""
        return tuple(self.players + place for place in self.rules.sides_in_game())

    def first_side(self, kind: str) -> int:
        """Return the first side of a kind's family as an owner."""
        return self.players + self.rules.first_side(kind)

    def places(self, kind: str) -> tuple[int, ...]:
        """Return the members of a kind, in order."""
        return self.rules.kinds[kind].places

    def family_size(self, kind: str) -> int:
        """Return how many members the family of a kind has."""
        return len(self.rules.family(kind).members)

    def graph(self, name: str) -> GraphLinks:
        """Return a graph or grid."""
        return self.rules.graphs[name]

    def _comprehension(self, comprehension: Comprehension, names: Names) -> Known:
        items: list[Any] = []
        over, last = BUILTINS[comprehension.gives].over, comprehension.loops[-1].name
        assert over is not None
        for inner in self._rounds(comprehension.loops, names):
            item = UNSURE if inner is None else self.value(comprehension.item, inner)
            if inner is None or item is UNSURE or (self.bounded and len(items) >= MOST_ITEMS):
                return UNSURE
            items.append((item, inner[last]) if over.ranks else item)
        found: Known = over.evaluate(items)
        return found

    def _rounds(self, loops: tuple[Loop, ...], names: Names) -> Iterator[Names | None]:
        """Iterate over the names of each round of the loops; nothing stands for a round that is unsure."""
        if not loops:
            yield names
            return
        items = self._items(loops[0].items, names)
        for item in items if isinstance(items, tuple) else (UNSURE,):
            self._taken += 1
            if self._taken > MOST_ROUNDS and self.bounded:
                yield None
                return
            inner = {**names, loops[0].name: item}
            tests = [self.value(condition, inner) for condition in loops[0].conditions]
            if item is UNSURE or UNSURE in tests:
                yield None
            elif all(tests):
                yield from self._rounds(loops[1:], inner)

    _readers: ClassVar[dict[type, Callable[[ConstantEvaluator, Any, Names], Known]]] = {
        Const: _const,
        Local: _local,
        AttributeRead: _attribute_read,
        Operation: _operation,
        BuiltinCall: _builtin,
        IfElse: _if_else,
        IsKind: _is_kind,
        WhenPresent: _when_present,
        Comprehension: _comprehension,
        ItemAt: _item_at,
    }
    """By class of expression; what is not here depends on play."""


def is_number(found: object) -> TypeGuard[int]:
    """Whether a thing is a number; flags are not."""
    return isinstance(found, int) and not isinstance(found, bool)
