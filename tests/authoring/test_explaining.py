"""`explain` answers who set this: every layer that touched a node, in order, with file and line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import aodrules
from aodrules.cli.main import run
from aodrules.compose.addresses import nearest_address
from tests.playing import GAMES, rules_of

HARBOUR = str(GAMES / "harbour")


def explained(address: str, *variants: str | Path) -> str:
    text = aodrules.load(GAMES / "harbour", variants, cache=False).explain(address)
    assert text is not None
    return text


def written(text: str) -> list[str]:
    """Return the lines about who wrote a node, without the lines of the files."""
    part = text.partition("\n\n")[0].splitlines()[1:]
    return [f"{who.strip()} {where.strip()}" for who, where in zip(part[::3], part[1::3], strict=True)]


def test_every_layer_is_told_in_order_with_file_and_line(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("variant: mine\nhouse: true\nchange: {house.inn.cost: 7}\n", encoding="utf-8")
    assert written(explained("house.inn.cost", "grand", mine)) == [
        "game harbour: declare house.inn --> tests/games/harbour/houses.yaml:3:3",
        "edition grand: change house.inn.cost --> tests/games/harbour/editions/grand.yaml:9:3",
        f"variant mine: change house.inn.cost --> {mine.as_posix()}:3:10",
    ]


def test_a_node_that_was_taken_out_says_who_did_it() -> None:
    text = explained("house.rope_walk.when_built", "grand")
    assert text.startswith("written, and taken out again:\n  game harbour: declare house.rope_walk\n")
    assert (
        "edition grand: remove house.rope_walk.when_built\n   --> tests/games/harbour/editions/grand.yaml:14:10" in text
    )


def test_a_step_that_was_moved_is_told_at_both_places(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("variant: mine\nhouse: true\nmove: [{step: verb.evening.night, first: verb.work_the_quays}]\n")
    assert explained("verb.evening.night", mine).startswith("written, and moved away:\n")
    there = explained("verb.work_the_quays.night", mine)
    assert written(there)[-1] == f"variant mine: move verb.work_the_quays.night --> {mine.as_posix()}:3:15"


def test_what_modifies_a_value_is_told_with_its_layer() -> None:
    text = explained("value.price", "dear-timber")
    assert "modified by:\n" in text
    assert (
        "variant dear-timber: add effects.dear-timber.scarce\n   --> tests/games/harbour/variants/dear-timber.yaml:10:3"
        in text
    )


def test_what_a_hook_of_the_kind_supplies_is_told_before_the_composed_node() -> None:
    parts = explained("house.excise").split("\n\n")
    titles = [part.partition("\n")[0] for part in parts]
    supplied = parts[titles.index("supplied by the kind:")]
    assert titles.index("supplied by the kind:") < titles.index("composed:")
    assert supplied == (
        "supplied by the kind:\n"
        "  kinds.house.hooks.everyone\n"
        "   --> tests/games/harbour/components.yaml:42:7\n"
        "          everyone:    {effects: true, in: player.town}"
    )


def test_a_part_of_a_member_is_told_its_hook_and_others_none() -> None:
    assert "kinds.house.hooks.everyone\n" in explained("house.excise.everyone.due")
    assert "supplied by the kind" not in explained("value.price")
    # What the kind does is told of members that say nothing about it.
    assert "kinds.quay.hooks.clear" in explained("quay.yard")
    assert "- go_home: self.row" in explained("quay.yard.clear")
    assert "supplied by the kind" not in explained("house.excise.cost")


def test_only_the_python_that_took_something_in_is_shown() -> None:
    """Everybody gains by one verb, whose steps stand in many places: here is what the inn gains."""
    python = explained("house.inn").partition("Python for 2 players:\n")[2].splitlines()
    gains = [line.strip() for line in python if "player.silver" in line]
    assert gains
    assert {re.sub(r"_\d+", "", gain) for gain in gains} == {"new = player.silver[player] + 2"}
    assert any(line.strip().endswith("== inn:") for line in python)


def test_a_node_that_never_was_is_not_explained() -> None:
    assert rules_of("harbour").explain("house.palace") is None


@pytest.mark.parametrize(
    "address, near",
    [
        ("house.inn.cots", "house.inn.cost"),
        ("huose.inn.cots", "house.inn.cost"),
        ("verb.evening.wagse", "verb.evening.wages"),
        ("nothing.like.it", None),
        ("house.inn.cost", "house.inn.cost"),
    ],
)
def test_a_misspelt_address_is_suggested(address: str, near: str | None) -> None:
    assert nearest_address(rules_of("harbour").book.ruleset.root, address) == near


def test_the_command_suggests_the_address(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "house.inn.cots", "--rules", HARBOUR]) == 2
    assert "did you mean `house.inn.cost`?" in capsys.readouterr().err


def test_a_row_is_told_in_the_long_form_with_the_clauses_of_its_kind() -> None:
    told = str(aodrules.load(GAMES / "nim.yaml", cache=False).explain("heap.low_heap"))
    assert "clauses:\n  three-heaps\n" in told
    assert "  heap.low_heap:\n    place: 10\n    height: 3\n" in told + "\n"
