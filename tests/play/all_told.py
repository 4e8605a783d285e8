"""Everything that the library tells one seat about a game, by what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any

import aodrules
from aodrules import bots, svg
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.game import Game
from aodrules.lang.types import Member, Number, Player, Type
from aodrules.play.choices import Choices
from aodrules.play.events import learned_by

LANGUAGES = ("en", "pl", "ru")
_MOST_ARGUMENTS = 6


def all_told(game: Game, seat: str | None) -> dict[str, Any]:
    """Return what a seat or a spectator is told, by the name of what tells it; a refusal is told too."""
    found = {name: list(ask(game, seat)) for name, ask in OF_ALL.items()}
    return found if seat is None else found | {name: list(ask(game, seat)) for name, ask in OF_SEATS.items()}


def _or_refusal(ask: Callable[..., Any], *given: Any, **named: Any) -> Any:
    try:
        return ask(*given, **named)
    except aodrules.AodrulesError as refused:
        return f"{type(refused).__name__}: {refused}"


def _view(game: Game, seat: str | None) -> Iterator[Any]:
    view = game.view(seat)
    yield aodrules.to_json(view)
    yield from (str(view), repr(view))
    decision = view.decision
    if decision is not None:
        yield aodrules.to_plain(decision.around), decision.clauses
        yield from ((decision.text(language), decision.around.text(language)) for language in LANGUAGES)
    fields = [field for field in game.tables.rules.fields.values() if field.secret and field.holds]
    reader = view._seat_reader
    yield [
        (field.name, at, sorted(reader.inside(field.name, at).items()))
        for field in fields
        for at in game.tables.shapes[field.name].indices()
    ]


def _events(game: Game, seat: str | None) -> Iterator[Any]:
    view = game.view(seat)
    yield [aodrules.to_json(event) for event in view.events]
    for language in LANGUAGES:
        yield [(event.text(language), event.cause and event.cause.clauses) for event in view.events]
    for noise in (False, True):
        groups = game.log(seat, noise=noise)
        yield aodrules.to_json(groups)
        yield [(group.title("pl"), [turn.label("ru") for turn in group.turns]) for group in groups]


def _learned(game: Game, seat: str) -> Iterator[Any]:
    # `game.learned` itself is refused where positions were dealt.
    entries = [entry for entries in game._replay().log_entries(game._answers) for entry in entries]
    found = (learned_by(game._names, entry, game.players.index(seat)) for entry in entries)
    yield [one for one in found if one is not None]


def _choices(game: Game, seat: str) -> Iterator[Any]:
    """Every part of an answer down the first possible way, with the reasons of what is impossible."""
    choices: Choices | None = game.view(seat).choices
    while choices is not None and choices.part is not None:
        for one in choices.candidates:
            yield str(one), one.label("pl"), one.possible
        for one in islice((one for one in choices.candidates if not one.possible), _MOST_ARGUMENTS):
            yield [(reason.id, reason.message) for reason in one.reasons("ru")]
        choices = choices.pick(next(one for one in choices.candidates if one.possible))


def _why_not(game: Game, seat: str | None) -> Iterator[Any]:
    """Why something is no answer, which whoever decides is told, and others where they may know."""
    if game.decision is None:
        return
    view = game.view(seat)
    space = game._action_table.spaces[str(game.machine.decision)]
    impossible = (code for code in range(space.size) if code not in game.codes)
    # What is possible is a secret of who decides.
    for code in islice(impossible, 12) if _is_asked(game, seat) else range(0, space.size, 1 + space.size // 12):
        yield _or_refusal(_reasons, view, code)
    for text in ("swar 1", "no such thing", ""):
        yield _or_refusal(_reasons, view, text)


def _reasons(view: aodrules.View, action: int | str) -> list[Any]:
    return [(reason.id, reason.message, reason.values) for reason in view.why_not(action)]


def _values(game: Game, seat: str | None) -> Iterator[Any]:
    view = game.view(seat)
    for name, value in game.book.checked.values.items():
        choices = [_members(game, one.type) for one in value.parameters]
        for given in islice(product(*choices), _MOST_ARGUMENTS):
            arguments = {one.name: each for one, each in zip(value.parameters, given, strict=True)}
            yield name, given, _or_refusal(view.value, name, **arguments)


def _members(game: Game, type_: Type) -> tuple[Any, ...]:
    if isinstance(type_, Player):
        return game.players
    if isinstance(type_, Member):
        return tuple(game.tables.rules.kinds[type_.kind].members) if type_.kind in game.tables.rules.kinds else ()
    return (0, 1) if isinstance(type_, Number) else ()


def _back_and_forth(game: Game, seat: str) -> Iterator[Any]:
    for other in game.players:
        # Whoever hears that somebody asks to take back hears what it needs.
        needs = game.undo_needs(other)
        if other == seat:
            yield aodrules.to_json(needs)
            yield None if needs is None else [needs.text(language) for language in LANGUAGES]
    yield [str(action) for action in game.leaving(seat)]


def _ahead(game: Game, seat: str) -> Iterator[Any]:
    if not _is_asked(game, seat):
        return
    for code in (game.codes[0], game.codes[-1]):
        found = _or_refusal(game.what_if, seat, code, seed=3)
        if isinstance(found, aodrules.WhatIf):
            yield aodrules.to_json(found), found.game.view(seat).plain(), found.game.codes
        else:
            yield found
    yield _or_refusal(lambda: aodrules.to_json(bots.hint(game, seat, "casual", ms=10_000, seed=5)))


def _scores(game: Game, _seat: str | None) -> Iterator[Any]:
    yield aodrules.to_json(game.scores)
    yield aodrules.to_json(game.ranking)
    yield game.points


def _dealt(game: Game, seat: str) -> Any:
    return game.sample(seat, 11).machine.plain()


def _sample(game: Game, seat: str) -> Iterator[Any]:
    yield _or_refusal(_dealt, game, seat)


def _pictures(game: Game, seat: str | None) -> Iterator[Any]:
    yield svg.render(game, "ru", seat, "dark", "x-")
    pictures = svg.Pictures("pl", seat)
    before = game.copy()
    if before._answers:
        before.goto(len(before._answers) - 1)
    old = pictures.scene(before)
    yield svg.patch(old, pictures.scene(game)).plain()
    yield game.view(seat)._repr_html_()  # with the picture of the view


def _is_asked(game: Game, seat: str | None) -> bool:
    return game.decision is not None and game.decision.player == seat


OF_ALL: dict[str, Callable[[Game, str | None], Iterator[Any]]] = {
    "view": _view,
    "events": _events,
    "values": _values,
    "scores": _scores,
    "reasons": _why_not,
    "pictures": _pictures,
}
OF_SEATS: dict[str, Callable[[Game, str], Iterator[Any]]] = {
    "learned": _learned,
    "choices": _choices,
    "back and forth": _back_and_forth,
    "ahead": _ahead,
    "sample": _sample,
}
"""What is asked, by name: what spectators may ask too, and what is for seats."""


def machine_of(game: Game) -> Compiled:
    """Return the engine that plays, which is the one that can be put into a position."""
    assert isinstance(game.machine, Compiled)
    return game.machine
