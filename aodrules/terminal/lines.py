"""What a player types: a number, a command with what follows it, or the words of an action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from aodrules.play.actions import Action

Wish = Literal["take", "why", "undo", "save", "scores", "board", "actions", "help", "quit", "nothing"]
_WISHES: dict[str, Wish] = {
    "why": "why",
    "undo": "undo",
    "save": "save",
    "scores": "scores",
    "board": "board",
    "actions": "actions",
    "help": "help",
    "?": "help",
    "quit": "quit",
    "exit": "quit",
}
HELP = (
    ("a number", "take the action of that number"),
    ("words", "take the action that they fit: its text, or as much of it as tells it apart"),
    ("why ACTION", "say why an action is not possible now"),
    ("undo", "take back your last action, and what followed it"),
    ("save FILE", "write the game down; `aodrules play FILE` goes on with it"),
    ("scores", "show the points as if the game ended now"),
    ("board", "show the position again"),
    ("actions", "list what is possible again"),
    ("quit", "leave the game"),
)


@frozen
class Line:
    """What was typed: what is wanted, and the rest of the line."""

    wish: Wish
    rest: str = ""


def parse_line(text: str, options: Sequence[str] = ()) -> Line:
    """Return what a line asks for; the words of an option are never a command.

    Example:
        >>> parse_line("why not place it there")
        Line(wish='why', rest='place it there')
        >>> parse_line("12")
        Line(wish='take', rest='12')
    """
    first, _, rest = text.strip().partition(" ")
    if not first:
        return Line("nothing")
    wish = _WISHES.get(first.lower())
    if wish is None or first in options:
        return Line("take", text.strip())
    rest = rest.strip()
    return Line(wish, f"{rest} ".removeprefix("not ").strip() if wish == "why" else rest)


def fitting(actions: Sequence[Action], typed: str, language: str) -> list[Action]:
    """Return the actions that words fit: all of them, in any place of the text or the label."""
    wanted = typed.lower().split()
    found = [each for each in actions if _holds(f"{each.text} {each.label(language)}".lower(), wanted)]
    exact = [each for each in found if each.text.lower() == typed.lower()]
    return exact or found


def _holds(text: str, wanted: Sequence[str]) -> bool:
    return all(word in text for word in wanted)
