"""The rulings of Age of Discovery choose among their readings, and variants ship some of the others."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from aodrules.source.shipped import shipped

_DIGEST = Path(__file__).with_name("ruling_digest.yaml")


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return document


@cache
def _declared(folder: str, kind: str) -> dict[str, dict[str, Any]]:
    paths = sorted((shipped("content") / "aod" / folder).glob("*.yaml"))
    return {name: body for path in paths for name, body in _read(path)[kind].items()}


def test_no_ruling_is_lost() -> None:
    assert sorted(_declared("rulings", "ruling")) == sorted(_read(_DIGEST))


def test_every_ruling_chooses_one_of_its_readings_and_says_why() -> None:
    odd = [
        name
        for name, body in _declared("rulings", "ruling").items()
        if body["chosen"] not in body["readings"] or not body["because"]["en"]
    ]
    assert odd == []


def test_every_ruling_is_about_clauses_that_exist() -> None:
    clauses = _declared("clauses", "clause")
    cited = [clause for body in _declared("rulings", "ruling").values() for clause in body["clauses"]]
    assert [clause for clause in cited if clause not in clauses] == []


def test_every_ruling_that_ships_as_a_variant_is_a_reading_that_was_not_chosen() -> None:
    others = {
        reading
        for body in _declared("rulings", "ruling").values()
        for reading in body["readings"]
        if reading != body["chosen"]
    }
    shipped_rulings = [path.stem for path in (shipped("variants") / "aod" / "rulings").glob("*.yaml")]
    assert [name for name in sorted(shipped_rulings) if name not in others] == []
