"""One mistake, one message: each declaration of a game broken in turn, and what is said about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from attrs import frozen

from aodrules.check.from_ruleset import check
from aodrules.compose.from_documents import compose
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.from_source import read
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar
from aodrules.syntax.yaml_reader import read_yaml
from tests.playing import GAMES

WORDS = ("nim.yaml", "harbour")
DECLARED = ("verb", "value", "decision", "event", "option")
MOST_MESSAGES = {"kind name": 4, "attribute name": 2}
"""Of a kind that is gone its members are missed too, and an attribute may be missed by members and formulas."""
OF_TYPES = ("field type", "attribute type", "parameter type")


@frozen
class Break:
    """A part of a declaration that is written wrongly."""

    what: str
    span: Span
    wrong: str

    def __str__(self) -> str:
        return f"{self.what} {Path(self.span.path).name}:{self.span.line}:{self.span.column} {self.wrong}"


@cache
def texts(word: str) -> dict[str, str]:
    folder = GAMES / word
    files = [folder] if folder.is_file() else sorted(folder.glob("*.yaml"))
    return {path.as_posix(): path.read_text(encoding="utf-8") for path in files}


def misspelt(word: str) -> str:
    return word[:-1] + ("y" if word.endswith("x") else "x")


def type_of(entry: Entry) -> Scalar | None:
    node = entry.value.get("is") if isinstance(entry.value, Mapping) else entry.value
    return node if isinstance(node, Scalar) else None


def entries(node: Node | None) -> tuple[Entry, ...]:
    """Return what is declared; clauses that stand for all of it are no declaration."""
    return tuple(entry for entry in node if entry.name != "clauses") if isinstance(node, Mapping) else ()


def types_and_names(what: str, found: tuple[Entry, ...]) -> Iterator[Break]:
    for entry in found:
        yield Break(f"{what} name", entry.key.span, misspelt(entry.name))
        type_ = type_of(entry)
        if type_ is not None and what != "kind":
            yield Break(f"{what} type", type_.span, "numbr 0..9" if "number" in type_.text else "bagg of this")


def breaks(word: str) -> Iterator[Break]:
    """Return all that can be written wrongly in the declarations of a game, one after the other."""
    for path, text in texts(word).items():
        root = read_yaml(Source(path, text), Report())
        assert root is not None
        for holder in entries(root.get("state")):
            yield from types_and_names("field", entries(holder.value))
        for kind in entries(root.get("kinds")):
            yield from types_and_names("kind", (kind,))
            if isinstance(kind.value, Mapping):
                yield from types_and_names("attribute", entries(kind.value.get("attributes")))
        for section in DECLARED:
            for entry in entries(root.get(section)):
                yield Break(f"{section} name", entry.key.span, misspelt(entry.name))
                given = entries(entry.value.get("given")) if isinstance(entry.value, Mapping) else ()
                for parameter in (each for each in given if isinstance(each.value, Scalar)):
                    yield Break("parameter type", parameter.value.span, "playr")


def said_about(word: str, broken: Break | None) -> list[Diagnostic]:
    report = Report()
    documents = []
    for path, text in texts(word).items():
        lines = text.split("\n")
        if broken is not None and broken.span.path == path:
            line = lines[broken.span.line - 1]
            end = broken.span.end_column - 1
            lines[broken.span.line - 1] = line[: broken.span.column - 1] + broken.wrong + line[end:]
        document = read(Source(path, "\n".join(lines)), report)
        documents += [document] if document is not None and document.head is None else []
    check(compose(documents, None, [], report), report)
    return [each for each in report if each.severity == "error"]


@pytest.mark.parametrize("word", WORDS)
def test_the_games_are_right_before(word: str) -> None:
    assert said_about(word, None) == []


@pytest.mark.parametrize("word, broken", [(word, each) for word in WORDS for each in breaks(word)], ids=str)
def test_one_mistake_is_told_once(word: str, broken: Break) -> None:
    said = said_about(word, broken)
    shown = [f"{each.primary.span}: {each.message}" for each in said]
    assert 1 <= len(said) <= MOST_MESSAGES.get(broken.what, 1), shown
    if broken.what in OF_TYPES:
        assert (said[0].path, said[0].line) == (broken.span.path, broken.span.line), shown


def missed(said: list[Diagnostic]) -> int:
    return sum(1 + len(each.repeats) for each in said)


def test_what_is_held_back_is_kept_with_what_is_told() -> None:
    broken = next(each for each in breaks("harbour") if each.wrong == "gaix")
    [found] = said_about("harbour", broken)
    assert missed([found]) > 3
    assert len({each.primary.span for each in (found, *found.repeats)}) == missed([found])
    assert re.fullmatch(r"it is the same at (\S+, ){2}\S+ and \d+ more", found.notes[-1].text)


def test_an_attribute_that_no_member_has_is_told_where_it_is_declared() -> None:
    text = """
game: {players: 2, seats: [ann, bob], play: main}
kinds: {bead: {plural: beads, attributes: {wieght: number}}}
bead: {opal: {weight: 3}, jade: {weight: 4}}
state: {table: {n: number 0..99}}
verb: {main: {do: [{set: n, to: "min(9, beads.opal.weight)"}]}}
"""
    report = Report()
    document = read(Source("beads.yaml", text), report)
    assert document is not None
    check(compose([document], None, [], report), report)
    [found] = report
    assert (found.code, found.line) == ("wrong-member", 3)
    assert found.fix is not None
    assert found.fix.replacement == "weight"
