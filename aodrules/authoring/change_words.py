"""What a variant changes, told to players: by names and clauses where there are any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from attrs import define

from aodrules.authoring.differences import Difference
from aodrules.compose.citing import citations
from aodrules.errors import UnknownNameError
from aodrules.play.components import said_text
from aodrules.play.labels import Labels, own_phrase, plain_words
from aodrules.play.lookup import text_at
from aodrules.play.titles import address_name
from aodrules.rulebook import Rules
from aodrules.syntax.tree import at

_LONGEST = 70
"""What is longer is only named: `aodrules diff` tells it all."""


@define(eq=False, slots=False)
class ChangeWords:
    """Puts differences between two rulesets into the words of a language."""

    rules: Rules
    """Those that were changed."""
    language: str

    def lines(self, found: Iterable[Difference]) -> Iterator[str]:
        """Iterate over what differs, new members of a kind on one line."""
        new, others = dict[str, list[str]](), list[str]()
        for each in found:
            kind, _, member = each.address.partition(".")
            if each.sort == "added" and member in self.rules.components.get(kind, ()):
                new.setdefault(kind, []).append(self._labels.member(kind, member))
            else:
                others.append(self._line(each))
        for kind, names in new.items():
            yield f"{self._sort('added')}: {self._labels.kind(kind)}: {', '.join(names)}"
        # What several nodes do together may be one clause.
        yield from dict.fromkeys(others)

    @cached_property
    def _labels(self) -> Labels:
        return self.rules.book.labels(self.language)

    def _sort(self, sort: str) -> str:
        return own_phrase(f"rulebook.sort-{sort}", self.language)

    def _line(self, each: Difference) -> str:
        whole = self._whole(each)
        if whole:
            return f"{self._sort(each.sort)}: {whole}"
        part = self._part(each.address)
        around = None if part else address_name(self.rules.book, each.address, self.language)
        if around is not None:
            # What only authors know a name for changes what is around it.
            return f"{self._sort('changed')}: {around}"
        before, after = ("; ".join(side.lines) if side else "" for side in (each.before, each.after))
        changed = f"{before} → {after}" if each.sort == "changed" else (before or after).removeprefix("is: ")
        text = " ".join((each.stands or changed).split())
        told = f": `{text}`" if len(text) <= _LONGEST else ""
        return f"{self._sort(each.sort)}: {part or f'`{each.address}`'}{told}"

    def _whole(self, each: Difference) -> str:
        """Return the words that tell all of a difference: its own, a name, or the clauses of what is new."""
        book, address = self.rules.book, each.address
        words = book.words.find(address, self.language)
        if words is not None:
            try:
                return text_at(book, address, self.language, {})
            except UnknownNameError:
                return words  # of something that is gone
        kind, _, rest = address.partition(".")
        if rest in self.rules.components.get(kind, ()):
            return self._labels.member(kind, rest)
        column = rest.split(".attributes.")
        if kind == "kinds" and len(column) == 2 and column[0] in book.checked.kinds:
            return f"{self._labels.kind(column[0])}: {self._labels.attribute(*column)}"
        return " ".join(self._clauses_said(address)) if each.sort == "added" else ""

    def _clauses_said(self, address: str) -> Iterator[str]:
        book = self.rules.book
        for id_ in citations(at(book.ruleset.root, *address.split("."))):
            if id_ in book.clauses:
                yield said_text(book.clauses[id_], self.language) or id_

    def _part(self, address: str) -> str | None:
        """Return what a number or word of its own is called: a value, or a part of a component."""
        kind, _, rest = address.partition(".")
        name, _, part = rest.partition(".")
        if kind == "value" and part in ("", "is"):
            return plain_words(name)
        component = self.rules.components.get(kind, {}).get(name)
        if component is None:
            return None
        named = self._labels.attribute(kind, part) if part in component.attributes else f"`{part}`"
        return f"{self._labels.member(kind, name)}, {named}"
