"""The reader of syntax trees that the other project tests trust."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.project.modules import Import, Module, imports, words


def module(text: str) -> Module:
    return Module(Path("m.py"), "m", ast.parse(text), len(text.splitlines()))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("import a.b", [Import("a.b", 1)]),
        ("\nfrom a import b", [Import("a.b", 2)]),
        ("from a import c", [Import("a", 1)]),
        ("def f():\n    from a.b import c", [Import("a.b", 2)]),
        ("import os, a", [Import("os", 1), Import("a", 1)]),
        ("if TYPE_CHECKING:\n    from a import b", [Import("a.b", 2)]),
    ],
)
def test_imports_are_found_wherever_they_stand(text: str, expected: list[Import]) -> None:
    assert list(imports(module(text), frozenset({"a", "a.b"}))) == expected


@pytest.mark.parametrize(
    "text",
    [
        "peru = 1",
        "x.peru",
        "def peru(): ...",
        "def f(peru): ...",
        "f(peru=1)",
        "class peru: ...",
        "import peru",
        "import x as peru",
        "from x import peru",
        "def f():\n    global peru",
        "match x:\n    case {'a': 1, **peru}: ...",
        "match x:\n    case C(peru=1): ...",
        "'peru'",
        "b'peru'",
        "f'peru'",
        '"""peru"""',
    ],
)
def test_words_are_all_identifiers_and_strings(text: str) -> None:
    assert "peru" in [word for _, word in words(module(text))]


def test_words_are_neither_comments_nor_keywords() -> None:
    assert list(words(module("x = 1 if y else 2  # peru"))) == [(1, "x"), (1, "y")]
