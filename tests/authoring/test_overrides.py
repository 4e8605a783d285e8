"""What a variant must say of clauses, and how `--fix` says it for the author, however the head is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import aodrules
from aodrules.cli.main import run

GAME = """
game: {players: 2, seats: [red, blue], play: pay_all, points: {money: player.money}}
clause:
  toll.price: {says: {en: The toll is 3.}, kind: rule}
  gift.once:  {says: {en: Everybody gets a gift.}, kind: rule}
  old.rule:   {says: {en: Only of another edition.}, kind: rule, editions: [other]}
  gate.three: {says: {en: There are three gates.}, kind: component}
  gate.width: {says: {en: The south gate is wide.}, kind: component}
kinds:
  gate: {plural: gates, attributes: {width: number}, clauses: gate.three}
gate:
  columns: [width]
  north:   2
  south:   {width: 4, clauses: gate.width}
state:
  player: {money: {is: number 0..99, start: 9}}
value:
  toll: {is: 3, clauses: [toll.price, old.rule]}
  gift: {is: 2, clauses: [gift.once]}
verb:
  pay_all:
    do:
      - for: player
        in: players
        do:
          - {step: give, do: [{add: gift(), to: player.money}]}
          - {step: take, do: [{take: toll(), from: player.money}]}
    clauses: [gift.once]
"""
PROPERTY = "property: {nobody-owes: {always: all(p.money >= 0 for p in players)}}\n"


def _written(folder: Path, variant: str) -> str:
    (folder / "tolls.yaml").write_text(GAME, encoding="utf-8")
    (folder / "low.yaml").write_text(variant, encoding="utf-8")
    return f"{folder / 'tolls.yaml'}+{folder / 'low.yaml'}"


def _warnings(folder: Path, variant: str) -> list[str]:
    word = _written(folder, variant)
    base, other = word.split("+")
    return [each.code for each in aodrules.load(base, [other], cache=False).warnings]


HEAD = "variant: low\nhouse: true\n"


@pytest.mark.parametrize(
    "variant, expected",
    [
        ("change: {value.toll.is: 1}\n", ["silent-override"]),
        ("change: {value.toll.is: 1}\noverrides: [toll.price]\n", []),
        ("change: {value.toll.is: 1}\nkeeps: [toll.price]\n", []),
        ("change: {value.toll.is: 1}\nclauses: [toll.price]\n", []),
        ("change: {value.toll: {is: 1, clauses: [toll.price]}}\n", []),
        ("change: {value.toll: {is: 1}}\n", ["silent-override"]),
        ("change: {value.toll.is: 1, value.toll.clauses: [gift.once]}\n", ["silent-override"]),
        ("effects: {less: {modify: toll, add: -1}}\n", []),
        ("insert: [{first: verb.pay_all, do: [{let: x, be: 1}]}]\n", []),
        ("move: [{step: verb.pay_all.take, before: verb.pay_all.give}]\n", ["silent-override"]),
        ("move: [{step: verb.pay_all.take, before: verb.pay_all.give}]\nkeeps: [gift.once]\n", []),
        # The verb stands for the gift too, and goes on giving it.
        ("change: {value.gift: {is: 1}}\n", []),
        ("change: {value.gift.is: 1}\n", ["silent-override"]),
        ("change: {gate.north.width: 1}\n", ["silent-override"]),
        ("change: {gate.north.width: 1}\nkeeps: [gate.three]\n", []),
        ("change: {gate.south.width: 1}\nkeeps: [gate.width]\n", []),
        ("remove: [gate.north]\n", []),
        ("text: {value.toll: {en: Toll}}\n", []),
    ],
)
def test_a_change_of_what_stands_for_a_clause_wants_a_word(variant: str, expected: list[str], tmp_path: Path) -> None:
    assert _warnings(tmp_path, HEAD + variant) == expected


def test_a_clause_of_another_edition_needs_no_word(tmp_path: Path) -> None:
    word = _written(tmp_path, f"{HEAD}change: {{value.toll.is: 1}}\n")
    base, other = word.split("+")
    (warning,) = aodrules.load(base, [other], cache=False).warnings
    assert "toll.price" in warning.message
    assert "old.rule" not in warning.message


def test_a_clause_that_is_kept_must_exist(tmp_path: Path) -> None:
    word = _written(tmp_path, f"{HEAD}keeps: [toll.prize]\nchange: {{value.toll.is: 1}}\n")
    base, other = word.split("+")
    with pytest.raises(aodrules.RulesError) as wrong:
        aodrules.load(base, [other], cache=False)
    assert "unknown-clause" in {each.code for each in wrong.value.report}


@pytest.mark.parametrize(
    "variant, after",
    [
        (f"{HEAD}change: {{value.toll.is: 1}}\n", "variant: low\noverrides: [toll.price]\nhouse: true\n"),
        (
            f"{HEAD}change: {{value.toll.is: 1, value.gift.is: 1}}\n",
            "variant: low\noverrides: [toll.price, gift.once]\n",
        ),
        (f"{HEAD}overrides: [gift.once]\nchange: {{value.toll.is: 1}}\n", "overrides: [gift.once, toll.price]\n"),
        (f"{HEAD}overrides: []\nchange: {{value.toll.is: 1}}\n", "overrides: [toll.price]\n"),
        (
            f"{HEAD}overrides:\n  - gift.once # still\nchange: {{value.toll.is: 1}}\n",
            "overrides:\n  - gift.once\n  - toll.price # still\n",
        ),
        ("{variant: low, house: true, change: {value.toll.is: 1}}\n", "{variant: low, overrides: [toll.price], house"),
    ],
)
def test_a_fix_puts_what_is_overridden_into_the_head(variant: str, after: str, tmp_path: Path) -> None:
    block = variant if variant.startswith("{") else variant + PROPERTY
    word = _written(tmp_path, block)
    assert run(["check", word, "--fix"]) == 0
    text = (tmp_path / "low.yaml").read_text(encoding="utf-8")
    assert after in text
    assert _warnings(tmp_path, text) == []
