"""Scenarios as people tell them: who has what, who does what, and what comes of it, in the words of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from attrs import frozen

from aodrules.check.checked import Field
from aodrules.errors import InvalidActionError
from aodrules.facts.tables import item_type
from aodrules.lang.types import Type
from aodrules.play.actions import ActionTable
from aodrules.play.labels import Labels
from aodrules.play.rules_context import RulesContext
from aodrules.play.words import plain_words
from aodrules.syntax.tree import Mapping, Scalar
from aodrules.testing.expectations import Claim, DecidedSaid, HappenedSaid, RankingSaid, ScoreSaid, SeenSaid
from aodrules.testing.given_values import HIDDEN, Content
from aodrules.testing.scenarios import Scenario, ScenarioMove

LANGUAGES = ("en", "pl", "ru")
_LABELS = {
    "given": ("Given", "Dane", "Дано"),
    "at": ("It begins", "Początek", "Начало"),
    "refused": ("Not possible", "Niemożliwe", "Невозможно"),
    "until": ("Play goes on to", "Gra toczy się do", "Игра продолжается до"),
    "then": ("Then", "Potem", "Затем"),
    "nothing": ("nothing", "nic", "ничего"),
    "hidden": ("hidden", "zakryte", "скрыто"),
    "yes": ("yes", "tak", "да"),
    "no": ("no", "nie", "нет"),
    "ranking": ("Places", "Miejsca", "Места"),
    "total": ("points", "punkty", "очки"),
    "sees": ("sees", "widzi", "видит"),
    "decided": ("behind because of", "niżej przez", "ниже из-за"),
}


@frozen(eq=False)
class ExampleTeller:
    """Tells the scenarios of some rules in a language."""

    book: RulesContext
    language: str

    def lines(self, scenario: Scenario) -> Iterator[str]:
        """Iterate over what a scenario says, a line for each part and each action."""
        told = _Told(self, self.book.actions(scenario.seats), Labels(self.book, self.language))
        given = told.contents(scenario.given)
        if given:
            yield f"{self.label('given')}: {given}"
        at = scenario.statement.body.get("at")
        if isinstance(at, Mapping):
            yield f"{self.label('at')}: {told.beginning(at)}"
        for deed in (*scenario.refused, *scenario.when):
            yield f"{self.label('refused')}: {told.deed(deed)}" if deed.is_refused else told.deed(deed)
        if scenario.until is not None:
            yield f"{self.label('until')}: {self.step(scenario.until.name)}"
        then = told.claims(scenario.then)
        if then:
            yield f"{self.label('then')}: {then}"

    def label(self, name: str) -> str:
        """Return a word of our own in the language."""
        return _LABELS[name][LANGUAGES.index(self.language) if self.language in LANGUAGES else 0]

    def step(self, name: str) -> str:
        """Return what a step is called: its own words, or those of the verb that it does."""
        found = (self.book.words.find(address, self.language) for address in (name, f"verb.{name}"))
        return next((words for words in found if words), plain_words(name))


@frozen(eq=False)
class _Told:
    """One scenario being told."""

    teller: ExampleTeller
    faces: ActionTable
    namer: Labels

    def beginning(self, at: Mapping) -> str:
        """Return where a scenario begins: the step, and for whom or what."""
        words = self.teller.book.words
        step, rest = at.get("step"), [entry for entry in at if entry.name != "step"]
        parts = [self.teller.step(self._address(step.text))] if isinstance(step, Scalar) else []
        for entry in rest:
            text = entry.value.text if isinstance(entry.value, Scalar) else ""
            member = self._member(text)
            name = words.find(f"loop.{entry.name}", self.teller.language) or entry.name
            parts.append(member if member is not None else f"{name} {text}")
        return ", ".join(parts)

    def _address(self, step: str) -> str:
        """Return the whole address of a step that is named by its last words."""
        texts = self.teller.book.checked.texts
        found = (address for address in texts if address.startswith("verb.") and address.endswith(f".{step}"))
        return next(found, step)

    def _member(self, id_: str) -> str | None:
        """Return what a member is called, whichever kind it is of."""
        kinds = self.teller.book.checked.kinds.values()
        kind = next((kind.name for kind in kinds if id_ in kind.members), None)
        if kind is not None:
            return self.namer.member(kind, id_)
        return self.namer.seat(id_) if id_ in self.faces.names.seats else None

    def deed(self, deed: ScenarioMove) -> str:
        """Return who does what."""
        return f"{self.namer.seat(deed.seat)}: {self._action(deed.action)}"

    def _action(self, text: str) -> str:
        for decision in self.faces.spaces:
            try:
                codes = self.faces.fits(decision, text)
            except InvalidActionError:
                continue
            return self.faces.action(decision, codes[0]).label(self.teller.language)
        return text

    # What lies where.

    def contents(self, contents: Iterable[Content]) -> str:
        """Return what a position holds, what belongs to one thing together."""
        return self._joined([self._cell(content) for content in contents])

    def claims(self, claims: Iterable[Claim]) -> str:
        """Return what comes of it."""
        return self._joined([self._claim(claim) for claim in claims])

    def _joined(self, cells: Iterable[tuple[str, str]]) -> str:
        groups = [(owner, [text for _, text in group]) for owner, group in groupby(cells, key=lambda each: each[0])]
        return "; ".join(f"{owner}: {', '.join(texts)}" if owner else "; ".join(texts) for owner, texts in groups)

    def _claim(self, claim: Claim) -> tuple[str, str]:
        words, language, seats = self.teller.book.words, self.teller.language, self.faces.names.seats
        match claim:
            case Content():
                return self._cell(claim)
            case ScoreSaid(player, source, value):
                name = words.say(f"game.points.{source}", language) if source else self.teller.label("total")
                return self.namer.seat(seats[player]), f"{name} {value}"
            case RankingSaid(places):
                shown = [" = ".join(self.namer.seat(seat) for seat in place) for place in places]
                return "", f"{self.teller.label('ranking')}: {', '.join(shown)}"
            case DecidedSaid(player, reason):
                return self.namer.seat(player), f"{self.teller.label('decided')} `{reason}`"
            case SeenSaid(seat, content):
                owner, text = self._cell(content)
                who = self.namer.seat(seats[seat])
                return f"{who} {self.teller.label('sees')}", f"{owner}: {text}" if owner else text
            case HappenedSaid(event, times):
                return "", f"{words.say(f'event.{event}', language)}: {times}"

    def _cell(self, content: Content) -> tuple[str, str]:
        """Return whose a cell is, and what it is called with what it holds."""
        names, field = self.faces.names, self.teller.book.checked.fields[content.field]
        indices = [
            self.namer.index(type_, names.index(type_, index))
            for type_, index in zip(field.dimensions, content.at, strict=True)
        ]
        owner = indices.pop(0) if indices and not content.field.startswith("table.") else ""
        label = " ".join([self.namer.field(content.field), *indices])
        if content.member is not None:
            called = self.namer.thing(field, names.member(str(field.holds), content.member))
            return owner, f"{label}: {content.value} {called}"
        return owner, f"{label}: {self._value(field, self._readable(field.type, content.value))}"

    def _readable(self, type_: Type, value: Any) -> Any:
        """Return a value as people read it; what is hidden stays so."""
        if isinstance(value, tuple) and HIDDEN in value:
            return tuple(self._readable(item_type(type_), item) for item in value)
        return value if value == HIDDEN else self.faces.names.readable(type_, value)

    def _value(self, field: Field, value: Any) -> str:
        if isinstance(value, Counter):
            value = tuple(f"{count} {self.namer.thing(field, name)}" for name, count in value.items())
            return ", ".join(value) or self.teller.label("nothing")
        if isinstance(value, tuple | frozenset):
            return ", ".join(self._value(field, item) for item in value) or self.teller.label("nothing")
        if isinstance(value, bool):
            return self.teller.label("yes" if value else "no")
        if value is None or value == HIDDEN:
            return self.teller.label("nothing" if value is None else "hidden")
        return self.namer.thing(field, value) if isinstance(value, str) else str(value)
