from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from attrs import fields, frozen, has
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import aodrules
from aodrules.exchange.public_schema import VALUES
from aodrules.exchange.value_schema import SchemaMaker
from aodrules.exchange.values import converter, read_plain
from aodrules.source.diagnostics import Fix, Label, Note, warning
from aodrules.source.spans import Source, Span
from tests.every_ruleset import rules_of
from tests.exchange.games import EVERY, positions

SCHEMA = aodrules.json_schema()


def validator(name: str, schema: dict[str, Any] = SCHEMA) -> Draft202012Validator:
    """Return what checks values of one class."""
    return Draft202012Validator({"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": f"#/$defs/{name}"})


CHECKS = {value.__name__: validator(value.__name__) for value in VALUES}


def goes_round(value: Any) -> None:
    """Check that a value fits its schema and comes back as it was."""
    text = aodrules.to_json(value)
    CHECKS[type(value).__name__].validate(json.loads(text))
    found = aodrules.from_json(text, type(value))
    assert aodrules.to_json(found) == text
    assert found == value


def values_of(game: aodrules.Game) -> list[Any]:
    """Return all that a game tells, and that its seats are told."""
    found: list[Any] = [game.view(None).snapshot(), *game.actions[:5], *game.events, *game.ranking]
    found += [*game.scores.values(), *([game.decision, game.decision.around] if game.decision else [])]
    found += [*game.log()[-3:], *game.log(noise=True, secrets=True)[-3:]]
    for seat in game.players:
        found += [game.view(seat).snapshot(), *game.view(seat).played[-2:], *game.learned(seat)[-2:]]
        found += [*game.log(seat)[-2:], *([needs] if (needs := game.undo_needs(seat)) is not None else [])]
    if game.decision is not None:
        found += [*_impossible(game), aodrules.bots.hint(game, game.decision.player, "greedy:1", playouts=1)]
        found += [_tried(game, game.decision.player)]
    return [one for one in found if one is not None]


def _impossible(game: aodrules.Game) -> Iterator[aodrules.Reason]:
    """Iterate over the reasons why a few answers are impossible."""
    space = game._action_table.spaces[str(game.machine.decision)]
    impossible = [code for code in range(min(space.size, 200)) if code not in game.codes]
    for code in impossible[:3]:
        yield from game.why_not(code)


def _tried(game: aodrules.Game, seat: str) -> aodrules.WhatIf | None:
    try:
        return game.what_if(seat, game.codes[-1])
    except aodrules.SampleError:
        return None  # what the seat does not know cannot be dealt anew here


@pytest.mark.parametrize("word", EVERY)
def test_what_a_game_tells_goes_round(word: str) -> None:
    for game in positions(word):
        for value in values_of(game):
            goes_round(value)


SELDOM: tuple[Any, ...] = (
    aodrules.StuckEvent(decision="decision.sell"),
    aodrules.LeftEvent(player="red", by="red"),
    aodrules.BoundEvent(where="verb.main.repeat", noise=True),
    aodrules.CutEvent(place=aodrules.EventPlace("bank", "table.bank"), wanted=5, got=3),
    aodrules.RollEvent(item=None, sort="number", cause=aodrules.EventCause("verb.main")),
    aodrules.SortEvent(place=aodrules.EventPlace("order", "table.order", (None,))),
)
"""What few games come to."""


@pytest.mark.parametrize("value", SELDOM, ids=lambda value: value.kind)
def test_what_seldom_happens_goes_round(value: Any) -> None:
    goes_round(value)


def _classes(value: Any) -> set[type]:
    """Return the classes of a value and of all in it."""
    found = {type(value)} & set(VALUES)
    if has(type(value)):
        value = [getattr(value, one.name) for one in fields(type(value)) if not one.name.startswith("_")]
    if isinstance(value, dict | list | tuple):
        found.update(*map(_classes, value.values() if isinstance(value, dict) else value))
    return found


OTHER_TESTS = ("CatalogueEntry", "CatalogueRuling", "Clause", "Component", "Diagnostic", "Report", "Setting")
"""What rules and reports tell; it goes round below."""


def test_every_class_of_values_goes_round_somewhere() -> None:
    met = _classes(SELDOM)
    for word in ("caravan", "harbour", "told", "auction"):
        for game in positions(word, 3):
            met |= _classes(values_of(game))
    assert sorted(one.__name__ for one in set(VALUES) - met) == sorted(OTHER_TESTS)


@pytest.mark.parametrize("word", EVERY)
def test_what_rules_tell_goes_round(word: str) -> None:
    rules = rules_of(word)
    members = [one for kind in rules.components.values() for one in kind.values()]
    for value in (*rules.clauses.values(), *rules.settings.values(), *members):
        goes_round(value)


def test_what_it_takes_to_go_back_goes_round() -> None:
    for word in ("nim", "caravan"):
        game = rules_of(word).new_game(players=2, seed=3)
        seat = game.decision.player if game.decision else ""
        found = game.what_if(seat, game.actions[0])
        goes_round(found)
        with pytest.raises(AttributeError, match="no game behind it"):
            _ = aodrules.from_json(aodrules.to_json(found), aodrules.WhatIf).game
        game.push(game.actions[0])
        goes_round(game.undo_needs(seat))


def test_the_catalogue_goes_round() -> None:
    games = aodrules.catalogue()
    for value in (*games["aod"].entries, *games["aod"].rulings.values()):
        goes_round(value)


def test_every_event_is_read_as_an_event() -> None:
    game = rules_of("caravan").new_game(players=2, seed=1)
    events = game.events
    assert events
    assert tuple(aodrules.from_json(aodrules.to_plain(events), list[aodrules.Event])) == events
    data = aodrules.to_plain(events[0])
    for changes in ({"kind": "other"}, {"kind": None}, {"kind": ["move"]}):
        with pytest.raises(aodrules.NotationError, match="this is no Event: something of one of the kinds move, set"):
            aodrules.from_json({**data, **changes}, aodrules.Event)


def test_words_are_written_as_a_plain_text() -> None:
    words = rules_of("nim").text("decision.take", "pl")
    assert type(words) is aodrules.Text
    assert type(aodrules.to_plain(words)) is str
    assert aodrules.to_plain({"label": words}) == {"label": str(words)}


def test_reasons_go_round() -> None:
    game = rules_of("harbour").new_game(players=2, seed=42)
    for action in ("place bosun fishery", "place sailor yard"):
        game.push(action)
    reasons = [*game.why_not("place bosun fishery"), *game.why_not("place sailor yard")]
    assert reasons
    for reason in reasons:
        assert aodrules.from_json(aodrules.to_json(reason), aodrules.Reason) == reason
        CHECKS["Reason"].validate(json.loads(aodrules.to_json(reason)))


def test_problems_are_told_with_places_and_without_texts() -> None:
    span = Span(Source("mine.yaml", "secret: text"), 1, 2, 1, 4)
    report = aodrules.Report()
    labels, fix = [Label(span, "there")], Fix(span, "other")
    report.add(warning("odd-thing", "it is odd", at=span, label="here", also=labels, notes=[Note("so")], fix=fix))
    text = aodrules.to_json(report)
    assert "secret" not in text
    CHECKS["Report"].validate(json.loads(text))
    found = aodrules.from_json(text, aodrules.Report)
    (one,) = found
    assert (one.path, one.line, one.column, str(one.secondary[0].span)) == ("mine.yaml", 1, 2, "mine.yaml:1:2")
    assert aodrules.to_json(found) == text
    assert aodrules.to_json(one) == aodrules.to_json(next(iter(report)))


def test_collections_of_values_are_read_by_their_types() -> None:
    game = rules_of("caravan").new_game(players=2, seed=1)
    assert aodrules.from_json(aodrules.to_json(game.actions), list[aodrules.Action]) == game.actions
    assert aodrules.from_json(aodrules.to_json(game.scores), dict[str, aodrules.Score]) == game.scores
    assert aodrules.from_json(aodrules.to_plain(game.ranking), tuple[aodrules.Standing, ...]) == game.ranking


def test_what_is_read_has_ids_and_no_words() -> None:
    game = rules_of("caravan").new_game(players=2, seed=1)
    action = aodrules.from_json(aodrules.to_json(game.actions[1]), aodrules.Action)
    decision = aodrules.from_json(aodrules.to_json(game.decision), aodrules.Decision)
    assert action.label("pl") == "swear 1"
    assert decision.text() == "Swear"
    assert decision.clauses == ()
    game.push(action)
    assert str(game.view("amber").played[-1].text) == "swear 1"


def test_a_forged_action_is_refused_as_any_other() -> None:
    game = rules_of("caravan").new_game(players=2, seed=1)
    data = aodrules.to_plain(game.actions[0])
    for changes in ({"code": 10**6}, {"code": -1}, {"decision": "decision.other"}):
        with pytest.raises(aodrules.ActionError):
            game.push(aodrules.from_json({**data, **changes}, aodrules.Action))


@pytest.mark.parametrize(
    "given, message",
    [
        ("{", "this is no JSON of ours"),
        ("NaN", "only whole numbers"),
        ("1.5", "only whole numbers"),
        ("[" * 100_000, "too long or too deep"),
        ("9" * 10_000, "too long or too deep"),
        ("[]", "this is no Played: an object is expected, not a `list` at `the top`"),
        ('{"player": "red"}', "'text' is missing"),
        ('{"player": "red", "text": 3}', "a text is expected, not 3 at `text`"),
        ('{"player": "red", "text": "x", "more": 1}', "there is no `more`"),
        (b'{"player": "red", "text": null}', "a text is expected, not None at `text`"),
        ({"player": "red", "text": True}, "a text is expected"),
    ],
)
def test_what_is_no_value_is_refused_with_its_place(given: Any, message: str) -> None:
    with pytest.raises(aodrules.NotationError) as wrong:
        aodrules.from_json(given, aodrules.Played)
    assert message in str(wrong.value)


def test_what_has_no_form_in_json_is_refused() -> None:
    game = rules_of("caravan").new_game(players=2, seed=1)
    choices = game.choices
    assert choices is not None
    for value in (game, choices, choices.candidates[0], aodrules.catalogue()["nim"], object(), {1, 2}, 1.5):
        with pytest.raises(TypeError, match="no form in JSON"):
            aodrules.to_json(value)
    with pytest.raises(TypeError, match="`Snapshot`"):
        aodrules.from_json("{}", aodrules.View)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["kind", "hidden", "seat", "x"]) | st.text(), inner)
    ),
)


@given(JSON, st.sampled_from(VALUES))
def test_anything_else_is_refused_in_a_sentence(data: Any, class_: type) -> None:
    try:
        found = aodrules.from_json(data, class_)
    except aodrules.NotationError:
        return
    assert aodrules.from_json(aodrules.to_json(found), class_) == found


@given(st.sampled_from([value for value in VALUES if value is not aodrules.Report]), st.data())
def test_a_value_with_a_part_missing_or_more_is_refused(class_: type, data: Any) -> None:
    properties = SCHEMA["$defs"][class_.__name__].get("properties", {"x": {}})
    lost = data.draw(st.sampled_from(sorted(properties)))
    with pytest.raises(aodrules.NotationError):
        aodrules.from_json(dict.fromkeys({*properties, "more"} - {lost}, "x"), class_)


@frozen
class Moved:
    kind: Literal["moved"]
    what: str


@frozen
class Told:
    kind: Literal["told"]
    what: int


def test_one_of_several_classes_is_read_by_its_kind() -> None:
    for value in (Moved("moved", "x"), Told("told", 3)):
        assert converter().structure(converter().unstructure(value), Moved | Told) == value  # type: ignore[arg-type]
    maker = SchemaMaker()
    assert maker.of(Moved | Told) == {"anyOf": [{"$ref": "#/$defs/Moved"}, {"$ref": "#/$defs/Told"}]}
    assert maker.defs["Told"]["properties"]["kind"] == {"enum": ["told"]}


def test_what_is_one_of_several_is_told_by_what_it_looks_like() -> None:
    action = rules_of("nim").new_game(players=2, seed=1).actions[0]
    for one in (3, action.text, action):
        assert read_plain(aodrules.to_plain(one), str | int | aodrules.Action) == one
    for several in (None, 2, ("one", "two")):
        assert read_plain(aodrules.to_plain(several), int | tuple[str, ...] | None) == several
    with pytest.raises(aodrules.NotationError, match="a text, a whole number or an object is expected, not True"):
        read_plain(True, str | int | aodrules.Action)
