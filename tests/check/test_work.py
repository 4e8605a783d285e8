"""Work, instances, pieces and decisions are bounded."""

from __future__ import annotations

import pytest

from tests.check.over_small_game import codes


def steps(text: str) -> list[str]:
    lines = "".join(f"      {line}\n" for line in text.strip().splitlines())
    body = f"verb:\n  look_on:\n    given: {{player: player}}\n    do:\n{lines}"
    return codes("tower: {probe: {price: 1, own: {look: {upon: sent, do: [look_on]}}}}\n" + body)


ASK = """
decision:
  drift: {options: {drift: {do: []}}}
  nod:   {options: {nod: {do: [{earn: 1}]}}}
  wink:  {optional: true, options: {wink: {do: [{earn: 1}]}}}
"""


@pytest.mark.parametrize(
    "text, expected",
    [
        ("- {repeat: 900, do: [{repeat: 900, do: [{earn: 1}]}]}", []),
        ("- {repeat: 1100, do: [{repeat: 1100, do: [{earn: 1}]}]}", ["too-much-work"]),
        ("- {repeat: 600000, do: [{earn: 1}]}\n- {repeat: 600000, do: [{earn: 1}]}", ["too-much-work"]),
        ("- {for: n, in: 'range(2000)', do: [{for: k, in: 'range(n)', do: [{earn: 1}]}]}", ["too-much-work"]),
        ("- {while: true, at_most: 2000000, do: [{earn: 1}]}", ["too-much-work"]),
        ("- {repeat: 2000, do: [{let: x, be: 'sum(n for n in range(2000))'}]}", ["too-much-work"]),
        (
            "- {if: rounds > 2, then: [{repeat: 600000, do: [{earn: 1}]}], else: [{repeat: 600000, do: [{earn: 1}]}]}",
            [],
        ),
    ],
)
def test_loops_between_decisions_are_counted(text: str, expected: list[str]) -> None:
    assert steps(text) == expected


def test_a_mistake_is_reported_once_where_it_first_is_too_much() -> None:
    inner = "{repeat: 2000, do: [{repeat: 2000, do: [{earn: 1}]}]}"
    assert steps(f"- {{repeat: 10, do: [{inner}]}}") == ["too-much-work"]


def asking(text: str) -> list[str]:
    lines = "".join(f"      {line}\n" for line in text.strip().splitlines())
    body = f"verb:\n  look_on:\n    given: {{player: player}}\n    do:\n{lines}"
    return codes(ASK, "tower: {probe: {price: 1, own: {look: {upon: sent, do: [look_on]}}}}\n" + body)


def test_a_decision_begins_the_count_anew() -> None:
    work = "{repeat: 600000, do: [{earn: 1}]}"
    assert asking(f"- {work}\n- {{choose: nod, by: player}}\n- {work}") == []
    assert asking(f"- {work}\n- {{choose: wink, by: player}}\n- {work}") == ["too-much-work"]
    assert asking(f"- {work}\n- {{choose: drift, by: chance}}\n- {work}") == ["too-much-work"]


def test_the_decisions_of_a_game_are_counted() -> None:
    assert asking("- {repeat: 1000, do: [{choose: nod, by: player}]}") == []
    assert asking("- {repeat: 90000, do: [{choose: nod, by: player}]}") == ["too-many-decisions"]


OPTION = """
tower: {{probe: {{price: 1, own: {{look: {{upon: sent, do: [{{choose: point, by: player}}]}}}}}}}}
decision:
  point:
    options:
      point:
        for: {{{parameters}}}
        do: [{{earn: 1}}]
"""


@pytest.mark.parametrize(
    "parameters, expected",
    [
        ('a: "range(0, 100)", b: "range(0, 100)"', []),
        ('a: "range(0, 200)", b: "range(0, 200)"', ["too-many-instances"]),
        ('a: "range(0, 2000)", b: land, c: tower', []),
        ('a: "range(0, 2000)", b: land, c: tower, d: player', ["too-many-instances"]),
        ('a: "range(0, 9000)", b: land, c: {land: "neighbours(roads, b)"}', []),
    ],
)
def test_instances_of_an_option_are_counted(parameters: str, expected: list[str]) -> None:
    assert codes(OPTION.format(parameters=parameters)) == expected


def test_pieces_of_all_players_are_counted() -> None:
    assert codes("pawn: {herald: {each_player: 2000}}") == []
    assert codes("pawn: {herald: {each_player: 3000}}") == ["too-many-pieces"]


WINDOWS = """
verb:
  open_all:
    given: {{player: player}}
    do:
      - repeat: 80
        do:
          - for: tower
            in: towers
            do:
              - {{choose: before, by: player, tower: tower}}
              - {{run: tower.when_built}}
decision:
  before:
    given: {{tower: tower}}
    optional: true
    options:
      ring:
        where: [{condition}]
        do: [{{repeat: 100, do: [{{choose: nod, by: player}}]}}]
tower:
  probe: {{price: 1, own: {{look: {{upon: sent, do: [open_all]}}}}}}
"""


@pytest.mark.parametrize("condition, expected", [("tower == belfry", []), ("rounds > 3", ["too-many-decisions"])])
def test_what_is_possible_for_one_member_is_counted_for_that_member(condition: str, expected: list[str]) -> None:
    assert codes(ASK, WINDOWS.format(condition=condition)) == expected
