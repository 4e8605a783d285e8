"""The schemas are schemas, the written one is current, and what is sent in games fits that of their rules."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import aodrules
from aodrules.exchange.public_schema import VALUES
from aodrules.exchange.value_schema import VERSION
from aodrules.exchange.values import is_data
from tests.every_ruleset import rules_of
from tests.exchange.games import EVERY, positions
from tests.exchange.test_values import validator


def test_every_value_and_part_of_it_is_described() -> None:
    schema = aodrules.json_schema()
    Draft202012Validator.check_schema(schema)
    assert {value.__name__ for value in VALUES} <= set(schema["$defs"])
    assert [name for name, body in schema["$defs"].items() if not body.get("description")] == []
    assert schema["version"] == VERSION
    assert schema["$id"].endswith(f":{VERSION}")


def test_every_public_class_of_data_has_a_schema() -> None:
    classes = [getattr(aodrules, name) for name in aodrules.__all__]
    data = {each.__name__ for each in classes if isinstance(each, type) and is_data(each)}
    assert data | {"Surroundings", "Hint"} == {value.__name__ for value in VALUES}


@pytest.mark.parametrize("word", EVERY)
def test_what_is_sent_fits_the_schema_of_the_rules(word: str) -> None:
    schema = rules_of(word).json_schema()
    Draft202012Validator.check_schema(schema)
    snapshots, actions, events = (validator(name, schema) for name in ("Snapshot", "Action", "Event"))
    groups = validator("LogGroup", schema)
    for game in positions(word):
        for action in game.actions[:10]:
            actions.validate(aodrules.to_plain(action))
        for event in game.events:
            events.validate(aodrules.to_plain(event))
        for group in game.log()[-3:]:
            groups.validate(aodrules.to_plain(group))
        for seat in (None, *game.players):
            snapshots.validate(json.loads(aodrules.to_json(game.view(seat))))


@pytest.mark.parametrize(
    "path, other",
    [
        (("seat",), "nobody"),
        (("state", "players", "amber", "coins"), "many"),
        (("state", "players", "amber", "hand"), ["no_card"]),
        (("state", "players", "jade", "hand"), {"hidden": "card", "count": 1, "shows": {}}),
        (("decision", "id"), "other"),
        (("actions", 0, "args"), {}),
        (("actions", 0, "option"), "other"),
        (("events", 0, "kind"), "other"),
        (("state", "more"), 1),
    ],
)
def test_what_is_not_of_the_rules_does_not_fit(path: tuple[str | int, ...], other: Any) -> None:
    rules = rules_of("caravan")
    data = aodrules.to_plain(rules.new_game(players=["amber", "jade"], seed=1).view("amber"))
    check = validator("Snapshot", rules.json_schema())
    assert check.is_valid(data)
    changed: Any = deepcopy(data)
    part = changed
    for word in path[:-1]:
        part = part[word]
    part[path[-1]] = other
    assert not check.is_valid(changed)
