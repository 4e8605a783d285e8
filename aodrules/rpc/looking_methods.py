"""Methods that tell how a game stands and what happened in it, each to whom may know it."""

from __future__ import annotations

from typing import Any

from aodrules.arguments import check_number
from aodrules.errors import SecretError
from aodrules.play.events import Learned
from aodrules.play.scores import Standing
from aodrules.play.views import View
from aodrules.rpc.method import MethodCall, Table, methods_of
from aodrules.rpc.parameters import (
    LearnedParameters,
    LogParameters,
    PatchParameters,
    PictureParameters,
    PositionParameters,
    SceneParameters,
    ScoresParameters,
    ValueParameters,
    ViewParameters,
)
from aodrules.rpc.positions import log_words, position_of
from aodrules.rpc.problems import refused
from aodrules.rpc.results import (
    LogTold,
    PatchData,
    PictureTold,
    PlainData,
    PositionTold,
    SceneData,
    ScoreLineTold,
    ScoreTold,
)
from aodrules.svg import Pictures, patch, render


def view(call: MethodCall, given: ViewParameters) -> PositionTold:
    """Return the position as a seat may see it: the state, the question, its actions, what happened last."""
    table = call.table(given)
    return position_of(table.game, call.looker(table, given.seat), given.language)


def state(call: MethodCall, given: PositionParameters) -> dict[str, Any]:
    """Return the whole state with all secrets, for the host alone."""
    return call.host_table(given).game.state.plain()


def value(call: MethodCall, given: ValueParameters) -> Any:
    """Return what a value of the rules is worth, as far as the seat may know it."""
    table = call.table(given)
    if given.secrets:
        call.check_host(table.role)
        return table.game.value(given.name, **given.arguments)
    return table.game.view(call.looker(table, given.seat)).value(given.name, **given.arguments)


def log(call: MethodCall, given: LogParameters) -> LogTold:
    """Return what happened so far, by named step and by answer, as the seat noticed it."""
    table = call.table(given)
    if given.secrets:
        call.check_host(table.role)
    seat = call.looker(table, given.seat)
    groups = table.game.log(seat, given.since, noise=given.noise, secrets=given.secrets)
    return LogTold(groups, log_words(table.game, groups, given.language))


def learned(call: MethodCall, given: LearnedParameters) -> tuple[Learned, ...]:
    """Return the pieces that a seat got to see."""
    table = call.table(given)
    return table.game.learned(call.some_seat(table, given.seat), given.since)


def scores(call: MethodCall, given: ScoresParameters) -> tuple[ScoreTold, ...]:
    """Return each player's points as if the game ended now, those left out that the seat may not know."""
    table = call.table(given)
    if not given.secrets:
        return tuple(_score(table, call.looker(table, given.seat), player) for player in table.game.players)
    call.check_host(table.role)
    return tuple(
        ScoreTold(
            one.player, one.total, tuple(ScoreLineTold(line.source, line.points) for line in one.lines), one.lines
        )
        for one in table.game.scores.values()
    )


def _score(table: Table, seat: str | None, player: str) -> ScoreTold:
    found = table.game.view(seat)
    sources = table.game.book.checked.game.points
    lines = tuple(ScoreLineTold(one.id, _points(found, table, one.value, player)) for one in sources)
    return ScoreTold(player, _points(found, table, "total", player), lines, ())


def _points(found: View, table: Table, name: str, player: str) -> int | None:
    (parameter,) = table.game.book.checked.values[name].parameters
    try:
        return int(found.value(name, **{parameter.name: player}))
    except SecretError:
        return None


def ranking(call: MethodCall, given: ScoresParameters) -> tuple[Standing, ...]:
    """Return where the players stand. Before the end it may tell secrets: then it is for the host, with `secrets`."""
    table = call.table(given)
    call.looker(table, given.seat)
    has_secrets = any(field.secret is not None for field in table.game.book.checked.fields.values())
    if given.secrets:
        call.check_host(table.role)
    elif has_secrets and not table.game.over:
        raise refused("secret", "who is ahead may depend on what is hidden; `game.scores` tells what the seat may know")
    return table.game.ranking


def picture(call: MethodCall, given: PictureParameters) -> PictureTold:
    """Return the position as SVG, as the seat may see it."""
    table = call.table(given)
    seat = call.looker(table, given.seat)
    return PictureTold(render(table.game, given.language, seat, given.theme, given.prefix))


def scene(call: MethodCall, given: SceneParameters) -> PlainData:
    """Return the picture of the position as nodes with ids that stay, as the seat may see it."""
    table = call.table(given)
    return PlainData(_pictures(call, table, given).scene(table.game).plain())


def scene_patch(call: MethodCall, given: PatchParameters) -> PlainData:
    """Return what makes the picture of now from the one after so many answers, as the seat may see both."""
    table = call.table(given)
    pictures, before = _pictures(call, table, given), table.game.copy()
    # What was taken back lies ahead: that is for hosts, who have `game.goto`.
    before.goto(check_number("`since`", given.since, 0, table.game.answered))
    old = pictures.scene(before)
    return PlainData(patch(old, pictures.scene(table.game)).plain())


def _pictures(call: MethodCall, table: Table, given: SceneParameters | PatchParameters) -> Pictures:
    table.game.book.words.check(given.language)
    return Pictures(given.language, call.looker(table, given.seat), given.theme)


METHODS = methods_of(
    "game",
    (view, state, value, log, learned, scores, ranking, picture, scene, scene_patch),
    {"scene": SceneData, "scene_patch": PatchData},
)
