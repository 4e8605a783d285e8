"""Rules cite clauses that exist."""

from __future__ import annotations

import pytest

from tests.check.over_small_game import checked

GAME = """
game: {players: 2, seats: [red, blue], play: idle, points: {luck: luck()}}
clause:
  be.lucky: {says: {en: Everybody has luck.}, kind: rule}
  be.idle:  {says: {en: Nothing happens.}, kind: rule}
value:
  luck: {is: 1, clauses: [be.lucky]}
verb:
  idle: {do: [{let: x, be: 1}], clauses: [be.idle]}
"""


SLEEP = """
decision:
  sleep:
    clauses: [be.idle]
    options:
      dream: {{where: [{{is: luck() > 0, else: {reason}}}], do: [idle]}}
"""


def problems(*texts: str) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in checked(GAME, *texts).report]


def test_a_game_whose_rules_cite_is_right() -> None:
    assert problems() == []


@pytest.mark.parametrize(
    "text, address",
    [
        ("value: {fate: {is: 2}}", "value.fate"),
        ("verb: {rest_now: {do: [idle]}}", "verb.rest_now"),
        ("option: {nap: {do: [idle]}}", "option.nap"),
        ("decision: {sleep: {options: {dream: {do: [idle]}}}}", "decision.sleep"),
        ("kinds: {moon: {plural: moons}}", "kinds.moon"),
    ],
)
def test_a_rule_without_a_clause_is_reported(text: str, address: str) -> None:
    assert problems(text) == [("uncited-rule", f"`{address}` cites no clause of the rulebook")]


def test_an_option_has_the_clauses_of_its_decision() -> None:
    assert problems("decision: {sleep: {clauses: [be.idle], options: {dream: {do: [idle]}}}}") == []


def test_where_one_option_cites_the_others_must() -> None:
    text = "decision: {sleep: {options: {dream: {do: [idle], clauses: [be.idle]}, wake: {do: [idle]}}}}"
    assert problems(text) == [("uncited-rule", "`decision.sleep.options.wake` cites no clause of the rulebook")]


def test_a_member_has_the_clauses_of_its_kind() -> None:
    assert problems("kinds: {moon: {plural: moons, clauses: [be.lucky]}}\nmoon: {luna: {}}") == []


def test_a_condition_that_refuses_by_a_clause_cites_it_for_its_option() -> None:
    assert problems("decision: {sleep: {where: {be.idle: luck() > 0}, do: [idle]}}") == []
    text = "decision: {sleep: {options: {dream: {where: {be.idle: luck() > 0}, do: [idle]}, wake: {do: [idle]}}}}"
    assert problems(text) == [("uncited-rule", "`decision.sleep.options.wake` cites no clause of the rulebook")]


def test_a_condition_that_refuses_by_a_text_cites_nothing() -> None:
    text = "decision: {sleep: {where: {text.no-luck: luck() > 0}, do: [idle]}}\ntext: {text.no-luck: {en: No luck}}\n"
    assert problems(text) == [("uncited-rule", "`decision.sleep` cites no clause of the rulebook")]


@pytest.mark.parametrize("said", ["clauses: be.idle\nverb: {", "verb: {clauses: [be.idle], "])
def test_a_document_or_a_section_cites_for_all_in_it(said: str) -> None:
    assert problems(f"{said}rest_now: {{do: [idle]}}, sleep: {{do: [rest_now]}}}}") == []


@pytest.mark.parametrize("head", ["house: true", "clauses: [be.lucky]"])
def test_the_head_of_a_variant_speaks_for_all_in_it(head: str) -> None:
    assert problems(f"variant: odd\n{head}\nadd: {{value: {{fate: {{is: 2}}}}}}\n") == []


def test_a_variant_that_says_nothing_is_reported() -> None:
    assert [code for code, _ in problems("variant: odd\nadd: {value: {fate: {is: 2}}}\n")] == ["uncited-rule"]


@pytest.mark.parametrize(
    "text",
    [
        "value: {fate: {is: 2, clauses: [be.lukcy]}}",
        "variant: odd\nhouse: true\noverrides: [be.lukcy]\nadd: {value: {fate: {is: 2}}}\n",
        SLEEP.format(reason="be.lukcy"),
    ],
)
def test_a_clause_that_is_not_declared_is_reported(text: str) -> None:
    assert [code for code, _ in problems(text)] == ["unknown-clause"]


def test_a_reason_may_be_a_text() -> None:
    assert problems(SLEEP.format(reason="text.no-luck") + "text: {text.no-luck: {en: No luck}}\n") == []
