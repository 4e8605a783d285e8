"""One game played by bots, and what is kept of it: one row for the game, one for each kind of decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from attrs import define, field, frozen

from aodrules.bots.turns import Turn
from aodrules.bots.words import bot_of
from aodrules.facts.state import PlainState
from aodrules.game import Game
from aodrules.interpreter.places import items_at
from aodrules.interpreter.tables import Tables
from aodrules.lang.types import Bag, ListOf, Maybe, Member, item_type, kind_of
from aodrules.play.actions import Action
from aodrules.rulebook import Rules


@frozen
class MatchSetting:
    """What a run plays: so many players, a bot for each seat (repeated in turn), rotated with the seed or not."""

    players: int
    bots: tuple[str, ...] = ("random",)
    rotate: bool = True

    def bots_for(self, seed: int) -> list[str]:
        """Return the bot of each seat in the game of a seed."""
        shift = seed if self.rotate else 0
        return [self.bots[(seat + shift) % len(self.bots)] for seat in range(self.players)]


Setting = MatchSetting
"""The public name."""


@frozen
class Match:
    """What is kept of one game. Everything in it is plain data, the same on every machine."""

    seed: int
    seats: tuple[dict[str, Any], ...]
    """For each seat: name, bot, place, total, points by source, how often each thing was used (an option, or what it
    was used with), and in the end what was held (`FIELD MEMBER`) and what single places say (`FIELD`: member)."""
    decisions: dict[str, dict[str, int]]
    """For each kind of decision: how often it was asked, how often there was a choice, how many answers were open."""
    length: int

    def row(self) -> dict[str, Any]:
        """Return the game as one flat row."""
        flat: dict[str, Any] = {"seed": self.seed, "length": self.length}
        for number, seat in enumerate(self.seats):
            flat |= {f"{key}_{number}": seat[key] for key in ("seat", "bot", "place", "total")}
            flat[f"won_{number}"] = has_won(seat)
            flat |= {f"{source}_{number}": points for source, points in sorted(seat["points"].items())}
        return flat

    def decision_rows(self) -> list[dict[str, Any]]:
        """Return a row for each kind of decision."""
        return [{"seed": self.seed, "decision": name, **counts} for name, counts in sorted(self.decisions.items())]


def has_won(seat: dict[str, Any]) -> bool:
    """Whether a seat of a match won it, alone or with others: only who wins is first."""
    return bool(seat["place"] == 1)


@define
class _Tally:
    """Counts that grow while a game is played."""

    decisions: dict[str, dict[str, int]] = field(factory=dict)
    used: list[Counter[str]] = field(factory=list)
    length: int = 0

    def note(self, game: Game, seat: int, code: int) -> None:
        pending = game.machine.pending
        assert pending is not None
        counts = self.decisions.setdefault(pending.decision, {"asked": 0, "choices": 0, "open": 0})
        counts["asked"] += 1
        counts["choices"] += len(game.codes) > 1
        counts["open"] += len(game.codes)
        self.length += 1
        action = game.actions[game.codes.index(code)]
        self.used[seat].update([action.option, *_things(action, game.players)])


def _things(action: Action, players: Sequence[str]) -> Iterator[str]:
    """Iterate over what an action was used with, each by the name of its argument and its own: `box dock`."""
    for name, value in action.args.items():
        if isinstance(value, str) and value not in players:
            yield f"{name} {value}"


def play_match(rules: Rules, setting: MatchSetting, seed: int) -> Match:
    """Play the game of a seed. The same rules, setting and seed give the same match everywhere."""
    game = rules.new_game(players=setting.players, seed=seed, undo=False, log=False)
    names = setting.bots_for(seed)
    bots, chance = [bot_of(name) for name in names], Random(seed)  # noqa: S311 - games, not secrets
    tally = _Tally(used=[Counter() for _ in names])
    while not game.over:
        pending = game.machine.pending
        assert pending is not None
        code = bots[pending.player].choose(Turn(game, pending.player, chance))
        tally.note(game, pending.player, code)
        game.push(code)
    return Match(seed, _seats(game, names, tally.used), tally.decisions, tally.length)


def _seats(game: Game, bots: Sequence[str], used: Sequence[Counter[str]]) -> tuple[dict[str, Any], ...]:
    places = {standing.player: standing.place for standing in game.ranking}
    scores, state = game.scores, game.machine.plain()
    owned = [_belongings(game.tables, state, number) for number in range(len(bots))]
    return tuple(
        {
            "seat": player,
            "bot": bots[number],
            "place": places[player],
            "total": scores[player].total,
            "points": dict(scores[player].sources),
            "used": dict(sorted(used[number].items())),
            "held": owned[number][0],
            "roles": owned[number][1],
        }
        for number, player in enumerate(game.players)
    )


def _belongings(tables: Tables, state: PlainState, seat: int) -> tuple[dict[str, int], dict[str, str]]:
    """Return what a player has in the end: members in bags and lists, and the one member in each place for one."""
    held, roles = Counter[str](), dict[str, str]()
    for address, declared in tables.rules.fields.items():
        owner, _, name = address.partition(".")
        holds_members = isinstance(declared.type, Bag | ListOf | Maybe) and isinstance(item_type(declared.type), Member)
        if owner != "player" or len(declared.dimensions) != 1 or not holds_members:
            continue
        members = tables.rules.family(kind_of(declared.type)).members
        found = [members[item] for item in items_at(tables, state, address, (seat,))]
        if isinstance(declared.type, Maybe):
            roles.update((name, member) for member in found)
        else:
            held.update(f"{name} {member}" for member in found)
    return dict(sorted(held.items())), dict(sorted(roles.items()))
