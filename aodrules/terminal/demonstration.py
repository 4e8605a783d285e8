"""A game that was played, shown at a few of its moments: what was done, the position, the question and its answers."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen
from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from aodrules.game import Decision, Game
from aodrules.play.actions import Action
from aodrules.play.labels import phrase
from aodrules.reasons import Reason
from aodrules.terminal.board import Board, Teller
from aodrules.terminal.lines import impossible_actions

_PARTS = (0.1, 0.45, 0.8)
"""How far a game has come when it is looked at."""
_LOOKED_AT = 60
"""So many questions from there on may be the one that is shown."""
_TRIED = 25
_BEFORE, _ANSWERS = 3, 8
_OWN = ("not-possible", "not-among-the-choices")
"""Reasons that say nothing about the game."""


@frozen(eq=False)
class DemoMoment:
    """A question of a game that is worth looking at."""

    number: int
    """How many answers were given before it."""
    refused: Action | None = None
    reason: Reason | None = None


@frozen(eq=False)
class Demonstration:
    """Shows a game that bots have played, from its answers."""

    begun: Game
    answers: Sequence[int]
    console: Console
    language: str = "en"

    @property
    def board(self) -> Board:
        """How positions are shown."""
        return Board(self.begun.book, self.begun.players, self.language)

    def moments(self) -> list[DemoMoment]:
        """Return a few moments of different sorts, where something is refused with words of the game."""
        starts = [int(part * len(self.answers)) for part in _PARTS]
        found: list[DemoMoment] = []
        shown: set[str] = set()
        game = self.begun.copy()
        for number, answer in enumerate(self.answers):
            address = game.decision.address if game.decision is not None else ""
            is_due = len(found) < len(starts) and number >= starts[len(found)] and len(game.codes) > 2
            is_late = is_due and number >= starts[len(found)] + min(_LOOKED_AT, len(self.answers) // 10)
            moment = self._moment(game, number) if is_due and (is_late or address not in shown) else None
            if moment is not None and (is_late or moment.reason is not None):
                found.append(moment)
                shown.add(address)
            game.push(answer)
        return found

    def _moment(self, game: Game, number: int) -> DemoMoment:
        impossible = impossible_actions(game)
        # From all over the list: neighbours are often refused for one reason.
        for action in impossible[:: max(1, len(impossible) // _TRIED)]:
            reason = game.why_not(action, self.language)[0]
            bare = phrase("not-listed", self.language).format(label=action.label(self.language))
            if reason.id not in _OWN and reason.message != bare:
                return DemoMoment(number, action, reason)
        return DemoMoment(number)

    def show(self, moment: DemoMoment, *, with_board: bool) -> None:
        """Show what was done before a moment, how it stands if asked for, and what is asked and answered."""
        game, told = self.begun.copy(), list[Text]()
        for answer in self.answers[: moment.number]:
            told = [*told, self._take(game, answer)][-_BEFORE:]
        decision = game.decision
        assert decision is not None  # a moment is a question
        step = game.book.words.say(decision.step, self.language) if decision.step else ""
        self.console.print()
        title = f"after {moment.number} of {len(self.answers)} answers"
        self.console.print(Rule(f"{title}: {step}" if step else title, align="left"))
        for line in told:
            self.console.print(line)
        if with_board:
            for part in self.board.shown(game.view(decision.player)):
                self.console.print(part)
        self._ask(game, decision, moment)

    def _take(self, game: Game, answer: int) -> Text:
        """Take an answer; return what was done and what happened."""
        assert game.decision is not None  # the answers were given
        seat = game.decision.player
        label = next(action for action in game.actions if action.code == answer).label(self.language)
        game.push(answer)
        happened = "".join(f"\n    {line}" for line in Teller(self.board, ()).lines(game))
        return Text.assemble(self.board.seat(seat), ": ", label, (happened, "dim"))

    def _ask(self, game: Game, decision: Decision, moment: DemoMoment) -> None:
        question = (decision.text(self.language), "bold")
        self.console.print(Text.assemble(self.board.seat(decision.player), ": ", question))
        labels = [action.label(self.language) for action in game.actions]
        more = f" … and {len(labels) - _ANSWERS} more" if len(labels) > _ANSWERS else ""
        lines = Table.grid(padding=(0, 2, 0, 2))
        lines.add_row(Text("possible", "green"), "; ".join(labels[:_ANSWERS]) + more)
        if moment.refused is not None:
            lines.add_row(Text("refused", "red"), moment.refused.label(self.language))
            lines.add_row(Text("because", "red"), str(moment.reason))
        taken = next(action for action in game.actions if action.code == self.answers[moment.number])
        lines.add_row(Text("answer", "bold"), Text(taken.label(self.language), "bold"))
        self.console.print(lines)


def first_difference(one: Game, other: Game, answers: Sequence[int], language: str) -> tuple[int, list[str], list[str]]:
    """Return where two games part that are played alike: after how many answers, and what only either of them allows.

    Both lists are empty if they part otherwise, or not at all.
    """
    for number, answer in enumerate(answers):
        allowed = [{action.text: action.label(language) for action in game.actions} for game in (one, other)]
        only = [[allowed[side][text] for text in allowed[side] if text not in allowed[1 - side]] for side in (0, 1)]
        text = next((action.text for action in one.actions if action.code == answer), "")
        if only[0] or only[1] or text not in allowed[1]:
            return number, only[0], only[1]
        one.push(text)
        other.push(text)
    return len(answers), [], []
