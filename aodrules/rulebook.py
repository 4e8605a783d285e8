"""Loading rules: from names and paths to rules that can be played."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from os import PathLike, fspath
from typing import Any

from attrs import frozen

from aodrules.check.checked import CheckedRules
from aodrules.compose.ruleset import Ruleset, Touch
from aodrules.errors import RulesError
from aodrules.game import Game, Seating
from aodrules.play.book import ENGINES, Asked, Book, said
from aodrules.play.saves import Save
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Source
from aodrules.syntax.documents import Document

Name = str | PathLike[str]


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


def load(base: Name, variants: Iterable[Name] = (), *, cache: bool = True) -> Rules:
    """Return the rules of a game or edition with variants.

    Args:
        base: The name of a game or edition that ships with the package, or the path of a YAML file or folder.
        variants: Names of variants, or paths of YAML files, in any order.
        cache: Whether what was loaded before may be used again.

    Raises:
        RulesError: Something is wrong with the documents; it holds all that was found.

    Example:
        >>> import aodrules
        >>> rules = aodrules.load("tests/games/nim.yaml")
        >>> rules.name, rules.variants
        ('nim', ())
    """
    asked = Asked(fspath(base), tuple(fspath(each) for each in variants))
    return _fresh(asked)


def _fresh(asked: Asked) -> Rules:
    from aodrules.compose.library import find
    from aodrules.syntax.from_source import read

    report = Report()
    documents, edition, names = find(asked.base, asked.variants, report, read)
    return _from_documents(asked, documents, edition, names, report)


def rules_of_save(save: Save) -> Rules:
    """Return the rules of a saved game: what ships with the package by name, everything else from the save itself."""
    from aodrules.compose.library import find
    from aodrules.syntax.from_source import read

    report = Report()
    given = [read(Source(path, text), report) for path, text in save.documents.items()]
    documents = [each for each in given if each is not None]
    mine = {each.head.name.text for each in documents if each.head is not None}
    if all(each.head is not None for each in documents):
        names = [name for name in save.variants if name not in mine]
        documents += find(save.game, names, report, read)[0]
    return _from_documents(Asked(save.game, tuple(save.variants)), documents, save.edition, save.variants, report)


def _from_documents(
    asked: Asked, documents: Sequence[Document], edition: str | None, variants: Sequence[str], report: Report
) -> Rules:
    from aodrules.check.from_ruleset import check
    from aodrules.compose.from_documents import compose
    from aodrules.syntax.schema_check import check_shape

    if not documents:
        raise RulesError(report)
    ruleset = compose(documents, edition, variants, report)
    if not report.has_errors:
        check_shape(ruleset.root, "ruleset", report)
    checked = check(ruleset, report)
    if report.has_errors:
        raise RulesError(report)
    return Rules(Book(asked, checked, lambda: ruleset), tuple(report))


class Rules:
    """A game with its edition and variants, checked and ready to be played."""

    def __init__(self, book: Book, warnings: tuple[Diagnostic, ...] = ()) -> None:
        self._book = book
        self.warnings = warnings
        """Problems that did not stop the rules from loading."""

    @property
    def name(self) -> str:
        """The name of the game."""
        return self._book.checked.game.name

    @property
    def edition(self) -> str | None:
        """The name of the edition, if there is one."""
        return self._book.ruleset.edition

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants, sorted."""
        return self._book.ruleset.variants

    @property
    def fingerprint(self) -> str:
        """A hash of all that play depends on. Equal rules have equal fingerprints, however they were written down."""
        return self._book.checked.fingerprint

    @property
    def players(self) -> tuple[int, int]:
        """How many can play: the fewest and the most."""
        return self._book.checked.game.players

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats there are."""
        return self._book.checked.game.seats

    @property
    def checked(self) -> CheckedRules:
        """The checked rules, for tools."""
        return self._book.checked

    @property
    def ruleset(self) -> Ruleset:
        """The composed ruleset, for tools."""
        return self._book.ruleset

    @cached_property
    def components(self) -> dict[str, dict[str, Component]]:
        """The members of every kind by id, for the largest number of players."""
        actions = self._book.actions(self.seats[: self.players[1]])
        found: dict[str, dict[str, Component]] = {}
        for kind in self.checked.kinds.values():
            members = self.checked.family(kind.name).members
            found[kind.name] = {
                members[place]: Component(
                    members[place],
                    kind.name,
                    self._attributes(kind.name, place),
                    self._book.words.say(f"{kind.name}.{members[place]}", "en"),
                )
                for place in kind.places
            }
        del actions
        return found

    def _attributes(self, kind: str, place: int) -> dict[str, Any]:
        names = self._book.actions(self.seats[: self.players[1]]).names
        found = {}
        for attribute in self.checked.attributes.values():
            owner, name = attribute.name.split(".")
            declaring = self.checked.kinds[owner]
            same_family = declaring.family == self.checked.kinds[kind].family
            if same_family and place in declaring.places and not attribute.per:
                found[name] = names.readable(attribute.type, names.tables.attributes[attribute.name][place])
        return found

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """The clauses of the rulebook that the ruleset declares, by id."""
        overrides = self.ruleset.overrides
        return {
            id_: Clause(id_, said(body, "en"), _word(body.get("kind")), id_ in overrides)
            for id_, body in self._book.clauses.items()
        }

    def origin(self, address: str) -> tuple[Touch, ...]:
        """Return who declared, changed, added to or removed what stands at an address, in the order of layers."""
        return self.ruleset.origin(address)

    def schema(self) -> dict[str, Any]:
        """Return a JSON Schema for those who write variants of this game: it knows its kinds, members and verbs."""
        from aodrules.play.authoring import authoring_schema

        return authoring_schema(self._book)

    def new_game(
        self,
        players: int | Sequence[str] | None = None,
        seed: int | None = None,
        settings: Mapping[str, Any] | None = None,
        *,
        undo: bool = True,
        log: bool = True,
        engine: str = ENGINES[0],
    ) -> Game:
        """Return a new game, set up and at its first decision.

        Args:
            players: How many, or the names of their seats; the fewest possible if not given.
            seed: The number from which all chance comes; any number if not given.
            settings: Facts outside the game, where it asks for some.
            undo: Whether actions can be taken back.
            log: Whether events are noted.
            engine: `compiled`, or `interpreter` for the reference.

        Raises:
            ValueError: So many cannot play, or there is no such seat, setting or engine.
        """
        if engine not in ENGINES:
            raise ValueError(f"`{engine}` is no engine; there are {' and '.join(ENGINES)}")
        known = [setting.name for setting in self.checked.game.settings]
        unknown = [name for name in settings or {} if name not in known]
        if unknown:
            raise ValueError(f"`{self.name}` has no setting `{unknown[0]}`")
        seed = secrets.randbits(48) if seed is None else seed
        given = tuple(sorted((settings or {}).items()))
        return Game(self._book, Seating(self._seats(players), seed, given, undo, log, engine))

    def _seats(self, players: int | Sequence[str] | None) -> tuple[str, ...]:
        low, high = self.players
        if players is None:
            players = low
        seats = self.seats[:players] if isinstance(players, int) else tuple(players)
        count = players if isinstance(players, int) else len(seats)
        if not low <= count <= high:
            many = str(low) if low == high else f"{low} to {high}"
            raise ValueError(f"`{self.name}` is for {many} players, not {count}")
        for seat in seats:
            if seat not in self.seats or seats.count(seat) > 1:
                raise ValueError(f"`{seat}` is no seat of its own; seats are {', '.join(self.seats)}")
        return seats

    def __repr__(self) -> str:
        return f"<Rules of {'+'.join((self._book.asked.base, *self._book.asked.variants))}>"


def _word(node: Any) -> str | None:
    text = getattr(node, "text", None)
    return text if isinstance(text, str) else None
