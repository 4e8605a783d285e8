"""Games that are kept elsewhere: from a text to a game, and back.

A state is a save. All its answers are played again to make a game of it, so the games that were made last are kept here
by their texts. That changes no result: the same text is the same game.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from attrs import define, field, frozen

from aodrules.game import Game
from aodrules.play.saves import parse_save
from aodrules.records import open_game
from aodrules.rulebook import Rules, rules_of_save

_MOST_KEPT, _MOST_RULES = 64, 16


@frozen(eq=False)
class OpenedState:
    """A game and what a front end had written beside it."""

    game: Game
    notes: Mapping[str, str]


@define(eq=False)
class States:
    """Opens states, and remembers those that were opened or made last."""

    _kept: OrderedDict[bytes, OpenedState] = field(factory=OrderedDict, init=False)
    _rules: OrderedDict[Any, Rules] = field(factory=OrderedDict, init=False)
    """The rules of saves, by what a save says of them."""

    def open(self, text: str) -> OpenedState:
        """Return a game of its own for a state.

        Raises:
            NotationError: The text is no state.
            RulesError: Its rules cannot be loaded.
        """
        key = _key(text)
        found = self._kept.get(key)
        if found is None:
            found = self._open(text)
            self._keep(key, found)
        self._kept.move_to_end(key)
        return OpenedState(found.game.copy(), found.notes)

    def write(self, game: Game, notes: Mapping[str, str]) -> str:
        """Return the state of a game."""
        text = game.save(notes)
        self._keep(_key(text), OpenedState(game.copy(), notes))
        return text

    def _open(self, text: str) -> OpenedState:
        save = parse_save(text)
        of = (save.game, save.edition, tuple(save.variants), tuple(sorted(save.documents.items())))
        rules = self._rules.get(of) or rules_of_save(save)
        # A text of several lines is never taken for the path of a file.
        game = open_game(f"{text}\n", rules=rules)
        self._rules[of] = rules
        self._rules.move_to_end(of)
        if len(self._rules) > _MOST_RULES:
            self._rules.popitem(last=False)
        return OpenedState(game, save.notes)

    def _keep(self, key: bytes, found: OpenedState) -> None:
        self._kept[key] = found
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)


def _key(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
