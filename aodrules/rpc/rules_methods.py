"""Methods about rules: what ships, what can be played, the words of everything."""

from __future__ import annotations

from typing import Any

from aodrules.errors import NotationError
from aodrules.exchange.public_schema import json_schema
from aodrules.exchange.typescript import typescript
from aodrules.games import CatalogueEntry, CatalogueGame, catalogue
from aodrules.play.components import Clause, Component
from aodrules.rpc.method import MethodCall, methods_of
from aodrules.rpc.parameters import (
    CatalogueParameters,
    NoParameters,
    PositionParameters,
    RulesParameters,
    TextParameters,
)
from aodrules.rpc.problems import refused, wrong_parameters
from aodrules.rpc.results import GameListed, GameTold, PlainData, RulesTold, TextTold
from aodrules.rulebook import Rules
from aodrules.source.wording import did_you_mean, quote


def list_(_call: MethodCall, _given: NoParameters) -> tuple[GameListed, ...]:
    """Return the games that ship with the package, and what each can be played with, by id."""
    return tuple(_listed(game) for game in catalogue().values())


def _listed(game: CatalogueGame) -> GameListed:
    return GameListed(
        game.id,
        _ids(game.editions),
        _ids(game.variants),
        _ids(game.other_readings),
        _ids(game.house_rules),
        tuple(game.rulings),
    )


def _ids(entries: tuple[CatalogueEntry, ...]) -> tuple[str, ...]:
    return tuple(entry.id for entry in entries)


def game(_call: MethodCall, given: CatalogueParameters) -> GameTold:
    """Return a game that ships with the package: names, reasons, needs and conflicts of all it can be played with."""
    games = catalogue()
    if given.id not in games:
        help_ = did_you_mean(given.id, games)
        raise refused("unknown-name", f"no game {quote(given.id)} ships with the package", help=help_)
    found = games[given.id]
    languages = found.languages
    return GameTold(
        found.id,
        {language: found.text(language) for language in languages},
        found.players(),
        found.seats(),
        languages,
        found.editions,
        found.variants,
        found.other_readings,
        found.house_rules,
        tuple(found.rulings.values()),
    )


CATALOGUE = methods_of("catalogue", (list_, game))


def _rules(call: MethodCall, given: RulesParameters) -> Rules:
    if [given.rules, given.game, given.state].count(None) != 2:
        raise wrong_parameters(call.method, "one of `rules`, `game` and `state` is given")
    if given.rules is not None:
        return call.rules.load(given.rules)
    return call.table(PositionParameters(game=given.game, state=given.state)).game.rules


def about(call: MethodCall, given: RulesParameters) -> RulesTold:
    """Return what rules are made of, how many can play, and what a game of them may be given."""
    rules = _rules(call, given)
    values = tuple(name for name in rules.book.checked.values if ":" not in name)
    settings = tuple(rules.settings.values())
    names = (rules.name, rules.edition, rules.variants, rules.fingerprint)
    return RulesTold(*names, rules.players, rules.seats, settings, rules.languages, values, tuple(rules.warnings))


def text(call: MethodCall, given: TextParameters) -> TextTold:
    """Return the words for what stands at an address."""
    if "language" in given.arguments:
        raise NotationError("no argument of a text is called `language`")
    found = _rules(call, given).text(given.address, given.language, **given.arguments)
    return TextTold(str(found), found.language, found.is_fallback)


def components(call: MethodCall, given: RulesParameters) -> dict[str, dict[str, Component]]:
    """Return the things of a game with their attributes, by kind and id."""
    return _rules(call, given).components


def clauses(call: MethodCall, given: RulesParameters) -> dict[str, Clause]:
    """Return the statements of the rulebook, by id."""
    return _rules(call, given).clauses


def schema(call: MethodCall, given: RulesParameters) -> PlainData:
    """Return the JSON Schema of views, actions, decisions and events in games of some rules, with their ids."""
    return PlainData(_rules(call, given).json_schema())


def types(call: MethodCall, given: RulesParameters) -> str:
    """Return TypeScript types of views, actions, decisions and events in games of some rules."""
    return typescript(_rules(call, given).json_schema())


def values(_call: MethodCall, _given: NoParameters) -> PlainData:
    """Return the JSON Schema of all values that the library writes, whatever the rules."""
    return PlainData(json_schema())


RULES = methods_of("rules", (about, text, components, clauses, schema, types), {"schema": dict[str, Any]})
SCHEMA = methods_of("schema", (values,), {"values": dict[str, Any]})
METHODS = (*CATALOGUE, *RULES, *SCHEMA)
