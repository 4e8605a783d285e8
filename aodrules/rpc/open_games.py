"""The games that are open here, by id, with the keys of their seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from secrets import compare_digest, token_urlsafe

from attrs import define, field

from aodrules.game import Game
from aodrules.rpc.problems import refused, unknown_game
from aodrules.rpc.sessions import HOST, SPECTATOR, Role, RpcSession
from aodrules.source.wording import count, quote


@define(eq=False)
class OpenGame:
    """A game that is kept here."""

    id: str
    game: Game
    notes: Mapping[str, str]
    """What a front end had written into the save that it was opened from."""
    host_key: str
    keys: dict[str, str]
    """The key of each seat."""
    sessions: list[RpcSession] = field(factory=list, init=False)
    """The connections that have joined it."""
    agreed: dict[str, set[str]] = field(factory=dict, init=False)
    """Who agreed since the last answer that a seat takes back its turn, by that seat."""

    def role_of(self, key: str | None, seat: str | None, now: Role | None) -> Role:
        """Return for whom somebody may speak who has a key, or has a role already.

        Raises:
            ArgumentError: There is no such seat.
            RpcProblemError: The key is not that of the seat.
        """
        if seat is not None and seat not in self.game.players:
            self.game.view(seat)  # says who sits there
        is_host = now == HOST if key is None else _is_same(key, self.host_key)
        if is_host:
            return HOST if seat is None else Role("seat", seat)
        if key is None and seat is None:
            return SPECTATOR
        for owner, known in self.keys.items():
            if seat in (None, owner) and key is not None and _is_same(key, known):
                return Role("seat", owner)
        whose = "any seat" if seat is None else quote(seat)
        raise refused("not-permitted", f"that is no key of {whose}" if key is not None else f"{whose} needs its key")


def _is_same(one: str, other: str) -> bool:
    return compare_digest(one.encode("utf-8", "replace"), other.encode())


@define(eq=False)
class OpenGames:
    """All of them; so many at most."""

    most: int
    _games: dict[str, OpenGame] = field(factory=dict, init=False)

    def add(self, game: Game, notes: Mapping[str, str]) -> OpenGame:
        """Keep a game; where there is no room the oldest one goes that nobody has joined.

        Raises:
            RpcProblemError: There is no room.
        """
        if len(self._games) >= self.most:
            idle = next((each.id for each in self._games.values() if not each.sessions), None)
            if idle is None:
                help_ = "close one with `game.close`, or keep games elsewhere: see `keep`"
                raise refused("too-many-games", f"{count(len(self._games), 'game')} are open already", help=help_)
            del self._games[idle]
        keys = {seat: token_urlsafe(16) for seat in game.players}
        found = OpenGame(token_urlsafe(9), game, notes, token_urlsafe(16), keys)
        self._games[found.id] = found
        return found

    def get(self, id_: str) -> OpenGame:
        """Return a game.

        Raises:
            RpcProblemError: None is open under that id.
        """
        if id_ not in self._games:
            raise unknown_game(id_)
        return self._games[id_]

    def remove(self, id_: str) -> None:
        """Forget a game."""
        del self._games[id_]

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[OpenGame]:
        return iter(self._games.values())
