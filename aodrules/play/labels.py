"""From ids to words: what the texts of a game call things in a language, and the few phrases of our own beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from aodrules.check.checked import CheckedRules, Field, written_address
from aodrules.lang.types import Bag, ListOf, Maybe, Member, Owner, Piece, Player, SetOf, Type, present
from aodrules.lang.types import HiddenPiece as HiddenType
from aodrules.play.ids import OUT, IdTable
from aodrules.play.states import Hidden

FALLBACK = "en"


@frozen(eq=False)
class Words:
    """The texts of a ruleset, by address and language."""

    texts: Mapping[str, Mapping[str, str]]

    def find(self, address: str, language: str) -> str | None:
        """Return the words for an address, in another language if there are none in this one."""
        found = self.texts.get(address)
        if not found:
            return None
        return found.get(language) or found.get(FALLBACK) or next(iter(found.values()))

    def say(self, address: str, language: str) -> str:
        """Return the words for an address, or its last part in plain letters."""
        return self.find(address, language) or plain_words(address)


def fill(template: str, arguments: Mapping[str, Any]) -> str:
    """Return a text with `{name}` replaced by the argument of that name."""
    for name, value in arguments.items():
        template = template.replace(f"{{{name}}}", str(value))
    return template


def plain_words(address: str) -> str:
    """Return the last part of an address in plain letters: `place_worker` gives `Place worker`."""
    words = written_address(address).rsplit(".", 1)[-1].replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


LANGUAGES = ("en", "pl", "ru")
_PHRASES = {
    "none": ("none", "brak", "нет"),
    "yes": ("yes", "tak", "да"),
    "no": ("no", "nie", "нет"),
    "hidden": ("hidden", "zakryte", "скрыто"),
    "used": ("Used", "Użyto", "Использовано"),
    "out": ("out of the game", "poza grą", "вне игры"),
    # The score sheet.
    "total": ("total", "razem", "всего"),
    "place": ("place", "miejsce", "место"),
    "shared": ("shared", "wspólne", "поделено"),
    "nobody-wins": ("nobody wins", "nikt nie wygrywa", "никто не побеждает"),
    "decided-by": (
        "place {place} was decided by: {criterion}",
        "o miejscu {place} zdecydowało: {criterion}",
        "место {place} определило: {criterion}",
    ),
    # What a thing is.
    "lies": ("Where", "Gdzie", "Где"),
    "possible": ("Possible now", "Teraz możliwe", "Сейчас возможно"),
    "rule": ("Rule", "Zasada", "Правило"),
    # What happens.
    "move": ("{what}: {from} → {to}", "{what}: {from} → {to}", "{what}: {from} → {to}"),
    "set": ("{field}: {old} → {new}", "{field}: {old} → {new}", "{field}: {old} → {new}"),
    "shuffle": ("Shuffled: {field}", "Przetasowano: {field}", "Перемешано: {field}"),
    "sort": ("Put in order: {field}", "Uporządkowano: {field}", "Упорядочено: {field}"),
    "roll": ("Chance decides: {item}", "Los decyduje: {item}", "Решает случай: {item}"),
    "reveal": ("{field}, shown to {to}: {what}", "{field}, widzi {to}: {what}", "{field}, видит {to}: {what}"),
    "reveal-all": ("{field}, shown to all: {what}", "{field}, widzą wszyscy: {what}", "{field}, видят все: {what}"),
    "tell": ("All are told, {name}: {what}", "Wszyscy słyszą, {name}: {what}", "Всем сказано, {name}: {what}"),
    "cut": (
        "{field}: {wanted} asked for, {got} possible",
        "{field}: trzeba {wanted}, możliwe {got}",
        "{field}: нужно {wanted}, возможно {got}",
    ),
    "bound": ("A loop came to its bound", "Pętla doszła do swojej granicy", "Цикл дошёл до своего предела"),
    "stuck": ("No answer possible: {decision}", "Brak możliwej odpowiedzi: {decision}", "Ответить нечем: {decision}"),
    "left": ("{player} leaves the game", "{player} odchodzi z gry", "{player} выходит из игры"),
    "over": ("The game is over", "Koniec gry", "Игра окончена"),
    # Why something is refused.
    "have-none": ("You have no {thing} ({place}).", "Nie masz: {thing} ({place}).", "Недостаёт: {thing} ({place})."),
    "none-there": ("{place}: no {thing}.", "{place}: brak: {thing}.", "{place}: нет: {thing}."),
    "too-little": (
        "{place}: you have {have}, and {need} is needed.",
        "{place}: masz {have}, a potrzeba {need}.",
        "{place}: есть {have}, нужно {need}.",
    ),
    "too-much": (
        "{place}: you have {have}, and {need} is the most.",
        "{place}: masz {have}, a można mieć najwyżej {need}.",
        "{place}: есть {have}, можно не больше {need}.",
    ),
    "at-most": (
        "{name}: {value} is too many, {bound} is the most.",
        "{name}: {value} to za dużo, najwyżej {bound}.",
        "{name}: {value} — слишком много, не больше {bound}.",
    ),
    "at-least": (
        "{name}: {value} is too few, {bound} is the least.",
        "{name}: {value} to za mało, co najmniej {bound}.",
        "{name}: {value} — слишком мало, не меньше {bound}.",
    ),
    "yourself": ("You cannot choose yourself.", "Nie możesz wybrać siebie.", "Нельзя выбрать себя."),
    "taken": ("{place}: {thing} is there.", "{place}: jest tam {thing}.", "{place}: там {thing}."),
    "empty": ("{place}: nothing is there.", "{place}: nic tam nie ma.", "{place}: там пусто."),
    "occupied": ("{place}: something is there.", "{place}: coś tam jest.", "{place}: там что-то есть."),
    "not-yours": ("{place}: that is not yours.", "{place}: to nie twoje.", "{place}: это не ваше."),
    "known": (
        "You already know what is there: {place}.",
        "Już wiesz, co tam jest: {place}.",
        "Вы уже знаете, что там: {place}.",
    ),
    "unknown": (
        "You do not know what is there: {place}.",
        "Nie wiesz, co tam jest: {place}.",
        "Вы не знаете, что там: {place}.",
    ),
    "domain": (
        "It cannot be chosen here: {thing}.",
        "Tego nie można tu wybrać: {thing}.",
        "Это здесь нельзя выбрать: {thing}.",
    ),
    "holder": (
        "You have nothing that offers this: {label}.",
        "Nie masz nic, co na to pozwala: {label}.",
        "Этого ничто не позволяет: {label}.",
    ),
    "limit": (
        "It cannot be used more often: {label}.",
        "Nie można tego użyć więcej razy: {label}.",
        "Больше это использовать нельзя: {label}.",
    ),
    "again": (
        "It cannot be chosen once more now: {label}.",
        "Teraz nie można tego wybrać jeszcze raz: {label}.",
        "Сейчас это нельзя выбрать ещё раз: {label}.",
    ),
    "ending": (
        "Nothing might be left to end the decision with: {label}.",
        "Mogłoby nie zostać nic, co kończy decyzję: {label}.",
        "Могло бы не остаться ответа, который завершает решение: {label}.",
    ),
    "not-listed": ("Not possible now: {label}.", "Teraz niemożliwe: {label}.", "Сейчас невозможно: {label}."),
}  # fmt: skip


def phrase(name: str, language: str) -> str:
    """Return a phrase in a language; in English where we do not speak it."""
    return in_language(_PHRASES[name], language)


def in_language(forms: Sequence[str], language: str) -> str:
    """Return the form for a language among those for each of ours; the English one where we do not speak it."""
    return forms[LANGUAGES.index(language) if language in LANGUAGES else 0]


@frozen(eq=False)
class Labels:
    """What the things in the games of some rules are called in a language."""

    words: Words
    rules: CheckedRules
    language: str = FALLBACK

    def find(self, address: str) -> str | None:
        """Return the words for an address; nothing if there are none in any language."""
        return self.words.find(address, self.language)

    def say(self, address: str) -> str:
        """Return the words for an address, or its last part in plain letters."""
        return self.words.say(address, self.language)

    def phrase(self, name: str, /, **given: object) -> str:
        """Return a phrase of our own, with what is given in its places."""
        return phrase(name, self.language).format(**given)

    def seat(self, seat: str) -> str:
        """Return what a seat is called, or its id in plain letters."""
        return self.find(f"player.{seat}") or seat.replace("_", " ")

    def owner(self, name: str) -> str:
        """Return what a player or a side is called."""
        kinds = (kind for kind in self.rules.kinds.values() if kind.is_side and name in kind.members)
        side = next(kinds, None)
        return self.seat(name) if side is None or name in self.rules.game.seats else self.member(side.name, name)

    def member(self, kind: str, id_: str) -> str:
        """Return what a member of a kind is called."""
        return self.say(f"{kind}.{id_}")

    def kind(self, kind: str) -> str:
        """Return what the members of a kind are called together."""
        plural = self.rules.kinds[kind].plural
        return self.find(f"kinds.{kind}") or plain_words(plural)

    def field(self, field: str) -> str:
        """Return what a field of the state is called; one that a member has for itself, after the member."""
        address, is_counter, _ = field.partition(".limit.")
        if is_counter:
            return f"{self.phrase('used')}: {self._bearer(address)}"
        named = self.say(f"state.{field}")
        return f"{self._bearer(field)}: {named}" if ".remembers." in field else named

    def place(self, names: IdTable, field: str, at: Sequence[int | None]) -> str:
        """Return what a cell is called: the field, and behind it whose or which it is."""
        if field.startswith(f"{OUT}."):
            return self.phrase("out")
        pairs = zip(self.rules.fields[field].dimensions, at, strict=True)
        whose = [self.index(type_, names.index(type_, index)) for type_, index in pairs if index is not None]
        return f"{self.field(field)} ({', '.join(whose)})" if whose else self.field(field)

    def _bearer(self, address: str) -> str:
        """Return the name of the member that has something of its own, or else the last word of an address."""
        kind, _, rest = address.partition(".")
        member = rest.partition(".")[0]
        known = kind in self.rules.kinds and member in self.rules.family(kind).members
        return self.member(kind, member) if known else plain_words(address)

    def index(self, type_: Type, name: str) -> str:
        """Return what a seat or member is called that something is indexed by."""
        if isinstance(type_, Player | Owner):
            return self.owner(name)
        return self.member(type_.kind, name) if isinstance(type_, Member) else name

    def attribute(self, kind: str, name: str) -> str:
        """Return what an attribute of a kind is called."""
        return self.find(f"kinds.{kind}.{name}") or plain_words(name).lower()

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
            many = [f"{count} {self.member(type_.kind, name)}" for name, count in value.items()]
            return ", ".join(many) or self.phrase("none")
        if isinstance(type_, ListOf | SetOf):
            return ", ".join(self.value(type_.of, item) for item in value) or self.phrase("none")
        return self._single(type_, str(value))

    def _single(self, type_: Type, name: str) -> str:
        if isinstance(type_, Piece):
            owner, _, member = name.partition(" ")
            return f"{self.owner(owner)} {self.member(type_.kind, member)}"
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

    def thing(self, field: Field, name: str) -> str:
        """Return the name of what lies in a field: a member, a seat, or a piece after its owner."""
        *owner, member = name.split(" ")
        kind, rules = field.holds or str(field.type).removeprefix("maybe "), self.rules
        if kind == "player" or member in rules.game.seats:
            return self.seat(member)
        known = kind in rules.kinds and member in rules.family(kind).members
        return " ".join([*map(self.owner, owner), self.member(kind, member) if known else member])
