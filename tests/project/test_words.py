"""The package knows no word of any game: no id of a member of a kind is an identifier, or a word of a string, in it.

The examples of docstrings are left out: they are run, not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.project.modules import CHECKOUT, modules, words

FOLDERS = ("content", "variants", "tests/games")

# Member ids that are plain English and that the package uses in that sense. Each with its reason.
PLAIN_ENGLISH: dict[str, str] = {
    "A": "the article, at the start of a sentence",
    "I": "control and this letter are the tab key, for the editor of lines of macOS",
    "blue": "a colour of pictures and terminals, and a member in examples of functions",
    "builder": "what builds the graph of calls",
    "exchange": "the package that writes values for other programs and reads them",
    "exploring": "the module that looks for situations by playing",
    "factory": "the word of attrs for a default that is made anew",
    "library": "what ships with the package and other documents build on",
    "marshal": "the module of the standard library that writes code objects",
    "mine": "what belongs to the one that is looked at, and a player's own rules in examples",
    "strategy": "Hypothesis calls what draws examples so",
    "writing": "what a program does with a file",
    "w3": "a part of the name of SVG's namespace",
    "yellow": "a colour of pictures and terminals",
    "my_rule": "what stands in starters for the author's own name",
}


def documents() -> Iterator[Any]:
    # The base loader reads every scalar as text, so that no id is changed.
    for folder in FOLDERS:
        for path in sorted((CHECKOUT / folder).rglob("*.yaml")):
            yield from read(path)


def read(path: Path) -> Iterator[Any]:
    yield from yaml.load_all(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


def entries(body: object, *names: str) -> Iterator[tuple[str, object]]:
    """Return the entries of a mapping, or of those under some of its keys; none where there is no mapping."""
    for name in names:
        body = body.get(name) if isinstance(body, Mapping) else None
    if isinstance(body, Mapping):
        yield from ((str(key), value) for key, value in body.items())


def declarations(document: object) -> Iterator[tuple[str, str, object]]:
    """Return what a document declares: declaration kind, id, body. Edits that add count, dotted or nested."""
    bodies = [document, *(value for key, value in entries(document) if key == "add")]
    bodies += [value for _, edits in entries(document, "with") for key, value in entries(edits) if key == "add"]
    for kind, body in chain.from_iterable(entries(one) for one in bodies):
        first, _, rest = kind.partition(".")
        if rest:
            yield first, rest.split(".")[0], body if "." not in rest else None
        else:
            yield from ((kind, key, value) for key, value in entries(body))


def members(texts: Iterable[object]) -> frozenset[str]:
    """Return the ids of all members of all kinds that the documents declare, rows of families included."""
    found = [declaration for document in texts for declaration in declarations(document)]
    kinds = {name for declaration, name, _ in found if declaration == "kinds"}
    ids = {name for declaration, name, _ in found if declaration in kinds and name not in ("clauses", "columns")}
    rows = {row for declaration, _, body in found if declaration in kinds for row, _ in entries(body, "each")}
    return frozenset(ids | rows)


@cache
def all_members() -> frozenset[str]:
    return members(documents())


@cache
def uses() -> dict[str, tuple[str, ...]]:
    """Return the places in the package where the id of a member stands as a whole word."""
    anything = "|".join(map(re.escape, sorted(all_members()))) or "(?!)"
    pattern = re.compile(rf"\b(?:{anything})\b")
    places: dict[str, list[str]] = {}
    for module in modules("aodrules"):
        for line, text in words(module):
            # Examples play a game that ships, and name what is in it.
            for word in pattern.findall(text.partition("\n    Examples:\n")[0]):
                places.setdefault(word, []).append(f"{module.shown}:{line}")
    return {word: tuple(found) for word, found in sorted(places.items())}


def test_the_games_have_members() -> None:
    assert all_members()


def test_no_word_of_any_game_is_in_the_package() -> None:
    assert {word: places for word, places in uses().items() if word not in PLAIN_ENGLISH} == {}


def test_every_exception_is_needed() -> None:
    assert [word for word in PLAIN_ENGLISH if word not in uses()] == []


@pytest.mark.parametrize(
    "text, expected",
    [
        ("kinds: {good: {plural: goods}}\ngood: {silk: {copies: 3}, tea: {}}", {"silk", "tea"}),
        ("kinds: {good: {}}\nvariant: v\nadd: {good: {silk: {}}}", {"silk"}),
        ("kinds: {good: {}}\nvariant: v\nadd: {good.silk: {}}", {"silk"}),
        ("kinds: {good: {}}\nvariant: v\nadd: {good.silk.own.keep: {}}", {"silk"}),
        ("kinds: {good: {}}\nvariant: v\nwith: {other: {add: {good: {silk: {}}}}}", {"silk"}),
        ("kinds: {good: {}}\ngood: {tile: {each: {t01: {}, t02: {}}}}", {"tile", "t01", "t02"}),
        ("add: {kinds: {good: {}}, good: {on: {}}}", {"on"}),
        ("kinds: {good: {}}\nverb: {silk: {do: []}}", set()),
        ("kinds:\ngood: {silk: {}}", set()),
        ("- a list", set()),
    ],
)
def test_members_are_found_wherever_they_are_declared(text: str, expected: set[str]) -> None:
    assert members(yaml.load_all(text, Loader=yaml.BaseLoader)) == expected
