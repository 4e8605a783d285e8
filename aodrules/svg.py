"""Pictures of games: positions as scenes, scenes as SVG, and what differs between two scenes."""

from __future__ import annotations

from typing import Protocol
from zlib import crc32

from aodrules.arguments import check_one_of, check_text
from aodrules.errors import ArgumentError
from aodrules.picture.picture import PictureMaker
from aodrules.picture.question import ShownQuestion
from aodrules.picture.scene import VERSION, Node, Patch, Scene, apply, patch
from aodrules.picture.svg_text import svg_text
from aodrules.picture.theme import THEMES
from aodrules.play.ids import IdTable
from aodrules.play.states import CellReader, SeatReader, State, public_reader, reader_of
from aodrules.play.views import Decision, View

__all__ = ["VERSION", "Node", "Patch", "Pictures", "Scene", "apply", "patch", "render", "scene"]


class _RunningGame(Protocol):
    """What a picture needs of a game."""

    @property
    def state(self) -> State: ...

    def _decision_for(self, seat: int | None) -> Decision | None: ...


class Pictures:
    """Makes the pictures of one game, one after the other: what did not change is not drawn again.

    Examples:
        >>> import aodrules
        >>> from aodrules import svg
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> pictures = svg.Pictures()
        >>> before = pictures.scene(game)
        >>> game.push(game.actions[0])
        >>> after = pictures.scene(game)
        >>> svg.apply(svg.patch(before, after), before) == after
        True
    """

    def __init__(self, language: str = "en", seat: str | None = None, theme: str = "light") -> None:
        self._language = check_text("a language", language)
        self._theme = check_one_of("theme", theme, THEMES)
        self._seat = seat
        self._maker: PictureMaker | None = None
        self._who: tuple[IdTable, type, int | None] | None = None

    def __repr__(self) -> str:
        return f"<Pictures for {self._seat or 'spectators'}: {self._language}, {self._theme}>"

    def scene(self, game: _RunningGame | State) -> Scene:
        """Return the picture of a position; see `render`."""
        reader = _reader(game, self._seat)
        # What was drawn for one is never shown to another.
        who = (reader.names, type(reader), getattr(reader, "seat", None))
        if self._maker is None or self._who != who:
            self._who = who
            self._maker = PictureMaker.of(reader.names, self._language, self._theme)
        return self._maker.scene(reader, _question(game, reader, self._language))


def scene(game: _RunningGame | State, language: str = "en", seat: str | None = None, theme: str = "light") -> Scene:
    """Return the picture of a position as data: nodes with ids that stay. The arguments are those of `render`.

    Examples:
        >>> import aodrules
        >>> from aodrules import svg
        >>> scene = svg.scene(aodrules.load("nim").new_game(players=2, seed=1), seat="first", theme="dark")
        >>> scene.root.id
        'picture'
    """
    return Pictures(language, seat, theme).scene(game)


def render(
    game: _RunningGame | State, language: str = "en", seat: str | None = None, theme: str = "light", prefix: str = ""
) -> str:
    """Return a position as SVG.

    Args:
        game: A game, which is shown as a seat may see it, or as those who have no seat if none is given; a view, which
            is shown as it is; or `game.state`, which has no secrets.
        language: The language of what is written.
        seat: Who looks at the game.
        theme: `light` or `dark`.
        prefix: What comes before every id, where several pictures stand on one page.

    Raises:
        ArgumentError: There is no such seat or theme, or a view is to be shown to another seat.

    Examples:
        >>> import aodrules
        >>> from aodrules import svg
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> svg.render(game, theme="dark").startswith("<svg ")
        True
    """
    return svg_text(scene(game, language, seat, theme), check_text("a prefix", prefix))


def render_inside(game: _RunningGame | State) -> str:
    """Return a position as SVG for a page that may hold other pictures: its ids are its own, or those of its equals."""
    drawn = scene(game)
    return svg_text(drawn, f"p{crc32(svg_text(drawn).encode()):08x}-")


def _reader(game: _RunningGame | State, seat: str | None) -> CellReader:
    if isinstance(game, State):
        if seat is not None and not (isinstance(game, View) and game.seat == seat):
            raise ArgumentError("`seat` says who looks at a game; a view or a state is shown as it is")
        return reader_of(game)
    reader = reader_of(game.state)
    if seat is None:
        return public_reader(reader.names, reader.state)
    return SeatReader(reader.names, reader.state, reader.names.seat(seat))


def _question(game: _RunningGame | State, reader: CellReader, language: str) -> ShownQuestion | None:
    """Return what the game waits for, as who looks at it may know; a state waits for nothing."""
    if isinstance(game, View):
        decision = game.decision
    elif isinstance(game, State):
        return None
    else:
        decision = game._decision_for(reader.seat if isinstance(reader, SeatReader) else None)  # noqa: SLF001 - a game's own
    return None if decision is None else ShownQuestion(decision.player, decision.text(language))
