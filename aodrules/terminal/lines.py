"""What a player types (a number, a command, or the words of an action), with history and completion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Literal

from attrs import frozen

from aodrules.game import Game
from aodrules.play.actions import Action

Wish = Literal["take", "why", "undo", "save", "scores", "board", "actions", "what", "help", "quit", "nothing"]
_WISHES: dict[str, Wish] = {
    "why": "why",
    "undo": "undo",
    "save": "save",
    "scores": "scores",
    "board": "board",
    "actions": "actions",
    "what": "what",
    "help": "help",
    "?": "help",
    "quit": "quit",
    "exit": "quit",
}
HELP = (
    ("a number", "take the action of that number"),
    ("words", "take the action that they fit: its text, or as much of it as tells it apart"),
    ("why ACTION", "say why an action is not possible now"),
    ("what NAME", "say what a thing of the game does, where it is and what the rules say about it"),
    ("undo", "take back your last action, and what followed it"),
    ("save FILE", "write the game down; `aodrules play FILE` goes on with it"),
    ("scores", "show the points as if the game ended now"),
    ("board", "show the position again"),
    ("actions", "list what is possible again"),
    ("quit", "leave the game"),
)
_MANY = 2000


@frozen
class TypedLine:
    """What was typed: what is wanted, and the rest of the line."""

    wish: Wish
    rest: str = ""


def parse_line(text: str, options: Sequence[str] = ()) -> TypedLine:
    """Return what a line asks for; the words of an option are never a command.

    Examples:
        >>> parse_line("why not place it there")
        TypedLine(wish='why', rest='place it there')
        >>> parse_line("12")
        TypedLine(wish='take', rest='12')
    """
    first, _, rest = text.strip().partition(" ")
    if not first:
        return TypedLine("nothing")
    wish = _WISHES.get(first.lower())
    if wish is None or first in options:
        return TypedLine("take", text.strip())
    rest = rest.strip()
    return TypedLine(wish, f"{rest} ".removeprefix("not ").strip() if wish == "why" else rest)


def possible_lines(actions: Iterable[str], impossible: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """Iterate over all lines that can be completed: actions, and commands with what follows them."""
    yield from actions
    yield from (each for each in _WISHES if each.isalpha())
    yield from (f"why {action}" for action in impossible)
    yield from (f"what {name}" for name in names)


def typed_lines(action: Action, language: str) -> list[str]:
    """Return how an action can be typed: its text, and its label without signs if that has other words."""
    words = (word.strip(":,;→()") for word in action.label(language).split())
    return other_words(action.text, " ".join(filter(None, words)))


def other_words(text: str, label: str) -> list[str]:
    """Return an id or text, and its label if that has other words.

    Examples:
        >>> other_words("old_thing", "Old thing"), other_words("old_thing", "Stara rzecz")
        (['old_thing'], ['old_thing', 'Stara rzecz'])
    """
    return [text] if label.lower() == text.replace("_", " ").lower() else [text, label]


def next_words(lines: Iterable[str], before: str, begun: str) -> list[str]:
    """Return the words that can come next on a line, each once and sorted, in small letters or not.

    Args:
        lines: All lines there are.
        before: What stands on the line before the word.
        begun: The beginning of the word.

    Examples:
        >>> next_words(["take low 1", "take tall 2", "undo"], "take ", "")
        ['low ', 'tall ']
        >>> next_words(["take low 1", "take tall 2", "undo"], "", "u")
        ['undo']
    """
    typed = before.lower().split()
    found = ((line.split(), line.lower().split()) for line in lines)
    fitting_ones = [words for words, low in found if low[: len(typed)] == typed and len(low) > len(typed)]
    ends = {(words[len(typed)], len(words) == len(typed) + 1) for words in fitting_ones}
    # A space behind a word says that more must follow; where the line may also end there, it is left out.
    last = {word for word, is_last in ends if is_last}
    return sorted({word if word in last else f"{word} " for word, _ in ends if word.lower().startswith(begun.lower())})


def fitting(actions: Sequence[Action], typed: str, language: str) -> list[Action]:
    """Return the actions that words fit: all of them, in any place of the text or the label."""
    wanted = typed.lower().split()
    found = [each for each in actions if _holds(f"{each.text} {each.label(language)}".lower(), wanted)]
    exact = [each for each in found if each.text.lower() == typed.lower()]
    return exact or found


def _holds(text: str, wanted: Sequence[str]) -> bool:
    return all(word in text for word in wanted)


def impossible_actions(game: Game) -> list[Action]:
    """Return the actions of the question that are not possible now; none if there are too many to go through."""
    assert game.decision is not None  # asked only while the game goes on
    table, address = game.book.actions(game.players), game.decision.address
    size, legal = table.spaces[address].size, set(game.codes)
    return table.actions(address, (code for code in range(size) if code not in legal)) if size <= _MANY else []


Completer = Callable[[str, str], list[str]]
"""Returns the words that can come next: after what stands before, with the beginning of the word."""


@contextmanager
def prompting(complete: Completer, readline: ModuleType | None = None) -> Iterator[None]:
    """Let `input` complete words by the tab key and bring back lines by the arrows, as long as this lasts.

    Args:
        complete: What can come next.
        readline: What edits lines; that of the standard library if not given, and nothing where there is none or
            where nobody types.
    """
    library = readline or _line_editor()
    if library is None:
        yield
        return
    before = library.get_completer(), library.get_completer_delims()
    library.set_completer(_Completions(complete, library).word)
    library.set_completer_delims(" ")
    # The editor of macOS has another word for it.
    is_libedit = "libedit" in (library.__doc__ or "")
    library.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    try:
        yield
    finally:
        library.set_completer(before[0])
        library.set_completer_delims(before[1])


def _line_editor() -> ModuleType | None:
    """Return what edits lines, if somebody types them at a terminal: elsewhere it would only print its own signs."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        import readline
    except ImportError:
        return None
    return readline


class _Completions:
    """Answers what `readline` asks: the first, second ... word that fits, and then nothing."""

    def __init__(self, complete: Completer, library: ModuleType) -> None:
        self._complete = complete
        self._library = library
        self._words: list[str] = []

    def word(self, begun: str, number: int) -> str | None:
        """Return one of the words that can come next."""
        if number == 0:
            line = self._library.get_line_buffer()
            self._words = self._complete(line[: self._library.get_begidx()], begun)
        return self._words[number] if number < len(self._words) else None
