"""Bots that play any game: at random, and by the next step; and all bots by their words."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import PurePath
from traceback import extract_tb

from attrs import frozen

from aodrules.errors import AodrulesError, SampleError
from aodrules.simulate.searching import SearchBot
from aodrules.simulate.turns import Bot, Turn, leads
from aodrules.source.wording import printable, quote


class BotError(AodrulesError):
    """A bot of somebody else does not play."""


@frozen
class RandomBot:
    """Takes any legal action, all equally likely."""

    def choose(self, turn: Turn) -> int:
        """Return one of the legal codes."""
        return turn.random.choice(turn.codes)


@frozen
class GreedyBot:
    """Takes the action after which it is furthest ahead of the best other seat by the game's own scoring.

    It looks one step ahead and no further: the position it judges is that in which the next question waits. Where what
    it does not know cannot be dealt anew, it takes any action.
    """

    samples: int = 1
    """In how many positions that it could be in each action is tried; more tell what chance or secrets hide."""

    def choose(self, turn: Turn) -> int:
        """Return the code with the best margin; among equals any."""
        if len(turn.codes) == 1:
            return turn.codes[0]
        try:
            positions = list(turn.samples(self.samples))
        except SampleError:
            return turn.random.choice(turn.codes)
        worth = dict.fromkeys(turn.codes, 0)
        for position in positions:
            for code in turn.codes:
                after = position.copy()
                after.apply(code)
                worth[code] += leads(after, turn.tables)[turn.seat]
        best = max(worth.values())
        return turn.random.choice([code for code in turn.codes if worth[code] == best])


_WORDS = re.compile(r"(?P<name>[a-z]+)(:(?P<number>\d+)|:(?P<seconds>\d*\.?\d+)s)?")
_OWN = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")
_MOST = 1_000_000
"""Rounds of a search that only the clock ends."""


def _search(number: int | None, seconds: float | None) -> Bot:
    return SearchBot(number or 200) if seconds is None else SearchBot(_MOST, seconds)


BOTS: dict[str, Callable[[int | None, float | None], Bot]] = {
    "random": lambda _number, _seconds: RandomBot(),
    "greedy": lambda number, _seconds: GreedyBot(number or 1),
    "search": _search,
}


def is_own_bot(word: str) -> bool:
    """Whether a word names a class of somebody else: making such a bot runs their code."""
    return bool(_OWN.fullmatch(word))


def bot_of(word: str) -> Bot:
    """Return a new bot by its word: `random`, `greedy`, `greedy:3`, `search:100`, `search:0.5s`, `mybots.Clever`.

    Raises:
        ValueError: There is no such bot.
    """
    if is_own_bot(word):
        return _own_bot(word)
    found = _WORDS.fullmatch(word)
    if found is None or found["name"] not in BOTS or (found["seconds"] and found["name"] != "search"):
        known = ", ".join(f"`{each}`" for each in sorted(BOTS))
        raise ValueError(f"there is no bot {quote(word)}; there are {known}, and any class by its path in Python")
    number, seconds = found["number"], found["seconds"]
    return BOTS[found["name"]](int(number) if number else None, float(seconds) if seconds else None)


def _own_bot(path: str) -> Bot:
    """Return a bot of somebody else, by the path of its class."""
    module, _, name = path.rpartition(".")
    try:
        bot: Bot = getattr(import_module(module), name)()
    except Exception as wrong:  # whatever the module of somebody else does
        raise ValueError(f"there is no bot `{path}`: {printable(str(wrong))}") from wrong
    if not callable(getattr(bot, "choose", None)):
        raise ValueError(f"there is no bot `{path}`: it has no method `choose`")  # noqa: TRY004 - as for other words
    return _OwnBot(path, bot)


@frozen
class _OwnBot:
    """A bot of somebody else: its mistakes are told as theirs."""

    path: str
    bot: Bot

    def choose(self, turn: Turn) -> int:
        """Return what the bot chooses, if that is legal."""
        try:
            code = self.bot.choose(turn)
        except Exception as wrong:
            place = extract_tb(wrong.__traceback__)[-1]
            told = f"{type(wrong).__name__}: {printable(str(wrong))} ({PurePath(place.filename).name}:{place.lineno})"
            raise BotError(f"the bot `{self.path}` failed: {told}") from wrong
        if code not in turn.codes:
            raise BotError(f"the bot `{self.path}` chose `{code}`, which is none of the legal codes")
        return code
