"""Loading rules: from names and paths to rules that can be played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, NoReturn

from aodrules.arguments import (
    RulesRequest,
    argument_error,
    check_number,
    check_one_of,
    check_path,
    check_seed,
    check_text,
    format_argument,
    whole_number,
)
from aodrules.cache.keys import store_for, store_for_save
from aodrules.cache.store import Store
from aodrules.play.rules_context import ENGINES, CachedRules, RulesContext
from aodrules.source.disk import is_there

if TYPE_CHECKING:
    from aodrules.compose.ruleset import OriginEntry
    from aodrules.game import Game
    from aodrules.play.components import Clause, Component
    from aodrules.play.pipeline import Loaded
    from aodrules.play.saves import Save
    from aodrules.play.settings import Setting
    from aodrules.play.texts import Text
    from aodrules.source.diagnostics import Diagnostic

Name = str | PathLike[str]


def load(base: Name, variants: Name | Iterable[Name] = (), *, cache: bool = True) -> Rules:
    """Return the rules of a game or edition with variants.

    Args:
        base: The name of a game or edition that ships with the package, or the path of a YAML file or folder;
            variants may follow, each after a `+`, as on the command line.
        variants: Names of variants, or paths of YAML files, in any order.
        cache: Whether what was loaded before may be used again. It is kept in the user's cache folder, or in the one
            that the environment variable `AODRULES_CACHE` names; if that is empty, nowhere.

    Raises:
        RulesError: Something is wrong with the documents; it holds all that was found.
        TypeError: The game or a variant is neither a text nor a path.

    Examples:
        >>> import aodrules
        >>> rules = aodrules.load("nim")
        >>> rules.name, rules.variants
        ('nim', ())
    """
    request = _read_request(base, variants)
    return _rules(request, store_for(request) if cache else None, lambda: _load(request))


def _read_request(base: Name, variants: Name | Iterable[Name]) -> RulesRequest:
    first, *more = _names("the game", base)
    if isinstance(variants, str | PathLike):
        variants = (variants,)
    elif not isinstance(variants, Iterable):
        raise TypeError(f"`variants` is a name, a path or a list of these, not {format_argument(variants)}")
    return RulesRequest(first, (*more, *(name for each in variants for name in _names("a variant", each))))


def _names(what: str, given: Name) -> list[str]:
    """Return the names that are joined in a text; a path, or a text that is the name of a file, stays whole."""
    text = check_path(what, given)
    if not isinstance(given, str) or "+" not in text or is_there(text):
        return [text]
    first, *rest = (part.strip() for part in text.split("+"))
    return [first, *(part for part in rest if part)]


def rules_of_save(save: Save) -> Rules:
    """Return the rules of a saved game: what ships with the package by name, everything else from the save itself."""
    store = store_for_save(save.game, save.edition, save.variants, save.documents)
    return _rules(RulesRequest(save.game, tuple(save.variants)), store, lambda: _load_save(save))


def _rules(request: RulesRequest, store: Store | None, make: Callable[[], Loaded]) -> Rules:
    """Return rules from the cache, or make them and keep them there."""
    rules = CachedRules(store, make)
    return Rules(RulesContext(request, rules, store), rules.warnings)


# Lazy imports: what was loaded before needs none of the stages.


def _load(request: RulesRequest) -> Loaded:
    from aodrules.play.pipeline import load_rules

    return load_rules(request)


def _load_save(save: Save) -> Loaded:
    from aodrules.play.pipeline import load_saved_rules

    return load_saved_rules(save.game, save.edition, save.variants, save.documents)


class Rules:
    """A game with its edition and variants, checked and ready to be played.

    Examples:
        >>> import aodrules
        >>> rules = aodrules.load("harbour", variants=["dear-timber"])
        >>> rules.title(), rules.players, rules.seats
        ('Harbour + Dear timber', (2, 4), ('red', 'blue', 'green', 'yellow'))
        >>> rules.text("house.inn"), rules.new_game(players=2, seed=1).players
        ('Inn', ('red', 'blue'))
    """

    def __init__(self, context: RulesContext, warnings: tuple[Diagnostic, ...] = ()) -> None:
        self._context = context
        self.warnings: tuple[Diagnostic, ...] = warnings
        """Problems that did not stop the rules from loading."""

    @property
    def name(self) -> str:
        """The name of the game."""
        return self._context.summary.name

    @property
    def edition(self) -> str | None:
        """The name of the edition, if there is one."""
        return self._context.summary.edition

    @property
    def _called(self) -> str:
        """What those who load the rules call them, variants aside."""
        return self.edition or self.name

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants, sorted."""
        return self._context.summary.variants

    @property
    def fingerprint(self) -> str:
        """A hash of all that play depends on. Equal rules have equal fingerprints, however they were written down."""
        return self._context.summary.fingerprint

    @property
    def players(self) -> tuple[int, int]:
        """How many can play: the fewest and the most."""
        return self._context.summary.players

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats there are."""
        return self._context.summary.seats

    @cached_property
    def settings(self) -> dict[str, Setting]:
        """The facts outside the game that may be told when one is made, by id."""
        from aodrules.play.settings import setting_of

        names = self._context.names_for_most
        return {
            id_: setting_of(names, each, self._context.words) for id_, each in self._context.checked.settings.items()
        }

    @property
    def book(self) -> RulesContext:
        """What stands behind the rules, for tools: the composed ruleset, the checked rules, the generated code."""
        return self._context

    @property
    def components(self) -> dict[str, dict[str, Component]]:
        """The members of every kind by id, for the largest number of players."""
        return self._context.components

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """The clauses of the rulebook that the ruleset declares, by id."""
        from aodrules.play.components import make_clause

        overrides, declared = self._context.ruleset.overrides, self._context.clauses
        return {id_: make_clause(id_, body, overridden=id_ in overrides) for id_, body in declared.items()}

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages there are words in, in the game or in the package itself, sorted."""
        return self._context.words.languages

    @property
    def own_languages(self) -> tuple[str, ...]:
        """Those of the `languages` in which the game itself has words, sorted; in the others only the package has some.

        These are the ones to let people choose from.
        """
        return self._context.words.own_languages

    def title(self, language: str = "en") -> str:
        """Return what the game or edition is called, with the names of its variants.

        Raises:
            ArgumentError: There are no words in the language.
        """
        from aodrules.play.titles import whole_title

        return whole_title(self._context, self._context.words.check(language))

    def text(self, address: str, /, language: str = "en", **arguments: Any) -> Text:
        """Return the words for what stands at an address: a component, a place, a step, an answer, an event, a clause.

        Where the language has no words, those of another stand in, or the plain letters of the id: then the text
        `is_fallback`. An argument that is not given is shown as `…`. What an argument names is given by its id.

        Args:
            address: As the rules call it, such as `decision.take.options.take`; a place as views and events call it;
                a clause by its id.
            language: The code of the language.
            **arguments: What stands in the words in braces, by name; for a name `case` and `count`.

        Raises:
            ArgumentError: There are no words in the language, or no such argument.
            UnknownNameError: There is nothing at the address.

        Examples:
            >>> import aodrules
            >>> rules = aodrules.load("nim")
            >>> rules.text("decision.take")
            'Take stones from a heap'
            >>> rules.text("phrase.total", language="pl")
            'razem'
        """
        from aodrules.play.lookup import text_at

        return text_at(self._context, check_text("an address", address), language, arguments)

    def origin(self, address: str) -> tuple[OriginEntry, ...]:
        """Return who declared, changed, added to or removed what stands at an address, in the order of layers."""
        return self._context.ruleset.origin(check_text("an address", address))

    def explain(self, address: str, players: int | None = None, *, raw: bool = False) -> str | None:
        """Return the way of a node from its YAML to the Python that runs it; nothing if there is no such node.

        The Python is in the words of the rules; `raw` gives the nodes of the plan, and the Python as it runs.
        """
        from aodrules.play.explanations import explain_address

        if players is not None:
            players = check_number("the number of players", players, *self.players)
        return explain_address(self._context, check_text("an address", address), players or self.players[0], raw=raw)

    def schema(self) -> dict[str, Any]:
        """Return a JSON Schema for those who write variants of this game: it knows its kinds, members and verbs."""
        from aodrules.play.authoring_schema import authoring_schema

        return authoring_schema(self._context)

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of what is sent in games of these rules: views, actions, decisions, events.

        It is that of `aodrules.json_schema` with the ids of these rules; `aodrules types` makes TypeScript of it.
        """
        from aodrules.exchange.rules_schema import rules_schema

        return rules_schema(self._context)

    def new_game(
        self,
        players: int | Iterable[str] | None = None,
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
            ArgumentError: So many cannot play, or there is no such seat, seed, setting or engine.
            TypeError: One of these is of another type than it should be.
        """
        from aodrules.game import Game, Seating
        from aodrules.play.settings import normal_settings

        check_one_of("engine", engine, ENGINES)
        seats = self._seats(players)
        number = _any_seed() if seed is None else check_seed(seed)
        given = normal_settings(self._called, self._context.actions(seats).names, settings) if settings else ()
        return Game(self._context, Seating(seats, number, given, undo, log, engine))

    def _seats(self, players: int | Iterable[str] | None) -> tuple[str, ...]:
        count = self.players[0] if players is None else whole_number(players)
        if count is None:
            return self._named_seats(players)
        self._check_count(count)
        return self.seats[:count]

    def _named_seats(self, players: object) -> tuple[str, ...]:
        if isinstance(players, str | bytes) or not isinstance(players, Iterable):
            raise TypeError(f"`players` is a number or a list of seats, not {format_argument(players)}")
        seats = tuple(check_text("a seat", each) for each in players)
        self._check_count(len(seats))
        for seat in seats:
            if seat not in self.seats:
                known = ", ".join(self.seats)
                raise argument_error(f"{format_argument(seat)} is no seat of `{self._called}`; seats are {known}")
            if seats.count(seat) > 1:
                raise argument_error(f"the seat `{seat}` is given to two players")
        return seats

    def _check_count(self, count: int) -> None:
        low, high = self.players
        if not low <= count <= high:
            from aodrules.source.wording import count_range  # lazy: a load from the cache needs no words

            many = count_range(low, high, "player")
            raise argument_error(f"`{self._called}` is for {many}, not {format_argument(count)}")

    def __copy__(self) -> Rules:
        return self  # Rules never change.

    def __deepcopy__(self, _memo: dict[int, Any]) -> Rules:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("rules cannot be pickled; load them again where they are needed: they are cached")

    def __repr__(self) -> str:
        from aodrules.source.wording import printable

        return f"<Rules of {printable(str(self._context.request))}>"


def _any_seed() -> int:
    from secrets import randbits

    return randbits(48)
