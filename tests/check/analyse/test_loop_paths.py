"""What is too much is shown at the loop that goes round most, with the loops on the way to it."""

from __future__ import annotations

import re

import pytest

from aodrules.source.diagnostics import Diagnostic
from tests.check.over_small_game import checked, over

MORE = """
  nap: {do: [{repeat: 9000, do: [{set: rounds, to: 1}]}]}
value: {snore: {is: "sum(n for n in range(4000))"}}
"""
WATCH = "tower: {probe: {price: 1, own: {look: {upon: sent, do: [look_on]}}}}\n"


def found_in(*texts: str) -> Diagnostic:
    [found] = over(*texts).report
    return found


def in_steps(text: str, more: str = "") -> Diagnostic:
    lines = "".join(f"      {line}\n" for line in text.strip().splitlines())
    return found_in(f"{WATCH}verb:\n  look_on:\n    given: {{player: player}}\n    do:\n{lines}{more}")


def shown(found: Diagnostic) -> list[str]:
    """Return what the notes say, without places."""
    return [re.sub(r" \([^()]*:\d+:\d+\)$", "", note.text) for note in found.notes]


def text_at(found: Diagnostic) -> str:
    span = found.primary.span
    return span.source.line(span.line)[span.column - 1 :]


@pytest.mark.parametrize(
    "steps, marked, path",
    [
        (
            "- {repeat: 30, do: [{repeat: 50000, do: [{earn: 1}]}]}",
            "repeat: 50000",
            ["up to 30 times `repeat 30`", "up to 50,000 times `repeat 50000`, the most of all"],
        ),
        (
            "- {for: n, in: 'range(3000)', do: [{while: true, at_most: 900, do: [{earn: 1}]}]}",
            "for: n",
            ["up to 3,000 times `for n in range(3000)`, the most of all", "up to 900 times `while true`"],
        ),
        (
            "- {if: rounds > 2, then: [{step: dusk, do: [{repeat: 2000, do: [{earn: 1}, nap]}]}]}",
            "repeat: 9000",
            ["up to 2,000 times `repeat 2000`", "up to 9,000 times `repeat 9000`, the most of all"],
        ),
        (
            "- {repeat: 2000, do: [{let: x, be: 'sum(n for n in range(3000))'}]}",
            "range(3000)",
            ["up to 2,000 times `repeat 2000`", "up to 3,000 times `for n in range(3000)`, the most of all"],
        ),
        (
            "- {repeat: 2000, do: [{if: snore() > 4, then: [{earn: 1}]}]}",
            "range(4000)",
            ["up to 2,000 times `repeat 2000`", "up to 4,000 times `for n in range(4000)`, the most of all"],
        ),
        (
            "- {repeat: 600000, do: [{earn: 1}]}\n- {repeat: 700000, do: [{earn: 1}]}",
            "repeat: 700000",
            ["up to 700,000 times `repeat 700000`", "together 700,000 times; the rest is done before or after it"],
        ),
    ],
)
def test_work_is_shown_with_its_loops(steps: str, marked: str, path: list[str]) -> None:
    found = in_steps(steps, MORE)
    assert found.code == "too-much-work"
    assert text_at(found).startswith(marked)
    assert shown(found) == path


def test_pieces_on_their_way_count_as_a_loop() -> None:
    effect = "variant: late\neffects: {e: {entering: table.bin, do: [{repeat: 200000, do: [{set: rounds, to: 1}]}]}}"
    body = "verb: {look_on: {given: {player: player}, do: [{move: all, from: pit, to: bin}]}}\n"
    found = found_in(WATCH + body + "state: {table: {bin: bag of cube}}", effect)
    assert (found.primary.span.path, found.primary.span.line) == ("1.yaml", 2)
    assert shown(found) == [
        "up to 12 times for each piece that is moved",
        "up to 200,000 times `repeat 200000`, the most of all",
    ]


def test_ways_to_fill_in_an_option_count_as_a_loop() -> None:
    condition = "sum(n for n in range(1000)) > a"
    option = f'{{for: {{a: "range(0, 2000)"}}, where: ["{condition}"], do: [{{earn: 1}}]}}'
    found = in_steps("- {choose: point, by: player}", f"decision: {{point: {{options: {{point: {option}}}}}}}")
    assert shown(found) == [
        "up to 2,000 times for each way to fill in `point`, the most of all",
        "up to 1,000 times `for n in range(1000)`",
    ]


def test_pieces_that_are_put_in_order_count_as_a_loop() -> None:
    state = "state: {table: {row: {is: list of cube}}}"
    found = in_steps("- {sort: row, by: 'sum(n for n in range(90000))'}", state)
    assert shown(found) == [
        "up to 12 times for each piece that is put in order",
        "up to 90,000 times `for n in range(90000)`, the most of all",
    ]


BEGIN_AND_PLAY = """
game: {players: 2, seats: [one, two], begin: first_half, play: second_half}
state: {table: {n: number 0..9}}
verb:
  first_half:  {do: [{repeat: 800, do: [{repeat: 800, do: [{set: n, to: 1}]}]}]}
  second_half: {do: [{repeat: 700, do: [{repeat: 900, do: [{set: n, to: 1}]}]}]}
"""


def test_what_begin_and_play_take_together_is_shown_at_the_dearer_one() -> None:
    [found] = checked(BEGIN_AND_PLAY).report
    assert text_at(found).startswith("repeat: 800, do: [{set")
    assert shown(found) == [
        "up to 800 times `repeat 800`",
        "up to 800 times `repeat 800`",
        "together 640,000 times; the rest is done before or after it",
    ]


@pytest.mark.parametrize(
    "body, last",
    [
        ("{repeat: 90000, do: [{choose: nod, by: player}]}", "up to 90,000 times `repeat 90000`, the most of all"),
        ("{choose: nods, by: player}", "up to 90,001 times as `nods` is asked again, the most of all"),
    ],
)
def test_questions_are_shown_where_a_variant_asks_too_often(body: str, last: str) -> None:
    variant = f"""
        variant: curious
        house: true
        add:
          decision:
            nod:  {{options: {{nod: {{do: []}}}}}}
            nods: {{options: {{nod: {{again: 90000, do: []}}, done: {{do: []}}}}}}
        insert: [{{first: verb.take_turns.round, do: [{{for: player, in: turn_order, do: [{body}]}}]}}]
        """
    found = found_in(variant)
    assert (found.code, found.primary.span.path) == ("too-many-decisions", "0.yaml")
    assert shown(found) == ["up to 3 times `repeat 3`", "up to 4 times `for player in turn_order`", last]


def test_each_loop_is_named_with_its_place() -> None:
    found = in_steps("- {repeat: 30, do: [{repeat: 50000, do: [{earn: 1}]}]}")
    assert [note.text.rpartition(" ")[2] for note in found.notes] == ["(0.yaml:6:10)", "(0.yaml:6:28)"]
