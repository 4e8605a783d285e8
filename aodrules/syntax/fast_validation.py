"""Whether a value fits a schema, told fast: a schema becomes functions that only say yes or no.

Nearly all documents are right. So this looks first, and the validator of `validation`, which can say what is wrong,
is needed only where something is. What is accepted is the same; a test compares them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeAlias

from aodrules.syntax.schemas import Schema, linked_schema

Test: TypeAlias = Callable[[Any], bool]

_TYPES: dict[str, type] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
_ANNOTATIONS = frozenset({"title", "description", "examples", "x-called", "$comment", "default"})
# Told together, by one walk over the keys.
_KEYS = ("properties", "additionalProperties", "propertyNames")
_BRANCHES = ("if", "then", "else")


@cache
def acceptor(name: str) -> Test:
    """Return the test of a shipped schema."""
    return _AcceptorMaker().test(linked_schema(name))


class _AcceptorMaker:
    """Makes one test of every schema that is reached, also where schemas hold themselves."""

    def __init__(self) -> None:
        self._made: dict[int, Test] = {}

    def test(self, schema: Any) -> Test:
        """Return the test of a schema.

        Raises:
            KeyError: It uses a word that is not known here.
        """
        if not isinstance(schema, dict):
            return _anything if schema is True else _nothing
        if id(schema) not in self._made:
            # Whoever asks while it is being made gets the way to what it will be.
            self._made[id(schema)] = partial(self._later, id(schema))
            self._made[id(schema)] = _all_of(self._tests(schema))
        return self._made[id(schema)]

    def _later(self, schema: int, value: Any) -> bool:
        return self._made[schema](value)

    def _tests(self, schema: Schema) -> list[Test]:
        words = [word for word in schema if word not in _ANNOTATIONS and word not in _KEYS and word not in _BRANCHES]
        found = [self._test(word, schema[word]) for word in words]
        if any(word in schema for word in _KEYS):
            found.append(self._keys(schema))
        if "if" in schema:
            found.append(self._branches(schema))
        return found

    def _test(self, word: str, asked: Any) -> Test:
        if word == "items":
            return _items(self.test(asked))
        if word == "dependentSchemas":
            return _tagged({tag: self.test(branch) for tag, branch in asked.items()})
        if word == "allOf":
            return _all_of([self.test(each) for each in asked])
        return _SIMPLE[word](asked)

    def _keys(self, schema: Schema) -> Test:
        known = {name: self.test(each) for name, each in schema.get("properties", {}).items()}
        other = self.test(schema.get("additionalProperties", True))
        named = self.test(schema.get("propertyNames", True))

        def test(value: Any) -> bool:
            if not isinstance(value, dict):
                return True
            if named is not _anything and not all(map(named, value)):
                return False
            for name, each in value.items():  # noqa: SIM110 - much faster than `all`, and most of the work is here
                if not known.get(name, other)(each):
                    return False
            return True

        return test

    def _branches(self, schema: Schema) -> Test:
        condition, then, otherwise = (self.test(schema.get(word, True)) for word in _BRANCHES)
        return lambda value: (then if condition(value) else otherwise)(value)


def _anything(_: Any) -> bool:
    return True


def _nothing(_: Any) -> bool:
    return False


def _all_of(tests: list[Test]) -> Test:
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        one, two = tests
        return lambda value: one(value) and two(value)
    return (lambda value: all(test(value) for test in tests)) if tests else _anything


def _type(asked: str | list[str]) -> Test:
    """Return the test of a type; a flag is no number."""
    types = frozenset(_TYPES[name] for name in ([asked] if isinstance(asked, str) else asked))
    return lambda value: type(value) in types


def _required(asked: list[str]) -> Test:
    return lambda value: not isinstance(value, dict) or all(name in value for name in asked)


def _items(test: Test) -> Test:
    return lambda value: not isinstance(value, list) or all(map(test, value))


def _tagged(branches: dict[str, Test]) -> Test:
    """Return the test of what is chosen by the one key that is there; two such keys never fit."""

    def test(value: Any) -> bool:
        tags = [name for name in value if name in branches] if isinstance(value, dict) else []
        return not tags or (len(tags) == 1 and branches[tags[0]](value))

    return test


def _any_of(branches: list[Schema]) -> Test:
    """Return the test that some of the required keys are there: the only use our schemas make of alternatives."""
    names = frozenset(name for branch in branches for name in branch["required"])
    return lambda value: not isinstance(value, dict) or any(name in names for name in value)


def _one_of(branches: list[Schema]) -> Test:
    names = frozenset(name for branch in branches for name in branch["required"])
    return lambda value: isinstance(value, dict) and sum(name in names for name in value) == 1


def _size(kind: type[list[Any] | dict[str, Any]], low: int, high: float) -> Test:
    return lambda value: not isinstance(value, kind) or low <= len(value) <= high


def _pattern(asked: str) -> Test:
    search = re.compile(asked).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _words(asked: list[str]) -> Test:
    return lambda value: isinstance(value, str) and value in asked


def _minimum(asked: int) -> Test:
    return lambda value: type(value) is not int or value >= asked


_MANY = float("inf")
_SIMPLE: dict[str, Callable[[Any], Test]] = {
    "type": _type,
    "required": _required,
    "enum": _words,
    "pattern": _pattern,
    "minimum": _minimum,
    "minItems": lambda asked: _size(list, asked, _MANY),
    "maxItems": lambda asked: _size(list, 0, asked),
    "minProperties": lambda asked: _size(dict, asked, _MANY),
    "maxProperties": lambda asked: _size(dict, 0, asked),
    "anyOf": _any_of,
    "oneOf": _one_of,
}
