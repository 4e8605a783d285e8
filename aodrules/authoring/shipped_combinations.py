"""Everything that ships for a game, checked: few compositions in which every document takes part at least once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from attrs import define, field, frozen

from aodrules.authoring.check_files import Checked
from aodrules.authoring.editions_for import bases_of, head_at, words_of
from aodrules.compose.library import STARTERS, Selection, format_rules_word, parse_rules_word, shipped_shelf
from aodrules.source.diagnostics import Diagnostic
from aodrules.source.folders import yaml_files
from aodrules.source.shipped import shipped
from aodrules.syntax.documents import Head

_CLASHES = frozenset({"conflicting-changes", "conflicting-variants", "conflicting-sets"})
"""What is said of documents that do not go together: each says which two."""


@frozen(eq=False)
class Part:
    """One composition of a shelf, and what was found in it."""

    base: str
    variants: tuple[str, ...]
    checked: Checked


def documents_of(game: str) -> frozenset[Path]:
    """Return the files of all documents that ship for a game."""
    shelf = shipped_shelf(game)
    return frozenset({*shelf.plain, *(path for _, _, path in shelf.named), *_starters(game)})


def used_in(parts: Iterable[Part]) -> frozenset[Path]:
    """Return the files of all documents that took part in rules without errors."""
    rules = [part.checked.rules for part in parts if part.checked.rules is not None]
    paths = [Path(document.source.path) for each in rules for document in each.book.ruleset.documents]
    return frozenset(path.absolute() for path in paths)


def parts_of(game: str, check: Callable[[str], Checked]) -> Iterator[Part]:
    """Check all that ships for a game.

    Each edition alone, then with few companies of variants in which every one of them is; then what house rules begin
    with, each with the first edition that it is made for.
    """
    for base in bases_of(game):
        yield Part(base, (), check(base))
        yield from _companies(game, base, check)
    for path in _starters(game):
        word = words_of(path.as_posix())[0]
        asked = parse_rules_word(word)
        yield Part(asked.base, asked.variants, check(word))


def _starters(game: str) -> list[Path]:
    folder = shipped("content") / game / STARTERS
    return yaml_files(folder) if folder.is_dir() else []


def _companies(game: str, base: str, check: Callable[[str], Checked]) -> Iterator[Part]:
    shelf = _Variants(base, dict(_heads(game, base)))
    waiting = set(shelf.heads)
    while waiting:
        part = _settled(shelf, shelf.company(sorted(waiting)), check)
        yield part
        # What cannot be composed even alone was told, and is not tried again.
        waiting -= set(part.variants) or waiting


def _heads(game: str, base: str) -> Iterator[tuple[str, Head]]:
    for kind, name, path in shipped_shelf(game).named:
        head = head_at(path) if kind == "variant" else None
        if head is not None and (not head.editions or base in [each.text for each in head.editions]):
            yield name, head


@define(eq=False)
class _Variants:
    """The variants that a game or edition can be played with."""

    base: str
    heads: dict[str, Head] = field(factory=dict)

    def company(self, names: Iterable[str]) -> frozenset[str]:
        """Return as many of some variants as go together by what their heads say, with all that they require."""
        chosen = frozenset[str]()
        for name in names:
            more = self._closed(chosen | {name})
            if not any(each.text in more for one in more for each in self.heads[one].conflicts):
                chosen = more
        return chosen

    def _closed(self, names: frozenset[str]) -> frozenset[str]:
        needed = {each.text for name in names for each in self.heads[name].requires if each.text in self.heads}
        return names if needed <= names else self._closed(names | needed)

    def without(self, names: frozenset[str], dropped: str) -> frozenset[str]:
        """Return a company without one, and without those that require it."""
        left = names - {dropped}
        for name in sorted(left):
            if dropped in [each.text for each in self.heads[name].requires]:
                left = self.without(left, name)
        return left

    def clashing(self, names: frozenset[str], problems: Iterable[Diagnostic]) -> str | None:
        """Return one of two variants that turned out not to go together."""
        for problem in problems:
            spans = [problem.primary.span, *(label.span for label in problem.secondary)]
            paths = {span.path for span in (*spans, *(note.span for note in problem.notes if note.span))}
            named = sorted(name for name in names if self.heads[name].name.span.path in paths)
            if problem.code in _CLASHES and len(named) > 1:
                return named[-1]
        return None


def _settled(shelf: _Variants, names: frozenset[str], check: Callable[[str], Checked]) -> Part:
    """Check a company; while two in it do not go together, the later one is left to another company."""
    while True:
        variants = tuple(sorted(names))
        found = check(format_rules_word(Selection(shelf.base, variants)))
        clashing = shelf.clashing(names, found.problems)
        if clashing is None or len(names) == 1:
            return Part(shelf.base, variants, found)
        names = shelf.without(names, clashing)
