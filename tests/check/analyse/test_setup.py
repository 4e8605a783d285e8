"""Every piece starts in exactly one place, and moves only where there is one."""

from __future__ import annotations

import pytest

from tests.check.over_small_game import codes

RELICS = """
kinds:
  relic: {plural: relics, attributes: {holy: flag, at: land = hills}, pieces: {count: 1}}
relic:
  bone: {holy: true}
  nail: {holy: false, at: shores}
"""


@pytest.mark.parametrize(
    "state, expected",
    [
        ("table: {shrine: {is: bag of relic, start: all}}", []),
        ("table: {shrine: {is: list of relic, start: all}}", []),
        ("table: {shrine: {is: bag of relic}}", ["piece-without-start"]),
        ("table: {shrine: {is: bag of relic, start: all, if: relic.holy}}", ["piece-without-start"]),
        (
            (
                "table: {shrine: {is: bag of relic, start: all, if: relic.holy}, "
                "ditch: {is: bag of relic, start: all, if: not relic.holy}}"
            ),
            [],
        ),
        (
            "table: {shrine: {is: bag of relic, start: all, if: relic.holy}, ditch: {is: bag of relic, start: all}}",
            ["piece-with-two-starts"],
        ),
        ("table: {shrine: {is: bag of relic per land, start: all, by: relic.at}}", []),
        ("table: {shrine: {is: bag of relic per land, start: all}}", ["piece-with-two-starts"]),
        ("land: {shrine: {is: bag of relic, start: all, by: relic.at}}", []),
        ("player: {shrine: {is: bag of relic, start: all}}", ["piece-with-two-starts"]),
        ("table: {shrine: {is: maybe relic, start: all}}", ["start-too-full"]),
        ("land: {shrine: {is: maybe relic, start: all, by: relic.at}}", []),
    ],
)
def test_every_piece_starts_in_one_place(state: str, expected: list[str]) -> None:
    assert codes(f"{RELICS}state:\n  {state}\n") == expected


def test_a_kind_without_pieces_needs_no_field() -> None:
    assert codes("kinds: {wind: {plural: winds}}\nwind: {gale: {}}") == []


def test_a_member_without_pieces_needs_no_field() -> None:
    assert codes("cube: {ghost: {copies: 0}}") == []


def test_players_start_in_one_list() -> None:
    assert codes("state: {table: {second_order: {is: list of player, start: all}}}") == ["piece-with-two-starts"]
    assert codes("state: {table: {passed: list of player}}") == []


PIER = "state:\n  land:\n    pier: {is: bag of cube, only: land.yields == amber}\n"
MOVE = "{move: amber, from: pit, to: land.pier}"


@pytest.mark.parametrize(
    "rules, is_right",
    [
        (f"verb: {{a: {{main: {{land: land}}, do: [{MOVE}]}}}}", False),
        (f"verb: {{a: {{main: {{land: land}}, do: [{{if: land.yields == amber, then: [{MOVE}]}}]}}}}", True),
        (f"verb: {{a: {{main: {{land: land}}, do: [{{if: land == shores, then: [{MOVE}]}}]}}}}", True),
        (f"verb: {{a: {{main: {{land: land}}, do: [{{if: land == hills, then: [{MOVE}]}}]}}}}", False),
        (f"verb: {{a: {{main: {{land: land}}, do: [{{if: land == hills, then: [], else: [{MOVE}]}}]}}}}", True),
        (f"verb: {{a: {{do: [{{for: land, in: lands, where: land.yields != slate, do: [{MOVE}]}}]}}}}", True),
        (f"verb: {{a: {{do: [{{for: land, in: lands, do: [{MOVE}]}}]}}}}", False),
        (f"verb: {{a: {{do: [{{for: land, in: list(l for l in lands if l.yields == amber), do: [{MOVE}]}}]}}}}", True),
        ("verb: {a: {do: [{move: amber, from: pit, to: lands.shores.pier}]}}", True),
        ("verb: {a: {do: [{move: amber, from: pit, to: lands.hills.pier}]}}", False),
        ("verb: {a: {do: [{move: amber, from: lands.hills.pier, to: pit}]}}", True),
        (f"decision: {{d: {{options: {{o: {{for: {{land: land}}, where: [land == shores], do: [{MOVE}]}}}}}}}}", True),
        (f"decision: {{d: {{options: {{o: {{for: {{land: land}}, do: [{MOVE}]}}}}}}}}", False),
        (
            (
                "verb:\n  put: {given: {into: place of cube}, do: [{move: amber, from: pit, to: into}]}\n"
                "  a: {do: [{put: , into: lands.hills.pier}]}"
            ),
            False,
        ),
        (
            (
                "verb:\n  pull: {given: {out_of: place of cube}, do: [{move: amber, from: out_of, to: pit}]}\n"
                "  a: {do: [{pull: , out_of: lands.hills.pier}]}"
            ),
            True,
        ),
    ],
)
def test_a_move_needs_a_field_that_is_there(rules: str, is_right: bool) -> None:
    assert codes(f"{PIER}{rules}\n") == ([] if is_right else ["move-into-missing-field"])
