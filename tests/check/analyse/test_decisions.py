"""Answers that ask again leave one that ends the decision: which they cannot take away, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from aodrules.interpreter.interpreter import Interpreter
from tests.check.over_small_game import Checked, checked

GAME = """
game: {players: 2..3, seats: [red, blue, white], play: main}
kinds:
  token:
    plural: tokens
    attributes: {worth: number}
    pieces: {count: 4}
    hooks: {own: {effects: true, in: player.held, scope: owner}}
  worker: {plural: workers, pieces: {count: 3, owned: true}}
token: {plain: {worth: 1}, rare: {worth: 2}}
worker: {scout: {}}
state:
  table:
    bank:  {is: bag of token, start: all}
    line:  list of token up to 5
    deck:  {is: list of token, secret: content}
    n:     number 0..99
    done:  flag
    lit:   {is: flag, resets: dusk}
    seen:  set of player
  player: {cash: number 0..99, held: bag of token, home: {is: bag of worker, start: all}, field: bag of worker}
event: {rang: {given: {player: player}}}
verb:
  main: {do: [start_somewhere, {repeat: 3, do: [{choose: act, by: first(players)}]}]}
  start_somewhere:
    do:
      - {roll: "range(0, 6)", as: coins}
      - {roll: "range(0, 12)", as: number_of}
      - {roll: "range(0, 6)", as: many}
      - {set: n, to: number_of}
      - {set: done, to: coins > 2}
      - {set: lit, to: many > 2}
      - for: player
        in: players
        do:
          - {set: player.cash, to: coins}
          - {draw: many // 2, from: bank, to: player.held}
          - {move: scout, of: player, count: many // 3, from: home, to: field}
          - if: many > 3
            then: [{add: player, to: seen}]
      - {draw: coins, from: bank, to: line, up_to: true}
  night: {do: [{step: dusk, do: [{add: 1, to: n}]}]}
  pay:  {main: {amount: number}, given: {player: player}, do: [{take: amount, from: player.cash, up_to: true}]}
value:
  may: {given: {player: player}, is: "player.cash > 3"}
  room: {is: len(line) < 4}
"""


def act(again: str, ending: str, more: str = "", decision: str = "", others: Sequence[str] = ()) -> Checked:
    """Return a decision with one answer that asks again and one that does not."""
    options = f"decision:\n  act:\n{decision}    options:\n      go: {{again: 2, {again}}}\n      end: {{{ending}}}\n"
    return checked(GAME + options + more, *others)


def beside(found: Checked) -> tuple[str, ...]:
    assert found.codes == []
    return {option.id: option.beside for option in found.rules.decisions["decision.act"].options}["go"]


HARMLESS = [
    ("{add: 1, to: player.cash}", "player.cash >= 3"),
    ("{add: 1, to: player.cash}", "may(player)"),
    ("{add: 1, to: player.cash}", "not player.cash < 3"),
    ("{add: 1, to: player.cash}", "3 < player.cash + n"),
    ("{add: 1, to: player.cash}", "min(player.cash, 7) - n > 0"),
    ("{take: 1, from: player.cash, up_to: true}", "n - player.cash > 0"),
    ("{take: 1, from: player.cash, up_to: true}", "player.cash < 9 or done"),
    ("{move: plain, from: bank, to: player.held}", "player.held[plain] > 0"),
    ("{move: plain, from: bank, to: player.held}", "size(player.held) > 2"),
    ("{move: plain, from: bank, to: player.held}", "plain in player.held"),
    ("{move: plain, from: bank, to: player.held}", "any(t.worth > 1 for t in player.held)"),
    ("{move: plain, from: bank, to: player.held}", "all(t.worth > 1 for t in bank)"),
    ("{move: plain, from: bank, to: player.held}", "count(t.worth > 1 for t in player.held if t.worth < 9) > 1"),
    ("{move: all, from: line, to: bank}", "room()"),
    ("{shuffle: line}", "room() and plain in line"),
    ("{move: all, from: 'line[2]', to: line, position: first}", "all(t != rare for t in line)"),
    ("{move: scout, of: player, from: home, to: field}", "player.field[scout] > 0"),
    ("{add: player, to: seen}", "player in seen"),
    ("{let: n_, be: 3}", "done"),
    ("{leave_game: last(players)}", "len(seats) > 2"),
]
HARMFUL = [
    ("{take: 1, from: player.cash, up_to: true}", "player.cash >= 3"),
    ("{pay: 1}", "may(player)"),
    ("{add: 1, to: player.cash}", "player.cash == 3"),
    ("{add: 1, to: player.cash}", "player.cash < 3"),
    ("{add: -1, to: player.cash, up_to: true}", "player.cash >= 3"),
    ("{set: player.cash, to: 3}", "player.cash >= 3"),
    ("{add: 1, to: player.cash}", "n - player.cash > 0"),
    ("{move: plain, from: player.held, to: bank}", "player.held[plain] > 0"),
    ("{move: plain, from: bank, to: player.held}", "plain not in player.held"),
    ("{move: plain, from: bank, to: player.held}", "all(t.worth > 1 for t in player.held)"),
    ("{move: plain, from: bank, to: player.held}", "sum(t.worth for t in player.held) > 1"),
    ("{move: plain, from: bank, to: line}", "room()"),
    ("{shuffle: line}", "line[0] == plain"),
    ("{shuffle: line}", "first(list(t for t in line)) == plain"),
    ("{move: all, from: 'line[2]', to: line, position: first}", "index(line, plain) > 1"),
    ("{take: player, from: seen}", "player in seen"),
    ("{set: done, to: true}", "not done"),
    ("{leave_game: last(players)}", "done"),
    ("{leave_game: last(players)}", "len(players) > 2"),
    ("{leave_game: last(players)}", "last(players) != player"),
    ("{leave_game: last(players)}", "len(seats_from(player)) > 2"),
    ("night", "lit"),
]


@pytest.mark.parametrize("steps, condition", HARMLESS)
def test_what_cannot_do_harm_is_seen(steps: str, condition: str) -> None:
    assert beside(act(f"do: [{steps}]", f"where: ['{condition}'], do: []")) == ()


@pytest.mark.parametrize("steps, condition", HARMFUL)
def test_what_may_take_an_answer_away_is_refused(steps: str, condition: str) -> None:
    assert act(f"do: [{steps}]", f"where: ['{condition}'], do: []").codes == ["decision-without-end"]


@pytest.mark.parametrize("share", [0, *(pytest.param(number, marks=pytest.mark.soak) for number in range(1, 8))])
def test_what_is_accepted_never_loses_its_ending_in_play(share: int) -> None:
    pairs = [*product(*({pair[part]: None for pair in HARMLESS + HARMFUL} for part in (0, 1)))]
    accepted = 0
    for steps, condition in pairs[share::8]:
        found = act(f"do: [{steps}]", f"where: ['{condition}'], do: []")
        if not found.codes:
            accepted += 1
            for seed in range(6):
                _check_endings(Interpreter(found.rules, 2, seed), (steps, condition))
    assert accepted > len(pairs) // 32


def _check_endings(game: Interpreter, pair: tuple[str, str]) -> None:
    """Fail if an answer that asks again takes the other one away."""
    while len(game.codes) == 2:
        game.apply(next(code for code in game.codes if code != game.codes[0]))
        assert game.codes, pair
        assert game.codes[0] == 0, pair


def test_what_is_set_off_counts_too() -> None:
    toll = "do: [{take: 1, from: player.cash, up_to: true}]"
    needs = "where: [player.cash > 3], do: []"
    ringing, moving = "do: [{happen: rang}]", "do: [{move: plain, from: bank, to: player.held}]"
    reaction = f"effects: {{toll: {{upon: rang, {toll}}}}}\n"
    enter_leave = f"effects: {{toll: {{entering: player.held, {toll}}}}}\n"
    assert [act(each, needs).codes for each in (ringing, moving)] == [[], []]
    assert variant(ringing, needs, reaction) == ["decision-without-end"]
    assert variant(moving, needs, enter_leave) == ["decision-without-end"]
    asked = f"do: [{{choose: inner, by: player, options: {{yes_: {{{toll}}}}}}}]"
    assert act(asked, needs).codes == ["decision-without-end"]


def variant(again: str, ending: str, effects: str) -> list[str]:
    return act(again, ending, more="", others=[f"variant: extra\nhouse: true\n{effects}"]).codes


@pytest.mark.parametrize("factor, can_turn", [("2", False), ("0", False), ("-1", True), ("n - 50", True)])
def test_what_is_multiplied_by_less_than_nothing_goes_the_other_way(factor: str, can_turn: bool) -> None:
    modifiers = f"turned: {{modify: wealth, times: '{factor}'}}, more: {{modify: wealth, add: first(seats).cash}}"
    game = GAME.replace("  room:", "  wealth: {is: len(line)}\n  room:")

    def codes(step: str) -> list[str]:
        options = f"go: {{again: 2, do: [{step}]}}, end: {{where: [wealth() > -3], do: []}}"
        rules = f"{game}decision: {{act: {{options: {{{options}}}}}}}\n"
        return checked(rules, f"variant: extra\nhouse: true\neffects: {{{modifiers}}}\n").codes

    expected = ["decision-without-end"] if can_turn else []
    assert codes("{add: 1, to: player.cash}") == expected
    assert codes("{move: plain, from: bank, to: line, up_to: true}") == expected


def test_limits_and_holders_are_needed_as_well() -> None:
    assert act("limit: {game: 9, shared: both}, do: []", "limit: {game: 3, shared: both}, do: []").codes == [
        "decision-without-end"
    ]
    assert act("limit: {game: 9}, do: []", "limit: {game: 3}, do: []").codes == []
    held = GAME.replace("plain: {worth: 1}", "plain: {worth: 1, own: {end: {offer: act, instead: true, do: []}}}")
    back = "{again: 2, do: [{move: plain, from: player.held, to: bank}]}"
    assert checked(f"{held}decision: {{act: {{options: {{go: {back}}}}}}}\n").codes == ["decision-without-end"]


def test_domains_are_needed_too() -> None:
    chosen = "for: {t: {token: set(t for t in player.held)}}, do: []"
    assert act("do: [{move: plain, from: player.held, to: bank}]", chosen).codes == ["decision-without-end"]
    assert act("do: [{move: plain, from: bank, to: player.held}]", chosen).codes == []
    for domain in ("player", "{player: set(q for q in players if q != player)}"):
        leaving = act("do: [{leave_game: last(players)}]", f"for: {{p: {domain}}}, do: []")
        assert leaving.codes == ["decision-without-end"]


def test_names_around_an_inline_decision_can_be_taken_away() -> None:
    assert inline("{add: -1, to: left}", "left > 1") == ["decision-without-end"]
    assert inline("{add: -1, to: left}", "n > 1") == []
    asked = "{choose: inner, by: player, options: {yes_: {do: [{set: left, to: 0}]}}}"
    assert inline(asked, "left > 1") == ["decision-without-end"]


def test_names_of_others_take_nothing_away() -> None:
    assert inline("count_down", "left > 1") == []
    assert inline("{let: t, be: 1}, {add: t, to: n, up_to: true}", "any(t.worth > 1 for t in bank)") == []


def inline(steps: str, condition: str) -> list[str]:
    """Return what is wrong with an inline decision beside a name `left`, which a verb `count_down` has as well."""
    body = (
        "[{let: left, be: 3}, {choose: act_now, by: first(players), options: "
        f"{{go: {{again: 2, do: [{steps}]}}, end: {{where: ['{condition}'], do: []}}}}}}]"
    )
    verb = "  count_down: {do: [{let: left, be: 1}, {add: -1, to: left}]}\n  night:"
    return checked(GAME.replace("[{choose: act, by: first(players)}]", body).replace("  night:", verb)).codes


def test_one_ending_that_stays_is_enough_and_the_answer_is_offered_beside_it() -> None:
    take = "do: [{take: 1, from: player.cash, up_to: true}]"
    other = "      stay: {where: [done], do: []}\n"
    assert beside(act(take, "where: [player.cash > 3], do: []", other)) == ("decision.act.options.stay",)
    assert beside(act(take, "where: [player.cash > 3], do: []", "      stay: {do: []}\n")) == ()


@pytest.mark.parametrize("line", ["    optional: true\n", "    otherwise: [{add: 1, to: n}]\n"])
def test_a_decision_that_may_be_left_otherwise_needs_no_ending(line: str) -> None:
    assert beside(act("do: [{pay: 1}]", "where: [may(player)], do: []", decision=line)) == ()
    assert checked(GAME + f"decision:\n  act:\n{line}    again: 1\n    options: {{go: {{do: []}}}}\n").codes == []


def test_some_answer_must_end_a_decision() -> None:
    found = checked(GAME + "decision: {act: {again: 1, options: {go: {do: []}, run: {do: []}}}}\n")
    assert found.codes == ["decision-without-end"]
