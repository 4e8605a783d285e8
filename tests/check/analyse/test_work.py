"""Work, instances, pieces and decisions are bounded; what is too much is shown with the loops on the way to it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from aodrules.check.analyse.bounds import MOST_WORK
from aodrules.play.engines import program_of
from aodrules.source.diagnostics import Diagnostic
from tests.check.over_small_game import checked, codes, over
from tests.engines.playing import Both, rules_of

WATCH = "tower: {probe: {price: 1, own: {look: {upon: sent, do: [look_on]}}}}\n"


def watching(text: str, more: str = "") -> str:
    """Return a document in which some steps are done whenever something is sent."""
    lines = "".join(f"      {line}\n" for line in text.strip().splitlines())
    return f"{WATCH}verb:\n  look_on:\n    given: {{player: player}}\n    do:\n{lines}{more}"


def steps(text: str, more: str = "") -> list[str]:
    return codes(watching(text, more))


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
        ("- {repeat: 4000, do: [{repeat: 4000, do: [{earn: 1}]}]}", ["too-much-work"]),
        ("- {repeat: 2000000, do: [{earn: 1}]}\n- {repeat: 2000000, do: [{earn: 1}]}", ["too-much-work"]),
        ("- {for: n, in: 'range(4000)', do: [{for: k, in: 'range(n)', do: [{earn: 1}]}]}", ["too-much-work"]),
        ("- {while: true, at_most: 19000000, do: [{earn: 1}]}", ["too-much-work"]),
        ("- {repeat: 9000, do: [{let: x, be: 'sum(n for n in range(9000))'}]}", ["too-much-work"]),
        (
            "- {if: rounds > 2, then: [{repeat: 2000000, do: [{earn: 1}]}], else: [{repeat: 200000, do: [{earn: 1}]}]}",
            [],
        ),
    ],
)
def test_loops_between_decisions_are_counted(text: str, expected: list[str]) -> None:
    assert steps(text) == expected


@pytest.mark.parametrize(
    "formula",
    ["len({})", "index({}, 7)", "count(7 in {} for n in [1, 2])", "sum({})", "either({}[7], 1)", "len(list({}))"],
)
@pytest.mark.parametrize("most", ["90000000", "rounds * 30000000"])
def test_the_numbers_of_a_range_are_counted_also_where_nothing_loops(formula: str, most: str) -> None:
    text = '- {{if: "{} > 3", then: [{{earn: 1}}]}}'
    assert steps(text.format(formula.format(f"range({most})"))) == ["too-much-work"]
    assert steps(text.format(formula.format("range(1000000)"))) == []


def test_a_mistake_is_reported_once_where_it_first_is_too_much() -> None:
    inner = "{repeat: 9000, do: [{repeat: 9000, do: [{earn: 1}]}]}"
    assert steps(f"- {{repeat: 10, do: [{inner}]}}") == ["too-much-work"]


def asking(text: str) -> list[str]:
    return codes(ASK, watching(text))


def test_a_decision_begins_the_count_anew() -> None:
    work = "{repeat: 2000000, do: [{earn: 1}]}"
    assert asking(f"- {work}\n- {{choose: nod, by: player}}\n- {work}") == []
    assert asking(f"- {work}\n- {{choose: wink, by: player}}\n- {work}") == ["too-much-work"]
    assert asking(f"- {work}\n- {{choose: drift, by: chance}}\n- {work}") == ["too-much-work"]


def test_the_decisions_of_a_game_are_counted() -> None:
    assert asking("- {repeat: 1000, do: [{choose: nod, by: player}]}") == []
    assert asking("- {repeat: 4500000, do: [{choose: nod, by: player}]}") == ["too-many-decisions"]


@pytest.mark.parametrize(
    "options, expected",
    [
        ("look: {again: 9, do: []}, turn_: {again: 69999, do: []}", []),
        ("look: {again: 299999, do: []}, turn_: {again: 299999, do: []}", ["too-many-decisions"]),
        ("look: {again: 69999, limit: {game: 5}, do: []}, turn_: {again: 69999, do: []}", []),
        ("look: {again: 9, do: [{choose: nod, by: player}]}, turn_: {again: 69999, do: []}", []),
        ("look: {again: 299999, do: [{choose: nod, by: player}]}", ["too-many-decisions"]),
    ],
)
def test_each_answer_that_asks_again_has_its_share_of_the_decisions(options: str, expected: list[str]) -> None:
    assert asking(f"- {{choose: ponder, by: player, optional: true, options: {{{options}}}}}") == expected


def test_the_work_between_two_questions_that_are_asked_again_is_not_added_up() -> None:
    work = "repeat: 1000, do: [{repeat: 800, do: [{earn: 1}]}]"
    ponder = f"- {{choose: ponder, by: player, optional: true, options: {{look: {{again: 99, do: [{{{work}}}]}}}}}}"
    assert asking(ponder) == []
    assert asking(ponder.replace("by: player", "by: chance")) == ["too-much-work"]


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
        ("a: 0..99, b: 0..99", []),
        ("a: 0..399, b: 0..399", ["too-many-instances"]),
        ("a: 0..1999, b: land, c: tower", []),
        ("a: 0..8999, b: land, c: tower, d: player", ["too-many-instances"]),
        ('a: 0..8999, b: land, c: {land: "neighbours(roads, b)"}', []),
    ],
)
def test_instances_of_an_option_are_counted(parameters: str, expected: list[str]) -> None:
    assert codes(OPTION.format(parameters=parameters)) == expected


def test_pieces_of_all_players_are_counted() -> None:
    assert codes("pawn: {herald: {each_player: 2000}}") == []
    assert codes("pawn: {herald: {each_player: 3000}}") == ["too-many-pieces"]


def test_members_of_a_kind_are_counted() -> None:
    def cubes(number: int) -> str:
        return "cube: {" + ", ".join(f"c{i}: {{copies: 9}}" for i in range(number - 2)) + "}"

    assert codes(cubes(1000)) == []
    assert codes(cubes(1001)) == ["too-many-members"]
    program_of(over(cubes(1000)).rules, 2)


def test_cells_of_all_fields_are_counted_together() -> None:
    assert codes("state: {land: {marks: flag" + 15 * " per cube" + "}}") == []
    assert codes("state: {land: {marks: flag" + 16 * " per cube" + "}}") == ["too-many-cells"]
    both = "{marks: flag" + 15 * " per cube" + ", holes: flag" + 15 * " per cube" + "}"
    assert codes(f"state: {{land: {both}}}") == ["too-many-cells"]


@pytest.mark.parametrize(
    "body, last",
    [
        ("{{do: [{next}, {next}]}}", "{do: [{set: rounds, to: 1}]}"),
        ("{{do: [{{if: rounds > 3, then: [{next}, {next}]}}]}}", "{do: [{set: rounds, to: 1}]}"),
    ],
)
def test_chains_of_verbs_that_call_twice_are_counted(body: str, last: str) -> None:
    def chain(length: int) -> list[str]:
        verbs = [f"  v{i}: " + body.format(next=f"v{i + 1}") for i in range(length)]
        return steps("- v0", "\n".join([*verbs, f"  v{length}: {last}"]))

    assert chain(12) == []
    assert chain(30) == ["too-much-work"]


def test_chains_of_values_that_call_twice_are_counted() -> None:
    def chain(length: int) -> list[str]:
        values = [f"  v{i}:\n    is: v{i + 1}() + v{i + 1}()" for i in range(length)]
        more = "\n".join(["value:", *values, f"  v{length}: {{is: rounds}}"])
        return steps("- {if: v0() > 5, then: [{earn: 1}]}", more)

    assert chain(12) == []
    assert chain(30) == ["too-much-work"]


def test_chains_of_moves_that_each_cause_two_are_counted() -> None:
    def chain(length: int) -> list[str]:
        fields = ", ".join(f"p{i}: bag of cube" for i in range(length + 1))
        twice = 2 * "{{move: amber, from: pit, to: p{next}}}, "
        effects = [f"  e{i}: {{entering: table.p{i}, do: [{twice.format(next=i + 1)}]}}" for i in range(length)]
        variant = "\n".join(["variant: chained", "effects:", *effects])
        play = "tower: {probe: {price: 1, own: {look: {upon: sent, do: [{move: amber, from: pit, to: p0}]}}}}"
        return codes(variant, f"{play}\nstate: {{table: {{{fields}}}}}")

    assert chain(12) == []
    assert chain(30) == ["too-much-work"]


DEEP = "sum(sum(sum(1 for a in range(0, 1000)) for b in range(0, 1000)) for c in range(0, 1000))"


def test_what_takes_too_long_before_play_is_refused() -> None:
    [found] = over(f'tower: {{probe: {{price: "{DEEP}"}}}}').report
    assert (found.code, found.help) == ("unbounded-number", "write the number itself, or a shorter loop")
    tall = f'kinds: {{star: {{plural: stars, attributes: {{tall: flag}}}}}}\nstar: {{sol: {{tall: "{DEEP} > 3"}}}}'
    assert codes(tall) == ["too-much-work"]
    assert codes(f'kinds: {{star: {{plural: stars, pieces: {{count: "{DEEP}"}}}}}}\nstar: {{sol: {{}}}}') == [
        "unbounded-number"
    ]


@pytest.mark.parametrize("key", ["start: min(9, {})", "start: 1 if {} > 3 else 2", "only: {} > 3"])
def test_what_a_field_starts_with_is_counted(key: str) -> None:
    def found(formula: str) -> list[str]:
        word, _, text = key.partition(": ")
        return codes(f'state: {{land: {{depth: {{is: number 0..9, {word}: "{text.format(formula)}"}}}}}}')

    assert found("sum(1 for a in range(0, 1000))") == []
    assert found(DEEP) == ["too-much-work"]


@pytest.mark.parametrize(
    "members, copies, wild, shape, expected",
    [
        (8, 5, 20, "", []),
        (20, 20, 5, "", []),
        (8, 5, 9000000, "", ["too-much-work"]),
        (6, 5, 3, ", different: true", []),
        (20, 20, 5, ", different: true", ["too-much-work"]),
        (1, 900, 5, ", different: true", ["too-much-work"]),
    ],
)
def test_the_search_for_sets_is_counted(members: int, copies: int, wild: int, shape: str, expected: list[str]) -> None:
    gems = ", ".join(f"g{i}: {{copies: {copies}}}" for i in range(members))
    text = f"""
      kinds: {{gem: {{plural: gems, attributes: {{copies: number}}, pieces: {{count: copies}}}}}}
      gem: {{{gems}}}
      state: {{table: {{mine: {{is: bag of gem, start: all}}}}}}
      sets: {{rings: {{wild_per_set: 1, shapes: [{{size: 2, worth: 1{shape}}}, {{size: 3, alike: true, worth: 4}}]}}}}
    """
    play = f'do: [{{if: "sets_worth(rings, mine, {wild}) > 5", then: [{{earn: 1}}]}}]'
    assert codes(text, f"tower: {{probe: {{price: 1, own: {{look: {{upon: sent, {play}}}}}}}}}") == expected


WINDOWS = """
verb:
  open_all:
    given: {{player: player}}
    do:
      - repeat: 4000
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


# Loops over everything that holds members are counted, whether or not their kind has pieces.

LIT_POSTS = """
game: {{players: 2, seats: [one, two], play: go}}
kinds:
  post:
    plural: posts
    attributes: {{tall: number}}
    hooks: {{ring: {{}}}}
{pieces}
post:
  north: {{tall: 3, ring: [{{add: 1, to: rung}}]}}
  south: {{tall: {tall}}}
state:
  table:
    lit:  {held}
{box}
    rung: number 0..99
verb:
  go:
    do:
      - {fill}
      - for: post
        in: lit
        do: [{inside}]
      - {{choose: nod, by: 'first(seats)'}}
decision:
  nod: {{options: {{nod: {{do: []}}}}}}
"""
WITH_PIECES = {"pieces": "    pieces: {count: 2}", "box": "    box: {is: bag of post, start: all}"}
WITHOUT = {"pieces": "", "box": ""}
FILLED = {
    "set of post": "{add: south, to: lit}",
    "list of post": "{move: south, from: box, to: lit}",
    "list of post up to 9": "{move: south, from: box, to: lit}",
    "bag of post": "{move: south, from: box, to: lit}",
}
INSIDE = {
    "loop": "{for: n, in: range(post.tall), do: [{add: 1, to: rung, up_to: true}]}",
    "hook": "{run: post.ring}",
    "both": "{for: n, in: range(post.tall), do: [{run: post.ring}]}",
}


def written(held: str, inside: str, *, tall: int, pieces: bool) -> str:
    parts: dict[str, Any] = WITH_PIECES if pieces else WITHOUT
    return LIT_POSTS.format(held=held, inside=INSIDE[inside], tall=tall, fill=FILLED[held], **parts)


CASES = [
    (held, inside, pieces)
    for held in FILLED
    for inside in INSIDE
    for pieces in (False, True)
    if pieces or held == "set of post"
]


@pytest.mark.parametrize("held, inside, pieces", CASES)
def test_a_loop_over_what_a_field_holds_plays(held: str, inside: str, *, pieces: bool) -> None:
    game = Both(rules_of(written(held, inside, tall=2, pieces=pieces)), 2, 1)
    assert game.plain().fields["table.rung"] == [2 if inside == "loop" else 0]


@pytest.mark.parametrize("held, pieces", sorted({(held, pieces) for held, _, pieces in CASES}))
def test_the_rounds_of_each_member_are_counted(held: str, *, pieces: bool) -> None:
    few, many = (checked(written(held, "loop", tall=tall, pieces=pieces)).codes for tall in (1000, 20_000_000))
    assert (few, many) == ([], ["too-much-work"])


def test_a_set_holds_a_member_once_however_many_pieces_there_are() -> None:
    assert checked(written("set of post", "loop", tall=2_000_000, pieces=True)).codes == []


# What is too much is shown at the loop that goes round most, with the loops on the way to it.

MORE = """
  nap: {do: [{repeat: 9000, do: [{set: rounds, to: 1}]}]}
value: {snore: {is: "sum(n for n in range(40000))"}}
"""


def found_in(*texts: str) -> Diagnostic:
    [found] = over(*texts).report
    return found


def in_steps(text: str, more: str = "") -> Diagnostic:
    return found_in(watching(text, more))


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
            "- {repeat: 300, do: [{repeat: 50000, do: [{earn: 1}]}]}",
            "repeat: 50000",
            ["up to 300 times `repeat 300`", "up to 50,000 times `repeat 50000`, the most of all"],
        ),
        (
            "- {for: n, in: 'range(30000)', do: [{while: true, at_most: 900, do: [{earn: 1}]}]}",
            "for: n",
            ["up to 30,000 times `for n in range(30000)`, the most of all", "up to 900 times `while true`"],
        ),
        (
            "- {if: rounds > 2, then: [{step: dusk, do: [{repeat: 8000, do: [{earn: 1}, nap]}]}]}",
            "repeat: 9000",
            ["up to 8,000 times `repeat 8000`", "up to 9,000 times `repeat 9000`, the most of all"],
        ),
        (
            "- {repeat: 2000, do: [{let: x, be: 'sum(n * n for n in range(30000))'}]}",
            "range(30000)",
            ["up to 2,000 times `repeat 2000`", "up to 30,000 times `for n in range(30000)`, the most of all"],
        ),
        (
            "- {repeat: 3000, do: [{if: snore() > 4, then: [{earn: 1}]}]}",
            "range(40000)",
            ["up to 3,000 times `repeat 3000`", "up to 40,000 times `for n in range(40000)`, the most of all"],
        ),
        (
            "- {repeat: 1700000, do: [{earn: 1}]}\n- {repeat: 2000000, do: [{earn: 1}]}",
            "repeat: 2000000",
            ["up to 2,000,000 times `repeat 2000000`"],
        ),
    ],
)
def test_work_is_shown_with_its_loops(steps: str, marked: str, path: list[str]) -> None:
    found = in_steps(steps, MORE)
    assert found.code == "too-much-work"
    assert text_at(found).startswith(marked)
    assert shown(found)[:-1] == path
    assert " of the operations are for " in shown(found)[-1]


def test_pieces_on_their_way_count_as_a_loop() -> None:
    effect = "variant: late\neffects: {e: {entering: table.bin, do: [{repeat: 2000000, do: [{set: rounds, to: 1}]}]}}"
    body = "verb: {look_on: {given: {player: player}, do: [{move: all, from: pit, to: bin}]}}\n"
    found = found_in(WATCH + body + "state: {table: {bin: bag of cube}}", effect)
    assert (found.primary.span.path, found.primary.span.line) == ("1.yaml", 2)
    assert shown(found) == [
        "up to 12 times for each piece that is moved",
        "up to 2,000,000 times `repeat 2000000`, the most of all",
        "480,000,000 of the operations are for `set`",
    ]


def test_ways_to_fill_in_an_option_count_as_a_loop() -> None:
    condition = "sum(n for n in range(50000)) > a"
    option = f'{{for: {{a: 0..1999}}, where: ["{condition}"], do: [{{earn: 1}}]}}'
    found = in_steps("- {choose: point, by: player}", f"decision: {{point: {{options: {{point: {option}}}}}}}")
    assert shown(found) == [
        "up to 2,000 times for each way to fill in `point`",
        "up to 50,000 times `for n in range(50000)`, the most of all",
        "100,000,000 of the operations are for `range(50000)`",
    ]


def test_pieces_that_are_put_in_order_count_as_a_loop() -> None:
    state = "state: {table: {row: {is: list of cube}}}"
    found = in_steps("- {sort: row, by: 'sum(n for n in range(9000000))'}", state)
    assert shown(found) == [
        "up to 12 times for each piece that is put in order",
        "up to 9,000,000 times `for n in range(9000000)`, the most of all",
        "108,000,000 of the operations are for `range(9000000)`",
    ]


BEGIN_AND_PLAY = """
game: {players: 2, seats: [one, two], begin: first_half, play: second_half}
state: {table: {n: number 0..9}}
verb:
  first_half:  {do: [{repeat: 1100, do: [{repeat: 3200, do: [{set: n, to: 1}]}]}]}
  second_half: {do: [{repeat: 2800, do: [{repeat: 1200, do: [{set: n, to: 1}]}]}]}
"""


def test_what_begin_and_play_take_together_is_shown_at_the_dearer_one() -> None:
    [found] = checked(BEGIN_AND_PLAY).report
    assert text_at(found).startswith("repeat: 3200, do: [{set")
    assert shown(found) == [
        "up to 1,100 times `repeat 1100`",
        "up to 3,200 times `repeat 3200`, the most of all",
        "70,400,000 of the operations are for `set`",
    ]


@pytest.mark.parametrize(
    "body, last",
    [
        ("{repeat: 500000, do: [{choose: nod, by: player}]}", "up to 500,000 times `repeat 500000`, the most of all"),
        ("{choose: nods, by: player}", "up to 500,001 times as `nods` is asked again, the most of all"),
    ],
)
def test_questions_are_shown_where_a_variant_asks_too_often(body: str, last: str) -> None:
    variant = f"""
        variant: curious
        house: true
        add:
          decision:
            nod:  {{options: {{nod: {{do: []}}}}}}
            nods: {{options: {{nod: {{again: 500000, do: []}}, done: {{do: []}}}}}}
        insert: [{{first: verb.take_turns.round, do: [{{for: player, in: turn_order, do: [{body}]}}]}}]
        """
    found = found_in(variant)
    assert (found.code, found.primary.span.path) == ("too-many-decisions", "0.yaml")
    assert shown(found)[:-1] == ["up to 3 times `repeat 3`", "up to 4 times `for player in turn_order`", last]
    assert re.fullmatch(r"6,000,0.. of the questions are for `nods?`", shown(found)[-1])


def test_each_loop_is_named_with_its_place() -> None:
    found = in_steps("- {repeat: 300, do: [{repeat: 50000, do: [{earn: 1}]}]}")
    assert [note.text.rpartition(" ")[2] for note in found.notes] == [
        "(0.yaml:6:10)",
        "(0.yaml:6:29)",
        "(1.yaml:57:65)",
    ]


KEPT = """
value:
  long:  {given: {player: player}, is: "sum(n + player.coins for n in range(200000))", kept: true}
  twice: {given: {player: player}, is: "sum(long(player) for n in range(200))"}
"""


@pytest.mark.parametrize(
    "step, kept, expected",
    [
        ("- {let: x, be: twice(player)}", True, []),
        ("- {let: x, be: twice(player)}", False, ["too-much-work"]),
        ("- {repeat: 2, do: [{earn: 1}, {let: x, be: twice(player)}]}", True, []),
        ("- {repeat: 900, do: [{let: x, be: twice(player)}, {earn: 1}]}", True, ["too-much-work"]),
    ],
)
def test_a_kept_value_is_worked_out_once_for_each_step_that_changes_what_it_reads(
    step: str, *, kept: bool, expected: list[str]
) -> None:
    more = KEPT if kept else KEPT.replace(", kept: true", "")
    assert list(dict.fromkeys(steps(step, more))) == expected


WIDE = """
value:
  long:
    given: {player: player, n: number 1..10}
    is: "sum(n + PAID for a in range(50) for b in range(MANY))"
    kept: true
  plain:  {given: {other: player}, is: other.coins}
  nearly: {given: {other: player}, is: "sum(p.coins for p in players) + other.coins"}
"""


@pytest.mark.parametrize(
    "paid, step, expected",
    [
        ("player.coins", "{set: player.coins, to: 0}", []),
        ("plain(player)", "{set: player.coins, to: 0}", []),
        ("nearly(player)", "{set: player.coins, to: 0}", ["too-much-work"]),
        ("first(seats).coins", "{set: player.coins, to: 0}", ["too-much-work"]),
        ("player.coins", "{set: first(seats).coins, to: 0}", ["too-much-work"]),
    ],
)
def test_a_change_of_one_cell_lets_the_results_be_worked_out_that_it_concerns(
    paid: str, step: str, expected: list[str]
) -> None:
    # The forty results that can be asked are worked out once anyway: here with ten more, or with forty more.
    ways = 200 if "(player)" not in paid else 480
    more = WIDE.replace("PAID", paid).replace("MANY", str(MOST_WORK // (50 * ways)))
    assert list(dict.fromkeys(steps(f"- {{let: x, be: 'long(player, 1)'}}\n- {step}", more))) == expected
