"""One row of the table of methods, and what a method works with when it is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import getdoc
from typing import Any, get_type_hints

from attrs import define, field, frozen

from aodrules.errors import NotationError
from aodrules.exchange.values import to_plain
from aodrules.game import Game
from aodrules.rpc.open_games import OpenGame, OpenGames
from aodrules.rpc.parameters import PositionParameters, read_parameters
from aodrules.rpc.problems import host_only, no_seat, not_joined, other_seat, wrong_parameters
from aodrules.rpc.results import PlainData
from aodrules.rpc.rules_words import RulesByWord
from aodrules.rpc.sessions import HOST, Role, RpcSession
from aodrules.rpc.states import States


@frozen(eq=False)
class Table:
    """A game, wherever it is kept, and the role of who asks."""

    game: Game
    role: Role
    notes: Mapping[str, str]
    open: OpenGame | None
    """The game as it is kept here; nothing if it is kept elsewhere."""


@define(eq=False)
class MethodCall:
    """What a method works with: who asks, the games, and what is to be told to others afterwards."""

    method: str
    session: RpcSession
    games: OpenGames
    states: States
    rules: RulesByWord
    told: list[tuple[RpcSession, str]] = field(factory=list)
    """Messages for those who follow a game, in order."""

    def table(self, given: PositionParameters) -> Table:
        """Return the game that is asked for.

        Raises:
            RpcProblemError: There is none, or it was not joined.
        """
        if (given.game is None) == (given.state is None):
            raise wrong_parameters(self.method, "one of `game` and `state` is given")
        if given.state is not None:
            found = self.states.open(given.state)
            return Table(found.game, HOST, found.notes, None)
        assert given.game is not None  # one of them is given
        kept, role = self.joined(given.game)
        return Table(kept.game, role, kept.notes, kept)

    def joined(self, id_: str) -> tuple[OpenGame, Role]:
        """Return a game that is kept here, and the role of who asks.

        Raises:
            RpcProblemError: There is none, or it was not joined.
        """
        found = self.games.get(id_)
        if id_ not in self.session.roles:
            raise not_joined(id_)
        return found, self.session.roles[id_]

    def host_table(self, given: PositionParameters) -> Table:
        """Return the game that is asked for, if it is the host who asks."""
        table = self.table(given)
        self.check_host(table.role)
        return table

    def check_host(self, role: Role) -> None:
        """Refuse whoever is not the host."""
        if role != HOST:
            raise host_only(self.method)

    def looker(self, table: Table, seat: str | None) -> str | None:
        """Return for which seat something is told; none for those who only look on.

        Raises:
            RpcProblemError: Who asks speaks for another one.
        """
        if seat is not None and seat not in table.game.players:
            table.game.view(seat)  # says who sits there
        if table.role == HOST or seat is None or seat == table.role.seat:
            return seat if table.role == HOST else table.role.seat
        raise other_seat(str(table.role), seat)

    def seat(self, table: Table, seat: str | None) -> str | None:
        """Return which seat is meant: for a host that names none the one that is asked, if one is.

        Raises:
            RpcProblemError: Who asks only looks on, or speaks for another one.
        """
        found = self.looker(table, seat)
        if found is None and table.role != HOST:
            raise no_seat(self.method)
        decision = table.game.decision
        return found if found is not None or decision is None else decision.player

    def some_seat(self, table: Table, seat: str | None) -> str:
        """Return which seat is meant, for what is always of one.

        Raises:
            RpcProblemError: None is, or as for `seat`.
        """
        found = self.seat(table, seat)
        if found is None:
            raise wrong_parameters(self.method, "nobody is asked any more, so `seat` is given")
        return found


@frozen(eq=False)
class Method:
    """A method: its name, what it takes and returns, what it does."""

    name: str
    run: Callable[[MethodCall, Any], Any]
    parameters: type
    result: Any
    says: str
    """What it does, in sentences."""

    def call(self, call: MethodCall, given: object) -> Any:
        """Return the result, as plain data."""
        try:
            parameters: Any = read_parameters(self.parameters, given)
        except NotationError as wrong:
            raise wrong_parameters(self.name, str(wrong)) from None
        found = self.run(call, parameters)
        return found.data if isinstance(found, PlainData) else to_plain(found)

    @property
    def summary(self) -> str:
        """The first sentence of what it does."""
        return self.says.split("\n\n", maxsplit=1)[0]


def methods_of(
    prefix: str, functions: Iterable[Callable[[MethodCall, Any], Any]], results: Mapping[str, Any] | None = None
) -> tuple[Method, ...]:
    """Return methods with the names, types and docstrings of functions.

    Args:
        prefix: What stands before the name of each.
        functions: What is done.
        results: The types of what functions return as it is sent.
    """
    return tuple(_method(prefix, each, results or {}) for each in functions)


def _method(prefix: str, run: Callable[[MethodCall, Any], Any], results: Mapping[str, Any]) -> Method:
    hints = list(get_type_hints(run).values())
    name = run.__name__.rstrip("_")
    return Method(f"{prefix}.{name}", run, hints[1], results.get(name, hints[2]), getdoc(run) or "")
