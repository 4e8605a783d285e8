"""Texts with places to fill, in the grammar of Fluent: how one is read, what is wrong with it, and how it is filled.

What is read here a little more widely than Fluent does: `{name}` is the parameter of that name, `{name.case}` a form of
it, and the variants of a selector may stand on one line. A text with nothing but `{name}` in it needs no Fluent at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import define

from aodrules.lang.forms import PatternProblem

Filling: TypeAlias = Callable[[Mapping[str, Any]], str]

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_PLACE = re.compile(rf"\{{\s*({_NAME})\s*\}}")
_PLAIN = re.compile(rf"(?:[^{{}}]|\{{\s*{_NAME}\s*\}})*")


def is_plain(text: str) -> bool:
    """Whether nothing but `{name}` stands in the braces of a text, if there are any."""
    return _PLAIN.fullmatch(text) is not None


def parameters_of(text: str) -> dict[str, int]:
    """Return the parameters that a text names, each with where it first does; none of one that cannot be read."""
    if is_plain(text):
        found: dict[str, int] = {}
        for place in _PLACE.finditer(text):
            found.setdefault(place[1], place.start(1))
        return found
    from aodrules.lang.fluent_patterns import read_text

    return read_text(text).parameters


def pattern_problems(text: str, known: frozenset[str] | None) -> list[PatternProblem]:
    """Return what is wrong with a text that may name these parameters; any, if nothing is said of them."""
    problems = [] if is_plain(text) else _syntax_problems(text)
    if known is None or problems:
        return problems
    unknown = {name: at for name, at in parameters_of(text).items() if name not in known}
    return [PatternProblem(f"there is no {name}", at, at + len(name), name=name) for name, at in unknown.items()]


def _syntax_problems(text: str) -> list[PatternProblem]:
    from aodrules.lang.fluent_patterns import read_text

    return list(read_text(text).problems)


@define(eq=False)
class Fillers:
    """What fills texts of some rules; Fluent is imported for the first that needs it."""

    _by_fluent: Callable[[str, str], Filling | None] | None = None

    def make(self, text: str, language: str) -> Filling:
        """Return what fills a text of a language with its arguments; a place without one is left as `{name}`.

        A text that cannot be read, which a checked one can, is shown as it stands.
        """
        if is_plain(text):
            return lambda arguments: _PLACE.sub(lambda place: str(arguments.get(place[1], place[0])), text)
        if self._by_fluent is None:
            from aodrules.lang.fluent_patterns import FluentFillers

            self._by_fluent = FluentFillers().make
        return self._by_fluent(text, language) or (lambda _arguments: text)
