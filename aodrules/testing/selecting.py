"""Which scenarios and properties are asked for: by words in their names, or by where they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

from attrs import define

from aodrules.testing.statements import Statement

Wanted: TypeAlias = Callable[[Statement], bool]
_TOKEN = re.compile(r"\s*([()]|[^\s()]+)")
_WORDS = ("and", "or", "not")


def by_words(text: str) -> Wanted:
    """Return what takes the statements that an expression is true of: words with `and`, `or`, `not` and parentheses.

    A word is true of a statement in whose name, file, clauses or sort (`scenario`, `property`) it is found, however
    its letters are written.

    Raises:
        ValueError: The text is no such expression.
    """
    parser = _Parser(_TOKEN.findall(text))
    found = parser.any_of()
    if parser.tokens:
        raise ValueError(f"`{parser.tokens[0]}` is not expected there")
    return found


def standing_in(paths: Iterable[Path]) -> Wanted:
    """Return what takes the statements that stand in some files or folders."""
    places = [path.resolve() for path in paths]
    return lambda statement: any(Path(statement.span.path).resolve().is_relative_to(place) for place in places)


@define(eq=False)
class _Parser:
    """What is left of an expression."""

    tokens: list[str]

    def any_of(self) -> Wanted:
        """Read parts between which `or` stands."""
        return self._joined("or", self._all_of, any)

    def _all_of(self) -> Wanted:
        return self._joined("and", self._one, all)

    def _joined(self, word: str, read: Callable[[], Wanted], join: Callable[[Iterable[bool]], bool]) -> Wanted:
        parts = [read()]
        while self._takes(word):
            parts.append(read())
        return lambda statement: join(part(statement) for part in parts)

    def _one(self) -> Wanted:
        if self._takes("not"):
            inner = self._one()
            return lambda statement: not inner(statement)
        if self._takes("("):
            inner = self.any_of()
            if not self._takes(")"):
                raise ValueError("a parenthesis is not closed")
            return inner
        if not self.tokens or self.tokens[0] in (*_WORDS, ")"):
            raise ValueError(f"a word is missing before `{self.tokens[0]}`" if self.tokens else "a word is missing")
        word = self.tokens.pop(0).lower()
        return lambda statement: word in _searchable_text(statement)

    def _takes(self, token: str) -> bool:
        is_next = bool(self.tokens) and self.tokens[0] == token
        if is_next:
            self.tokens.pop(0)
        return is_next


def _searchable_text(statement: Statement) -> str:
    """Return all that a word may be found in, each on a line of its own."""
    file = Path(statement.span.path).name
    return "\n".join((statement.id, file, statement.sort, *statement.clauses)).lower()
