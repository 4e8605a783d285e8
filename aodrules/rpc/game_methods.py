"""Methods that change a game, and those that say what may be done."""

from __future__ import annotations

from aodrules import bots
from aodrules.bots import Hint
from aodrules.errors import UndoError
from aodrules.game import Game
from aodrules.play.actions import Action
from aodrules.play.choices import Candidate
from aodrules.play.reason import Reason
from aodrules.rpc.following import asked, changed
from aodrules.rpc.method import MethodCall, Table, methods_of
from aodrules.rpc.parameters import (
    AgreeParameters,
    AnswerParameters,
    ChoicesParameters,
    GotoParameters,
    HintParameters,
    PositionParameters,
    RecordParameters,
    SaveParameters,
    UndoParameters,
    ViewParameters,
    WhatIfParameters,
    WhyNotParameters,
)
from aodrules.rpc.problems import not_asked, refused, stale, wrong_parameters
from aodrules.rpc.results import (
    CandidateTold,
    ChoicesTold,
    PositionTold,
    RecordTold,
    SaveTold,
    UndoTold,
    WhatIfTold,
)

LONGEST_HINT = 10_000


def _check_asked(game: Game, seat: str) -> None:
    """Refuse to tell anybody but who decides whether something is an answer: that may be a secret."""
    decision = game.decision
    if decision is None or decision.player != seat:
        raise not_asked(seat, None if decision is None else decision.player)


def _asked_table(call: MethodCall, given: PositionParameters) -> tuple[Table, str]:
    """Return a game and the seat that is asked, if who calls speaks for it."""
    table = call.table(given)
    seat = call.seat(table, given.seat)
    if seat is None:
        raise refused("unknown-action", "the game is over")
    _check_asked(table.game, seat)
    return table, seat


def choices(call: MethodCall, given: ChoicesParameters) -> ChoicesTold:
    """Return what could be chosen next for the answer under way, the impossible ones too."""
    table, _ = _asked_table(call, given)
    found = table.game.choices
    assert found is not None  # somebody is asked
    found = found.narrow(**given.picked)
    candidates = tuple(_candidate(each, given) for each in found.candidates)
    return ChoicesTold(found.player, dict(found.picked), found.part, found.parts, found.action, candidates)


def _candidate(found: Candidate, given: ChoicesParameters) -> CandidateTold:
    reasons = found.reasons(given.language) if given.reasons else ()
    return CandidateTold(found.value, found.address, found.label(given.language), found.possible, reasons)


def why_not(call: MethodCall, given: WhyNotParameters) -> tuple[Reason, ...]:
    """Return every reason why an action is not possible now, the one that fits best first; none if it is.

    They speak to who decides; another seat is told them as far as it may know.
    """
    table = call.table(given)
    if table.game.over:
        raise refused("unknown-action", "the game is over")
    return table.game.view(call.seat(table, given.seat)).why_not(given.action, given.language)


def _check_language(table: Table, language: str | None) -> None:
    """Refuse a language without words before anything is changed."""
    if language is not None:
        table.game.book.words.check(language)


def answer(call: MethodCall, given: AnswerParameters) -> PositionTold:
    """Answer the question that waits, and return the position after it."""
    table = call.table(given)
    seat, now = call.seat(table, given.seat), table.game.answered
    if given.after is not None and given.after != now:
        raise stale(given.after, now)
    if seat is None:
        raise refused("unknown-action", "the game is over")
    _check_asked(table.game, seat)
    _check_language(table, given.language)
    table.game.push(given.action)
    return changed(call, table, "answer", call.looker(table, given.seat), given.language)


def leaving(call: MethodCall, given: PositionParameters) -> tuple[Action, ...]:
    """Return the answers by which a seat leaves the game now; none if others decide or the rules allow none."""
    table = call.table(given)
    return table.game.leaving(call.some_seat(table, given.seat))


def what_if(call: MethodCall, given: WhatIfParameters) -> WhatIfTold:
    """Try out an answer in a position that the seat could believe in, never in the true game."""
    table, seat = _asked_table(call, given)
    found = table.game.what_if(seat, given.action, seed=given.seed)
    return WhatIfTold(found.action, found.events, found.chance, found.is_certain, found.points)


# Back and forth.


def undo_needs(call: MethodCall, given: ViewParameters) -> UndoTold:
    """Return what it takes that a seat takes back its last turn: who must agree, and why."""
    table = call.table(given)
    seat = call.some_seat(table, given.seat)
    needs = table.game.undo_needs(seat)
    text = None if needs is None or given.language is None else needs.text(given.language)
    return UndoTold(needs, text, tuple(sorted(_agreed(table, seat))))


def _agreed(table: Table, seat: str) -> set[str]:
    return set() if table.open is None else table.open.agreed.get(seat, set())


def agree(call: MethodCall, given: AgreeParameters) -> None:
    """Agree that a seat takes back its last turn. It holds until the next answer."""
    position = PositionParameters(game=given.game, seat=given.seat)
    table = call.table(position)
    seat = call.looker(table, given.seat)
    if seat is None:
        raise wrong_parameters(call.method, "`seat` is given: who agrees")
    table.game.view(given.undo_of)  # says who sits there, if nobody of that name does
    assert table.open is not None  # it was asked for by its id
    table.open.agreed.setdefault(given.undo_of, set()).add(seat)


def undo(call: MethodCall, given: UndoParameters) -> PositionTold:
    """Take back a seat's last turn with all that came after it, and return the position."""
    table = call.table(given)
    seat = call.some_seat(table, given.seat)
    if given.agreed:
        call.check_host(table.role)
    _check_language(table, given.language)
    needs = table.game.undo_needs(seat)
    try:
        table.game.undo(seat, {*given.agreed, *_agreed(table, seat)})
    except UndoError as wrong:
        if given.ask and needs is not None and table.open is not None:
            asked(call, table.open, seat)
        raise refused("cannot-undo", str(wrong), needs=needs) from None
    return changed(call, table, "undo", call.looker(table, given.seat), given.language)


def redo(call: MethodCall, given: ViewParameters) -> PositionTold:
    """Give again what was taken back, for the host alone."""
    table = call.host_table(given)
    seat = call.looker(table, given.seat)
    _check_language(table, given.language)
    table.game.redo()
    return changed(call, table, "redo", seat, given.language)


def goto(call: MethodCall, given: GotoParameters) -> PositionTold:
    """Go to where so many answers had been given, back or on, without asking anybody; for the host alone."""
    table = call.host_table(given)
    seat = call.looker(table, given.seat)
    _check_language(table, given.language)
    table.game.goto(given.answers)
    return changed(call, table, "goto", seat, given.language)


# Writing down.


def save(call: MethodCall, given: SaveParameters) -> SaveTold:
    """Return the game as text, from which `game.open` makes it again; for the host alone."""
    table = call.host_table(given)
    return SaveTold(table.game.save(table.notes if given.notes is None else given.notes))


def record(call: MethodCall, given: RecordParameters) -> RecordTold:
    """Return the line of play as text, from which `game.replay` makes the game again; for the host alone."""
    table = call.host_table(given)
    game = table.game.copy()
    game.set_head(names=given.names or None, date=given.date)
    for after, comment in given.comments.items():
        if not after.isdecimal() or len(after) > 9:
            raise wrong_parameters(call.method, "a comment stands under the number of answers after which it is made")
        game.comment(comment, int(after))
    return RecordTold(game.record(), game.result)


# Bots.


def hint(call: MethodCall, given: HintParameters) -> Hint:
    """Return what a bot would do, from what the seat knows: all that is possible, the best first."""
    if not 0 < given.ms <= LONGEST_HINT:
        raise wrong_parameters(call.method, f"`ms` is from 1 to {LONGEST_HINT:,}")
    table, seat = _asked_table(call, given)
    return bots.hint(table.game, seat, given.bot, ms=given.ms, seed=given.seed)


METHODS = methods_of(
    "game", (choices, why_not, answer, leaving, what_if, undo_needs, agree, undo, redo, goto, save, record, hint)
)
