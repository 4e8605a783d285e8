"""Answers after which a decision is asked once more: each counts for itself, and only one of another sort ends it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aodrules
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from aodrules.testing.scenario_runner import ScenarioRunner, run_on_both, run_scenario
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import in_document
from tests.engines.playing import Both, answer, answers, asked, cells, entries, game_of, rules_of
from tests.playing import ENGINES, fewer

ASK = "verb: {main: {do: [{choose: act, by: first(players)}]}}\n"
TWO = ASK + (
    "decision: {act: {options: {look: {again: 2, do: []}, borrow: {again: 0, do: []}, "
    "toil: {again: size(first(players).purse), do: []}, end: {do: []}}}}\n"
    "kinds: {coin: {plural: coins, pieces: {count: 9}}}\ncoin: {penny: {}}\n"
    "state: {table: {bank: {is: bag of coin, start: all}}, player: {purse: bag of coin}}\n"
)


def reasons(game: object, option: str) -> list[str]:
    return [failure.reason for failure in game.failures(f"decision.act.options.{option}", ())]  # type: ignore[attr-defined]


def test_each_answer_counts_for_itself() -> None:
    game = game_of(TWO)
    for said in ("look", "borrow", "look", "toil", "look"):
        assert asked(game) == ("decision.act", 0)
        answer(game, said)
    assert answers(game) == ["end"]
    assert [reasons(game, one) for one in ("look", "borrow", "toil")] == [["again"]] * 3
    assert reasons(game, "end") == []


def test_an_answer_that_was_given_as_often_as_it_may_be_is_not_offered() -> None:
    game = game_of(TWO)
    answer(game, "borrow")
    assert answers(game) == ["end", "look", "toil"]
    answer(game, "look")
    answer(game, "look")
    assert answers(game) == ["end", "look", "toil"]
    answer(game, "look")
    assert answers(game) == ["end", "toil"]
    answer(game, "end")
    assert game.state.over
    assert entries(game, "stuck", "bound") == []


def test_how_often_more_is_read_when_the_steps_are_done() -> None:
    game = game_of("""
        state: {table: {n: number 0..9}}
        verb: {main: {do: [{choose: act, by: first(players)}]}}
        decision: {act: {options: {go: {again: n - 1, do: [{add: 2, to: n, up_to: true}]}, end: {do: []}}}}
        """)
    for _ in range(9):
        answer(game, "go")
    assert answers(game) == ["end"]


def test_the_answers_are_counted_anew_each_time_the_decision_is_come_to() -> None:
    game = game_of(
        TWO.replace("[{choose: act, by: first(players)}]", "[{repeat: 2, do: [{choose: act, by: first(players)}]}]")
    )
    for _ in range(2):
        answer(game, "borrow")
        assert "borrow" not in answers(game)
        answer(game, "end")
    assert game.state.over


def test_an_optional_decision_ends_when_all_its_answers_are_used_up() -> None:
    game = game_of(ASK + "decision: {act: {optional: true, again: 1, options: {go: {do: []}, run: {do: []}}}}")
    for said in ("go", "run", "run"):
        assert "pass" in answers(game)
        answer(game, said)
    assert answers(game) == ["go", "pass"]
    answer(game, "go")
    assert game.state.over


SECRET = """
    kinds: {card: {plural: cards, pieces: {count: 3}}}
    card: {ace: {}, king: {}}
    state: {table: {deck: {is: bag of card, start: all}}, player: {hand: {is: list of card, secret: owner}}}
    verb:
      main:
        do:
          - for: player
            in: players
            do:
              - {move: ace, from: deck, to: player.hand}
              - {choose: act, by: player}
    decision:
      act:
        optional: true
        again: 1
        options:
          play: {hidden: true, for: {card: card}, where: [card in player.hand], do: []}
          SHOW
    """


def test_what_is_asked_for_secrecy_is_not_asked_when_all_answers_are_used_up() -> None:
    rules = rules_of(SECRET.replace("SHOW", ""))
    assert rules.decisions["decision.act"].always_asked
    game = game_of(SECRET.replace("SHOW", ""))
    for player in (0, 1):
        for _ in range(2):
            assert asked(game) == ("decision.act", player)
            answer(game, "play 0")
    assert game.state.over
    game = game_of(SECRET.replace("SHOW", "show: {where: [false], do: []}"))
    for _ in range(2):
        answer(game, "play 0")
    assert (asked(game), answers(game)) == (("decision.act", 0), ["pass"])


def test_otherwise_also_says_what_happens_when_the_answers_are_used_up() -> None:
    game = game_of(
        "state: {table: {n: number 0..9}}\n"
        + ASK
        + "decision: {act: {options: {go: {again: 1, do: []}}, otherwise: [{add: 1, to: n}]}}"
    )
    answer(game, "go")
    answer(game, "go")
    assert game.state.over
    assert cells(game, "table.n") == [1]


def test_chance_gives_each_answer_as_often_as_it_may() -> None:
    game = game_of("""
        state: {table: {n: number 0..99, m: number 0..99}}
        verb: {main: {do: [{choose: act, by: chance}]}}
        decision:
          act:
            optional: true
            options: {go: {again: 2, do: [{add: 1, to: n}]}, run: {again: 4, do: [{add: 1, to: m}]}}
        """)
    assert game.state.over
    assert cells(game, "table.n")[0] <= 3
    assert cells(game, "table.m")[0] <= 5


TAKEN_AWAY = """
    state: {table: {n: {is: number 0..9, start: START}, m: {is: number 0..1, start: 0}}}
    verb: {main: {do: [{choose: act, by: first(players)}]}}
    decision:
      act:
        options:
          spend: {again: 9, where: [n > 0], do: [{take: 1, from: n}]}
          pay:   {where: [n > 1], do: []}
          rest_: {where: [m == OPEN], do: []}
    """


def test_what_could_take_the_last_ending_away_is_offered_only_beside_another() -> None:
    game = game_of(TAKEN_AWAY.replace("START", "2").replace("OPEN", "0"))
    assert answers(game) == ["pay", "rest_", "spend"]
    answer(game, "spend")
    assert answers(game) == ["rest_", "spend"]
    shut = game_of(TAKEN_AWAY.replace("START", "2").replace("OPEN", "1"))
    assert answers(shut) == ["pay"]
    assert reasons(shut, "spend") == ["ending"]


WITH_ARGUMENTS = """
    kinds: {pile: {plural: piles, attributes: {high: number}}}
    pile: {left: {high: 1}, right: {high: 3}}
    state: {table: {n: {is: number 0..9, start: 3}, m: number 0..9}}
    verb:
      main:
        do:
          - {let: least, be: 2}
          - {choose: act, by: first(players), pile: piles.right}
          - choose: act_now
            by: last(players)
            options:
              spend: {again: 9, for: {k: 1..2}, where: [n >= k], do: [{take: k, from: n}]}
              pay:   {where: [n > 5], do: []}
              keep:  {for: {pile: pile}, where: [pile.high > least], do: []}
    decision:
      act:
        given: {pile: pile}
        options:
          spend: {again: 9, for: {k: 1..2}, where: [n >= k], do: [{take: k, from: n}, {add: k, to: m}]}
          pay:   {where: [n > 1], do: []}
          keep:  {for: {other: pile}, where: [other.high < pile.high], do: []}
    """


def test_what_is_left_is_looked_for_among_all_instances_of_the_others() -> None:
    game = game_of(WITH_ARGUMENTS)
    assert answers(game) == ["keep 0", "pay", "spend 1", "spend 2"]
    answer(game, "spend 2")
    answer(game, "keep 0")
    assert answers(game) == ["keep 1", "spend 1"]
    answer(game, "spend 1")
    assert answers(game) == ["keep 1"]
    shut = game_of(WITH_ARGUMENTS.replace("pile: piles.right", "pile: piles.left").replace("be: 2", "be: 3"))
    assert answers(shut) == ["pay"]
    answer(shut, "pay")
    assert entries(shut, "stuck") == [("stuck", "verb.main.act_now")]


def test_positions_in_which_other_answers_are_left_are_not_the_same() -> None:
    game = game_of(TWO)
    assert isinstance(game, Both)
    before = list(game.twins[0].cells)
    answer(game, "borrow")
    assert game.plain() == game_of(TWO).plain()
    assert game.twins[0].cells != before


def test_a_limit_that_stops_an_answer_earlier_needs_no_count() -> None:
    game = game_of(ASK + "decision: {act: {options: {go: {again: 3, limit: {game: 2}, do: []}, end: {do: []}}}}")
    answer(game, "go")
    answer(game, "go")
    assert answers(game) == ["end"]
    assert reasons(game, "go") == ["limit"]


PARTS = (
    ("", "again: 0", "again: 1", "again: n - 2"),
    ("", "", "limit: {game: 2}", "limit: {game: 3, shared: both}", "limit: {day: 1}"),
    ("", "", "for: {k: 0..2}", "for: {p: player}"),
    ("", "where: [n > 1]", "where: [n < 6]", "where: [m == 0]", "where: [false]"),
    (
        "do: []",
        "do: [{add: 1, to: n, up_to: true}]",
        "do: [{take: 1, from: n, up_to: true}, stop]",
        "do: [{set: m, to: 1}]",
    ),
)
options = st.tuples(*map(st.sampled_from, PARTS)).map(lambda parts: ", ".join(filter(None, parts)))
decisions = st.tuples(
    st.sampled_from(["", "optional: true, ", "otherwise: [], ", "again: 1, "]),
    st.lists(options, min_size=1, max_size=4),
).map(lambda parts: parts[0] + "options: {" + ", ".join(f"o{n}: {{{one}}}" for n, one in enumerate(parts[1])) + "}")


@fewer
@given(decisions, st.booleans(), st.sampled_from(["player", "chance"]), st.randoms(use_true_random=False))
def test_both_engines_agree_on_what_is_asked_again(decision: str, inline: bool, by: str, chance: Random) -> None:
    ask = f"{{choose: act, by: {by}{', ' + decision if inline else ''}}}"
    text = f"""
        state: {{table: {{n: {{is: number 0..8, start: 3}}, m: number 0..1}}}}
        verb: {{main: {{do: [{{repeat: 2, do: [{{step: day, do: [{{for: player, in: players, do: [{ask}]}}]}}]}}]}}}}
        {"" if inline else "decision: {act: {" + decision + "}}"}
        """
    try:
        rules = rules_of(text)
    except AssertionError as refused:
        assert "must be answered" in str(refused)  # noqa: PT017 - what is refused has no game to be compared
        return
    game = Both(rules, 2, 1)
    while game.codes:
        game.apply(chance.choice(game.codes))


# Games, with copies, saves and ways in.

GAME = """
game: {players: 2, seats: [red, blue], play: main}
state: {table: {n: number 0..9}}
verb: {main: {do: [{choose: act, by: first(players)}, {choose: last_word, by: first(players)}]}}
decision:
  last_word: {options: {go: {do: []}}}
  act:
    options:
      look: {again: 1, do: [{step: looking, do: [{add: 1, to: n}, stop]}]}
      end: {do: []}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "again.yaml"
    found.write_text(GAME, encoding="utf-8")
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_counts_are_copied_saved_and_taken_back_with_the_game(path: Path, engine: str) -> None:
    rules = aodrules.load(path)
    game = rules.new_game(players=2, seed=1, engine=engine)
    game.push("look")
    other, opened = game.copy(), aodrules.open_game(game.save())
    game.push("look")
    assert [str(action) for action in game.actions] == ["end"]
    for one in (other, opened):
        assert [str(action) for action in one.actions] == ["end", "look"]
        one.push("look")
        assert [str(action) for action in one.actions] == ["end"]
    game.pop()
    assert [str(action) for action in game.actions] == ["end", "look"]
    assert [str(action) for action in aodrules.replay(other.record(), rules=rules).actions] == ["end"]


@pytest.mark.parametrize("engine", ENGINES)
def test_why_not_says_that_an_answer_is_used_up(path: Path, engine: str) -> None:
    game = aodrules.load(path).new_game(players=2, seed=1, engine=engine)
    game.push("look")
    game.push("look")
    (reason,) = game.why_not("look")
    assert (reason.id, str(reason)) == ("chosen-too-often", "It cannot be chosen once more now: Look.")


def entered(path: Path, text: str) -> tuple[str, str]:
    """Return what becomes of a scenario that begins inside an answer, on the interpreter and on both engines."""
    book = aodrules.load(path, cache=False).book
    document = read(Source("test.yaml", f"scenario: {{tried: {{at: {{step: looking}}, {text}}}}}"), Report())
    assert document is not None
    (statement,) = in_document(document)
    found = ScenarioReader(book).read(statement, Report())
    assert found is not None
    stage = ScenarioRunner(book)
    return run_scenario(stage, found).message, run_on_both(stage, found, beyond=5).message


def test_a_game_entered_inside_an_answer_asks_again_on_both_engines(path: Path) -> None:
    assert entered(path, "when: [{red: look}, {red: end}]") == ("", "")


def test_a_game_entered_inside_an_answer_has_given_it_once(path: Path) -> None:
    path.write_text(GAME.replace("again: 1", "again: 0"), encoding="utf-8")
    assert entered(path, "refused: [{red: look}], when: [{red: end}]") == ("", "")
    path.write_text(GAME.replace("look: {again: 1", "look: {again: n"), encoding="utf-8")
    assert entered(path, "when: [{red: look}, {red: end}]") == ("", "")


def test_names_around_an_inline_decision_keep_what_an_entered_answer_makes_of_them(path: Path) -> None:
    path.write_text(
        """
game: {players: 2, seats: [red, blue], play: main}
state: {table: {n: number 0..9}}
verb:
  main:
    do:
      - {let: spent, be: 0}
      - choose: pay
        by: first(players)
        options:
          more: {again: 3, do: [{step: looking, do: [{add: 1, to: spent}]}]}
          end: {do: []}
      - {set: n, to: spent}
      - {choose: last_word, by: first(players)}
decision: {last_word: {options: {go: {do: []}}}}
""",
        encoding="utf-8",
    )
    assert entered(path, "when: [{red: more}, {red: end}, {red: go}], then: {n: 2}") == ("", "")
