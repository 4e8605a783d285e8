"""Words for people: the texts and names of a game in a language, and the few phrases of our own beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

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

    def seat(self, seat: str, language: str) -> str:
        """Return what a seat is called, or its id in plain letters."""
        return self.find(f"player.{seat}", language) or seat.replace("_", " ")

    def fill(self, template: str, arguments: Mapping[str, Any]) -> str:
        """Return a text with `{name}` replaced by the argument of that name."""
        for name, value in arguments.items():
            template = template.replace(f"{{{name}}}", str(value))
        return template


def plain_words(address: str) -> str:
    """Return the last part of an address in plain letters: `place_worker` gives `Place worker`."""
    words = address.rsplit(".", 1)[-1].replace("_", " ").replace("-", " ")
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
    return _PHRASES[name][LANGUAGES.index(language) if language in LANGUAGES else 0]
