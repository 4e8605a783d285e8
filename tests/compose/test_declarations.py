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
    short = "state: {table: {turn: number 1..8 = 1}}\nverb: {go: {given: {p: player}, do: []}}\n"
    once = long_form(tree(short + "decision: {go: {for: [unit], where: {a.b: [c, d]}, do: []}}"))
    assert long_form(once).plain() == once.plain()


ANSWER = {"for": {"unit": {"is": "unit"}}, "where": ["a > 1"], "limit": {"game": 1}, "hidden": True, "do": ["go"]}


@pytest.mark.parametrize("more,name", [("", "go"), (", option: run", "run")])
def test_a_decision_with_one_answer_has_it_among_its_options(more: str, name: str) -> None:
    body = "for: [unit], where: [a > 1], limit: {game: 1}, hidden: true, do: [go], again: 2, optional: true"
    root = long_form(tree(f"decision: {{go: {{{body}{more}, clauses: [a.b]}}}}"))
    expected = {"again": 2, "optional": True, "clauses": ["a.b"], "options": {name: ANSWER}}
    assert at(root, "decision", "go").plain() == expected


def test_the_place_of_an_only_answer_is_its_name() -> None:
    for text, written in (("decision: {go: {do: []}}", "go"), ("decision: {go: {option: run, do: []}}", "run")):
        options = at(long_form(tree(text)), "decision", "go", "options")
        assert isinstance(options, Mapping)
        span = options.key(written).span
        assert span.source.line(span.line)[span.column - 1 : span.end_column - 1] == written


@pytest.mark.parametrize(
    "text,expected",
    [
        ("a.b: x > 1", {"a.b": {"is": "x > 1", "else": "a.b"}}),
        ("a-b: [x > 1, {is: y}]", {"a-b": [{"is": "x > 1", "else": "a-b"}, {"is": "y", "else": "a-b"}]}),
        ("a.b: {is: x, else: c.d}", {"a.b": {"is": "x", "else": "c.d"}}),
        ("paid: x > 1", {"paid": "x > 1"}),
    ],
)
def test_a_condition_under_a_clause_refuses_by_it(text: str, expected: Plain) -> None:
    root = long_form(tree(f"option: {{go: {{where: {{{text}}}, do: []}}}}"))
    assert at(root, "option", "go", "where").plain() == expected


def test_an_offer_of_several_answers_is_an_offer_for_each() -> None:
    text = """
    effects:
      stay: {offer: c, do: []}
      sit:
        offer: [a, b]
        limit: {game: 1}
        where: {x: ready}
        clauses: [one]
        options:
          first: {do: [stop], clauses: [two]}
          second: {where: {y: late}, do: []}
    """
    assert at(long_form(tree(text)), "effects").plain() == {
        "stay": {"offer": "c", "do": []},
        "first": {"offer": ["a", "b"], "limit": {"game": 1, "shared": "sit"}, "where": {"x": "ready"}}
        | {"do": ["stop"], "clauses": ["two"]},
        "second": {"offer": ["a", "b"], "limit": {"game": 1, "shared": "sit"}, "clauses": ["one"]}
        | {"where": {"x": "ready", "y": "late"}, "do": []},
    }


@pytest.mark.parametrize("text", ["verb: {go: {%s: [player]}}", "option: {go: {%s: [player], do: []}}"])
@pytest.mark.parametrize("key", ["given", "main", "for"])
def test_parameters_in_a_list_bear_the_names_of_their_types(text: str, key: str) -> None:
    root = long_form(tree(text % key))
    assert at(root, text.split(":", maxsplit=1)[0], "go", key).plain() == {"player": {"is": "player"}}
