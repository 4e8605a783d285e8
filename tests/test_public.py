"""The public names: listed, sorted, importable and documented."""

from __future__ import annotations

import inspect
from types import ModuleType

import pytest

import aodrules


def test_the_list_is_what_can_be_imported() -> None:
    found = [
        name
        for name, value in vars(aodrules).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    ]
    assert sorted(found) == aodrules.__all__


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


def test_errors_are_one_tree() -> None:
    assert issubclass(aodrules.IllegalActionError, aodrules.ActionError)
    assert issubclass(aodrules.ActionError, ValueError)
    assert issubclass(aodrules.NotationError, ValueError)
    errors = [getattr(aodrules, name) for name in aodrules.__all__ if name.endswith("Error")]
    assert all(issubclass(error, aodrules.AodrulesError) for error in errors)
