"""What seats, members and pieces are called in a language."""

from __future__ import annotations

from attrs import frozen

from aodrules.check.checked import Field
from aodrules.lang.types import Member, Player, Type
from aodrules.play.book import Book
from aodrules.play.words import plain_words


@frozen(eq=False)
class Namer:
    """Names what is in the games of some rules."""

    book: Book
    language: str = "en"

    def seat(self, seat: str) -> str:
        """Return what a seat is called."""
        return self.book.words.find(f"player.{seat}", self.language) or seat

    def member(self, kind: str, id_: str) -> str:
        """Return what a member of a kind is called."""
        return self.book.words.say(f"{kind}.{id_}", self.language)

    def kind(self, kind: str) -> str:
        """Return what the members of a kind are called together."""
        plural = self.book.checked.kinds[kind].plural
        return self.book.words.find(f"kinds.{kind}", self.language) or plain_words(plural)

    def field(self, field: str) -> str:
        """Return what a field of the state is called."""
        return self.book.words.say(f"state.{field}", self.language)

    def index(self, type_: Type, name: str) -> str:
        """Return what a seat or member is called that something is indexed by."""
        if isinstance(type_, Player):
            return self.seat(name)
        return self.member(type_.kind, name) if isinstance(type_, Member) else name

    def thing(self, field: Field, name: str) -> str:
        """Return the name of what lies in a field: a member, a seat, or a piece after its owner."""
        *owner, member = name.split(" ")
        kind, rules = field.holds or str(field.type).removeprefix("maybe "), self.book.checked
        if kind == "player" or member in rules.game.seats:
            return self.seat(member)
        known = kind in rules.kinds and member in rules.family(kind).members
        return " ".join([*map(self.seat, owner), self.member(kind, member) if known else member])
