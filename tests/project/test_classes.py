"""Classes can be found by their names, and what they do is found in them or in one class above."""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.project.modules import Module, modules

DEEPEST = 2


@cache
def classes(folder: str = "aodrules") -> tuple[tuple[str, ast.ClassDef], ...]:
    """Return every class of the package with its place."""
    return tuple(
        (f"{module.shown}:{node.lineno}", node)
        for module in modules(folder)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
    )


def shared_names(found: tuple[tuple[str, ast.ClassDef], ...]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = defaultdict(list)
    for place, node in found:
        places[node.name].append(place)
    return {name: where for name, where in places.items() if len(where) > 1}


def bases(node: ast.ClassDef) -> list[str]:
    """Return the names of the classes that a class inherits from, without modules and parameters."""
    plain = (base.value if isinstance(base, ast.Subscript) else base for base in node.bases)
    names = [base.attr if isinstance(base, ast.Attribute) else ast.unparse(base) for base in plain]
    # A class may be called like the one of the standard library that it extends.
    return [name for name in names if name != node.name]


def depths(found: tuple[tuple[str, ast.ClassDef], ...]) -> dict[str, int]:
    """Return how many classes of ours lie on the longest way up from each class, itself counted; no exceptions."""
    ours = {node.name: bases(node) for _, node in found}

    def depth(name: str) -> int:
        return 1 + max((depth(base) for base in ours[name] if base in ours), default=0)

    def is_exception(name: str) -> bool:
        if name in ours:
            return any(is_exception(base) for base in ours[name])
        known = getattr(builtins, name, None)
        return isinstance(known, type) and issubclass(known, BaseException)

    return {name: depth(name) for name in ours if not is_exception(name)}


def made_up_names(module: Module) -> Iterator[str]:
    """Return the calls that reach an attribute by a name that is put together where it is used."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) > 1:
            is_reach = node.func.id in ("getattr", "setattr", "hasattr", "delattr")
            if is_reach and isinstance(node.args[1], ast.JoinedStr | ast.BinOp | ast.Call):
                yield f"{module.shown}:{node.lineno}"


def test_class_names_are_unique() -> None:
    assert shared_names(classes()) == {}


def test_no_class_is_more_than_two_deep() -> None:
    assert {name: depth for name, depth in depths(classes()).items() if depth > DEEPEST} == {}


def test_no_attribute_is_reached_by_a_made_up_name() -> None:
    assert [place for module in modules("aodrules") for place in made_up_names(module)] == []


def module(text: str) -> Module:
    return Module(Path(__file__), "m", ast.parse(text), len(text.splitlines()))


@pytest.mark.parametrize(
    "text, is_found",
    [
        ("getattr(x, f'_{name}')", True),
        ("getattr(x, '_' + name, None)", True),
        ("setattr(x, '_{}'.format(name), 1)", True),
        ("getattr(x, name)", False),
        ("getattr(x, 'name', None)", False),
    ],
)
def test_made_up_names_are_seen(text: str, is_found: bool) -> None:
    assert bool(list(made_up_names(module(text)))) == is_found


def test_depth_counts_our_classes_and_spares_exceptions() -> None:
    text = """
class A(Generic[T]): ...
class B(A): ...
class C(x.B[int], Other): ...
class E(ValueError): ...
class F(E): ...
class G(F): ...
"""
    found = tuple((str(n), node) for n, node in enumerate(ast.parse(text).body) if isinstance(node, ast.ClassDef))
    assert depths(found) == {"A": 1, "B": 2, "C": 3}


def test_a_name_that_two_classes_have_is_seen() -> None:
    found = tuple(("m.py:1", node) for node in ast.parse("class A: ...\nclass B: ...\nclass A: ...").body)
    assert shared_names(found) == {"A": ["m.py:1", "m.py:1"]}  # type: ignore[arg-type]
