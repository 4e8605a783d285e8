"""Bots that play any game: for a seat, or for a hint to a person.

A bot knows what its seat may know and nothing else, and no word of any game.

`playing` (bots at the table of a running game), `words` (bots by their words), `one_step` and `searching` (how they
choose), `turns` (what they are given).
"""

from aodrules.bots.one_step import GreedyBot, RandomBot
from aodrules.bots.playing import Hint, choose, hint, play
from aodrules.bots.searching import SearchBot
from aodrules.bots.turns import Bot, Position, Turn
from aodrules.bots.words import LEVELS, BotError, bot_of

__all__ = [
    "LEVELS",
    "Bot",
    "BotError",
    "GreedyBot",
    "Hint",
    "Position",
    "RandomBot",
    "SearchBot",
    "Turn",
    "bot_of",
    "choose",
    "hint",
    "play",
]
