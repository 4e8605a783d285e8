"""What happened between two questions, in the words that a game has for its events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from aodrules.game import Game
from aodrules.play.events import Event
from aodrules.terminal.board import Board


@frozen(eq=False)
class Teller:
    """Tells what happened to those who sit at the terminal."""

    board: Board
    people: tuple[str, ...]
    """The seats that no bot plays."""

    def lines(self, game: Game) -> Iterator[str]:
        """Iterate over what happened since the last question, as far as the game has words for it."""
        words, language = self.board.book.words, self.board.language
        for event in self._noticed(game):
            if words.find(f"event.{event['event']}", language) is not None:
                yield event.text(language)

    def _noticed(self, game: Game) -> Iterable[Event]:
        """Return the events that all people at the terminal may know of; a game between bots is open."""
        happened = [event for event in game.events if event.kind == "happen"]
        for seat in self.people if happened else ():
            seen = list(game.view(seat).events)
            happened = [event for event in happened if event in seen]
        return happened

    def may_know(self, seat: str, *, is_hidden: bool) -> bool:
        """Whether what a seat chose may be shown: a secret answer only to the one person who gave it."""
        return not is_hidden or not self.people or self.people == (seat,)
