"""Bots at the table of a running game: they answer for seats, and tell a person what they would do there."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from attrs import frozen

from aodrules.arguments import argument_error, check_seed, check_type, format_argument
from aodrules.bots.turns import Bot, Turn
from aodrules.bots.words import checked_bot, is_own_bot, shipped_bot
from aodrules.game import Game
from aodrules.play.actions import Action


@frozen(repr=False)
class Hint:
    """What a bot would do in the place of somebody, from what that seat knows.

    Examples:
        >>> import aodrules
        >>> from aodrules import bots
        >>> game = aodrules.load("harbour").new_game(players=2, seed=1)
        >>> assert game.decision
        >>> hint = bots.hint(game, game.decision.player, playouts=40)
        >>> hint.action == hint.actions[0], len(hint.actions) == len(game.actions)
        (True, True)
    """

    seat: str
    actions: tuple[Action, ...]
    """All that is possible now: first what the bot would do, then what it would rather do than the rest."""

    @property
    def action(self) -> Action:
        """What the bot would do."""
        return self.actions[0]

    def __repr__(self) -> str:
        return f"<Hint for {self.seat}: {self.action}>"


def choose(
    game: Game, bot: str | Bot = "casual", *, ms: int | None = None, playouts: int | None = None, seed: int = 0
) -> Action:
    """Return what a bot would answer for the seat that is asked, from what that seat knows. Nothing is done.

    The same game, bot, playouts and seed give the same answer everywhere; with `ms` it depends on the machine.

    Args:
        game: A game that waits for an answer.
        bot: How strong it is, in a word of `LEVELS`; how it chooses, in a word of `bot_of`; or a bot of
            your own.
        ms: How many milliseconds it may take; a bot of your own sees to that itself.
        playouts: How many times it may play on from here.
        seed: What all chance of the bot comes from; it has nothing to do with that of the game.

    Raises:
        ArgumentError: There is no such bot, budget or seed, or the game is over.
        BotError: A bot of your own chose what is not possible.

    Examples:
        >>> import aodrules
        >>> from aodrules import bots
        >>> game = aodrules.load("harbour").new_game(players=2, seed=1)
        >>> while not game.over:
        ...     game.push(bots.choose(game, "casual"))
        >>> game.ranking[0].place
        1
    """
    return _answer(game, _seated(bot, ms, playouts), seed)


def play(
    game: Game,
    bots: Mapping[str, str | Bot],
    *,
    ms: int | None = None,
    playouts: int | None = None,
    seed: int = 0,
) -> tuple[Action, ...]:
    """Let bots answer for their seats until somebody else is asked or the game is over; return what they answered.

    Args:
        game: The game that is played.
        bots: A bot for each seat that bots play: a word, or a bot; see `choose`.
        ms: How many milliseconds each answer may take; see `choose`.
        playouts: How many times a bot may play on from where it is, for each answer; see `choose`.
        seed: What all chance of the bots comes from.

    Raises:
        ArgumentError: There is no such seat, bot, budget or seed.
        BotError: A bot of your own chose what is not possible.

    Examples:
        >>> import aodrules
        >>> from aodrules import bots
        >>> game = aodrules.load("harbour").new_game(players=3, seed=1)
        >>> answers = bots.play(game, {"blue": "casual", "green": "strong"})
        >>> str(game.decision)
        'red: place'
    """
    check_type("the bots", bots, Mapping)
    for seat in bots:
        if seat not in game.players:
            raise argument_error(f"there is no seat {format_argument(seat)}; seated are {', '.join(game.players)}")
    seated = {seat: _seated(bot, ms, playouts) for seat, bot in bots.items()}
    check_seed(seed)
    answers = []
    while game.decision is not None and game.decision.player in seated:
        answers.append(_answer(game, seated[game.decision.player], seed))
        game.push(answers[-1])
    return tuple(answers)


def hint(
    game: Game, seat: str, bot: str = "strong", *, ms: int | None = None, playouts: int | None = None, seed: int = 0
) -> Hint:
    """Return what a bot would do in the place of a seat that is asked: only from what that seat knows.

    Two games that look the same to the seat give the same hint, whatever is hidden in them.

    Args:
        game: A game that waits for the seat.
        seat: Who wants to know.
        bot: How strong the bot is, in a word of `LEVELS` or `bot_of`.
        ms: How many milliseconds it may take; see `choose`.
        playouts: How many times it may play on from here; see `choose`.
        seed: What all chance of the bot comes from; another may lead to another hint.

    Raises:
        ArgumentError: There is no such bot, budget or seed, or the seat is not asked now.
        SampleError: What the seat does not know cannot be dealt anew in a fair way, so there is nothing to go by.

    Examples:
        >>> import aodrules
        >>> from aodrules import bots
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> hint = bots.hint(game, "first", playouts=100)
        >>> hint.action.option, hint.action in game.actions
        ('take', True)
    """
    ranking_bot, turn = shipped_bot(bot, ms, playouts), _turn(game, seed)
    if turn.player != seat:
        raise argument_error(
            f"a hint is for the seat that is asked, which is `{turn.player}`, not {format_argument(seat)}"
        )
    actions = dict(zip(turn.codes, turn.actions, strict=True))
    return Hint(seat, tuple(actions[code] for code in ranking_bot.rank(turn)))


def _answer(game: Game, bot: Bot, seed: int) -> Action:
    turn = _turn(game, seed)
    return turn.actions[turn.codes.index(bot.choose(turn))]


def _turn(game: Game, seed: int) -> Turn:
    """Return the question that waits. Its chance is that of the seed, but other for each answer of the game."""
    check_type("the game", game, Game)
    if game.decision is None:
        raise argument_error("the game is over: nobody is asked")
    chance = Random(f"{check_seed(seed)} {game.answered}")  # noqa: S311 - games, not secrets
    return Turn(game, game.players.index(game.decision.player), chance)


def _seated(bot: str | Bot, ms: int | None, playouts: int | None) -> Bot:
    if not isinstance(bot, str):
        return checked_bot(bot, type(bot).__name__)
    if is_own_bot(bot):
        # A word may come from anybody: it must not have code run.
        raise argument_error(f"`{bot}` is a class of your own: make a bot of it, and give that")
    return shipped_bot(bot, ms, playouts)
