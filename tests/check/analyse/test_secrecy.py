"""What another seat can notice is known to all."""

from __future__ import annotations

import pytest

from aodrules.check.checked import CheckedRules
from aodrules.check.steps import Move
from aodrules.check.visit import all_bodies, walk_steps
from tests.check.over_small_game import Checked, checked, over

RUNES = """
kinds:
  rune:
    plural: runes
    attributes: {power: number, dark: flag = false}
    pieces: {count: 1}
    hooks: {spell: {given: {player: player}}, offers: {effects: true, in: player.hand, scope: owner}}
rune:
  ash: {power: 3, spell: [{earn: 2}]}
  elm: {power: 5, dark: true}
state:
  table:
    deck:    {is: list of rune, start: all, secret: content, shows: [dark]}
    spent:   list of rune
    mood:    number 0..9
    altar:   {is: maybe rune, secret: content}
  player:
    hand: {is: bag of rune, secret: owner}
    row:  {is: list of rune, secret: owner}
    plan: {is: number 0..9, secret: owner}
    own_rune: {is: rune, secret: owner}
    marks: {is: number 0..9 per rune, secret: owner}
    seen_marks: number 0..9 per rune
event:
  cast: {given: {player: player, rune: rune}}
value:
  strength:
    given: {player: player}
    is: sum(r.power for r in player.hand)
  hand_size: {given: {player: player}, is: size(player.hand)}
verb:
  brag: {main: {n: number}, given: {player: player}, do: [{earn: n}]}
  show: {main: {rune: rune}, given: {player: player}, do: [{happen: cast}]}
"""


def with_runes(text: str) -> Checked:
    return over(RUNES, text)


def steps(*lines: str) -> Checked:
    body = "".join(f"      {line}\n" for text in lines for line in text.splitlines())
    return with_runes(f"verb:\n  probe:\n    given: {{player: player}}\n    do:\n{body}")


@pytest.mark.parametrize(
    "condition",
    [
        "size(player.hand) > 1",
        "hand_size(player) > 1",
        "len(player.row) > 1",
        "altar == none",
        "altar != none and mood > 2",
        "player.row[0] != none",
        "sum(size(p.hand) for p in players) > 3",
        "count(len(p.row) > 1 for p in players) > 1",
        "len(list(r for r in player.row)) > 2",
        "first(player.row) == none",
        "knows(player, altar)",
        "either(deck[0].dark, false)",
    ],
)
def test_how_many_there_are_and_what_the_back_tells_is_no_secret(condition: str) -> None:
    assert steps(f'- {{if: "{condition}", then: [{{earn: 1}}]}}').codes == []


@pytest.mark.parametrize(
    "condition",
    [
        "player.hand[ash] > 0",
        "ash in player.hand",
        "player.plan > 3",
        "strength(player) > 3",
        "any(r.power > 3 for r in player.hand)",
        "any(p.plan > 3 for p in players)",
        "max(p.plan for p in players) > 3",
        "size(set(r for r in player.row)) > 1",
        "len(list(r for r in player.row if r.power > 3)) > 2",
        "mood > 2 and (player.plan if mood > 3 else 0) > 1",
    ],
)
def test_what_lies_in_a_secret_field_is_a_secret(condition: str) -> None:
    assert steps(f'- {{if: "{condition}", then: [{{earn: 1}}]}}').codes == ["leaked-secret"]


@pytest.mark.parametrize(
    "step",
    [
        "- {set: player.coins, to: player.plan}",
        "- {add: player.plan, to: mood}",
        "- {repeat: player.plan, do: [{earn: 1}]}",
        "- {while: player.plan > 2, at_most: 9, do: [{take: 1, from: player.plan}]}",
        "- {for: r, in: player.hand, where: r.power > 3, do: [{earn: 1}]}",
        "- {for: r, in: player.hand, do: [{happen: cast, rune: r}]}",
        "- {for: r, in: player.hand, do: [{run: r.spell}]}",
        "- {for: r, in: player.hand, do: [{set: mood, to: r.power}]}",
        "- {for: r, in: player.hand, ordered_by: player, do: [{earn: 1}]}",
        "- {move: ash, count: player.plan, from: player.hand, to: spent}",
        "- {draw: player.plan, from: deck, to: spent}",
        "- {roll: 'range(0, player.plan)', as: x}",
        "- {brag: player.plan}",
        "- {for: r, in: player.hand, do: [{show: r}]}",
        "- {let: x, be: player.plan}\n- {if: x > 2, then: [{earn: 1}]}",
        "- {let: x, be: 0}\n- {set: x, to: player.plan}\n- {if: x > 2, then: [{earn: 1}]}",
        "- {for: p, in: players, do: [{set: p.plan, to: player.plan}]}",
        "- {sort: turn_order, by: player.plan}",
        "- {add: 1, to: 'player.seen_marks[player.own_rune]'}",
        "- {for: p, in: players, do: [{add: 1, to: 'p.marks[player.own_rune]'}]}",
        "- {if: 'player.marks[player.own_rune] > 2', then: [{earn: 1}]}",
        "- {take: 5, from: player.plan, as: fell}\n- {earn: fell}",
        "- {take: 5, from: 'player.marks[ash]', as: fell}\n- {earn: fell}",
    ],
)
def test_steps_must_not_show_a_secret(step: str) -> None:
    assert steps(step).codes == ["leaked-secret"]


@pytest.mark.parametrize(
    "step",
    [
        "- {set: player.plan, to: player.plan + 1}",
        "- {set: player.plan, to: mood}",
        "- {for: r, in: player.hand, do: [{earn: 1}]}",
        "- {for: r, in: player.hand, do: [{move: r, from: player.hand, to: spent}, {happen: cast, rune: r}]}",
        "- {for: r, in: player.hand, do: [{move: r, from: player.hand, to: spent}, {run: r.spell}]}",
        "- {for: r, in: player.hand, do: [{move: r, from: player.hand, to: player.row}]}",
        "- {move: ash, from: player.hand, to: spent, as: found}\n- {if: found > 0, then: [{earn: 1}]}",
        "- {move: all, from: player.hand, to: spent}",
        "- {draw: 1, from: deck, to: player.hand}",
        "- {let: x, be: player.plan}\n- {set: player.plan, to: x}",
        "- {let: top, be: 'deck[0]'}\n- {reveal: top}\n- {if: top != none and top.power > 3, then: [{earn: 1}]}",
        "- {sort: player.row, by: rune.power}",
        "- {add: 1, to: 'player.marks[player.own_rune]'}",
        "- {set: 'player.marks[player.own_rune]', to: player.plan}",
        "- {set: player.plan, to: 'player.marks[player.own_rune]'}",
        "- {take: 5, from: 'player.marks[player.own_rune]', as: fell}\n- {set: player.plan, to: fell}",
    ],
)
def test_steps_may_handle_a_secret(step: str) -> None:
    assert steps(step).codes == []


def test_a_name_revealed_to_one_seat_is_known_to_that_seat_alone() -> None:
    text = "- {let: top, be: 'deck[0]'}\n- {reveal: top, to: player}\n"
    assert steps(text + "- {set: player.plan, to: 'either(top.power, 0)'}").codes == []
    assert steps(text + "- {set: mood, to: 'either(top.power, 0)'}").codes == ["leaked-secret"]


def test_points_are_known_to_all() -> None:
    tower = "tower: {crypt: {price: 1, own: {count: {modify: tower_points, add: strength(player)}}}}"
    found = with_runes(tower)
    assert found.codes == ["leaked-secret"]
    assert next(iter(found.report)).primary.span.path == "0.yaml"


def option(body: str, decision: str = "") -> Checked:
    lines = "".join(f"        {line}\n" for line in body.strip().splitlines())
    return with_runes(f"decision:\n  play:\n{decision}    options:\n      use_rune:\n{lines}")


PLAY = "for: {rune: rune}\nwhere: ['player.hand[rune] > 0']\n"


def test_an_option_that_reads_the_deciders_secrets_is_hidden() -> None:
    do = "do: [{move: rune, from: player.hand, to: spent}]"
    assert option(PLAY + do).codes == ["option-shows-secret"]
    assert option("hidden: true\n" + PLAY + do).codes == []


def test_the_arguments_of_a_hidden_option_are_known_to_the_decider_alone() -> None:
    head = "hidden: true\n" + PLAY
    assert option(head + "do: [{if: rune.power > 3, then: [{earn: 1}]}]").codes == ["leaked-secret"]
    assert option(head + "do: [{happen: cast}]").codes == ["leaked-secret"]
    assert option(head + "do: [{move: rune, from: player.hand, to: spent}, {happen: cast}]").codes == []


def test_the_decider_must_know_the_conditions() -> None:
    assert option("for: {victim: player}\nwhere: [victim.plan > 3]\ndo: [{earn: 1}]").codes == ["unknown-to-decider"]
    assert option("where: ['any(p.plan > 3 for p in players)']\ndo: [{earn: 1}]").codes == ["unknown-to-decider"]


def moves(rules: CheckedRules, kind: str) -> set[bool]:
    every = (step for body in all_bodies(rules) for step in walk_steps(body))
    return {step.open for step in every if isinstance(step, Move) and step.kind == kind}


def test_a_move_of_a_piece_that_not_all_know_is_not_open() -> None:
    hidden = option("hidden: true\n" + PLAY + "do: [{move: rune, from: player.hand, to: player.row}]")
    assert moves(hidden.rules, "rune") == {False}
    search = steps("- {move: ash, from: player.hand, to: player.row}")
    assert moves(search.rules, "rune") == {True}
    assert moves(search.rules, "pawn") == {True}


def test_an_optional_decision_that_depends_on_a_secret_is_always_asked() -> None:
    text = "hidden: true\n" + PLAY + "do: [{move: rune, from: player.hand, to: spent}]"
    assert option(text, "    optional: true\n").rules.decisions["decision.play"].always_asked
    assert not option(text).rules.decisions["decision.play"].always_asked
    assert not option("do: [{earn: 1}]", "    optional: true\n").rules.decisions["decision.play"].always_asked


def offered(effect: str) -> Checked:
    return with_runes(
        f"rune:\n  oak: {{power: 1, offers: {{gift: {effect}}}}}\ndecision: {{play: {{optional: true}}}}\n"
    )


def test_only_offers_stand_in_a_secret_field() -> None:
    assert offered("{modify: tower_points, add: 1}").codes == ["effect-in-secret-field"]
    assert offered("{upon: sent, do: [{earn: 1}]}").codes == ["effect-in-secret-field"]
    assert offered("{offer: play, hidden: true, do: [{earn: 1}]}").codes == []


def test_an_offer_from_a_secret_field_is_hidden_and_its_decision_always_asked() -> None:
    assert offered("{offer: play, do: [{earn: 1}]}").codes == ["option-shows-secret"]
    assert offered("{offer: play, hidden: true, do: [{earn: 1}]}").rules.decisions["decision.play"].always_asked


def test_a_verb_is_judged_by_what_it_is_given() -> None:
    assert steps("- {brag: mood}").codes == []
    found = steps("- {brag: player.plan}")
    (note,) = next(iter(found.report)).notes
    assert note.span is not None
    assert (note.text, note.span.path) == ("the secret is given here", "1.yaml")


def entering(effect: str) -> list[str]:
    return with_runes(f"variant: odd\nhouse: true\neffects:\n  x: {{entering: {effect}}}\n").codes


def test_what_enters_a_secret_field_is_known_to_its_owner_alone() -> None:
    assert entering("player.hand, do: [{earn: 1}]") == []
    assert entering("player.hand, do: [{set: player.plan, to: rune.power}]") == []
    assert entering("player.hand, if: rune.power > 3, do: [{earn: 1}]") == ["leaked-secret"]
    assert entering("player.hand, do: [{earn: rune.power}]") == ["leaked-secret"]
    assert entering("altar, do: [{set: mood, to: rune.power}]") == ["leaked-secret"]
    assert entering("spent, do: [{set: mood, to: rune.power}]") == []


def test_an_effect_of_a_kind_would_show_what_enters() -> None:
    charm = """
        kinds:
          charm:
            plural: charms
            pieces: {count: 1}
            effects: {glow: {entering: player.pouch, do: [{earn: 1}]}}
        charm: {tooth: {}}
        state:
          table: {charms_left: {is: bag of charm, start: all}}
          player: {pouch: {is: bag of charm, secret: owner}}
    """
    assert over(charm).codes == ["effect-in-secret-field"]


def test_whether_an_option_is_possible_is_as_secret_as_its_conditions() -> None:
    shared = """
        option:
          plot: {hidden: true, where: [player.plan > 3], do: [{earn: 1}]}
          rest_now: {where: [player.coins > 3], do: [{earn: 1}]}
    """
    step = "verb:\n  probe:\n    given: {player: player}\n    do: [{if: possible(%s), then: [{earn: 1}]}]\n"
    assert over(RUNES, shared, step % "plot").codes == ["leaked-secret"]
    assert over(RUNES, shared, step % "rest_now").codes == []


OPEN_GAME = """
    game: {players: 2, seats: [ann, bob], play: wake}
    state: {table: {mood: number 0..9, calls: number 0..9}}
    decision:
      feel: {options: {feel: {hidden: true, for: {n: 0..3}, do: [%s]}}}
    verb: {wake: {do: [{choose: feel, by: first(players)}]}}
"""


def test_a_hidden_answer_is_a_secret_even_where_no_field_is() -> None:
    assert checked(OPEN_GAME % "{set: mood, to: n}").codes == ["leaked-secret"]
    assert checked(OPEN_GAME % "{add: 1, to: calls}").codes == []


OPEN = """
decision:
  strike:
    optional: true
    options:
      strike:
        open: true
        for: {rune: rune, victim: player, n: 0..3}
        where: [rune in player.hand, n <= player.plan]
        do:
          - {add: n, to: victim.coins, up_to: true}
          - {happen: cast}
          - if: rune.power > 3
            then: [{set: mood, to: n}]
"""


def test_arguments_of_an_open_option_are_plain_in_its_steps() -> None:
    found = with_runes(OPEN)
    assert found.codes == []
    assert found.rules.decisions["decision.strike"].always_asked, "whether it is asked would tell"


@pytest.mark.parametrize("secret", ["victim.plan > 2", "either(deck[0].power, 0) > 2", "victim.hand[ash] > 0"])
def test_an_open_option_may_not_read_more_than_its_decider_knows(secret: str) -> None:
    wrong = OPEN.replace("n <= player.plan", f'"{secret}"')
    assert set(with_runes(wrong).codes) & {"unknown-to-decider", "hidden-identity"}


def test_an_open_option_does_not_make_its_decider_s_other_secrets_plain() -> None:
    wrong = OPEN.replace("{add: n, to: victim.coins, up_to: true}", "{set: victim.coins, to: player.plan}")
    assert with_runes(wrong).codes == ["leaked-secret"]


def test_a_use_may_not_open_a_hidden_option() -> None:
    shared = """
option: {hide: {hidden: true, for: {n: 0..3}, do: [{set: player.plan, to: n}]}}
decision: {choose_plan: {options: {hide: {use: hide, open: true}}}}
"""
    assert with_runes(shared).codes == ["wrong-declaration"]


@pytest.mark.parametrize(
    "fact",
    ["player.plan", "player.plan > 3", "ash in player.hand", "max(p.plan for p in players)", "strength(player)"],
)
def test_what_is_told_is_plain_and_what_it_was_made_of_is_not(fact: str) -> None:
    told = f'- {{reveal: "{fact}", as: fact}}\n'
    use = "- {if: fact == fact, then: [{earn: 1}]}"
    assert steps(told + use).codes == []
    assert steps(told + use.replace("fact == fact", "player.plan > 2")).codes == ["leaked-secret"]
    assert steps(told + use.replace("fact == fact", "strength(player) > 2")).codes == ["leaked-secret"]


def test_what_lies_face_down_cannot_be_told() -> None:
    assert "hidden-identity" in steps("- {reveal: 'either(deck[0].power, 0)', as: fact}").codes
    assert steps("- {reveal: 'deck[0]', as: fact}").codes == ["type-mismatch"]


def test_a_name_that_is_told_is_plain_itself() -> None:
    assert steps("- {let: x, be: player.plan}\n- {reveal: x, as: y}\n- {if: x > 2, then: [{earn: y}]}").codes == []


def test_a_told_name_that_is_changed_is_a_secret_again() -> None:
    told = "- {reveal: player.plan, as: x}\n- {set: x, to: player.plan}\n- {if: x > 2, then: [{earn: 1}]}"
    assert steps(told).codes == ["leaked-secret"]
