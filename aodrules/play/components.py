"""The things of a game and the clauses of its rulebook."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from aodrules.check.checked import written_address
from aodrules.compose.addresses import MissingAddress, TreePlace, resolve
from aodrules.compose.citing import citations_of_kind, cited_in, refused_by
from aodrules.compose.ruleset import Ruleset
from aodrules.play.ids import IdTable
from aodrules.play.labels import Labels, Words
from aodrules.syntax.tree import Mapping, Scalar
from aodrules.syntax.tree import words as words_in


def clauses_at(ruleset: Ruleset, address: str) -> tuple[str, ...]:
    """Return the clauses that a node models: its own, else those of what encloses it, else those cited inside it.

    A condition's own clause counts for the body that the condition stands in, and a member stands in its kind.
    """
    root = ruleset.root
    place = resolve(root, written_address(address))
    if isinstance(place, MissingAddress):
        place = place.deepest
    declared, found = root.mapping("clause"), list[str]()
    for cut in range(len(place.parts), 0, -1):
        around = resolve(root, ".".join(place.parts[:cut]))
        node = around.node if isinstance(around, TreePlace) else None
        own = words_in(node.get("clauses")) if isinstance(node, Mapping) else ()
        if isinstance(node, Mapping):
            found += [*own, *(each.text for each in refused_by(node) if each.text in declared)]
        if own:
            return tuple(dict.fromkeys(found))
    found += citations_of_kind(root, place.parts)
    return tuple(dict.fromkeys(found or (each for each in cited_in(place.node) if each in declared)))


def said_text(body: Mapping, language: str, key: str = "says") -> str | None:
    """Return what a clause or ruling says in a language, or in another."""
    texts = said_texts(body, key)
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), None)


def said_texts(body: Mapping, key: str = "says") -> dict[str, str]:
    """Return what a clause or ruling says, by language."""
    words = body.get(key)
    if isinstance(words, Scalar):
        return {"en": words.text}
    entries = words if isinstance(words, Mapping) else ()
    return {entry.name: entry.value.text for entry in entries if isinstance(entry.value, Scalar)}


@frozen
class Component:
    """A member of a kind with its attributes, as people read them. Attributes may depend on the number of players.

    Examples:
        >>> import aodrules
        >>> inn = aodrules.load("harbour").components["house"]["inn"]
        >>> inn.name, inn.attributes["cost"]
        ('Inn', 4)
    """

    id: str
    kind: str
    """The kind it is declared as."""
    attributes: dict[str, Any]
    """What it is like, by name, as people read it."""
    name: str
    """What it is called in English, or its id in plain letters."""


@frozen
class Clause:
    """A statement of the rulebook.

    Examples:
        >>> import aodrules
        >>> aodrules.load("nim").clauses["in-turn"].says
        'The players move in turn.'
    """

    id: str
    says: str | None
    """What it says, in English; nothing where nobody wrote it down."""
    kind: str | None
    """What sort of statement it is, as the rules call it."""
    overridden: bool
    """Whether an edition or variant says that it replaces this."""


def components_of(names: IdTable, words: Words) -> dict[str, dict[str, Component]]:
    """Return the members of every kind by id, with attributes for the number of players that the names are for."""
    found: dict[str, dict[str, Component]] = {}
    rules = names.tables.rules
    labels = Labels(words, rules)
    for kind in rules.kinds.values():
        members = rules.family(kind.name).members
        found[kind.name] = {
            member: Component(
                member,
                kind.name,
                _attributes(names, kind.name, members.index(member)),
                labels.member(kind.name, member),
            )
            for member in kind.members
        }
    return found


def _attributes(names: IdTable, kind: str, place: int) -> dict[str, Any]:
    rules, kinds = names.tables.rules, names.tables.rules.kinds
    found = {}
    for attribute in rules.attributes.values():
        owner, name = attribute.name.split(".")
        same_family = kinds[owner].family == kinds[kind].family
        member = names.tables.rules.family(kind).members[place]
        if same_family and member in kinds[owner].members and not attribute.per:
            found[name] = names.readable(attribute.type, names.tables.attributes[attribute.name][place])
    return found


def make_clause(id_: str, body: Mapping, *, overridden: bool) -> Clause:
    """Return a clause from how it is declared."""
    kind = body.get("kind")
    return Clause(id_, said_text(body, "en"), kind.text if isinstance(kind, Scalar) else None, overridden)
