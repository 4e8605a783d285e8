from __future__ import annotations

import pytest

from aodrules.compose.declarations import long_form
from aodrules.syntax.tree import Mapping, Node, Plain
from tests.compose.texts import tree


def at(node: Node, *keys: str) -> Node:
    for key in keys:
        assert isinstance(node, Mapping)
        found = node.get(key)
        assert found is not None
        node = found
    return node


FIELDS = [
    ("turn: number 1..8 = 1", {"is": "number 1..8", "start": 1}),
    ("turn: flag = true", {"is": "flag", "start": True}),
    ("turn: bag of good", {"is": "bag of good"}),
    ("turn: {is: bag of good, start: all}", {"is": "bag of good", "start": "all"}),
    ("turn: a == b", {"is": "a == b"}),
]


@pytest.mark.parametrize("text,expected", FIELDS)
@pytest.mark.parametrize(
    "around,keys", [("state: {table: {%s}}", "state table turn"), ("a: {b: {remembers: {%s}}}", "a b remembers turn")]
)
def test_fields_take_the_long_form(around: str, keys: str, text: str, expected: Plain) -> None:
    assert at(long_form(tree(around % text)), *keys.split()).plain() == expected


@pytest.mark.parametrize(
    "text,keys,expected",
    [
        ("kinds: {a: {attributes: {b: flag = false}}}", "kinds a attributes b", {"is": "flag", "default": False}),
        ("kinds: {a: {hooks: {go: {given: {p: player}}}}}", "kinds a hooks go given p", {"is": "player"}),
        ("verb: {go: {main: {n: number = -2}}}", "verb go main n", {"is": "number", "default": -2}),
        ("verb: {go: {given: {to: place of a = b}}}", "verb go given to", {"is": "place of a", "default": "b"}),
        ("option: {go: {for: {to: {hex: near(here)}}}}", "option go for to", {"hex": "near(here)"}),
        ("option: {go: {for: {n: 'range(1, 3)'}}}", "option go for n", {"is": "range(1, 3)"}),
        ("unit: {tank: {own: {go: {offer: x, for: {u: unit}}}}}", "unit tank own go for u", {"is": "unit"}),
        ("verb: {go: {do: [placement]}}", "verb go do", ["placement"]),
        ("verb: {go: {do: [{for: x, in: units, do: []}]}}", "verb go do", [{"for": "x", "in": "units", "do": []}]),
        ("scenario: {a.b: {given: {turn: 3}}}", "scenario a.b given turn", 3),
        ("state: {table: {clauses: [a.b]}}", "state table clauses", ["a.b"]),
    ],
)
def test_declarations_take_the_long_form(text: str, keys: str, expected: Plain) -> None:
    assert at(long_form(tree(text)), *keys.split()).plain() == expected


def test_options_inside_steps_take_the_long_form() -> None:
    root = long_form(tree("verb: {go: {do: [{choose: x, by: p, options: {a: {for: {n: unit}}}}]}}"))
    assert "{'n': {'is': 'unit'}}" in str(root.plain())


@pytest.mark.parametrize(
    "text", ["state: {table: {turn: number 1..8 = 1}}", "state: {table: {turn: 'number 1..8 = 1'}}"]
)
def test_parts_of_a_short_form_know_their_place(text: str) -> None:
    root = long_form(tree(text))
    for key, written in (("is", "number 1..8"), ("start", "1")):
        span = at(root, "state", "table", "turn", key).span
        assert span.source.line(span.line)[span.column - 1 : span.end_column - 1] == written


def test_the_long_form_of_a_long_form_is_itself() -> None:
    once = long_form(tree("state: {table: {turn: number 1..8 = 1}}\nverb: {go: {given: {p: player}, do: []}}"))
    assert long_form(once).plain() == once.plain()
