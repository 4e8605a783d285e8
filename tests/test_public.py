"""The public names: listed, sorted, importable and documented."""

from __future__ import annotations

import ast
import inspect
from importlib.metadata import version
from types import ModuleType

import pytest

import aodrules


def test_the_list_is_what_can_be_imported() -> None:
    found = [
        name
        for name in dir(aodrules)
        if not name.startswith("_") and not isinstance(getattr(aodrules, name), ModuleType)
    ]
    assert found == aodrules.__all__


def test_names_are_imported_from_where_type_checkers_see_them() -> None:
    homes = {
        alias.name: node.module
        for node in ast.walk(ast.parse(inspect.getsource(aodrules)))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("aodrules.")
        for alias in node.names
    }
    assert sorted(homes) == aodrules.__all__
    assert {name: f"aodrules.{home}" for name, home in aodrules._HOMES.items()} == homes


def test_there_is_nothing_else() -> None:
    with pytest.raises(AttributeError, match="'aodrules' has no attribute 'lod'"):
        getattr(aodrules, "lod")  # noqa: B009 - a type checker would find it


@pytest.mark.parametrize("name", aodrules.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    value = getattr(aodrules, name)
    assert value.__doc__
    if inspect.isclass(value):
        undocumented = [
            each
            for each, member in vars(value).items()
            if not each.startswith("_")
            and (inspect.isfunction(member) or isinstance(member, property))
            and not inspect.getdoc(member)
        ]
        assert undocumented == []


def test_the_version_is_that_of_the_package() -> None:
    assert aodrules.__version__ == version("aodrules")
    assert "__version__" in dir(aodrules)


def test_errors_are_one_tree() -> None:
    assert issubclass(aodrules.IllegalActionError, aodrules.ActionError)
    assert issubclass(aodrules.ActionError, ValueError)
    assert issubclass(aodrules.NotationError, ValueError)
    errors = [getattr(aodrules, name) for name in aodrules.__all__ if name.endswith("Error")]
    assert all(issubclass(error, aodrules.AodrulesError) for error in errors)
