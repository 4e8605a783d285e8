from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from aodrules.syntax.validation import SchemaCompiler, validator
from tests.properties.mutation import mutated
from tests.syntax.test_schemas import plain_validator
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
    {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {"allOf": [{"type": "object"}, {"required": ["b"]}, {"maxProperties": 1}]},
    {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"type": "string"}},
    {"if": {"type": "object"}, "then": {"required": ["b"]}},
    {"title": "Whatever", "description": "What it is.", "examples": [1]},
    {"type": "object", "required": ["a"], "properties": {"a": {"minimum": 1}}, "minProperties": 1},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_each_word_means_what_it_means_to_others(schema: dict[str, Any]) -> None:
    check, other = SchemaCompiler().check(schema), Draft202012Validator(schema)
    assert [value for value in VALUES if not check(value)] == [value for value in VALUES if other.is_valid(value)]


def test_the_key_that_is_there_chooses_what_must_fit() -> None:
    check = SchemaCompiler().check({"dependentSchemas": {"a": {"required": ["c"]}, "b": {"maxProperties": 1}}})
    assert [len(check(value)) for value in ({}, {"c": 1}, {"b": 1}, {"a": 1, "c": 1}, 3)] == [0] * 5
    assert [len(check(value)) for value in ({"a": 1}, {"b": 1, "c": 1}, {"a": 1, "b": 1, "c": 1})] == [1] * 3


def test_an_error_names_the_key_that_chose_the_schema_only_beside_that_key() -> None:
    inner = {"properties": {"c": {"type": "object", "required": ["d"]}}, "additionalProperties": False}
    check = SchemaCompiler().check({"dependentSchemas": {"a": {"required": ["b"], **inner}}})
    found = [(error.keyword, error.steps, error.tag) for error in check({"a": 1, "c": {}})]
    assert found == [
        ("required", [], "a"),
        ("additionalProperties", ["a"], "a"),
        ("required", ["c"], None),
    ]


def test_the_way_to_an_error_leads_from_its_place_upwards() -> None:
    number = {"type": "integer"}
    check = SchemaCompiler().check({"items": {"properties": {"a": {"items": number}}}})
    (error,) = check([{}, {"a": [0, "x"]}])
    assert (error.keyword, error.asked, error.schema, error.steps) == ("type", "integer", number, [1, "a", 1])


def test_all_that_is_wrong_in_one_place_is_told() -> None:
    closed = {"required": ["a", "b"], "additionalProperties": False, "propertyNames": {"pattern": "^[a-z]$"}}
    found = [(error.keyword, error.asked) for error in SchemaCompiler().check(closed)({"two words": 1})]
    assert found == [
        *(("required", ["a"]), ("required", ["b"])),
        *(("additionalProperties", False), ("propertyNames", {"pattern": "^[a-z]$"})),
    ]


def test_a_schema_may_hold_itself() -> None:
    schema: dict[str, Any] = {"type": "array"}
    schema["items"] = schema
    check = SchemaCompiler().check(schema)
    assert not check([[], [[[]]]])
    assert check([[], [[[1]]]])


def test_a_word_that_is_not_known_is_no_word_to_pass_over() -> None:
    with pytest.raises(KeyError, match="maximum"):
        SchemaCompiler().check({"maximum": 3})


@pytest.mark.parametrize("text, name", [(RULES, "rules"), (VARIANT, "variant")])
def test_documents_changed_at_random_are_judged_as_by_another_validator(text: str, name: str) -> None:
    plain: Any = tree(text).plain()
    found = [mutated(plain, seed, changes=1) for seed in range(100)]
    accepted = [not validator(name)(each) for each in found]
    assert accepted == [plain_validator(name).is_valid(each) for each in found]
    assert 0 < sum(accepted) < len(found)
