"""All bots by their words: how strong they are, how they choose, or the path of a class of somebody else."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import PurePath
from traceback import extract_tb
from typing import cast

from attrs import evolve, frozen

from aodrules.arguments import argument_error, check_number, check_text, format_argument
from aodrules.bots.one_step import GreedyBot, RandomBot
from aodrules.bots.searching import SearchBot
from aodrules.bots.turns import Bot, RankingBot, Turn
from aodrules.errors import AodrulesError
from aodrules.source.wording import printable, quote

LEVELS = ("beginner", "casual", "strong")
"""How strong a bot plays, in words: each beats the one before it."""
LONGEST_TIME = 24 * 60 * 60 * 1000
"""The longest time for one answer, in milliseconds: a day."""
MOST_PLAYOUTS = 1_000_000
"""The most playouts for one answer; a search that only the clock ends stops there too."""
_STRONG, _SEARCH = 100, 200
"""How many playouts these bots make if nothing is said."""


class BotError(AodrulesError):
    """A bot of somebody else does not play.

    Examples:
        >>> import aodrules
        >>> from aodrules import bots
        >>> issubclass(bots.BotError, aodrules.AodrulesError)
        True
    """


@frozen
class _Budget:
    """What a bot may use for one answer: what its word says, and what is said beside it."""

    number: int | None = None
    seconds: float | None = None

    def search(self, playouts: int) -> SearchBot:
        """Return a search that uses all of it; so many playouts if nothing is said."""
        return SearchBot(self.number or (playouts if self.seconds is None else MOST_PLAYOUTS), self.seconds)


_WORDS = re.compile(r"(?P<name>[a-z]+)(:(?P<number>\d{1,9})|:(?P<time>\d{0,9}\.?\d{1,9})(?P<unit>m?s))?")
_OWN = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")

BOTS: dict[str, Callable[[_Budget], RankingBot]] = {
    "beginner": lambda _budget: RandomBot(),
    "casual": lambda _budget: GreedyBot(),
    "strong": lambda budget: budget.search(_STRONG),
    "random": lambda _budget: RandomBot(),
    "greedy": lambda budget: GreedyBot(budget.number or 1),
    "search": lambda budget: budget.search(_SEARCH),
}
_WITHOUT_NUMBER = ("beginner", "casual")
_WITH_TIME = ("strong", "search")


def is_own_bot(word: str) -> bool:
    """Whether a word names a class of somebody else: making such a bot runs their code."""
    return bool(_OWN.fullmatch(word))


def bot_of(word: str, *, ms: int | None = None, playouts: int | None = None) -> Bot:
    """Return a new bot by its word.

    A budget is what it may use for one answer at most. `strong` and `search` play the better the more they have, the
    others need next to nothing. With `ms` answers depend on the machine, without they do not.

    Args:
        word: How strong it is (see `LEVELS`); how it chooses, such as `random`, `greedy`, `greedy:3`, `search:100`,
            `strong:500ms`, `search:0.5s`; or a class by its path in Python, such as `mybots.Clever`, which then is
            imported: whoever may name it may run code.
        ms: How many milliseconds one answer may take.
        playouts: How many times it may play on from where it is, for one answer.

    Raises:
        ArgumentError: There is no such bot, or no such budget.

    Examples:
        >>> from aodrules import bots
        >>> bots.bot_of("casual")
        GreedyBot(samples=1)
        >>> bots.bot_of("strong", playouts=500).playouts
        500
    """
    return _own_bot(word) if is_own_bot(check_text("a bot", word)) else shipped_bot(word, ms, playouts)


def shipped_bot(word: str, ms: int | None = None, playouts: int | None = None) -> RankingBot:
    """Return a new bot of this package by its word; no word has it run anything else."""
    found = _WORDS.fullmatch(check_text("a bot", word))
    if found is None or found["name"] not in BOTS or not _fits(found):
        known = ", ".join(f"`{each}`" for each in BOTS)
        raise argument_error(f"there is no bot {quote(word)}; there are {known}, and classes of your own")
    number, time = found["number"], found["time"]
    budget = _Budget(int(number) if number else None, _seconds(time, found["unit"]) if time else None)
    if playouts is not None and found["name"] != "greedy":
        budget = evolve(budget, number=check_number("the number of playouts", playouts, 1, MOST_PLAYOUTS))
    if ms is not None:
        budget = evolve(budget, seconds=check_number("the time in ms", ms, 1, LONGEST_TIME) / 1000)
    return BOTS[found["name"]](budget)


def _fits(found: re.Match[str]) -> bool:
    """Whether a bot takes what its word gives it."""
    name = found["name"]
    return not (found["time"] and name not in _WITH_TIME) and not (found["number"] and name in _WITHOUT_NUMBER)


def _seconds(number: str, unit: str) -> float:
    return float(number) / (1000 if unit == "ms" else 1)


def _own_bot(path: str) -> Bot:
    """Return a bot of somebody else, by the path of its class."""
    module, _, name = path.rpartition(".")
    try:
        bot: Bot = getattr(import_module(module), name)()
    except Exception as wrong:  # whatever the module of somebody else does
        raise argument_error(f"there is no bot `{path}`: {printable(str(wrong))}") from wrong
    return checked_bot(bot, path)


def checked_bot(bot: object, name: str) -> Bot:
    """Return a bot of somebody else so that its mistakes are told as theirs.

    Raises:
        ArgumentError: It is no bot.
    """
    if isinstance(bot, type) or not callable(getattr(bot, "choose", None)):
        raise argument_error(f"there is no bot {quote(name)}: it has no method `choose`")
    return _OwnBot(name, cast("Bot", bot))


@frozen
class _OwnBot:
    """A bot of somebody else: its mistakes are told as theirs."""

    name: str
    bot: Bot

    def choose(self, turn: Turn) -> int:
        """Return what the bot chooses, if that is legal."""
        try:
            code = self.bot.choose(turn)
        except Exception as wrong:
            place = extract_tb(wrong.__traceback__)[-1]
            told = f"{type(wrong).__name__}: {printable(str(wrong))} ({PurePath(place.filename).name}:{place.lineno})"
            raise BotError(f"the bot `{self.name}` failed: {told}") from wrong
        if code not in turn.codes:
            raise BotError(f"the bot `{self.name}` chose {format_argument(code)}, which is none of the legal codes")
        return code
