"""A game between people at one terminal and bots: asks, takes, tells why not, takes back, saves."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import define, field
from rich.columns import Columns
from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from aodrules.errors import ActionError, IllegalActionError
from aodrules.game import Game
from aodrules.play.actions import Action
from aodrules.play.labels import phrase
from aodrules.play.scores import NOT_WINNING
from aodrules.play.views import Decision
from aodrules.terminal.board import Board, Teller
from aodrules.terminal.describing import Describer
from aodrules.terminal.lines import (
    HELP,
    TypedLine,
    fitting,
    impossible_actions,
    next_words,
    parse_line,
    possible_lines,
    typed_lines,
)

_AT_ONCE = "at once"
_MOST_LISTED = 60
"""So many actions are listed; of more, those of an option that has very many are told on one line."""
_MOST_OF_AN_OPTION = 20
Chooser = Callable[[Game, int], int]
"""Chooses one of the legal codes for a seat."""


@define(eq=False)
class Session:
    """A game that is played here until it is over or somebody leaves."""

    game: Game
    bots: Mapping[str, Chooser]
    console: Console
    ask: Callable[[str], str]
    """Returns the next line that is typed; raises EOFError when there is none."""
    language: str = "en"
    notes: Mapping[str, str] = field(factory=dict)
    """What a save of the game tells about the session, so that it goes on as it was."""
    _board: Board = field(init=False)
    _describer: Describer = field(init=False)
    _teller: Teller = field(init=False)
    _told: list[Text] = field(factory=list, init=False)
    """What was done and what happened since a person was last asked."""
    _numbers: dict[tuple[str, str], int] = field(factory=dict, init=False)
    """The numbers of the players when they were last shown."""
    _offered: list[Action] = field(factory=list, init=False)
    """The actions as they are numbered now."""
    _is_shown: bool = field(default=False, init=False)
    """Whether the position is shown as it stands."""
    saved: Path | None = field(default=None, init=False)
    """Where the game was last written to."""
    _is_kept: bool = field(default=True, init=False)
    """Whether no person did anything since the game was saved or begun."""

    def __attrs_post_init__(self) -> None:
        self._board = Board(self.game.book, self.game.players, self.language)
        self._describer = Describer(self._board)
        self._teller = Teller(self._board, tuple(seat for seat in self.game.players if seat not in self.bots))

    def run(self) -> bool:
        """Play; return whether the game came to its end."""
        wishes: dict[str, Callable[[str], None]] = {
            "take": self._take,
            "why": self._why,
            "undo": lambda _: self._undo(),
            "save": self._save,
            "board": lambda _: self._show_position(),
            "actions": lambda _: self._show_actions(self.game.actions),
            "what": self._what,
            "help": lambda _: self._show_help(),
            "scores": lambda _: self.show_scores(),
            "nothing": lambda _: None,
        }
        while not self.game.over:
            if self._bot_takes():
                continue
            if not self._is_shown:
                self._show_all()
            line = self._line()
            if line.wish != "quit":
                wishes[line.wish](line.rest)
            elif line.rest == _AT_ONCE or self._is_kept:
                return False
            else:
                self._is_kept = True
                self._say("the game is not over and not saved: `save FILE` keeps it, `quit` once more leaves it")
        self._show_told()
        self.show_scores()
        return True

    def _line(self) -> TypedLine:
        try:
            typed = self.ask(f"{self.game.book.labels(self.language).seat(self._decision().player)}> ")
        except EOFError:
            return TypedLine("quit", _AT_ONCE)
        except KeyboardInterrupt:
            self._say("")
            return TypedLine("quit")
        return parse_line(typed, [action.option for action in self.game.actions])

    def _decision(self) -> Decision:
        decision = self.game.decision
        assert decision is not None  # asked only while the game goes on
        return decision

    # Taking actions.

    def _bot_takes(self) -> bool:
        seat = self._decision().player
        if seat not in self.bots:
            return False
        self._push(self.bots[seat](self.game, self.game.players.index(seat)))
        return True

    def _push(self, action: Action | int) -> None:
        seat = self._decision().player
        actions = {each.code: each for each in self.game.actions}
        taken = actions[action] if isinstance(action, int) else action
        self.game.push(taken.code)
        self._is_shown = False
        self._is_kept &= seat in self.bots  # what bots do before anybody else can be had again
        is_told = self._teller.may_know(seat, is_hidden=taken.hidden)
        words = taken.label(self.language) if is_told else self.game.book.words.say(taken.option, self.language)
        self._told.append(Text.assemble(self._board.seat(seat), ": ", words))
        self._told += [Text(f"  {line}", "dim") for line in self._teller.lines(self.game)]

    def _take(self, typed: str) -> None:
        if typed.isdecimal():
            self._take_number(int(typed))
            return
        found = fitting(self.game.actions, typed, self.language)
        if len(found) == 1:
            self._push(found[0])
        elif found:
            self._say(f"`{typed}` fits {len(found)} actions:")
            self._show_actions(found)
        else:
            self._refuse(typed)

    def _take_number(self, number: int) -> None:
        if 1 <= number <= len(self._offered):
            self._push(self._offered[number - 1])
        else:
            many = len(self._offered)
            self._say(f"there is no number {number}; {'there is only 1' if many == 1 else f'they go from 1 to {many}'}")

    def _refuse(self, typed: str) -> None:
        try:
            self.game.push(typed)
        except IllegalActionError as refused:
            self._show_reasons(refused.action)
        except ActionError as refused:
            if not self._explain_words(typed):
                mark = "" if str(refused).endswith("?") else ";"
                self._say(f"{refused}{mark} `help` tells what can be typed")

    def _explain_words(self, typed: str) -> bool:
        """Say why the action is not possible that words fit, or one of those; return whether there is any."""
        meant = fitting(impossible_actions(self.game), typed, self.language)
        if len(meant) > 1:
            self._say(f"`{typed}` fits {len(meant)} actions that are not possible now; the first of them:")
        if meant:
            self._show_reasons(meant[0].text)
        return bool(meant)

    def _why(self, typed: str) -> None:
        if not typed:
            self._say("say which action: `why` and its words")
            return
        if typed.isdecimal() and 1 <= int(typed) <= len(self._offered):
            typed = self._offered[int(typed) - 1].text
        try:
            self._show_reasons(typed)
        except ActionError as wrong:
            possible = fitting(self.game.actions, typed, self.language)
            if not self._explain_words(typed):
                self._say(f"`{possible[0]}` is possible now" if possible else str(wrong))

    def _what(self, asked: str) -> None:
        """Say what a thing of the game is, or which things are meant."""
        found = self._describer.find(asked) if asked else []
        if len(found) == 1:
            for line in self._describer.lines(self.game, found[0]):
                self._say(line)
        elif found:
            self._say(f"`what` with one of: {', '.join(map(self._describer.name, found))}")
        else:
            self._say(
                f"there is nothing called `{asked}` in this game" if asked else "say which thing: `what` and its name"
            )

    def completions(self, before: str, begun: str) -> list[str]:
        """Return the words that can come next on the line that is typed."""
        texts, impossible = (
            [line for action in actions for line in typed_lines(action, self.language)]
            for actions in (self.game.actions, impossible_actions(self.game))
        )
        return next_words(possible_lines(texts, impossible, self._describer.names()), before, begun)

    def _undo(self) -> None:
        """Take back to the last question to a person that was answered."""
        steps, trial = 0, self.game.copy()
        while steps == 0 or trial.decision is None or trial.decision.player in self.bots:
            try:
                trial.pop()
            except IndexError:
                self._say("there is nothing of yours to take back")
                return
            steps += 1
        is_fair = True
        for _ in range(steps):
            is_fair &= self.game.can_undo
            self.game.pop()
        self._told.clear()
        self._numbers.clear()
        self._is_shown = self._is_kept = False
        self._say("taken back" if is_fair else "taken back, though something hidden was shown or chance decided")

    def _save(self, name: str) -> None:
        if not name:
            self._say("say where to: `save game.json`")
            return
        path = Path(name)
        try:
            path.write_text(self.game.save(self.notes), encoding="utf-8")
        except OSError as cause:
            self._say(f"`{name}` cannot be written: {cause.strerror or cause}")
        else:
            self._is_kept, self.saved = True, path
            self._say(f"saved; `aodrules play {shlex.quote(path.as_posix())}` goes on with it")

    # Showing.

    def _say(self, text: str) -> None:
        self.console.print(text, soft_wrap=True)

    def _show_all(self) -> None:
        self._show_told()
        self._show_position()
        self._show_actions(self.game.actions)
        self._is_shown = True

    def _show_told(self) -> None:
        for line in self._told:
            self.console.print(line)
        self._told.clear()

    def _show_position(self) -> None:
        decision = self._decision()
        step = self.game.book.words.say(decision.step, self.language) if decision.step else ""
        self.console.print(Rule(step, align="left"))
        view = self.game.view(decision.player)
        for part in self._board.shown(view, self._numbers, self._chosen(), self.console.width):
            self.console.print(part)
        self._numbers = self._board.numbers(view)

    def _chosen(self) -> set[str]:
        """Return what answers may name first: the cells among it are marked on the map."""
        named = ((each for each in action.args.values() if isinstance(each, str)) for action in self.game.actions)
        return {first for first in (next(each, None) for each in named) if first is not None}

    def _show_actions(self, actions: list[Action]) -> None:
        decision = self._decision()
        question = (decision.text(self.language), "bold")
        self.console.print(Text.assemble(self._board.seat(decision.player), ": ", question))
        actions = self._show_many(actions)
        self._offered = actions
        width = len(str(len(actions)))
        lines = [
            Text.assemble((f"{number:>{width}} ", "bold"), each.label(self.language))
            for number, each in enumerate(actions, 1)
        ]
        self.console.print(Columns(lines, column_first=True, padding=(0, 3)))

    def _show_many(self, actions: list[Action]) -> list[Action]:
        """Tell of options with very many answers on one line each; return the actions that are still to be listed."""
        many = Counter(action.option for action in actions)
        if len(actions) <= _MOST_LISTED:
            return actions
        told = {option for option, count in many.items() if count > _MOST_OF_AN_OPTION}
        for option in sorted(told):
            first = next(action for action in actions if action.option == option)
            table = self.game.book.actions(self.game.players)
            label = table.option_label(table.spaces[first.decision].decode(first.code)[0], self.language)
            count = (f"  ({many[option]}: `{first.text}` ...)", "dim")
            self.console.print(Text.assemble((f"{option} ", "bold"), label, count))
        return [action for action in actions if action.option not in told]

    def _show_reasons(self, action: str) -> None:
        reasons = self.game.why_not(action, self.language)
        self._say(f"`{action}` is not possible now:" if reasons else f"`{action}` is possible now")
        for reason in reasons:
            self._say(f"  {reason}")

    def _show_help(self) -> None:
        table = Table(box=None, show_header=False)
        for typed, does in HELP:
            table.add_row(Text(typed, "bold"), does)
        self.console.print(table)

    def show_scores(self) -> None:
        """Show the points of all players as if the game ended now, and where they stand."""
        scores, table = self.game.scores, Table(box=None, pad_edge=False)
        table.add_column("")
        for seat in self.game.players:
            table.add_column(self._board.seat(seat), justify="right")
        for source in next(iter(scores.values())).sources:
            name = self.game.book.words.say(f"game.points.{source}", self.language)
            table.add_row(name, *(str(scores[seat].sources[source]) for seat in self.game.players))
        table.add_row(
            phrase("total", self.language), *(str(scores[seat].total) for seat in self.game.players), style="bold"
        )
        self.console.print(table)
        for standing in self.game.ranking:
            why = f" ({standing.decided_by})" if standing.decided_by in NOT_WINNING else ""
            self.console.print(Text.assemble(f"{standing.place}. ", self._board.seat(standing.player), why))
        if not any(standing.won for standing in self.game.ranking):
            self._say(phrase("nobody-wins", self.language))
