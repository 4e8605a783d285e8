"""Every card has an example, every worked example of the rulebook is one, and all of them cite what they show."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from aodrules.source.shipped import shipped
from tests.content.ages.playing import rules_of

CARDS = ("tech", "government", "special", "wonder", "leader", "action", "military")
FACES, COPIES = 238, 340
WORKED = 34
"""So many examples the rulebook works out, two derived ones among them."""
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def declared(folder: str) -> dict[str, dict[str, Any]]:
    """Return the examples of a folder by their name."""
    paths = sorted((shipped("content") / "ages" / "scenarios" / folder).rglob("*.yaml"))
    documents = [yaml.load(path.read_text(encoding="utf-8"), LOADER) for path in paths]
    return {name: body for document in documents for name, body in document.get("scenario", {}).items()}


@cache
def faces() -> dict[str, int]:
    """Return the cards, and how many copies of each lie in the box."""
    kinds = rules_of().components
    cards = [card for kind in CARDS for card in kinds[kind].values() if not card.attributes.get("printed")]
    marks = ("copies", "marked_3", "marked_4")
    return {card.id: sum(int(str(card.attributes.get(mark, 0))) for mark in marks) for card in cards}


def test_there_are_340_cards_with_238_faces() -> None:
    assert len(faces()) == FACES
    assert sum(faces().values()) == COPIES


def test_every_card_has_an_example_that_bears_its_name() -> None:
    shown = {name.split(".")[0] for name in declared("cards")}
    assert [card for card in faces() if card not in shown] == []


@pytest.mark.parametrize("folder", ["cards", "."])
def test_every_example_cites_clauses(folder: str) -> None:
    assert [name for name, body in declared(folder).items() if not body.get("clauses")] == []


def test_the_worked_examples_of_the_rulebook_are_scenarios() -> None:
    document = yaml.load(Path(__file__).with_name("example_digest.yaml").read_text(encoding="utf-8"), LOADER)
    assert len(document) == WORKED
    there = declared(".")
    own = yaml.load((shipped("variants") / "ages" / "levels" / "simple.yaml").read_text(encoding="utf-8"), LOADER)
    assert [name for names in document.values() for name in names if name not in {*there, *own["scenario"]}] == []
