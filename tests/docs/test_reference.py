"""The reference of Python: every public name stands on a page, with words, types and an example."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cached_property
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.docs.blocks import DOCS
from tests.docs.python_reference import GROUPS, MODULES, TESTING, members_of, resolved

_DIRECTIVE = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
PUBLIC = [
    *(f"aodrules.{name}" for names in GROUPS.values() for name in names),
    *(f"{module.__name__}.{name}" for module in MODULES for name in module.__all__),
]
TO_BE_USED = [path for path in PUBLIC if inspect.isclass(resolved(path)) or inspect.isfunction(resolved(path))]
"""All but numbers, words and the union of events, of which each class has an example."""


def named_on(page: Path) -> list[str]:
    return _DIRECTIVE.findall(page.read_text(encoding="utf-8"))


def test_every_public_name_stands_on_the_page_once() -> None:
    assert named_on(DOCS / "reference" / "python.md") == PUBLIC
    there = [f"{module.__name__}.{name}" for module in TESTING for name in module.__all__]
    assert named_on(DOCS / "reference" / "testing.md") == there


@pytest.mark.parametrize("path", TO_BE_USED)
def test_a_public_name_has_an_example_that_is_run(path: str) -> None:
    # Examples of docstrings are run by `tests/project/test_docstrings.py`.
    assert ">>> " in (inspect.getdoc(resolved(path)) or "")


@pytest.mark.parametrize("path", [path for path in PUBLIC if inspect.isclass(resolved(path))])
def test_every_part_of_a_public_class_has_a_type(path: str) -> None:
    assert [f"{path}.{name}" for name in untyped(resolved(path))] == []


def untyped(class_: type) -> list[str]:
    """Return the public parts of a class that its source gives no type."""
    tree: Any = ast.parse(dedent(inspect.getsource(class_))).body[0]
    found = []
    for one in tree.body:
        if isinstance(one, ast.FunctionDef) and (not one.name.startswith("_") or one.name == "__init__"):
            given = [*one.args.args[1:], *one.args.kwonlyargs]
            is_typed = one.returns is not None and all(each.annotation is not None for each in given)
            found += [] if is_typed else [one.name]
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            found += [name for name in _assigned(one) if name not in tree_names(tree)]
    return found


def _assigned(function: ast.FunctionDef) -> list[str]:
    """Return the public attributes that `__init__` sets without saying what they are."""
    targets = [each.targets[0] for each in ast.walk(function) if isinstance(each, ast.Assign)]
    return [each.attr for each in targets if isinstance(each, ast.Attribute) and not each.attr.startswith("_")]


def tree_names(tree: ast.ClassDef) -> set[str]:
    """Return the names to which a class itself gives types."""
    return {
        each.target.id for each in tree.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }


TESTING_TOO = [*PUBLIC, *(f"{module.__name__}.{name}" for module in TESTING for name in module.__all__)]


@pytest.mark.parametrize("path", [path for path in TESTING_TOO if inspect.isclass(resolved(path))])
def test_every_method_of_a_public_class_has_words(path: str) -> None:
    methods = {
        name: part
        for name, part in vars(resolved(path)).items()
        if inspect.isroutine(part) or isinstance(part, property | cached_property | classmethod | staticmethod)
    }
    assert [name for name, part in methods.items() if not name.startswith("_") and not inspect.getdoc(part)] == []
    assert inspect.getdoc(resolved(path))


def test_members_have_anchors_that_a_page_may_lead_to() -> None:
    assert "aodrules.Game.push" in members_of("aodrules.Game")
    assert "aodrules.MoveEvent.cause" in members_of("aodrules.MoveEvent")
    assert members_of("aodrules.load") == []
