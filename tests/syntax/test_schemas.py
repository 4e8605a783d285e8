"""The schemas themselves: valid, complete, readable, and never tried one alternative after another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from aodrules.source.diagnostics import Report
from aodrules.syntax.schema_check import check_shape
from aodrules.syntax.validation import schema_files, validator
from tests.syntax.texts import RULES, VARIANT, tree

ROOTS = ("rules", "variant", "ruleset")
REGISTRY: Registry[Any] = Registry().with_resources(
    (name, DRAFT202012.create_resource(schema)) for name, schema in schema_files().items()
)


def plain_validator(name: str) -> Any:
    """Return jsonschema's own validator, which follows references by itself."""
    return Draft202012Validator({"$ref": f"{name}.schema.json"}, registry=REGISTRY)


def parts(schema: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Return every schema inside a schema, with its place."""
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from parts(item, f"{place}/{index}")
    elif isinstance(schema, dict):
        yield place, schema
        for key, value in schema.items():
            if key not in {"examples", "required"}:
                yield from parts(value, f"{place}/{key}")


ALL_PARTS = [part for name, schema in schema_files().items() for part in parts(schema, f"{name}#")]


@pytest.mark.parametrize("name", schema_files())
def test_each_schema_is_valid(name: str) -> None:
    Draft202012Validator.check_schema(schema_files()[name])


def test_every_reference_leads_to_a_shipped_file() -> None:
    for place, part in ALL_PARTS:
        if "$ref" in part:
            base = place.split("#", maxsplit=1)[0]
            REGISTRY.resolver(base_uri=base).lookup(part["$ref"])


def described(part: Any, base: str, key: str) -> bool:
    if key in part:
        return True
    if "$ref" not in part:
        return False
    found = REGISTRY.resolver(base_uri=base).lookup(part["$ref"])
    return described(found.contents, part["$ref"].split("#")[0] or base, key)


@pytest.mark.parametrize("key", ["title", "description"])
def test_everything_an_author_can_write_is_explained(key: str) -> None:
    for place, part in ALL_PARTS:
        base = place.split("#", maxsplit=1)[0]
        holders = [part.get("properties", {}), part.get("$defs", {})]
        inner = [part[name] for name in ("items", "additionalProperties") if isinstance(part.get(name), dict)]
        for each in [value for holder in holders for value in holder.values()] + inner:
            assert described(each, base, key), (place, each)


def test_every_example_is_right() -> None:
    for place, part in ALL_PARTS:
        for example in part.get("examples", []):
            check = Draft202012Validator({"$ref": place}, registry=REGISTRY)
            assert list(check.iter_errors(example)) == [], (place, example)


def test_alternatives_only_ask_which_keys_are_there() -> None:
    for place, part in ALL_PARTS:
        for keyword in ("anyOf", "oneOf"):
            for branch in part.get(keyword, []):
                assert branch.keys() == {"required"}, place


def test_objects_are_closed_or_say_what_else_they_hold() -> None:
    for place, part in ALL_PARTS:
        if isinstance(part.get("properties"), dict) and "title" in part:
            assert "additionalProperties" in part, place


@pytest.mark.parametrize("text, name", [(RULES, "rules"), (RULES, "ruleset"), (VARIANT, "variant")])
def test_right_documents_are_right_for_both_validators(text: str, name: str) -> None:
    plain = tree(text).plain()
    assert list(plain_validator(name).iter_errors(plain)) == []
    assert not validator(name)(plain)


def test_a_composed_ruleset_declares_what_documents_do() -> None:
    files = schema_files()
    composed, written = (set(files[f"{name}.schema.json"]["properties"]) for name in ("ruleset", "rules"))
    assert composed - written == {"effects"}
    # What a whole document cites is put into its declarations.
    assert written - composed == {"clauses"}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return every container of a document with one of its keys."""
    if isinstance(value, dict):
        return [(value, key) for key in value] + [place for item in value.values() for place in places(item)]
    if isinstance(value, list):
        return [(value, index) for index in range(len(value))] + [place for item in value for place in places(item)]
    return []


CHANGES = [
    None,
    3,
    True,
    "word",
    "two words",
    [],
    {},
    ["word"],
    {"word": 1},
    [{"move": "x", "add": 1}],
    {"is": 1, "table": {}},
]


@given(st.sampled_from([(RULES, "rules"), (VARIANT, "variant")]), st.data())
def test_our_validator_accepts_exactly_what_the_plain_one_does(case: tuple[str, str], data: st.DataObject) -> None:
    text, name = case
    plain = tree(text).plain()
    holder, key = data.draw(st.sampled_from(places(plain)))
    kind = data.draw(st.sampled_from(["retype", "rename", "drop"]))
    if kind == "retype":
        holder[key] = data.draw(st.sampled_from(CHANGES))
    elif kind == "rename" and isinstance(holder, dict):
        holder[data.draw(st.sampled_from(["word", "two words", "add", "is", "use", "modify"]))] = holder.pop(key)
    else:
        holder.pop(key)
    is_right = plain_validator(name).is_valid(plain)
    assert (not validator(name)(plain)) == is_right


def test_twice_as_many_steps_take_twice_as_many_calls() -> None:
    def calls(loops: int) -> int:
        """Return how many functions are called to check so many loops; a second time, when all schemas are known."""
        root, report, made = tree("verb:\n  go:\n    do:\n" + loop * loops), Report(), 0

        def count(_frame: object, event: str, _about: object) -> None:
            nonlocal made
            made += event == "call"

        check_shape(root, "rules", report)
        sys.setprofile(count)
        try:
            check_shape(root, "rules", report)
        finally:
            sys.setprofile(None)
        assert len(report) == 0
        return made

    loop = "      - {for: p, in: players, do: [{move: a, from: x, to: y}, {add: 1, to: p.cash}, {gain: 3}]}\n"
    assert calls(500) < 2.2 * calls(250)


def test_the_deepest_document_can_be_checked() -> None:
    steps = "[{gain: 1}]"
    for _ in range(27):
        steps = f"[{{if: x, then: {steps}}}]"
    report = Report()
    check_shape(tree(f"verb: {{go: {{do: {steps}}}}}"), "rules", report)
    assert list(report) == []
