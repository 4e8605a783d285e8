"""A hook that is a formula: each member has its own, and reading one costs no other."""

from __future__ import annotations

import pytest

from aodrules.check.checked import CheckedRules
from aodrules.interpreter.evaluation import Evaluator
from aodrules.play.engines import program_of
from aodrules.testing.mutants import mutants_of
from tests.check.over_small_game import checked
from tests.engines.playing import Both, answers, cells, game_of, rules_of

CARDS = """
    kinds:
      card:
        plural: cards
        attributes: {n: number = 0}
        pieces: {count: 1}
        hooks:
          playable: {given: {player: player}, is: flag = true}
          worth:    {given: {player: player, many: number = 2}, is: number = self.n * many}
          rival:    {is: maybe card}
      action: {plural: actions, is_a: card, hooks: {price: {is: number = 1}}}
    card:
      ash:  {n: 3, playable: "player.cash > 2", rival: cards.fern}
      birch: {n: 4}
      cedar: {n: 5, worth: player.cash + self.n * many}
    action:
      dig:
        each:
          dig_one: {n: 1}
          dig_two: {n: 2}
        playable: player.cash >= self.n
        price: self.n + 6
      fern: {playable: "possible(pick, player=player)", price: "cards.ash.n"}
      gorse: {}
    option: {pick: {for: {k: 1..3}, where: [k <= player.cash - 5], do: [{take: k, from: player.cash}]}}
    state:
      table:  {deck: {is: bag of card, start: all}, drawn: maybe card, n: number 0..999}
      player: {cash: number 0..9 = 2}
    decision:
      play:
        options:
          play: {for: {card: card}, where: [card.playable(player)], do: [{add: 1, to: player.cash}]}
"""
MAIN = """
    verb: {main: {do: [{repeat: 5, do: [{choose: play, by: first(players)}]}]}}
"""


def test_each_member_is_asked_by_its_own_formula_and_others_by_the_default() -> None:
    game = game_of(CARDS + MAIN)
    # Sorted by id: ash, birch, cedar, dig_one, dig_two, fern, gorse.
    assert answers(game) == ["play 1", "play 2", "play 3", "play 4", "play 6"]
    game.apply(game.codes[0])
    assert answers(game) == ["play 0", "play 1", "play 2", "play 3", "play 4", "play 6"]
    for _ in range(3):
        game.apply(game.codes[0])
    assert answers(game) == [f"play {card}" for card in range(7)]


@pytest.mark.parametrize(
    "formula, worth",
    [
        ("cards.ash.worth(first(players))", 6),
        ("cards.ash.worth(first(players), 5)", 15),
        ("cards.cedar.worth(first(players), many=3)", 17),
        ("sum(c.worth(p, 1) for c in cards for p in players)", 2 * (3 + 4 + 7 + 1 + 2)),
        ("sum(a.price() for a in actions)", 7 + 8 + 3 + 1),
        ("either(drawn.worth(first(players)), 77)", 77),
        ("either(cards.ash.rival().n, 9) + count(c.rival() == none for c in cards)", 0 + 6),
    ],
)
def test_a_formula_is_read_through_its_member(formula: str, worth: int) -> None:
    game = game_of(f"""{CARDS}
    verb: {{main: {{do: [{{set: n, to: "{formula}"}}, {{choose: play, by: first(players)}}]}}}}
    """)
    assert cells(game, "table.n") == [worth]


def test_a_formula_of_a_piece_that_lies_there_is_read() -> None:
    game = game_of(f"""{CARDS}
    verb:
      main:
        do:
          - {{move: cedar, from: deck, to: drawn}}
          - {{set: n, to: "either(drawn.worth(first(players)), 77)"}}
          - {{choose: play, by: first(players)}}
    """)
    assert cells(game, "table.n") == [2 + 5 * 2]


def read_formulas(rules: CheckedRules, name: str, *arguments: int) -> list[str]:
    """Return the addresses of the formulas that are worked out to read one."""
    game, found = Both(rules, 2, 1), list[str]()
    evaluator = Evaluator(game.tables, game.state)
    evaluator.on_use = found.append
    evaluator.named_value(name, arguments)
    return found


def test_reading_one_member_works_out_no_other_formula() -> None:
    rules = rules_of(CARDS + MAIN)
    hook = "kinds.card.hooks.playable"
    assert read_formulas(rules, "card.playable", 0, 1) == [hook, "card.ash.playable"]
    assert read_formulas(rules, "card.playable", 1, 1) == [hook, hook]
    assert read_formulas(rules, "card.playable", 4, 1) == [hook, "action.dig_two.playable"]


def test_a_known_member_is_read_at_once_in_generated_code() -> None:
    known = rules_of(CARDS + MAIN.replace("repeat: 5", "repeat: actions.dig_two.price()"))
    assert "card.playable" in known.values
    names = program_of(known, 2, log=False).plan.functions
    assert not [name for name in names if "price" in name], "a small formula of a known member is written in place"


LOOPS = """
game: {{players: 2, seats: [ann, bob], play: main}}
kinds: {{card: {{plural: cards, hooks: {{worth: {{is: number = 0}}}}}}, bead: {{plural: beads}}}}
bead: {{{beads}}}
card: {{{cards}}}
state: {{table: {{n: number 0..999}}}}
value: {{together: {{is: sum(c.worth() for c in cards)}}}}
verb:
  main: {{do: [{{repeat: 4, do: [{{add: together(), to: n, up_to: true}}]}}, {{choose: nod, by: first(players)}}]}}
decision: {{nod: {{options: {{nod: {{do: []}}}}}}}}
"""


def test_a_read_is_charged_with_the_dearest_member_and_not_with_all() -> None:
    """Forty cards of 10,000 rounds are 400,000 for each sum; all for each would be 16,000,000."""
    beads = ", ".join(f"b{number}: {{}}" for number in range(100))
    dear = "count(b == c for b in beads for c in beads)"
    cards = ", ".join(f'c{number}: {{worth: "{dear}"}}' for number in range(40))
    assert checked(LOOPS.format(beads=beads, cards=cards)).codes == []
    dearer = cards.replace("for c in beads)", "for c in beads for d in beads)", 1)
    assert "too-much-work" in checked(LOOPS.format(beads=beads, cards=dearer)).codes


def test_a_formula_that_reads_a_secret_is_a_secret() -> None:
    text = """
game: {players: 2, seats: [ann, bob], play: main}
kinds: {card: {plural: cards, hooks: {open: {given: {player: player}, is: flag = true}}}}
card: {ash: {open: "player.vow > 1"}, birch: {}}
state: {player: {vow: {is: number 0..3, secret: owner}}}
verb:
  main: {do: [{for: p, in: players, do: [{choose: show, by: first(players), rival: p}]}]}
decision:
  show:
    given: {rival: player}
    options: {show: {for: {card: card}, where: [card.open(rival)], do: []}, wait: {do: []}}
"""
    assert checked(text).codes == ["unknown-to-decider"]
    assert checked(text.replace("card.open(rival)", "cards.birch.open(rival)")).codes == []


def test_formulas_that_need_each_other_are_told_by_their_addresses() -> None:
    rules = CARDS.replace('playable: "player.cash > 2"', "playable: cards.birch.playable(player)").replace(
        "birch: {n: 4}", "birch: {n: 4, playable: cards.ash.playable(player)}"
    )
    with pytest.raises(AssertionError, match=r"card\.ash\.playable.*card\.birch\.playable"):
        rules_of(rules + MAIN)


def test_a_variant_changes_the_formula_of_one_member_and_the_default() -> None:
    variant = """
    change:
      card.ash.playable: "false"
      kinds.card.hooks.playable.is: flag = player.cash > 8
    """
    assert answers(game_of(CARDS + MAIN, variant=variant)) == ["play 3", "play 4"]


def test_mutants_change_what_members_say_and_not_how_it_is_found() -> None:
    found = {mutant.address: mutant.triggers for mutant in mutants_of(rules_of(CARDS + MAIN))}
    assert ("value", "card.ash.playable") in found["card.ash.playable"]
    assert "kinds.card.hooks.worth" in found
    searched = [
        mutant for mutant in mutants_of(rules_of(CARDS + MAIN)) if ("value", "card.playable") in mutant.triggers
    ]
    assert not searched
