"""Texts with places to fill: what is read, what is wrong, what comes out; and what needs no Fluent at all."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.lang.fluent_patterns import FluentFillers
from aodrules.lang.forms import forms_of_mapping
from aodrules.lang.patterns import Fillers, is_plain, parameters_of, pattern_problems
from aodrules.play.texts import NumberText

LITERAL = st.text(alphabet="abc ąß,:→$3", min_size=1)
PLACE = st.sampled_from(["{a}", "{ b }", "{c_1}"])


def filled(text: str, language: str = "en", /, **arguments: object) -> str:
    return str(Fillers().make(text, language)(arguments))


@pytest.mark.parametrize(
    "count, words", [(1, "1 robotnik"), (2, "2 robotnicy"), (5, "5 robotników"), (12, "12 robotników")]
)
def test_a_count_chooses_as_the_language_does(count: int, words: str) -> None:
    text = "{count} { $count -> [one] robotnik [few] robotnicy *[many] robotników }"
    assert filled(text, "pl", count=NumberText(count)) == words
    assert filled(text, "pl", count=count) == words


def test_the_same_count_is_chosen_otherwise_in_another_language() -> None:
    text = "{ $n -> [one] a [few] b *[other] c }"
    assert [filled(text, language, n=21) for language in ("ru", "pl", "en")] == ["a", "c", "c"]


def test_large_numbers_are_written_as_elsewhere() -> None:
    assert filled("{ $n -> [one] x *[other] {n} and {$n} }", "pl", n=NumberText(12345)) == "12345 and 12345"


def test_variants_may_stand_on_one_line_or_on_several() -> None:
    one = "{ $n -> [one] a { $m -> [x] in *[y] out } *[other] b } end"
    several = "{ $n ->\n  [one] a { $m ->\n [x] in\n *[y] out\n }\n *[other] b\n} end"
    assert filled(one, n=1, m="x") == filled(several, n=1, m="x") == "a in end"
    assert filled(one, n=2, m="x") == filled(several, n=2, m="x") == "b end"


def test_a_place_without_an_argument_stays_as_it_is_written() -> None:
    assert filled("Take {thing}", other=1) == "Take {thing}"
    assert filled("{ $n -> [one] a *[other] {thing} }", n=3) == "{thing}"


def test_braces_and_brackets_can_be_meant_as_such() -> None:
    assert filled('{"{"}{n}{"}"}', n=3) == "{3}"
    assert filled('{ $n -> [one] {"["}one] *[other] x }', n=1) == "[one]"


def test_forms_may_be_given_by_case_and_by_count() -> None:
    pattern = forms_of_mapping({"nom": {"one": "woda", "few": "wody"}, "gen": "wody", "acc": "wodę"})
    assert filled(pattern, "pl") == "woda"
    assert filled(pattern, "pl", count=3) == "wody"
    assert filled(pattern, "pl", case="acc", count=3) == "wodę"
    assert filled(pattern, "pl", case="dat") == "woda"


def test_parameters_are_found_wherever_they_stand() -> None:
    assert parameters_of("{a} and { b }") == {"a": 1, "b": 10}
    assert parameters_of('{ $n -> [one] {a.gen} *[other] { NAME($b, $m, case: "acc") } }').keys() == {
        "n",
        "a",
        "b",
        "m",
    }


@pytest.mark.parametrize(
    "text", ["{", "}", "{ $n -> [one] a }", "{ n -> *[x] a }", "{ $n -> *[x] }", "{ -t }", "{ F($a) }", "{a b}", "{$}"]
)
def test_what_cannot_be_read_is_told_at_its_place(text: str) -> None:
    problem = pattern_problems(text, None)[0]
    assert 0 <= problem.start < problem.end <= len(text)
    assert filled(text, a=1, n=1) == text


def test_a_parameter_that_nobody_gives_is_told() -> None:
    (problem,) = pattern_problems("Take {wroker}", frozenset({"worker"}))
    assert (problem.name, problem.start, problem.end) == ("wroker", 6, 12)
    assert pattern_problems("Take {worker}", frozenset({"worker"})) == []


@given(st.lists(LITERAL | PLACE).map("".join).map(str.strip).filter(bool))
def test_what_needs_no_fluent_comes_out_as_if_by_fluent(text: str) -> None:
    assert is_plain(text)
    arguments = {"a": "A", "b": "2", "c_1": "ż"}
    by_fluent = FluentFillers().make(text, "en")
    assert by_fluent is not None
    assert by_fluent(arguments) == filled(text, "en", **arguments)


def test_plain_texts_do_not_import_fluent() -> None:
    code = (
        "import sys, aodrules\n"
        "game = aodrules.load('nim').new_game(players=2, seed=1)\n"
        "game.actions[0].label(), game.decision.text()\n"
        "sys.exit(any(name.split('.')[0] in ('fluent', 'babel') for name in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], check=False)
    assert run.returncode == 0
