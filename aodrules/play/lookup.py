"""Words for whatever a front end names by its address: the table of all that some rules have words for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define

from aodrules.arguments import format_argument
from aodrules.check.checked import CheckedRules, Kind, Parameter
from aodrules.errors import ArgumentError, UnknownNameError
from aodrules.lang.forms import CASE, COUNT
from aodrules.lang.patterns import parameters_of
from aodrules.lang.types import Number, Type
from aodrules.play.components import said_texts
from aodrules.play.ids import OUT, field_path
from aodrules.play.labels import Labels
from aodrules.play.reason import OWN_IDS
from aodrules.play.rules_context import RulesContext
from aodrules.play.texts import FALLBACK, NOT_GIVEN, NumberText, Text, own_words, plain_words
from aodrules.source.wording import did_you_mean, listed


def text_at(context: RulesContext, address: str, language: str, arguments: Mapping[str, Any]) -> Text:
    """Return the words for an address in a language, with arguments in their places.

    Raises:
        ArgumentError: There are no words in the language, or an argument has another name or cannot be that.
        UnknownNameError: There is nothing at that address.
    """
    labels = context.labels(language)
    finder = _Finder(context, labels)
    found = finder.find(address)
    if found is None:
        known = sorted({*finder.addresses(), *context.clauses})
        more = did_you_mean(address, known) or "`aodrules words RULES --list en` lists what there is"
        raise UnknownNameError(f"there is nothing at {format_argument(address)}; {more}")
    address = _OWN_REASONS.get(address, address)
    if address.startswith(OURS):
        named = parameters_of(own_words().texts[address][FALLBACK])
        return found.fill({**dict.fromkeys(named, NOT_GIVEN), **arguments})
    parameters = parameters_at(context.checked, address)
    given = _given(labels, address, parameters, arguments)
    return found.fill(given) if given else found  # a name can still be asked for its forms


def parameters_at(rules: CheckedRules, address: str) -> dict[str, Type]:
    """Return what stands in the words at an address, by name; nothing for a name."""
    for decision in rules.decisions.values():
        if address == decision.address:
            return _types(decision.parameters)
        for option in decision.options:
            reasons = {each.otherwise for each in option.conditions} | {each.otherwise for each in option.parameters}
            if address == option.address or address in reasons or address.startswith(f"{option.address}.where."):
                return _types(option.parameters)
    kind, _, name = address.partition(".")
    if kind == "event" and name in rules.events:
        return _types(rules.events[name].parameters)
    value = name.removesuffix(".false").removesuffix(".true")
    return _types(rules.values[value].parameters) if kind == "value" and value in rules.values else {}


def _types(parameters: Sequence[Parameter]) -> dict[str, Type]:
    return {each.name: each.type for each in parameters}


def _given(labels: Labels, address: str, types: Mapping[str, Type], arguments: Mapping[str, Any]) -> dict[str, Any]:
    known = tuple(types) or (CASE, COUNT)
    unknown = next((name for name in arguments if name not in known), None)
    if unknown is not None:
        near = did_you_mean(unknown, known) or listed(known)
        raise ArgumentError(f"{format_argument(address)} has no {format_argument(unknown)}; {near}")
    if not types:
        return dict(arguments)
    return {name: _value(labels, type_, arguments[name]) if name in arguments else NOT_GIVEN
            for name, type_ in types.items()}  # fmt: skip


def _value(labels: Labels, type_: Type, value: Any) -> Any:
    if isinstance(type_, Number):
        return NumberText(int(value))
    return value if isinstance(value, Text) else labels.value(type_, value)


_FOR_AUTHORS = frozenset({"scenario", "property", "position", "ruling"})
"""Kinds of declarations whose names are read by those who write rules."""
OURS = ("phrase.", "rulebook.")
_OWN_REASONS = {id_: f"phrase.{name}" for name, id_ in OWN_IDS.items()}


@define(eq=False)
class _Finder:
    """Finds the words for one address."""

    context: RulesContext
    labels: Labels

    def find(self, address: str) -> Text | None:
        """Return the words for an address; nothing if there is nothing there."""
        ours = _OWN_REASONS.get(address, address)
        own = own_words().find(ours, self.labels.language) if ours.startswith(OURS) else None
        clause = self._clause(address) if address.startswith("clause.") else None
        found = own or clause or self.labels.find(address) or self._named(address)
        return found or self._clause(address) or self._place(address)

    def _named(self, address: str) -> Text | None:
        """Return the plain words for something that has none of its own."""
        kind, _, rest = address.partition(".")
        rules = self.context.checked
        if kind == "player" and rest in rules.game.seats:
            return self.labels.seat(rest)
        if kind == "state" and rest in rules.fields:
            return self.labels.field(rest)
        if address in rules.fields:
            return self.labels.field(address)
        if kind == "kinds" and rest in rules.kinds:
            return self.labels.kind(rest)
        if kind in rules.kinds and rest in rules.kinds[kind].members:
            return self.labels.member(kind, rest)
        return self.labels.say(address) if address in set(self.addresses()) or self._is_step(address) else None

    def _is_step(self, address: str) -> bool:
        from aodrules.compose.addresses import TreePlace, resolve

        is_steps = address.startswith(("verb.", "decision.", "effects."))
        return is_steps and isinstance(resolve(self.context.ruleset.root, address), TreePlace)

    def _clause(self, address: str) -> Text | None:
        return self.context.clause_words(address.removeprefix("clause."), self.labels.language)

    def _place(self, path: str) -> Text | None:
        """Return what a cell is called, by the path that events and views call it."""
        names = self.context.names_for_most
        for field in names.tables.rules.fields:
            for at in names.tables.shapes[field].indices():
                if field_path(names, field, at) == path:
                    return self.labels.place(names, field, at)
        return None

    def addresses(self) -> Iterator[str]:
        """Iterate over the addresses of all that people read, but for steps, places and clauses."""
        rules = self.context.checked
        yield from self.context.words.texts
        yield from addresses_read(rules)


def _is_own(field: str) -> bool:
    """Whether a field is one of ours, which no rules declare and which is not called by words of theirs."""
    return field.startswith((f"{OUT}.", "limit.")) or ".limit." in field


def addresses_read(rules: CheckedRules) -> Iterator[str]:
    """Iterate over the addresses of what rules show to people, whether there are words for it or not."""
    yield from (f"player.{seat}" for seat in rules.game.seats)
    for kind in rules.kinds.values():
        yield f"kinds.{kind.name}"
        graph = rules.graphs.get(kind.name)
        if graph is None or not graph.around:  # cells are called by where they are
            yield from (f"{kind.name}.{member}" for member in kind.members if _narrowest(rules, kind, member))
    yield from (f"state.{field}" for field in rules.fields if not _is_own(field))
    for decision in rules.decisions.values():
        yield decision.address
        yield from (option.address for option in decision.options)
    yield from (f"event.{event}" for event in rules.events)
    yield from (f"game.points.{source.id}" for source in rules.game.points)


# What is lacking.


def _narrowest(rules: CheckedRules, kind: Kind, member: str) -> bool:
    """Whether no narrower kind of the family has this member."""
    family = (each for each in rules.kinds.values() if each.family == kind.family and member in each.members)
    return all(len(each.members) >= len(kind.members) for each in family)


def words_by_language(context: RulesContext) -> dict[str, Mapping[str, str]]:
    """Return all texts and clauses by address, each by language, of what these rules have."""
    texts = {each: words for each, words in context.words.texts.items() if each.partition(".")[0] not in _FOR_AUTHORS}
    clauses = {f"clause.{id_}": said_texts(body) for id_, body in context.clauses.items()}
    found = {f"clause.{id_}": {**clauses[f"clause.{id_}"], **texts.get(f"clause.{id_}", {})}
             for id_ in context.clauses}  # fmt: skip
    return {**texts, **found}


def all_words(context: RulesContext, language: str) -> dict[str, Text]:
    """Return what is called what in a language, by address: all that people read."""
    labels = context.labels(language)
    finder = _Finder(context, labels)
    addresses = sorted({*addresses_read(context.checked), *words_by_language(context)})
    found = {address: finder.find(address) for address in addresses}
    return {address: words for address, words in found.items() if words is not None}


def _is_named(labels: Labels, address: str) -> bool:
    """Whether an address is that of a member which is called so in the language as a member of another kind."""
    kind, _, id_ = address.partition(".")
    known = kind in labels.rules.kinds and id_ in labels.rules.kinds[kind].members
    return known and not labels.member(kind, id_).is_fallback


def lacking_words(context: RulesContext, language: str) -> dict[str, str]:
    """Return what people read that has no words in this language, by address, with what it is called in English.

    In English the letters of an id may do, so there only those addresses count that have words in another language.
    """
    known: dict[str, Mapping[str, str]] = words_by_language(context)
    read = () if language == FALLBACK else tuple(addresses_read(context.checked))
    # Rules without a word in the language have no labels in it either, and nothing is named there.
    labels = context.labels(language) if any(language in texts for texts in known.values()) else None
    found = {}
    for address in sorted({*read, *known}):
        texts = known.get(address, {})
        if not texts.get(language) and (labels is None or not _is_named(labels, address)):
            found[address] = texts.get(FALLBACK) or next(iter(texts.values()), plain_words(address))
    return found
