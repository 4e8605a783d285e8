"""A position as somebody may see it: as data and, where a language is given, in words."""

from __future__ import annotations

from collections.abc import Sequence

from aodrules.game import Game
from aodrules.play.game_log import LogGroup
from aodrules.play.views import View
from aodrules.rpc.results import PositionTold, PositionWords, StepWords, TurnWords


def position_of(game: Game, seat: str | None, language: str | None, state: str | None = None) -> PositionTold:
    """Return a position as a seat may see it, or those who only look on."""
    view = game.view(seat)
    return PositionTold(game.answered, game.over, view.snapshot(), words_of(game, view, language), state)


def words_of(game: Game, view: View, language: str | None) -> PositionWords | None:
    """Return a view in words, if a language is given.

    Raises:
        ArgumentError: There are no words in it.
    """
    if language is None:
        return None
    game.book.words.check(language)
    decision = view.decision
    return PositionWords(
        None if decision is None else decision.text(language),
        None if decision is None else decision.around.text(language),
        tuple(action.label(language) for action in view.actions),
        tuple(event.text(language) for event in view.events),
    )


def log_words(game: Game, groups: Sequence[LogGroup], language: str | None) -> tuple[StepWords, ...] | None:
    """Return a log in words, if a language is given.

    Raises:
        ArgumentError: There are no words in it.
    """
    if language is None:
        return None
    game.book.words.check(language)
    return tuple(
        StepWords(
            group.title(language),
            tuple(
                TurnWords(turn.label(language), tuple(event.text(language) for event in turn.events))
                for turn in group.turns
            ),
        )
        for group in groups
    )
