"""Lines that are typed, with history and completion where the terminal has them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

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
