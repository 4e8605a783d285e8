from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from aodrules.source.diagnostics import Report
from aodrules.syntax import fast_validation
from aodrules.syntax.fast_validation import _AcceptorMaker
from aodrules.syntax.schema_check import check_shape
from aodrules.syntax.validation import validator
from tests.properties.mutation import mutated
from tests.syntax.texts import RULES, VARIANT, tree

VALUES: list[Any] = [
    *(None, True, False, 0, 1, 7, -1, "", "a", "word", "two words", "1"),
    *([], ["a"], ["a", "b"], ["a", 1, "c"], [[1]], {}, {"a": 1}, {"b": "x"}, {"a": "x", "b": 1}, {"a": {"a": 1}}),
    *({"a": 1, "b": 1, "c": 1}, {"c": []}, {"two words": 1}),
]
SCHEMAS: list[dict[str, Any]] = [
    *({"type": name} for name in ("object", "array", "string", "integer", "boolean", "null")),
    {"type": ["integer", "string"]},
    {"required": ["a"]},
    {"enum": ["a", "word"]},
    {"pattern": "^[a-z]+$"},
    {"pattern": "o"},
    {"minimum": 1},
    *({word: 1} for word in ("minItems", "maxItems", "minProperties", "maxProperties")),
    {"items": {"type": "string"}},
    {"properties": {"a": {"type": "integer"}}},
    {"properties": {"a": {"type": "integer"}}, "additionalProperties": False},
    {"properties": {"a": True}, "additionalProperties": {"type": "string"}},
    {"additionalProperties": False},
    {"propertyNames": {"pattern": "^[a-z]$"}},
    {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {"allOf": [{"type": "object"}, {"required": ["b"]}, {"maxProperties": 1}]},
    {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"type": "string"}},
    {"if": {"type": "object"}, "then": {"required": ["b"]}},
    {"title": "Whatever", "description": "What it is.", "examples": [1]},
    {"type": "object", "required": ["a"], "properties": {"a": {"minimum": 1}}, "minProperties": 1},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_each_word_means_what_it_means_to_others(schema: dict[str, Any]) -> None:
    accepts, check = _AcceptorMaker().test(schema), Draft202012Validator(schema)
    assert [value for value in VALUES if accepts(value)] == [value for value in VALUES if check.is_valid(value)]


def test_the_key_that_is_there_chooses_what_must_fit() -> None:
    accepts = _AcceptorMaker().test({"dependentSchemas": {"a": {"required": ["c"]}, "b": {"maxProperties": 1}}})
    assert [accepts(value) for value in ({}, {"c": 1}, {"b": 1}, {"a": 1, "c": 1}, 3)] == [True] * 5
    assert [accepts(value) for value in ({"a": 1}, {"b": 1, "c": 1}, {"a": 1, "b": 1, "c": 1})] == [False] * 3


def test_a_schema_may_hold_itself() -> None:
    schema: dict[str, Any] = {"type": "array"}
    schema["items"] = schema
    accepts = _AcceptorMaker().test(schema)
    assert accepts([[], [[[]]]])
    assert not accepts([[], [[[1]]]])


def test_a_word_that_is_not_known_is_no_word_to_pass_over() -> None:
    with pytest.raises(KeyError, match="maximum"):
        _AcceptorMaker().test({"maximum": 3})


@pytest.mark.parametrize("text, name", [(RULES, "rules"), (VARIANT, "variant")])
def test_documents_changed_at_random_are_judged_alike(text: str, name: str) -> None:
    plain: Any = tree(text).plain()
    found = [mutated(plain, seed, changes=1) for seed in range(100)]
    accepted = [fast_validation.acceptor(name)(each) for each in found]
    assert accepted == [validator(name).is_valid(each) for each in found]
    assert 0 < sum(accepted) < len(found)


def test_shipped_documents_are_accepted_without_the_slow_validator(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(__file__).parent.parent / "games"
    monkeypatch.setitem(sys.modules, "aodrules.syntax.mistakes", None)
    for path in sorted(folder.rglob("*.yaml")):
        root, report = tree(path.read_text(encoding="utf-8")), Report()
        check_shape(root, "variant" if {"edition", "variant", "module"} & root.entries.keys() else "rules", report)
        assert len(report) == 0
