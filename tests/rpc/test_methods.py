"""Every method gives what its schema says; what is wrong is refused in a sentence with data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import pytest

import aodrules
from aodrules import bots
from aodrules.rpc.methods import methods
from aodrules.rpc.parameters import HintParameters
from aodrules.rpc.service import Limits, Service
from tests.rpc.clients import Client, RefusedError, described

# What each method is given, about a game that is open; `game` is put in where it is taken.
EXAMPLES: dict[str, Callable[[Client, str], dict[str, Any]]] = {
    "rpc.discover": lambda _client, _game: {},
    "catalogue.list": lambda _client, _game: {},
    "catalogue.game": lambda _client, _game: {"id": "caravan"},
    "rules.about": lambda _client, game: {"game": game},
    "rules.text": lambda _client, _game: {"rules": "nim", "address": "decision.take", "language": "pl"},
    "rules.components": lambda _client, game: {"game": game},
    "rules.clauses": lambda _client, game: {"game": game},
    "rules.schema": lambda _client, _game: {"rules": "caravan+secret-ledgers"},
    "rules.types": lambda _client, game: {"game": game},
    "schema.values": lambda _client, _game: {},
    "game.new": lambda _client, _game: {"rules": "nim", "players": ["second", "first"]},
    "game.open": lambda client, game: {"save": client.call("game.save", game=game)["save"]},
    "game.replay": lambda client, game: {"record": client.call("game.record", game=game)["record"]},
    "game.list": lambda _client, _game: {},
    "game.join": lambda _client, game: {"game": game, "seat": "amber"},
    "game.follow": lambda _client, game: {"game": game, "picture": True, "language": "en"},
    "game.unfollow": lambda _client, game: {"game": game},
    "game.close": lambda _client, game: {"game": game},
    "game.view": lambda _client, game: {"game": game, "seat": "amber", "language": "en"},
    "game.state": lambda _client, game: {"game": game},
    "game.value": lambda _client, game: {"game": game, "name": "total", "arguments": {"player": "amber"}},
    "game.log": lambda _client, game: {"game": game, "seat": "amber", "language": "pl"},
    "game.learned": lambda _client, game: {"game": game, "seat": "amber"},
    "game.scores": lambda _client, game: {"game": game, "secrets": True},
    "game.ranking": lambda _client, game: {"game": game, "secrets": True},
    "game.picture": lambda _client, game: {"game": game, "theme": "dark", "prefix": "one-"},
    "game.scene": lambda _client, game: {"game": game, "seat": "jade"},
    "game.scene_patch": lambda _client, game: {"game": game, "since": 0},
    "game.choices": lambda _client, game: {"game": game},
    "game.why_not": lambda _client, game: {"game": game, "action": 0},
    "game.answer": lambda _client, game: {"game": game, "action": 0, "after": 1, "language": "en"},
    "game.leaving": lambda _client, game: {"game": game},
    "game.what_if": lambda _client, game: {"game": game, "action": 0},
    "game.undo_needs": lambda _client, game: {"game": game, "seat": "amber", "language": "en"},
    "game.agree": lambda _client, game: {"game": game, "seat": "jade", "undo_of": "amber"},
    "game.undo": lambda _client, game: {"game": game, "seat": "amber", "agreed": ["jade"]},
    "game.redo": lambda client, game: {"game": game, "answers": client.call("game.goto", game=game, answers=0)},
    "game.goto": lambda _client, game: {"game": game, "answers": 0},
    "game.hint": lambda _client, game: {"game": game, "bot": "casual", "ms": 20},
    "game.save": lambda _client, game: {"game": game, "notes": {"table": "seven"}},
    "game.record": lambda _client, game: {"game": game, "names": {"amber": "Ann"}, "comments": {"1": "So soon!"}},
}
EXAMPLES["game.redo"] = lambda client, game: {"game": client.call("game.goto", game=game, answers=0) and game}


def played() -> tuple[Client, str]:
    """Return a client and a game with secrets in which one answer was given."""
    client = Client()
    game = client.new("caravan")
    client.call("game.answer", game=game, action=0)
    return client, game


def test_each_method_has_an_example_here() -> None:
    assert set(EXAMPLES) == set(methods())


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_a_method_returns_fits_its_schema(name: str) -> None:
    client, game = played()
    client.call(name, **EXAMPLES[name](client, game))


def test_a_game_is_played_by_texts_codes_and_actions_as_they_were_sent() -> None:
    client = Client()
    game = client.new()
    view = client.call("game.view", game=game, seat="first")["view"]
    after = client.call("game.answer", game=game, action=view["actions"][0], seat="first")
    assert (after["answers"], after["view"]["decision"]["player"]) == (1, "second")
    assert after["view"]["played"] == [{"player": "first", "text": view["actions"][0]["text"]}]
    client.call("game.answer", game=game, action=0)
    text = client.call("game.view", game=game, seat="first")["view"]["actions"][-1]["text"]
    assert client.call("game.answer", game=game, action=text)["answers"] == 3


def test_an_answer_is_made_part_by_part() -> None:
    client = Client()
    game = client.new()
    first = client.call("game.choices", game=game)
    assert (first["part"], [one["value"] for one in first["candidates"]]) == ("option", ["take"])
    counts = client.call("game.choices", game=game, picked={"heap": "low_heap"})
    assert counts["part"] == "count"
    impossible = [one for one in counts["candidates"] if not one["possible"]]
    assert impossible
    assert all(one["reasons"] for one in impossible)
    done = client.call("game.choices", game=game, picked={"count": 1, "heap": "low_heap"})
    assert (done["part"], done["action"]["args"]) == (None, {"heap": "low_heap", "count": 1})
    with pytest.raises(RefusedError) as refused:
        client.call("game.choices", game=game, picked={"heap": "lo_heap"})
    assert refused.value.kind == "wrong-argument"


def test_words_are_those_of_the_language() -> None:
    client = Client()
    game = client.new("caravan")
    seat = client.call("game.view", game=game)["view"]["decision"]["player"]
    rules = aodrules.load("caravan").new_game(seed=1)
    for language in ("en", "pl", "ru"):
        words = client.call("game.view", game=game, seat=seat, language=language)["words"]
        assert words["actions"] == [action.label(language) for action in rules.actions]
        assert words["decision"] == rules.decision.text(language)  # type: ignore[union-attr]


def test_undo_asks_those_who_must_agree() -> None:
    client, game = played()
    with pytest.raises(RefusedError) as refused:
        client.call("game.undo", game=game, seat="amber")
    assert refused.value.kind == "cannot-undo"
    assert set(refused.value.data["needs"]["agree"]) == {"jade"}
    client.call("game.agree", game=game, seat="jade", undo_of="amber")
    assert client.call("game.undo_needs", game=game, seat="amber")["agreed"] == ["jade"]
    assert client.call("game.undo", game=game, seat="amber")["answers"] == 0
    assert client.call("game.redo", game=game)["answers"] == 1
    with pytest.raises(RefusedError, match="must agree"):
        client.call("game.undo", game=game, seat="amber")


def test_a_record_says_what_the_host_says_of_it() -> None:
    client, game = played()
    record = client.call("game.record", **EXAMPLES["game.record"](client, game))["record"]
    assert "Ann" in record
    assert "So soon!" in record
    other = client.call("game.replay", record=record)
    assert other["answers"] == 1
    for wrong in ({"comments": {"one": "text"}}, {"comments": {"9": "text"}}, {"date": "yesterday"}):
        with pytest.raises(RefusedError):
            client.call("game.record", game=game, **wrong)


def test_what_a_front_end_wrote_into_a_save_is_found_again() -> None:
    client, game = played()
    save = client.call("game.save", game=game, notes={"table": "seven"})["save"]
    opened = client.call("game.open", save=save)
    assert opened["notes"] == {"table": "seven"}
    assert client.call("game.save", game=opened["game"])["save"] == save


@pytest.mark.parametrize(
    "method, given, kind, said",
    [
        ("game.nww", {}, "unknown-method", "no method `game.nww`"),
        ("game.view", {"game": "nothing"}, "unknown-game", "no game `nothing` is open here"),
        ("game.view", {"game": 3}, "wrong-parameters", "a text is expected, not 3 at `game`"),
        ("game.view", {}, "wrong-parameters", "one of `game` and `state` is given"),
        ("game.view", {"gme": "x"}, "wrong-parameters", "there is no `gme` at `the top`"),
        ("game.new", {}, "wrong-parameters", "'rules' is missing"),
        ("game.new", {"rules": "nim", "players": True}, "wrong-parameters", "a whole number or a list is expected"),
        ("game.new", {"rules": "nim", "players": 9}, "wrong-argument", "`nim` is for 2 players"),
        ("game.new", {"rules": "nim", "players": ["nobody", "first"]}, "wrong-argument", "`nobody` is no seat"),
        ("game.new", {"rules": "nim", "seed": 1 << 70}, "wrong-argument", "a seed is a whole number from"),
        ("game.new", {"rules": "nim", "settings": {"odd": 1}}, "wrong-argument", "odd"),
        ("game.new", {"rules": "nim", "settings": {"odd": [[1]]}}, "wrong-argument", "odd"),
        ("game.new", {"rules": "caravan", "settings": {"guild": [[1]]}}, "wrong-argument", "guild"),
        ("game.new", {"rules": "none"}, "unknown-name", "no rules `none` ship"),
        ("game.new", {"rules": "./nim.yaml"}, "unknown-name", "no rules `./nim.yaml` ship"),
        ("game.new", {"rules": "nim+/etc/passwd"}, "unknown-name", "ship with the package"),
        ("game.new", {"rules": "nim+nope"}, "wrong-rules", "there is no variant `nope`"),
        ("game.open", {"save": "/etc/passwd"}, "wrong-notation", "this is no saved game"),
        ("game.open", {"save": "{}"}, "wrong-notation", "this is no saved game"),
        ("game.replay", {"record": "/etc/passwd"}, "wrong-notation", ""),
        ("game.view", {"state": "\ud800"}, "wrong-notation", "this is no saved game"),
        ("catalogue.game", {"id": "nm"}, "unknown-name", "no game `nm` ships"),
        ("rules.about", {"rules": "nim", "game": "x"}, "wrong-parameters", "one of `rules`, `game` and `state`"),
        ("rules.text", {"rules": "nim", "address": "decision.nothing"}, "unknown-name", "decision.nothing"),
        ("rules.text", {"rules": "nim", "address": "decision.take", "language": "xx"}, "wrong-argument", "no words"),
        (
            "rules.text",
            {"rules": "nim", "address": "decision.take", "arguments": {"language": "x"}},
            "wrong-notation",
            "no argument of a text is called `language`",
        ),
    ],
)
def test_what_is_wrong_is_refused_in_a_sentence(method: str, given: dict[str, Any], kind: str, said: str) -> None:
    with pytest.raises(RefusedError) as refused:
        Client().call(method, **given)
    assert refused.value.kind == kind
    assert said in refused.value.message
    assert "Traceback" not in refused.value.message


def test_problems_in_rules_are_told_with_places() -> None:
    with pytest.raises(RefusedError) as refused:
        Client().call("game.new", rules="nim+nope")
    (problem,) = refused.value.data["diagnostics"]
    assert problem["code"] == "unknown-variant"
    assert problem["primary"]["span"]["column"] == 5
    assert refused.value.code == 1


def test_a_refused_answer_changes_nothing_and_says_why() -> None:
    client = Client()
    game = client.new()
    client.call("game.answer", game=game, action="take low_heap 1")
    wrong: dict[str, dict[str, Any]] = {
        "stale-action": {"action": 0, "after": 0},
        "unknown-action": {"action": "tke low_heap 1"},
        "impossible-action": {"action": "take low_heap 3"},
        "not-asked": {"action": 0, "seat": "first"},
        "wrong-argument": {"action": 0, "seat": "nobody"},
    }
    found = {}
    for kind, given in wrong.items():
        with pytest.raises(RefusedError) as refused:
            client.call("game.answer", game=game, **given)
        assert refused.value.kind == kind
        found[kind] = refused.value
    assert found["stale-action"].data["answers"] == 1
    assert "take low_heap 1" in found["unknown-action"].data["nearest"]
    assert found["impossible-action"].data["reasons"]
    assert found["impossible-action"].code == 9
    assert client.call("game.view", game=game)["answers"] == 1


@pytest.mark.parametrize("method", ["game.answer", "game.undo", "game.redo", "game.goto"])
@pytest.mark.parametrize("wrong", [{"language": "xx"}, {"seat": "nobody"}])
def test_what_is_refused_changes_nothing(method: str, wrong: dict[str, str]) -> None:
    client, game = played()
    given = {**EXAMPLES[method](client, game), **wrong}
    before = client.call("game.view", game=game)
    client.call("game.follow", game=game)
    with pytest.raises(RefusedError) as refused:
        client.call(method, **given)
    assert refused.value.kind == "wrong-argument"
    assert client.told() == []
    assert client.call("game.view", game=game) == before


def test_nothing_can_be_answered_when_the_game_is_over() -> None:
    client = Client()
    game = client.new()
    while not client.call("game.view", game=game)["over"]:
        client.call("game.answer", game=game, action=_last(client, game))
    assert client.call("game.ranking", game=game)[0]["place"] == 1
    for name, given in (("game.answer", {"action": 0}), ("game.choices", {}), ("game.why_not", {"action": 0})):
        with pytest.raises(RefusedError, match="the game is over"):
            client.call(name, game=game, **given)


def _last(client: Client, game: str) -> Any:
    seat = client.call("game.view", game=game)["view"]["decision"]["player"]
    return client.call("game.view", game=game, seat=seat)["view"]["actions"][-1]


def test_as_many_games_are_open_as_may_be_and_those_without_anybody_go_first() -> None:
    service = Service(Limits(games=2))
    one, other = Client(service), Client(service)
    first, second = one.new(), other.new()
    with pytest.raises(RefusedError) as refused:
        one.new()
    assert refused.value.kind == "too-many-games"
    service.leave(other.session)
    one.new()
    with pytest.raises(RefusedError, match="no game"):
        other.call("game.join", game=second)
    assert len(one.call("game.list")) == 2
    one.call("game.close", game=first)
    assert len(one.call("game.list")) == 1


def test_a_mistake_of_ours_is_told_without_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    client = Client(Service(log=written.append))
    game = client.new()
    monkeypatch.setattr(aodrules.Game, "points", property(lambda _game: 1 // 0))
    monkeypatch.setattr(aodrules.Game, "ranking", property(lambda _game: 1 // 0))
    with pytest.raises(RefusedError) as refused:
        client.call("game.ranking", game=game)
    assert (refused.value.code, refused.value.kind) == (-32603, "our-mistake")
    assert "ZeroDivisionError" not in str(refused.value)
    assert "ZeroDivisionError" in written[0]


def test_a_hint_is_one_of_the_possible_actions() -> None:
    client = Client()
    game = client.new()
    possible = client.call("game.view", game=game, seat="first")["view"]["actions"]
    for bot in get_args(get_type_hints(HintParameters)["bot"]):
        found = client.call("game.hint", game=game, bot=bot, ms=20)
        assert found["seat"] == "first"
        assert sorted(each["code"] for each in found["actions"]) == [each["code"] for each in possible]


def test_the_levels_of_hints_are_those_of_bots() -> None:
    assert get_args(get_type_hints(HintParameters)["bot"]) == bots.LEVELS


@pytest.mark.parametrize("odd", [{"ms": 0}, {"ms": 10**6}, {"bot": "search:999999"}, {"bot": "os.system"}])
def test_nobody_chooses_how_long_others_wait_or_what_is_run(odd: dict[str, Any]) -> None:
    client = Client()
    with pytest.raises(RefusedError) as refused:
        client.call("game.hint", game=client.new(), **odd)
    assert refused.value.kind == "wrong-parameters"


def test_the_description_lists_all_methods_with_their_parameters() -> None:
    found = {each["name"]: each for each in described()["methods"]}
    assert found.keys() == methods().keys()
    answer = {each["name"]: each for each in found["game.answer"]["params"]}
    assert [name for name, each in answer.items() if each["required"]] == ["action"]
    assert answer["after"]["schema"]["default"] is None
    for each in found.values():
        assert each["summary"].endswith(".")
        assert all(parameter["description"] for parameter in each["params"])
