"""The two-way map of clauses: nodes, tests, exercise, and the gaps both ways."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import evolve

import aodrules
from aodrules.play.components import clauses_at
from aodrules.syntax.tree import at
from aodrules.testing import read_suite
from aodrules.testing.clause_map import Citations, ClauseMap, clause_map, format_map, map_summary
from aodrules.testing.clause_page import clause_page
from tests.page_checks import page_mistakes
from tests.testing.texts import NIM, rules, written


def mapped(text: str, folder: Path) -> ClauseMap:
    path = written(folder, "nim.yaml", text)
    return clause_map(read_suite(aodrules.load(path, cache=False)))


def test_nim_has_no_gap_and_play_exercises_all_of_it() -> None:
    found = clause_map(read_suite(rules(NIM)), games=4)
    assert found.gaps == ()
    by_id = {clause.id: clause for clause in found.clauses}
    assert [node.address for node in by_id["one-heap"].nodes] == ["decision.take.options.take"]
    assert by_id["one-heap"].properties == ("stones-only-go",)
    assert by_id["last-stone-wins"].scenarios == ("last-stone-wins",)
    assert all(clause.exercised for clause in found.clauses)


def addresses(found: ClauseMap, clause: str) -> list[str]:
    return [node.address for each in found.clauses if each.id == clause for node in each.nodes]


def test_what_kinds_cite_their_members_model_that_cite_nothing() -> None:
    found = addresses(clause_map(read_suite(rules(NIM))), "three-heaps")
    members = ["stone.pebble", "heap.low_heap", "heap.middle_heap", "heap.tall_heap"]
    assert found == ["kinds.stone", "kinds.heap", "verb.build_heaps", *members]


def test_what_a_condition_refuses_by_is_exercised_with_its_option(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8").replace("        clauses: one-heap\n", "")
    text = text.replace("text.not-so-many: count", "one-heap: count").replace("text.not-so-many}", "one-heap}")
    path = written(tmp_path, "nim.yaml", text)
    found = clause_map(read_suite(aodrules.load(path, cache=False)), games=2)
    assert found.gaps == ()
    assert addresses(found, "one-heap") == ["decision.take.options.take.where.one-heap"]
    (exercised,) = (each.exercised for each in found.clauses if each.id == "one-heap")
    assert exercised > 10
    asked = aodrules.load(path, cache=False).new_game(seed=1).decision
    assert asked is not None
    assert asked.clauses == ("one-heap",)


def test_a_body_models_what_its_conditions_refuse_by_and_what_is_around_it(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8").replace("        clauses: one-heap\n", "")
    text = text.replace("  take:\n    options", "  take:\n    clauses: in-turn\n    options")
    text = text.replace("text.not-so-many: count", "one-heap: count").replace("text.not-so-many}", "one-heap}")
    ruleset = aodrules.load(written(tmp_path, "nim.yaml", text), cache=False).book.ruleset
    assert clauses_at(ruleset, "decision.take.options.take") == ("one-heap", "in-turn")
    assert clauses_at(ruleset, "decision.take") == ("in-turn",)
    step = at(ruleset.root, "decision", "take", "options", "take", "do", 0)
    assert step is not None
    assert Citations(ruleset).at(step.span) == ("one-heap", "in-turn")


def test_gaps_are_found_both_ways(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8")
    text = text.replace(
        "  in-turn:  ",
        "  no-cheating: {says: {en: Nobody peeks.}, kind: prohibition}\n"
        "  unplayed: {says: {en: Somebody sings.}, kind: rule}\n"
        "  in-turn:  ",
    )
    found = mapped(text, tmp_path)
    assert [(gap.what, gap.why) for gap in found.gaps] == [
        ("clause no-cheating", "no property tests it"),
        ("clause unplayed", "no node of the rules names it"),
        ("clause unplayed", "no scenario and no property tests it"),
    ]


def test_a_citation_of_another_edition_is_a_gap(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8")
    text = text.replace("moves in turn.}, kind: rule}", "x").replace(
        "{says: {en: The players move in turn.}, kind: rule}",
        "{says: {en: The players move in turn.}, kind: rule, editions: [other]}",
    )
    found = mapped(text, tmp_path)
    assert [gap.why for gap in found.gaps] == ["clause `in-turn` is not of these rules"]


def test_a_statement_may_cite_a_clause_of_each_of_its_editions(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8")
    text = text.replace(
        "  last-stone-wins: {says",
        "  old: {says: {en: Once it was so.}, kind: definition, editions: [old]}\n  last-stone-wins: {says",
    ).replace("    clauses: [last-stone-wins]\n", "    clauses: [last-stone-wins, old]\n")
    assert mapped(text, tmp_path).gaps == ()


def test_a_clause_of_other_editions_than_a_statement_is_a_gap(tmp_path: Path) -> None:
    text = (
        Path(NIM)
        .read_text(encoding="utf-8")
        .replace(
            "  last-stone-wins: {says: {en: Who takes the last stone wins.}, kind: rule}",
            "  last-stone-wins: {says: {en: Who takes the last stone wins.}, kind: rule}\n"
            "  old: {says: {en: Once it was so.}, kind: definition, editions: [old]}",
        )
    )
    text = text.replace(
        "    clauses: [last-stone-wins]\n", "    clauses: [last-stone-wins, old]\n    editions: [new]\n"
    )
    new = written(tmp_path, "new.yaml", "edition: new\ngame: nim\nchange: {stone.pebble.copies: 13}\n")
    found = clause_map(read_suite(aodrules.load(written(tmp_path, "nim.yaml", text), [new], cache=False)))
    assert [gap.why for gap in found.gaps] == ["clause `old` is of other editions"]


SHOWN = "    clauses: [last-stone-wins]\n    rulings: [passing]\n    players"


@pytest.mark.parametrize(
    "changes, gaps",
    [
        ([("    no_scenario: ", "    name: ")], ["no scenario shows it, and it does not say why"]),
        ([("    no_scenario: ", "    name: "), ("    clauses: [last-stone-wins]\n    players", SHOWN)], []),
        ([("    clauses: [last-stone-wins]\n    players", SHOWN)], ["it says why no scenario shows it, and one does"]),
    ],
)
def test_a_ruling_is_shown_by_a_scenario_or_says_why_not(
    changes: list[tuple[str, str]], gaps: list[str], tmp_path: Path
) -> None:
    text = Path(NIM).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    assert [gap.why for gap in mapped(text, tmp_path).gaps] == gaps


def test_a_ruling_that_is_not_declared_is_told_with_its_place(tmp_path: Path) -> None:
    text = (
        Path(NIM)
        .read_text(encoding="utf-8")
        .replace("    clauses: [last-stone-wins]\n    players", SHOWN.replace("[passing]", "[pasing]"))
    )
    with pytest.raises(aodrules.RulesError) as wrong:
        aodrules.load(written(tmp_path, "nim.yaml", text), cache=False)
    (problem,) = wrong.value.report
    assert (problem.code, problem.message) == ("unknown-name", "there is no ruling `pasing` here")
    assert problem.help == "did you mean `passing`?"


ONCE = """
variant: once
game: nim
house: true
change: {text.text.not-so-many: {en: There are not so many stones}}
scenario:
  own-reading: {rulings: [passing], players: [first, second], then: {last_taker: none}}
"""


def test_a_statement_is_left_out_where_another_reading_is_played(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8").replace("    clauses: [last-stone-wins]\n    players", SHOWN)
    rules = aodrules.load(written(tmp_path, "nim.yaml", text), [written(tmp_path, "once.yaml", ONCE)], cache=False)
    suite = read_suite(rules)
    assert [each.id for each in suite.scenarios] == ["own-reading"]
    assert [(each.statement.id, each.why) for each in suite.left_out] == [("last-stone-wins", "`once` is played")]
    assert [ruling.reading for ruling in clause_map(suite).rulings] == ["once"]


def test_the_map_can_be_read() -> None:
    found = clause_map(read_suite(rules(NIM)), games=2)
    text = format_map(found, verbose=True)
    assert "  modelled by decision.take.options.take (tests/games/nim.yaml:" in text
    assert text.endswith("; no gap\n")
    page = clause_page(found)
    assert '<div id="clause-one-heap"' in page
    assert "; no gap." in page
    assert page_mistakes(page) == []
    assert '<div id="ruling-passing"' in page
    assert "there is no such answer that could be refused" in text


def test_the_page_names_what_has_a_name_and_links_gaps(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8")
    found = mapped(
        text.replace("  in-turn:  ", "  lost: {says: {en: Somebody sings.}, kind: rule}\n  in-turn:  "), tmp_path
    )
    page = clause_page(found)
    assert '<li>modelled by Tall heap <span class="told-as"><code>heap.tall_heap</code>' in page
    assert '<li><a href="#clause-lost">clause lost</a>: no node of the rules names it ' in page
    assert page_mistakes(page) == []


def test_the_page_has_the_chapters_of_the_rulebook() -> None:
    page = clause_page(clause_map(read_suite(aodrules.load("empires"))))
    titles = re.findall("<h2>([^<]+)<", page)
    assert titles[:4] == ["Components", "Workers", "Limits", "Setup"]
    assert titles[-1] == "Rulings"
    assert page_mistakes(page) == []


@pytest.mark.parametrize(
    "source, shown", [("page 4", "page 4"), ("4", "4"), ("{first: Setup, second: 7}", "first: Setup; second: 7")]
)
def test_the_map_says_where_a_clause_stands(source: str, shown: str, tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8")
    start = text.index("clause:\n")
    head, _, tail = text[start:].partition("kind:")
    found = mapped(text[:start] + head + f"source: {source}, kind:" + tail, tmp_path)
    assert f"  stands in {shown}\n" in format_map(found, verbose=True)
    assert f"<li>stands in {shown}</li>" in clause_page(found)


def test_the_summary_counts_each_kind_of_clause_and_is_silent_about_none() -> None:
    found = clause_map(read_suite(rules(NIM)))
    assert map_summary(found).startswith(f"{found.rules}: 4 clauses (1 component, 3 rules)")
    advised = evolve(found, clauses=tuple(evolve(each, kind="advice") for each in found.clauses[:2]))
    assert map_summary(advised).startswith(f"{found.rules}: 2 clauses (2 of advice)")
    found = clause_map(read_suite(aodrules.load("harbour")))
    assert map_summary(found).startswith(f"{found.rules}: 0 clauses; ")
