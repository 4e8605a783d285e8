"""The clauses of Age of Discovery are those of the register: none is lost, and none changes unnoticed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from aodrules.source.shipped import shipped

_DIGEST = Path(__file__).with_name("clause_digest.yaml")
_EDITIONS = ("aoe3-pl", "aoe3-ru", "empires")


@cache
def _clauses() -> dict[str, dict[str, Any]]:
    """Return every clause that the game declares; no two files may declare the same one."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((shipped("content") / "aod" / "clauses").glob("*.yaml")):
        for name, body in _read(path)["clause"].items():
            assert name not in found, f"{name} stands in two files, the second is {path.name}"
            found[name] = body
    return found


def _read(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    document: dict[str, Any] = yaml.safe_load(text)
    return document


def _digested(body: dict[str, Any]) -> dict[str, Any]:
    return {key: body[key] for key in ("kind", "editions", "with") if key in body}


def test_the_clauses_are_those_of_the_digest() -> None:
    assert {name: _digested(body) for name, body in _clauses().items()} == _read(_DIGEST)


def test_the_register_has_367_clauses() -> None:
    assert len(_clauses()) == 367


def test_editions_are_all_or_printed_ones() -> None:
    odd = [name for name, body in _clauses().items() if not _is_known(body["editions"])]
    assert odd == []


def _is_known(editions: str | list[str]) -> bool:
    return editions == "all" or (bool(editions) and set(editions) <= set(_EDITIONS))


def test_every_clause_is_one_english_sentence() -> None:
    odd = [name for name, body in _clauses().items() if not _is_sentence(body["says"]["en"])]
    assert odd == []


def _is_sentence(text: str) -> bool:
    inside = text[:-1].replace("Co.", "Co")
    return text[:1].isupper() and text.endswith(".") and ". " not in inside and len(text) < 200


def test_no_two_clauses_say_the_same_in_one_edition() -> None:
    seen: dict[tuple[str, str], str] = {}
    for name, body in _clauses().items():
        editions = _EDITIONS if body["editions"] == "all" else body["editions"]
        for key in ((body["says"]["en"], edition) for edition in editions):
            assert key not in seen or body.get("with"), f"{name} says what {seen[key]} says"
            seen[key] = name


@pytest.mark.parametrize("edition", _EDITIONS)
def test_every_clause_of_an_edition_says_where_that_edition_prints_it(edition: str) -> None:
    family = edition.partition("-")[0]
    unsourced = [
        name
        for name, body in _clauses().items()
        if body["editions"] == "all" or edition in body["editions"]
        if not {edition, family} & set(body["source"])
    ]
    assert unsourced == []
