"""A list without steps says that nothing happens: it is not the same as saying nothing."""

from __future__ import annotations

import pytest

from tests.check.over_small_game import checked
from tests.engines.playing import cells, entries, game_of

NOD = "nod: {options: {nod: {do: []}}}"


@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize(
    "says, expected", [("", True), ("otherwise: [],", False), ("otherwise: [{add: 1, to: n}],", False)]
)
def test_nobody_is_stuck_where_the_rules_say_that_nothing_happens(says: str, *, expected: bool, inline: bool) -> None:
    body = f"{says} options: {{go: {{where: [n > 5], do: []}}}}"
    choice = f"choose: here, {body}" if inline else "choose: one"
    game = game_of(f"""
        state: {{table: {{n: number 0..9}}}}
        verb: {{main: {{do: [{{{choice}, by: first(players)}}]}}}}
        decision: {{one: {{{body}}}, {NOD}}}
        """)
    assert bool(entries(game, "stuck")) is expected
    assert cells(game, "table.n") == [1 if "add" in says else 0]


def test_a_question_with_nothing_otherwise_may_be_passed_over_when_work_is_counted() -> None:
    def found(says: str) -> list[str]:
        return checked(f"""
            game: {{players: 2, seats: [ann, bob], play: main}}
            state: {{table: {{n: number 0..9}}}}
            verb: {{main: {{do: [{{repeat: 2000000, do: [{{set: n, to: 1}}]}}, {{choose: one, by: first(seats)}},
                                 {{repeat: 2000000, do: [{{set: n, to: 1}}]}}]}}}}
            decision: {{one: {{{says} options: {{go: {{where: [n > 5], do: []}}}}}}}}
            """).codes

    assert found("") == []
    assert found("otherwise: [],") == found("otherwise: [{set: n, to: 2}],") == ["too-much-work"]


@pytest.mark.parametrize(
    "step",
    [
        "{step: dusk, do: []}",
        "{repeat: 3, do: []}",
        "{for: player, in: players, do: []}",
        "{while: n < 5, at_most: 3, do: []}",
        "{if: n < 5, then: []}",
        "{if: n > 5, then: [{add: 1, to: n}], else: []}",
        "{choose: nod, by: first(players)}",
        "{choose: nod, by: chance}",
        "{for: player, in: players, ordered_by: first(players), do: []}",
        "idle",
        "{happen: bell}",
    ],
)
def test_a_body_without_steps_does_nothing_on_both_engines(step: str) -> None:
    game = game_of(f"""
        state: {{table: {{n: number 0..9, told: {{is: number 0..9, resets: round}}}}}}
        event: {{bell: {{}}}}
        verb:
          idle: {{do: []}}
          main:
            do:
              - {{add: 2, to: told}}
              - {step}
              - {{step: round, do: []}}
              - {{add: 1, to: n}}
              - {{choose: nod, by: first(players)}}
        decision: {{{NOD}}}
        """)
    while game.codes and cells(game, "table.n") == [0]:
        game.apply(game.codes[0])
    assert cells(game, "table.n") == [1]
    assert cells(game, "table.told") == [0]
