"""The things of a game and the statements of its rulebook, as people read them."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from aodrules.play.clauses import said
from aodrules.play.rules_context import RulesContext
from aodrules.syntax.tree import Scalar


@frozen
class Component:
    """A member of a kind with its attributes, as people read them. Attributes may depend on the number of players."""

    id: str
    kind: str
    attributes: dict[str, Any]
    name: str
    """What it is called in English, or its id in plain letters."""


@frozen
class Clause:
    """A statement of the rulebook."""

    id: str
    says: str | None
    kind: str | None
    overridden: bool
    """Whether an edition or variant says that it replaces this."""


def components_of(book: RulesContext) -> dict[str, dict[str, Component]]:
    """Return the members of every kind by id, for the largest number of players."""
    found: dict[str, dict[str, Component]] = {}
    for kind in book.checked.kinds.values():
        members = book.checked.family(kind.name).members
        found[kind.name] = {
            members[place]: Component(
                members[place],
                kind.name,
                _attributes(book, kind.name, place),
                book.words.say(f"{kind.name}.{members[place]}", "en"),
            )
            for place in kind.places
        }
    return found


def _attributes(book: RulesContext, kind: str, place: int) -> dict[str, Any]:
    game, kinds = book.checked.game, book.checked.kinds
    names = book.actions(game.seats[: game.players[1]]).names
    found = {}
    for attribute in book.checked.attributes.values():
        owner, name = attribute.name.split(".")
        same_family = kinds[owner].family == kinds[kind].family
        if same_family and place in kinds[owner].places and not attribute.per:
            found[name] = names.readable(attribute.type, names.tables.attributes[attribute.name][place])
    return found


def clauses_of(book: RulesContext) -> dict[str, Clause]:
    """Return the clauses of the rulebook that the ruleset declares, by id."""
    overrides = book.ruleset.overrides
    return {
        id_: Clause(id_, said(body, "en"), _word(body.get("kind")), id_ in overrides)
        for id_, body in book.clauses.items()
    }


def _word(node: object) -> str | None:
    return node.text if isinstance(node, Scalar) else None
