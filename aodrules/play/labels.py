"""What seats, members and pieces are called in a language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from aodrules.check.checked import Field
from aodrules.lang.types import Bag, ListOf, Maybe, Member, Piece, Player, SetOf, Type, present
from aodrules.lang.types import HiddenPiece as HiddenType
from aodrules.play.ids import OUT, IdTable
from aodrules.play.rules_context import RulesContext
from aodrules.play.states import Hidden
from aodrules.play.words import phrase, plain_words


@frozen(eq=False)
class Labels:
    """Names what is in the games of some rules."""

    book: RulesContext
    language: str = "en"

    def seat(self, seat: str) -> str:
        """Return what a seat is called."""
        return self.book.words.seat(seat, self.language)

    def member(self, kind: str, id_: str) -> str:
        """Return what a member of a kind is called."""
        return self.book.words.say(f"{kind}.{id_}", self.language)

    def kind(self, kind: str) -> str:
        """Return what the members of a kind are called together."""
        plural = self.book.checked.kinds[kind].plural
        return self.book.words.find(f"kinds.{kind}", self.language) or plain_words(plural)

    def field(self, field: str) -> str:
        """Return what a field of the state is called; one that a member has for itself, after the member."""
        address, is_counter, _ = field.partition(".limit.")
        if is_counter:
            return f"{phrase('used', self.language)}: {self._bearer(address)}"
        named = self.book.words.say(f"state.{field}", self.language)
        return f"{self._bearer(field)}: {named}" if ".remembers." in field else named

    def place(self, names: IdTable, field: str, at: Sequence[int | None]) -> str:
        """Return what a cell is called: the field, and behind it whose or which it is."""
        if field.startswith(f"{OUT}."):
            return phrase("out", self.language)
        pairs = zip(self.book.checked.fields[field].dimensions, at, strict=True)
        whose = [self.index(type_, names.index(type_, index)) for type_, index in pairs if index is not None]
        return f"{self.field(field)} ({', '.join(whose)})" if whose else self.field(field)

    def _bearer(self, address: str) -> str:
        """Return the name of the member that has something of its own, or else the last word of an address."""
        kind, _, rest = address.partition(".")
        member = rest.partition(".")[0]
        known = kind in self.book.checked.kinds and member in self.book.checked.family(kind).members
        return self.member(kind, member) if known else plain_words(address)

    def index(self, type_: Type, name: str) -> str:
        """Return what a seat or member is called that something is indexed by."""
        if isinstance(type_, Player):
            return self.seat(name)
        return self.member(type_.kind, name) if isinstance(type_, Member) else name

    def attribute(self, kind: str, name: str) -> str:
        """Return what an attribute of a kind is called."""
        return self.book.words.find(f"kinds.{kind}.{name}", self.language) or plain_words(name).lower()

    def value(self, type_: Type, value: Any) -> str:
        """Return a value that was made readable, in words: names for ids, yes and no for flags."""
        if value is None:
            return phrase("none", self.language)
        if isinstance(value, Hidden):
            return self.hidden(value)
        if isinstance(value, bool):
            return phrase("yes" if value else "no", self.language)
        if isinstance(type_, Maybe | HiddenType):
            return self.value(type_.of, value)
        if isinstance(type_, Bag):
            many = [f"{count} {self.member(type_.kind, name)}" for name, count in value.items()]
            return ", ".join(many) or phrase("none", self.language)
        if isinstance(type_, ListOf | SetOf):
            return ", ".join(self.value(type_.of, item) for item in value) or phrase("none", self.language)
        return self._single(type_, str(value))

    def _single(self, type_: Type, name: str) -> str:
        if isinstance(type_, Piece):
            owner, _, member = name.partition(" ")
            return f"{self.seat(owner)} {self.member(type_.kind, member)}"
        return self.index(type_, name)

    def hidden(self, what: Hidden) -> str:
        """Return what is told of something hidden: of what kind it is, how many, and what the backs show."""
        word, kinds = phrase("hidden", self.language), self.book.checked.kinds
        kind = what.kind.removeprefix("maybe ").removeprefix("piece of ")
        if kind not in kinds:
            return word
        told = [self.kind(kind), *self.backs(what)]
        return f"{f'{what.count} × ' if what.count > 1 else ''}{word} ({', '.join(told)})"

    def backs(self, what: Hidden) -> list[str]:
        """Return what the backs of hidden pieces show."""
        return [self._back(what.kind, name, value) for name, value in what.shows]

    def _back(self, kind: str, name: str, value: Any) -> str:
        """Return what a back tells by one attribute: a member by its name, a flag or number after what it is called."""
        type_ = present(self.book.checked.attributes[self.attribute_address(kind, name)].type)
        said = self.value(type_, value)
        return said if isinstance(type_, Member | Player) else f"{self.attribute(kind, name)}: {said}"

    def attribute_address(self, kind: str, name: str) -> str:
        """Return the full name of an attribute; another kind of the family may declare it."""
        attributes, kinds = self.book.checked.attributes, self.book.checked.kinds
        owners = [each for each in kinds if kinds[each].family == kinds[kind].family and f"{each}.{name}" in attributes]
        return f"{kind if kind in owners else owners[0]}.{name}"

    def thing(self, field: Field, name: str) -> str:
        """Return the name of what lies in a field: a member, a seat, or a piece after its owner."""
        *owner, member = name.split(" ")
        kind, rules = field.holds or str(field.type).removeprefix("maybe "), self.book.checked
        if kind == "player" or member in rules.game.seats:
            return self.seat(member)
        known = kind in rules.kinds and member in rules.family(kind).members
        return " ".join([*map(self.seat, owner), self.member(kind, member) if known else member])
