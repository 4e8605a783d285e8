"""From ids to words: what the texts of a game call things in a language, and the few phrases of our own beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from attrs import fields, frozen

from aodrules.check.checked import CheckedRules, Field
from aodrules.lang.types import Bag, ListOf, Maybe, Member, Number, Owner, Piece, Player, SetOf, Type, present
from aodrules.lang.types import HiddenPiece as HiddenType
from aodrules.play.ids import OUT, IdTable
from aodrules.play.states import Hidden
from aodrules.play.texts import (
    FALLBACK,
    NumberText,
    Text,
    Words,
    counted,
    fill,
    is_fallback,
    joined,
    own_words,
    plain_words,
)

__all__ = ["FALLBACK", "Labels", "Text", "Words", "fill", "joined", "own_phrase", "phrase", "plain_words"]


def pickle_without(value: object, *left_out: str) -> tuple[Any, ...]:
    """Return what makes such a value again for `__reduce__`, without what stays with the game that made it."""
    class_: Any = type(value)
    kept = (each for each in fields(class_) if each.init and each.name not in left_out)
    return partial(class_, **{each.alias: getattr(value, each.name) for each in kept}), ()


def phrase(name: str, language: str, /, **given: object) -> Text:
    """Return a phrase of our own in a language, with what is given in its places."""
    return own_phrase(f"phrase.{name}", language, **given)


def own_phrase(address: str, language: str, /, **given: object) -> Text:
    """Return words of our own, by their whole address; in English where we do not speak the language."""
    return own_words().say(address, language).fill(given)


@frozen(eq=False)
class Labels:
    """What the things in the games of some rules are called in a language."""

    words: Words
    rules: CheckedRules
    language: str = FALLBACK

    def find(self, address: str) -> Text | None:
        """Return the words for an address; nothing if there are none in any language."""
        return self.words.find(address, self.language)

    def say(self, address: str) -> Text:
        """Return the words for an address, or its last part in plain letters."""
        return self.words.say(address, self.language)

    def phrase(self, name: str, /, **given: object) -> Text:
        """Return a phrase of our own, with what is given in its places."""
        return phrase(name, self.language, **given)

    def joined(self, parts: Iterable[str], between: str = ", ") -> Text:
        """Return several texts as one."""
        return joined(parts, between, self.language)

    def seat(self, seat: str) -> Text:
        """Return what a seat is called, or its id in plain letters."""
        return self.find(f"player.{seat}") or self._plain(seat.replace("_", " "))

    def _plain(self, words: str) -> Text:
        """Return what is made of an id, which is English at best."""
        return Text(words, self.language, is_fallback=self.language != FALLBACK)

    def owner(self, name: str) -> Text:
        """Return what a player or a side is called."""
        kinds = (kind for kind in self.rules.kinds.values() if kind.is_side and name in kind.members)
        side = next(kinds, None)
        return self.seat(name) if side is None or name in self.rules.game.seats else self.member(side.name, name)

    def member(self, kind: str, id_: str) -> Text:
        """Return what a member of a kind is called, whatever kind it is asked for as."""
        return self._of_member(kind, id_, "") or self._unnamed(kind, id_)

    def about(self, kind: str, id_: str) -> Text | None:
        """Return the line that says what a member does: its own, or that of the narrowest kind it is of; if any."""
        of_kinds = (self.find(f"kinds.{each}.text") for each in self.kinds_of(kind, id_))
        return self._of_member(kind, id_, ".text") or next(filter(None, of_kinds), None)

    def _of_member(self, kind: str, id_: str, part: str) -> Text | None:
        """Return the words at an address of a member: under the kind it is asked for as, or another it is of."""
        kinds = (kind, *self.kinds_of(kind, id_))
        return next(filter(None, (self.find(f"{each}.{id_}{part}") for each in kinds)), None)

    def kinds_of(self, kind: str, id_: str) -> list[str]:
        """Return the kinds that a member is of, the narrowest first."""
        kinds = self.rules.kinds
        if kind not in kinds:
            return []
        found = [each for each in kinds.values() if each.family == kinds[kind].family and id_ in each.members]
        return [each.name for each in sorted(found, key=lambda each: len(each.members))]

    def _unnamed(self, kind: str, id_: str) -> Text:
        """Return a name made of an id; the cells of a grid are called alike in all languages."""
        plain, graph = plain_words(f"{kind}.{id_}"), self.rules.graphs.get(kind)
        return Text(plain, self.language) if graph is not None and graph.around else self._plain(plain)

    def kind(self, kind: str) -> Text:
        """Return what the members of a kind are called together."""
        plural = self.rules.kinds[kind].plural
        return self.find(f"kinds.{kind}") or self._plain(plain_words(plural))

    def field(self, field: str) -> Text:
        """Return what a field of the state is called; one that a member has for itself, after the member."""
        address, is_counter, _ = field.partition(".limit.")
        if is_counter:
            return self.joined([self.phrase("used"), self._bearer(address)], ": ")
        named = self.say(f"state.{field}")
        return self.joined([self._bearer(field), named], ": ") if ".remembers." in field else named

    def place(self, names: IdTable, field: str, at: Sequence[int | None]) -> Text:
        """Return what a cell is called: the field, and behind it whose or which it is."""
        if field.startswith(f"{OUT}."):
            return self.phrase("out")
        pairs = zip(self.rules.fields[field].dimensions, at, strict=True)
        whose = [self.index(type_, names.index(type_, index)) for type_, index in pairs if index is not None]
        return self.beside(self.field(field), whose)

    def beside(self, words: Text, more: Sequence[str]) -> Text:
        """Return words with more in brackets behind them, if there is any: that stays as it is in every form."""
        if not more:
            return words
        told = self.joined([words, f" ({', '.join(more)})"], "")
        return Text(told, words.language, is_fallback=any(map(is_fallback, (words, *more))), fill=told.fill)

    def _bearer(self, address: str) -> Text:
        """Return the name of the member that has something of its own, or else the last word of an address."""
        kind, _, rest = address.partition(".")
        member = rest.partition(".")[0]
        known = kind in self.rules.kinds and member in self.rules.family(kind).members
        return self.member(kind, member) if known else self._plain(plain_words(address))

    def index(self, type_: Type, name: str) -> str:
        """Return what a seat or member is called that something is indexed by."""
        if isinstance(type_, Player | Owner):
            return self.owner(name)
        return self.member(type_.kind, name) if isinstance(type_, Member) else name

    def criterion(self, written: str) -> str:
        """Return what players are compared by in words, if these know it; else as it is written."""
        field = re.fullmatch(r"player\.(?P<name>\w+)(?:\[(?P<index>\w+)\])?", written)
        declared = self.rules.fields.get(f"player.{field['name']}") if field else None
        if field is not None and declared is not None:
            is_table = field["index"] and len(declared.dimensions) > 1
            index = f" ({self.index(declared.dimensions[1], field['index'])})" if is_table else ""
            return self.field(declared.name) + index
        if written == "total(player)":
            return self.phrase("total")
        value = re.fullmatch(r"(\w+)\(player\)", written)
        return (value and self.find(f"value.{value[1]}")) or written

    def attribute(self, kind: str, name: str) -> Text:
        """Return what an attribute of a kind is called."""
        return self.find(f"kinds.{kind}.{name}") or self._plain(plain_words(name).lower())

    def value(self, type_: Type, value: Any) -> str:
        """Return a value that was made readable, in words: names for ids, yes and no for flags."""
        if value is None:
            return self.phrase("none")
        if isinstance(value, Hidden):
            return self.hidden(value)
        if isinstance(value, bool):
            return self.phrase("yes" if value else "no")
        if isinstance(type_, Maybe | HiddenType):
            return self.value(type_.of, value)
        if isinstance(type_, Bag):
            many = [counted(count, self.member(type_.kind, name), self.language) for name, count in value.items()]
            return self.joined(many) or self.phrase("none")
        if isinstance(type_, ListOf | SetOf):
            return self.joined(self.value(type_.of, item) for item in value) or self.phrase("none")
        return NumberText(value) if isinstance(type_, Number) else self._single(type_, str(value))

    def _single(self, type_: Type, name: str) -> str:
        if isinstance(type_, Piece):
            owner, _, member = name.partition(" ")
            return self.joined([self.owner(owner), self.member(type_.kind, member)], " ")
        return self.index(type_, name)

    def hidden(self, what: Hidden) -> str:
        """Return what is told of something hidden: of what kind it is, how many, and what the backs show."""
        word, kinds = self.phrase("hidden"), self.rules.kinds
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
        type_ = present(self.rules.attributes[self.attribute_address(kind, name)].type)
        said = self.value(type_, value)
        return said if isinstance(type_, Member | Player | Owner) else f"{self.attribute(kind, name)}: {said}"

    def attribute_address(self, kind: str, name: str) -> str:
        """Return the full name of an attribute; another kind of the family may declare it."""
        attributes, kinds = self.rules.attributes, self.rules.kinds
        owners = [each for each in kinds if kinds[each].family == kinds[kind].family and f"{each}.{name}" in attributes]
        return f"{kind if kind in owners else owners[0]}.{name}"

    def thing(self, field: Field, name: str) -> Text:
        """Return the name of what lies in a field: a member, a seat, or a piece after its owner."""
        *owner, member = name.split(" ")
        kind, rules = field.holds or str(field.type).removeprefix("maybe "), self.rules
        if kind == "player" or member in rules.game.seats:
            return self.seat(member)
        known = kind in rules.kinds and member in rules.family(kind).members
        return self.joined([*map(self.owner, owner), self.member(kind, member) if known else member], " ")
