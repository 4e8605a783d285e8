"""Tables with many cases give what each case says, and nest no deeper for it."""

from __future__ import annotations

import pytest

from tests.check.over_small_game import checked
from tests.engines.playing import Both, cells, rules_of

NUMBERS = """
state: {{table: {{n: number 0..9999, at: number 0..9999}}}}
value: {{worth: {{given: {{k: number 0..9999}}, by: k, table: {{{cases}}}}}}}
verb:
  main:
    do:
      - for: k
        in: "[0, 1, 15, 16, 17, 250, 499, 500, 9999]"
        do: [{{add: "worth(k) * (k % 7 + 1)", to: n, up_to: true}}]
      - {{choose: nod, by: first(players)}}
decision: {{nod: {{options: {{nod: {{do: []}}}}}}}}
"""


@pytest.mark.parametrize("number", [3, 16, 17, 500])
def test_a_table_by_numbers(number: int) -> None:
    cases = ", ".join(f'"{i}": {i % 13}' for i in range(number)) + f', "{number}..": 5'
    game = Both(rules_of(NUMBERS.format(cases=cases)), 2, 1)
    wanted = (0, 1, 15, 16, 17, 250, 499, 500, 9999)
    assert cells(game, "table.n") == [sum((k % 13 if k < number else 5) * (k % 7 + 1) for k in wanted)]


@pytest.mark.parametrize("number", [3, 16, 17, 300])
def test_a_table_by_members(number: int) -> None:
    beads = ", ".join(f"b{i}: {{}}" for i in range(number))
    cases = ", ".join(f"b{i}: {i % 13}" for i in reversed(range(number)))
    rules = rules_of(f"""
        kinds: {{bead: {{plural: beads}}}}
        bead: {{{beads}}}
        state: {{table: {{n: number 0..9999}}}}
        value: {{worth: {{given: {{bead: bead}}, by: bead, table: {{{cases}}}}}}}
        verb:
          main:
            do:
              - {{for: bead, in: beads, do: [{{add: worth(bead), to: n}}]}}
              - {{choose: nod, by: first(players)}}
        decision: {{nod: {{options: {{nod: {{do: []}}}}}}}}
        """)
    assert cells(Both(rules, 2, 1), "table.n") == [sum(i % 13 for i in range(number))]


def test_an_open_case_that_is_not_the_last_is_told() -> None:
    cases = '"0..": 1, "5": 2'
    found = checked("game: {players: 2, seats: [ann, bob], play: main}\n" + NUMBERS.format(cases=cases))
    assert found.codes == ["uncovered-table"]
