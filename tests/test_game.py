from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aodrules
from tests.playing import ENGINES, WORDS, fewer, finished_game, random_game, rules_of

positions = st.tuples(st.sampled_from(WORDS), st.integers(0, 30), st.integers(0, 60))
engines = pytest.mark.parametrize("engine", ENGINES)


def nim(engine: str = "compiled") -> aodrules.Game:
    return rules_of("nim.yaml").new_game(players=2, seed=1, engine=engine)


@engines
def test_a_decision_says_who_decides_what(engine: str) -> None:
    decision = nim(engine).decision
    assert decision is not None
    assert (decision.id, decision.address, decision.player, decision.args) == ("take", "decision.take", "first", {})
    assert decision.text() == "Take stones from a heap"
    with pytest.raises(aodrules.ArgumentError, match="no words in `xx`"):
        decision.text("xx")
    assert str(decision) == "first: take"


@engines
def test_actions_have_texts_and_codes(engine: str) -> None:
    game = nim(engine)
    assert [str(action) for action in game.actions][:3] == ["take low_heap 1", "take low_heap 2", "take low_heap 3"]
    assert [action.code for action in game.actions] == list(game.codes)
    assert game.actions[0].args == {"heap": "low_heap", "count": 1}
    assert game.actions[0].option == "take"
    assert game.actions[0] is game.actions[0]
    assert game.actions[0].label() == "Take: Low heap, 1"


@engines
def test_what_was_read_before_an_action_is_read_anew_after_it(engine: str) -> None:
    game = nim(engine)
    before = game.state.plain()
    assert game.state.plain() == before
    game.push("take low_heap 1")
    after = game.state.plain()
    assert after != before
    other = game.copy()
    other.push(other.actions[0])
    assert other.state.plain() not in (before, after)
    game.pop()
    assert game.state.plain() == before
    game.push("take low_heap 2")
    assert game.state.plain() not in (before, after)


@engines
def test_an_action_can_be_given_in_three_ways(engine: str) -> None:
    games = [nim(engine) for _ in range(3)]
    games[0].push(games[0].actions[1])
    games[1].push("take low_heap 2")
    games[2].push(games[2].codes[1])
    assert games[0].state == games[1].state == games[2].state


@engines
def test_what_is_not_possible_is_refused_with_its_reason(engine: str) -> None:
    game = nim(engine)
    with pytest.raises(aodrules.IllegalActionError) as raised:
        game.push("take low_heap 5")
    error = raised.value
    assert (error.action, error.reason) == ("take low_heap 5", "text.not-so-many")
    assert error.because is not None
    assert error.because.path.endswith("nim.yaml")
    assert str(error) == "`take low_heap 5` is not possible now: The heap has fewer stones\n  reason: text.not-so-many"


@engines
def test_a_reason_names_values_and_layer(engine: str) -> None:
    (reason,) = nim(engine).why_not("take low_heap 4")
    assert reason.condition == "count <= size(heap.lying)"
    assert dict(reason.values) == {"count": 4, "size(heap.lying)": 3}
    assert (reason.layer, reason.layer_kind) == ("nim", "game")
    assert reason.clauses == ("one-heap",)
    assert nim(engine).why_not("take low_heap 3") == ()


@pytest.mark.parametrize(
    "action, message",
    [
        ("tak low_heap 1", "did you mean `take low_heap 1`"),
        ("tak heap", "did you mean `take`"),
        ("jump", "there is no option `jump`"),
        ("take", r"`take` is followed by heap and count \(1 to 5\), as in `take low_heap 1`"),
        ("take low_heap", "is followed by"),
        ("take low_heap 1 2", "is followed by"),
        ("take low_heap 9", "is followed by"),
        ("take small_heap 1", "there is no heap `small_heap`; the nearest is `tall_heap`"),
        ("take pebble 1", "there is no heap `pebble`; `take` is followed by heap and count"),
        ("take low_heap one", "is followed by"),
        ("", "it has no words"),
        (99, "codes here are 0 to 14"),
        (-1, "codes here are 0 to 14"),
    ],
)
def test_what_is_no_action_at_all_is_told_apart(action: str | int, message: str) -> None:
    game = nim()
    with pytest.raises(aodrules.InvalidActionError, match=message):
        game.push(action)
    assert game.record() == nim().record()


def test_an_action_of_another_decision_is_no_action_here() -> None:
    other = random_game("harbour", 1, 0).actions[0]
    with pytest.raises(aodrules.InvalidActionError, match="another question"):
        nim().push(other)


def test_an_option_that_answers_another_question_is_told_as_such() -> None:
    game = rules_of("harbour").new_game(players=2, seed=3)
    with pytest.raises(aodrules.InvalidActionError, match="`build` answers another question"):
        game.push("build inn")


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    game = finished_game("nim.yaml", 1)
    assert game.over
    assert game.decision is None
    assert game.actions == []
    assert game.codes == ()
    assert game.why_not("take low_heap 1")[0].id == "game-over"
    with pytest.raises(aodrules.InvalidActionError, match="the game is over"):
        game.push("take low_heap 1")
    with pytest.raises(aodrules.InvalidActionError, match="the game is over"):
        game.push(0)


@given(positions)
def test_texts_of_actions_can_be_read_back(position: tuple[str, int, int]) -> None:
    game = random_game(*position)
    for action in game.actions:
        other = game.copy()
        other.push(str(action))
        assert other.pop() is action
        assert action.label()


@fewer
@given(positions, st.sampled_from(ENGINES))
def test_taking_back_restores_everything(position: tuple[str, int, int], engine: str) -> None:
    game = random_game(*position, engine)
    before = (game.save(), game.events, game.codes)
    for action in game.actions[:3]:
        game.push(action)
        assert game.pop() == action
        assert (game.save(), game.events, game.codes) == before


@fewer
@given(positions)
def test_a_refused_action_changes_nothing(position: tuple[str, int, int]) -> None:
    game = random_game(*position)
    before = (game.save(), game.events, game.codes)
    possible = set(game.codes)
    for code in range(-1, 12):
        if code not in possible:
            with pytest.raises(aodrules.ActionError):
                game.push(code)
    assert (game.save(), game.events, game.codes) == before


@given(positions)
def test_a_copy_goes_on_by_itself(position: tuple[str, int, int]) -> None:
    game = random_game(*position)
    before = game.save()
    other = game.copy()
    while not other.over and len(other.record()) < 10_000:
        other.push(other.codes[-1])
    assert game.save() == before


def test_nothing_can_be_taken_back_before_the_first_action() -> None:
    with pytest.raises(IndexError):
        nim().pop()
    assert not nim().can_undo


def test_without_undo_nothing_can_be_taken_back() -> None:
    game = random_game("nim.yaml", 1, 2, undo=False)
    assert not game.can_undo
    with pytest.raises(IndexError):
        game.pop()


def test_taking_back_is_advised_only_where_nothing_was_revealed() -> None:
    game = nim()
    game.push("take low_heap 1")
    assert game.can_undo
    revealing = [
        game.can_undo
        for game in (random_game("caravan", seed, actions) for seed in range(3) for actions in range(1, 25))
        if any(event.kind in {"reveal", "shuffle", "roll"} for event in game.events)
    ]
    assert revealing
    assert not any(revealing)


def test_without_a_log_there_are_no_events() -> None:
    game = rules_of("nim.yaml").new_game(seed=1, log=False)
    game.push("take low_heap 1")
    assert game.events == ()
    assert not game.can_undo


def test_the_winner_is_first() -> None:
    game = finished_game("nim.yaml", 4)
    first, second = game.ranking
    assert (first.place, second.place, second.decided_by) == (1, 2, "total(player)")
    assert game.scores[first.player].total == 1
    assert str(game.scores[first.player]) == "1 (won 1)"
    assert str(first) == f"1. {first.player}"


@fewer
@given(st.sampled_from(WORDS), st.integers(0, 20))
def test_scores_add_up(word: str, seed: int) -> None:
    game = finished_game(word, seed)
    for score in game.scores.values():
        assert score.total == sum(line.points for line in score.lines)
        for line in score.lines:
            assert line.points == sum(share.points for share in line.shares)


@fewer
@given(st.sampled_from(WORDS), st.integers(0, 20))
def test_places_are_shared_only_by_equals(word: str, seed: int) -> None:
    ranking = finished_game(word, seed).ranking
    assert sorted(standing.place for standing in ranking) == [standing.place for standing in ranking]
    for standing in ranking:
        same = [other for other in ranking if other.place == standing.place]
        assert standing.shared == (len(same) > 1)
        assert {other.judged for other in same} == {standing.judged}
        assert (standing.decided_by is None) == (standing.place == 1)


def test_points_are_told_by_what_gives_them() -> None:
    shares = [
        share
        for seed in range(10)
        for score in finished_game("harbour", seed).scores.values()
        for line in score.lines
        for share in line.shares
    ]
    assert {"value.house_points", "kinds.house.effects.printed"} & {share.origin for share in shares}
    assert any(share.holder and share.member for share in shares)


@fewer
@given(positions)
def test_both_engines_show_the_same_game(position: tuple[str, int, int]) -> None:
    one, two = (random_game(*position, engine) for engine in ENGINES)
    assert one.save() == two.save()
    assert one.events == two.events
    assert one.actions == two.actions
    assert one.decision == two.decision
    assert one.scores == two.scores
    assert [one.view(seat).plain() for seat in one.players] == [two.view(seat).plain() for seat in two.players]


def test_a_reason_can_be_asked_of_any_decision() -> None:
    found = 0
    for word in WORDS:
        for actions in range(0, 40, 8):
            game = random_game(word, 5, actions)
            impossible = [code for code in range(30) if code not in game.codes]
            for code in impossible:
                try:
                    reasons = game.why_not(code)
                except aodrules.InvalidActionError:
                    continue
                assert reasons
                assert all(str(reason) and reason.id for reason in reasons)
                found += 1
    assert found > 50


def test_a_game_shows_itself() -> None:
    assert repr(nim()) == "<Game of nim: first: take>"
    assert repr(finished_game("nim.yaml", 1)) == "<Game of nim: over>"


@pytest.mark.parametrize(
    "text, nearest",
    [
        ("plcae sailor yard", "place sailor yard"),
        ("place sialor yard", "place sailor yard"),
        ("place bosun fishrey", "place bosun fishery"),
    ],
)
def test_a_misspelt_action_is_told_what_may_be_meant(text: str, nearest: str) -> None:
    game = rules_of("harbour").new_game(players=2, seed=3)
    with pytest.raises(aodrules.InvalidActionError, match=f"did you mean `{nearest}`") as refused:
        game.push(text)
    assert refused.value.nearest[0] == nearest
    assert set(refused.value.nearest) <= {*map(str, game.actions)}


def test_what_is_like_nothing_is_told_nothing_near() -> None:
    game = rules_of("harbour").new_game(players=2, seed=3)
    with pytest.raises(aodrules.InvalidActionError) as refused:
        game.push("qqqq")
    assert refused.value.nearest == ()
