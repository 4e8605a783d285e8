"""Loading rules: from names and paths to rules that can be played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from aodrules.play.asked import Asked
from aodrules.play.book import ENGINES, Book
from aodrules.play.cache import Store
from aodrules.play.keys import store_for, store_for_save
from aodrules.play.parts import Parts

if TYPE_CHECKING:
    from aodrules.compose.ruleset import Touch
    from aodrules.game import Game
    from aodrules.play.components import Clause, Component
    from aodrules.play.loaded import Loaded
    from aodrules.play.saved import Save
    from aodrules.play.settings import Setting
    from aodrules.source.diagnostics import Diagnostic

Name = str | PathLike[str]


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
        >>> rules = aodrules.load("nim")
        >>> rules.name, rules.variants
        ('nim', ())
    """
    asked = Asked(fspath(base), tuple(fspath(each) for each in variants))
    return _rules(asked, store_for(asked) if cache else None, lambda: _loaded(asked))


def rules_of_save(save: Save) -> Rules:
    """Return the rules of a saved game: what ships with the package by name, everything else from the save itself."""
    store = store_for_save(save.game, save.edition, save.variants, save.documents)
    return _rules(Asked(save.game, tuple(save.variants)), store, lambda: _saved(save))


def _rules(asked: Asked, store: Store | None, make: Callable[[], Loaded]) -> Rules:
    """Return rules from the cache, or make them and keep them there."""
    parts = Parts(store, make)
    book = Book(asked, lambda: parts.checked, lambda: parts.ruleset, store, parts.cover)
    return Rules(book, parts.warnings)


# Lazy imports: what was loaded before needs none of the stages.


def _loaded(asked: Asked) -> Loaded:
    from aodrules.play.pipeline import loaded

    return loaded(asked)


def _saved(save: Save) -> Loaded:
    from aodrules.play.pipeline import saved_rules

    return saved_rules(save.game, save.edition, save.variants, save.documents)


class Rules:
    """A game with its edition and variants, checked and ready to be played."""

    def __init__(self, book: Book, warnings: tuple[Diagnostic, ...] = ()) -> None:
        self._book = book
        self.warnings = warnings
        """Problems that did not stop the rules from loading."""

    @property
    def name(self) -> str:
        """The name of the game."""
        return self._book.cover.name

    @property
    def edition(self) -> str | None:
        """The name of the edition, if there is one."""
        return self._book.cover.edition

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants, sorted."""
        return self._book.cover.variants

    @property
    def fingerprint(self) -> str:
        """A hash of all that play depends on. Equal rules have equal fingerprints, however they were written down."""
        return self._book.cover.fingerprint

    @property
    def players(self) -> tuple[int, int]:
        """How many can play: the fewest and the most."""
        return self._book.cover.players

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats there are."""
        return self._book.cover.seats

    @cached_property
    def settings(self) -> dict[str, Setting]:
        """The facts outside the game that may be told when one is made, by id."""
        from aodrules.play.settings import setting_of

        names = self._book.actions(self.seats[: self.players[1]]).names
        return {id_: setting_of(names, each, self._book.words) for id_, each in self._book.checked.settings.items()}

    @property
    def book(self) -> Book:
        """What stands behind the rules, for tools: the composed ruleset, the checked rules, the generated code."""
        return self._book

    @cached_property
    def components(self) -> dict[str, dict[str, Component]]:
        """The members of every kind by id, for the largest number of players."""
        from aodrules.play.components import components_of

        return components_of(self._book)

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """The clauses of the rulebook that the ruleset declares, by id."""
        from aodrules.play.components import clauses_of

        return clauses_of(self._book)

    def origin(self, address: str) -> tuple[Touch, ...]:
        """Return who declared, changed, added to or removed what stands at an address, in the order of layers."""
        return self._book.ruleset.origin(address)

    def explain(self, address: str, players: int | None = None) -> str | None:
        """Return the way of a node from its YAML to the Python that runs it; nothing if there is no such node."""
        from aodrules.play.explanations import explained

        return explained(self._book, address, players or self.players[0])

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
            settings: Facts outside the game, where it asks for some; see `settings`.
            undo: Whether actions can be taken back.
            log: Whether events are noted.
            engine: `compiled`, or `interpreter` for the reference.

        Raises:
            ValueError: So many cannot play, or there is no such seat, setting or engine.
        """
        from aodrules.game import Game, Seating
        from aodrules.play.settings import normal_settings

        if engine not in ENGINES:
            raise ValueError(f"`{engine}` is no engine; there are {' and '.join(ENGINES)}")
        seats = self._seats(players)
        given = normal_settings(self.name, self._book.actions(seats).names, settings) if settings else ()
        return Game(self._book, Seating(seats, _any_seed() if seed is None else seed, given, undo, log, engine))

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
        return f"<Rules of {self._book.asked}>"


def _any_seed() -> int:
    from secrets import randbits

    return randbits(48)
