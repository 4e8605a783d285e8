"""What lies face down is hidden, and options that show it show it to those the rules name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import aodrules
from aodrules.play.states import Hidden
from tests.content.compositions import EDITIONS, rules_of


def new_game(edition: str, *variants: str, seed: int = 3) -> aodrules.Game:
    return rules_of(edition, variants).new_game(players=3, seed=seed)


def tokens(game: aodrules.Game, seat: str | None = None) -> dict[str, object]:
    """Return what lies face down in each region, for everybody or as a seat sees it."""
    state = game.state if seat is None else game.view(seat)
    regions = rules_of("empires").components["region"]
    return {name: token for name in regions if (token := state[f"regions.{name}.token"]) is not None}


def is_hidden(token: object) -> bool:
    return isinstance(token, Hidden)


def push_until(game: aodrules.Game, *answers: str) -> Iterator[None]:
    """Play on; at each question take the first of these answers that is possible, else the last of all."""
    while not game.over:
        texts = [str(action) for action in game.actions]
        game.push(next((text for answer in answers for text in texts if text.startswith(answer)), texts[-1]))
        yield


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_lies_face_down_is_hidden_from_all(edition: str) -> None:
    game = new_game(edition)
    for seat in game.players:
        view = game.view(seat)
        assert all(map(is_hidden, tokens(game, seat).values()))
        assert len(tokens(game, seat)) == 8
        assert [(type(each), each.count) for each in view["goods_pool"]] == [(Hidden, 33)]
        assert all(map(is_hidden, view["deck"]))
        assert len(view["deck"]) == 16
        for age in ("I", "II", "III"):
            assert all(map(is_hidden, view[f"stack.{age}"]))


def test_scouting_shows_a_token_to_one_player_only() -> None:
    game = new_game("empires", "scouting")
    assert game.decision is not None
    scout = game.decision.player
    game.push("look_at_token peru")
    assert game.view(scout)["regions.peru.token"] == game.state["regions.peru.token"]
    for other in set(game.players) - {scout}:
        assert is_hidden(game.view(other)["regions.peru.token"])
        assert not any(
            "peru" in str(event) and str(game.state["regions.peru.token"]) in str(event)
            for event in game.view(other).events
        )
    assert game.decision.player == scout, "looking is no placement"
    assert game.why_not("look_at_token peru"), "what is known is not looked at again"


def test_scouting_the_deck_shows_the_top_card_to_one_player_only() -> None:
    game = new_game("empires", "scouting")
    assert game.decision is not None
    scout = game.decision.player
    game.push("look_at_card")
    assert game.view(scout)["deck"][0] == game.state["deck"][0]
    assert all(is_hidden(game.view(other)["deck"][0]) for other in set(game.players) - {scout})


def test_advanced_reconnaissance_shows_all_tokens_and_no_card() -> None:
    game = new_game("empires", "advanced-reconnaissance")
    for seat in game.players:
        assert tokens(game, seat) == tokens(game)
        assert all(map(is_hidden, game.view(seat)["deck"]))


def failed_expedition(*variants: str) -> tuple[aodrules.Game, str]:
    """Return a game just after an expedition failed, and the region it went to."""
    for seed in range(60):
        game = new_game("empires", *variants, seed=seed)
        for _ in push_until(game, "place colonist discovery", "explore", "send 1", "sail"):
            failed = [event for event in game.events if "expedition_failed" in str(event)]
            if failed:
                region = next(name for name in tokens(game) if f"{name}" in str(failed[0]))
                return game, region
    raise AssertionError("no expedition failed")


def test_a_failed_expedition_leaves_a_token_that_all_have_seen() -> None:
    game, region = failed_expedition()
    assert all(game.view(seat)[f"regions.{region}.token"] == tokens(game)[region] for seat in game.players)


def test_no_survivors_puts_a_token_there_that_nobody_has_seen() -> None:
    game, region = failed_expedition("no-survivors")
    old = tokens(game)[region]
    assert game.decision is not None
    assert game.decision.id == "replace_token"
    game.push("replace")
    assert tokens(game)[region] != old
    assert all(is_hidden(game.view(seat)[f"regions.{region}.token"]) for seat in game.players)


def test_no_survivors_has_nothing_to_do_where_tokens_lie_face_up() -> None:
    game, region = failed_expedition("advanced-reconnaissance", "no-survivors")
    assert game.decision is not None
    assert game.decision.id != "replace_token"
    assert region in tokens(game)


def test_reduced_randomness_shows_ten_tiles_and_then_hides_their_order() -> None:
    game = new_game("empires", "builders", "reduced-randomness")
    shown = game.view("red")["stack.III"]
    assert shown == game.state["stack.III"]
    assert len(shown) == 10
    for _ in push_until(game, "place colonist merchant_shipping", "pass"):
        if game.state["turn"] == 7:
            break
    assert set(game.state["stack.III"]) < set(shown)
    assert len(game.state["stack.III"]) == 5
    assert all(map(is_hidden, game.view("red")["stack.III"]))
