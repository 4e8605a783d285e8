"""`aodrules demo`: a game of bots shown at a few moments, a house rule and what it changes, the score sheet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from random import Random

import cattrs
import click
from attrs import evolve, frozen
from rich.console import Console
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from aodrules.authoring.differences import differences
from aodrules.authoring.starters import games_with_starters
from aodrules.bots.turns import Turn
from aodrules.bots.words import bot_of
from aodrules.cli.arguments import check_language, check_players, rules_of
from aodrules.compose.library import is_known_game, parse_rules_word, shipped_files
from aodrules.errors import RulesError
from aodrules.game import Decision, Game
from aodrules.play.actions import Action
from aodrules.play.components import said_text
from aodrules.play.labels import phrase
from aodrules.play.reason import Reason
from aodrules.rulebook import Rules
from aodrules.source.shipped import shipped
from aodrules.source.wording import count, join
from aodrules.syntax.documents import Document
from aodrules.terminal.board import Board, Teller, print_scores
from aodrules.terminal.console import job, text_console
from aodrules.terminal.lines import impossible_actions

_BOT = "search:20"
_MOST_LINES, _MOST_TOUCHED = 30, 6
_LEFT_OUT = (
    "variant", "game", "name", "because", "editions", "house", "text", "position", "scenario", "property", "overrides",
)  # fmt: skip
"""Parts of a house rule that say nothing about what it does."""


@frozen
class _Shown:
    """What is shown: rules, a house rule, how many play and the chance."""

    rules: str
    house: str | None = None
    players: int | None = None
    seed: int = 0


@click.command()
@click.argument("word", metavar="[RULES]", required=False)
@click.option("--house", metavar="VARIANT", help="The house rule to show; one that ships with RULES if not given.")
@click.option("--players", type=click.IntRange(min=1), help="How many play; the fewest if not given.")
@click.option("--seed", type=int, help="The number from which all chance comes.")
@click.option("--lang", "language", default="en", show_default=True, help="The language of names and questions.")
def demo(word: str | None, house: str | None, players: int | None, seed: int | None, language: str) -> int:
    """Show what this is: a game of bots at a few moments, a house rule and what it changes, the score sheet.

    Without RULES, a game that ships with the package is shown.

    Example: aodrules demo harbour
    """
    subject = _usual() if word is None else _Shown(word)
    seed = subject.seed if seed is None else seed
    subject = evolve(subject, house=house or subject.house, players=players or subject.players, seed=seed)
    rules = rules_of(subject.rules)
    check_players(rules, subject.players)
    check_language(rules.book.words, language)
    game = rules.new_game(players=subject.players, seed=subject.seed)
    console = text_console()
    with job(f"{count(len(game.players), 'bot')} playing {subject.rules}"):
        answers = _play(game.copy())
    _show_game(Demonstration(game, answers, console, language), rules)
    for answer in answers:
        game.push(answer)
    console.print()
    console.print(_heading("how it ended, and where the points come from"))
    print_scores(game, language=language)
    _show_house_rule(subject, rules, answers, console, language)
    _tell_more(subject, rules, console)
    return 0


def _usual() -> _Shown:
    """Return what is shown if nothing is said: the content names it."""
    found: _Shown = cattrs.structure(json.loads((shipped("content") / "demo.json").read_text("utf-8")), _Shown)
    return found


def _play(game: Game) -> list[int]:
    """Let bots play a game to its end; return their answers."""
    bot, chance = bot_of(_BOT), Random(game.seed)  # noqa: S311 - games, not secrets
    answers = []
    while game.decision is not None:
        answers.append(bot.choose(Turn(game, game.players.index(game.decision.player), chance)))
        game.push(answers[-1])
    return answers


def _show_game(shown: Demonstration, rules: Rules) -> None:
    context = rules.book
    title = context.words.find("game", shown.language) or rules.name
    names = join([*([rules.edition] if rules.edition else []), *rules.variants])
    shown.console.print(_heading(f"{title}{f': {names}' if names else ''}"))
    parts = f"{count(len(context.ruleset.documents), 'document')} of rules, {count(len(shown.answers), 'answer')}"
    shown.console.print(f"{count(len(shown.begun.players), 'player')}, {parts}; every seat is played by the bot {_BOT}")
    moments = shown.moments()
    for number, moment in enumerate(moments):
        shown.show(moment, with_board=number == len(moments) // 2)


def _show_house_rule(subject: _Shown, rules: Rules, answers: list[int], console: Console, language: str) -> None:
    found = _add_house_rule(subject, rules)
    if found is None:
        return
    document, changed = found
    assert document.head is not None  # it is a variant
    sort = "a house rule" if document.head.house else "a variant"
    title = said_text(document.root, language, "name") or document.head.name.text
    console.print()
    console.print(_heading(f"{sort}: {title}"))
    because = said_text(document.root, language, "because")
    if because:
        console.print(Text(because, "italic"))
    body = _body(document.source.text)
    console.print(Syntax(body, "yaml", theme="ansi_dark", background_color="default", word_wrap=True))
    touched = [f"{each.sort} {each.address}" for each in differences(rules.book.ruleset, changed.book.ruleset)]
    some = f"{'; '.join(touched[:_MOST_TOUCHED])}{' …' if len(touched) > _MOST_TOUCHED else ''}"
    console.print(f"it touches {count(len(touched), 'place')} of the rules: {some}")
    before, after = (each.new_game(players=subject.players, seed=subject.seed) for each in (rules, changed))
    number, less, more = first_difference(before, after, answers, language)
    for sign, labels in (("no longer possible", less), ("also possible", more)):
        if labels:
            console.print(f"after {count(number, 'answer')} of the same game, {sign}: {'; '.join(labels[:4])}")
    if not less and not more:
        console.print(_otherwise(before, after, is_met=number < len(answers)))


def _otherwise(before: Game, after: Game, *, is_met: bool) -> str:
    """Say what became of two games that allow the same as long as they were played alike."""
    if is_met:
        return "the same game goes another way"
    scores = zip(before.players, before.scores.values(), after.scores.values(), strict=True)
    changed = [f"{seat} {one.total} → {other.total}" for seat, one, other in scores if one.total != other.total]
    return f"the same answers give other points: {', '.join(changed)}" if changed else "nobody meets it in this game"


def _add_house_rule(subject: _Shown, rules: Rules) -> tuple[Document, Rules] | None:
    """Return a house rule and the rules with it: the one asked for, or the first that goes together with them."""
    if subject.house is not None:
        changed = rules_of(f"{subject.rules}+{subject.house}")
        check_players(changed, subject.players)
        found = _added(rules, changed)
        if found is None:
            raise click.UsageError(f"`{subject.house}` is in `{subject.rules}` already")
        return found, changed
    for name in shipped_files(rules.name).names("variant") if is_known_game(rules.name) else ():
        with suppress(RulesError, click.UsageError):  # another one may go together with these rules
            return _add_house_rule(evolve(subject, house=name), rules)
    return None


def _added(rules: Rules, changed: Rules) -> Document | None:
    """Return the document of the variant by which two compositions differ."""
    known = {each.source.path for each in rules.book.ruleset.documents}
    new = [each for each in changed.book.ruleset.documents if each.source.path not in known]
    return next((each for each in new if each.head is not None and each.head.kind == "variant"), None)


def _body(text: str) -> str:
    """Return what a house rule does, without its head, its words and its examples."""
    kept, is_kept = [], True
    for line in text.splitlines():
        if line[:1] not in ("", " ", "#", "-"):
            is_kept = line.partition(":")[0] not in _LEFT_OUT
        if is_kept and line.strip() and not line.startswith("#"):
            kept.append(line)
    return "\n".join([*kept[:_MOST_LINES], *(["..."] if len(kept) > _MOST_LINES else [])])


def _tell_more(subject: _Shown, rules: Rules, console: Console) -> None:
    base = parse_rules_word(subject.rules).base
    others = ",".join(f"{seat}=greedy" for seat in rules.seats[1 : rules.players[0]])
    commands = {
        "play it yourself; type `help` there": f"aodrules play {base}{f' --bots {others}' if others else ''}",
        "read exactly these rules": f"aodrules rulebook {subject.rules} --out rules.html",
    }
    if rules.name in games_with_starters():
        commands["write a house rule of your own"] = f"aodrules new my-rule --game {rules.name}"
    console.print()
    console.print(_heading("what to try next"))
    for about, command in commands.items():
        console.print(Text.assemble((about, "dim"), "\n  ", (command, "bold")), soft_wrap=True)


def _heading(title: str) -> Rule:
    return Rule(Text(title, "bold"), align="left")


# The game at a few of its moments.

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
            bare = phrase("not-listed", self.language, label=action.label(self.language))
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
