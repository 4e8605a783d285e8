"""One game played by bots, and what is kept of it: one row for the game, one for each kind of decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from attrs import define, field, frozen

from aodrules.game import Game
from aodrules.rulebook import Rules
from aodrules.simulate.bots import bot_of
from aodrules.simulate.turns import Turn


@frozen
class Setting:
    """What a run plays: so many players, a bot for each seat (repeated in turn), rotated with the seed or not."""

    players: int
    bots: tuple[str, ...] = ("random",)
    rotate: bool = True

    def bots_for(self, seed: int) -> list[str]:
        """Return the bot of each seat in the game of a seed."""
        shift = seed if self.rotate else 0
        return [self.bots[(seat + shift) % len(self.bots)] for seat in range(self.players)]


@frozen
class Match:
    """What is kept of one game. Everything in it is plain data, the same on every machine."""

    seed: int
    seats: tuple[dict[str, Any], ...]
    """For each seat: name, bot, place, total, points by source, and how often each thing was done."""
    decisions: dict[str, dict[str, int]]
    """For each kind of decision: how often it was asked, how often there was a choice, how many answers were open."""
    length: int

    def row(self) -> dict[str, Any]:
        """Return the game as one flat row."""
        flat: dict[str, Any] = {"seed": self.seed, "length": self.length}
        for number, seat in enumerate(self.seats):
            flat |= {f"{key}_{number}": seat[key] for key in ("seat", "bot", "place", "total")}
            flat |= {f"{source}_{number}": points for source, points in sorted(seat["points"].items())}
        return flat

    def decision_rows(self) -> list[dict[str, Any]]:
        """Return a row for each kind of decision."""
        return [{"seed": self.seed, "decision": name, **counts} for name, counts in sorted(self.decisions.items())]


@define
class _Tally:
    """Counts that grow while a game is played."""

    decisions: dict[str, dict[str, int]] = field(factory=dict)
    done: list[Counter[str]] = field(factory=list)
    length: int = 0

    def note(self, game: Game, seat: int, code: int) -> None:
        pending = game.machine.pending
        assert pending is not None
        counts = self.decisions.setdefault(pending.decision, {"asked": 0, "choices": 0, "open": 0})
        counts["asked"] += 1
        counts["choices"] += len(game.codes) > 1
        counts["open"] += len(game.codes)
        self.length += 1
        self.done[seat][str(game.actions[game.codes.index(code)])] += 1


def play_match(rules: Rules, setting: Setting, seed: int) -> Match:
    """Play the game of a seed. The same rules, setting and seed give the same match everywhere."""
    game = rules.new_game(players=setting.players, seed=seed, undo=False, log=False)
    names = setting.bots_for(seed)
    bots, chance = [bot_of(name) for name in names], Random(seed)  # noqa: S311 - games, not secrets
    tally = _Tally(done=[Counter() for _ in names])
    while not game.over:
        pending = game.machine.pending
        assert pending is not None
        code = bots[pending.player].choose(Turn(game, pending.player, chance))
        tally.note(game, pending.player, code)
        game.push(code)
    return Match(seed, _seats(game, names, tally.done), tally.decisions, tally.length)


def _seats(game: Game, bots: Sequence[str], done: Sequence[Counter[str]]) -> tuple[dict[str, Any], ...]:
    places = {standing.player: standing.place for standing in game.ranking}
    return tuple(
        {
            "seat": player,
            "bot": bots[number],
            "place": places[player],
            "total": game.scores[player].total,
            "points": dict(game.scores[player].sources),
            "done": dict(sorted(done[number].items())),
        }
        for number, player in enumerate(game.players)
    )
