from __future__ import annotations

from pathlib import Path

import pytest

from aodrules.source import shipped as module
from aodrules.source.shipped import example, shipped

CHECKOUT = Path(__file__).parents[2]


@pytest.mark.parametrize("folder", ["schemas", "content", "variants"])
def test_a_checkout_has_the_folders_at_its_top(folder: str) -> None:
    assert shipped(folder) == CHECKOUT / folder


def test_the_data_inside_the_package_is_found_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, beside = tmp_path / "inside", tmp_path / "beside"
    (inside / "schemas").mkdir(parents=True)
    (beside / "schemas").mkdir(parents=True)
    (beside / "content").mkdir()
    monkeypatch.setattr(module, "_PLACES", (inside, beside))

    assert shipped("schemas") == inside / "schemas"
    assert shipped("content") == beside / "content"


def test_an_installation_without_its_data_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PLACES", (tmp_path,))

    with pytest.raises(FileNotFoundError, match="`schemas` is missing"):
        shipped("schemas")


@pytest.mark.parametrize("folder", ["tests", "..", "schemas/..", ""])
def test_only_shipped_folders_can_be_asked_for(folder: str) -> None:
    with pytest.raises(ValueError, match="is not shipped"):
        shipped(folder)


def test_the_small_games_are_found_by_name() -> None:
    assert example("nim") == CHECKOUT / "tests" / "games" / "nim.yaml"
    assert example("harbour") == CHECKOUT / "tests" / "games" / "harbour"


@pytest.mark.parametrize("name", ["", "nowhere", "../games", "nim.yaml", "README.md"])
def test_nothing_else_is_a_small_game(name: str) -> None:
    assert example(name) is None
