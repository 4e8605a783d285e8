"""The two-way map of clauses: nodes, tests, exercise, and the gaps both ways."""

from __future__ import annotations

from pathlib import Path

import aodrules
from aodrules.testing import read_suite
from aodrules.testing.clause_map import ClauseMap, clause_map
from aodrules.testing.clause_pages import format_map, to_html
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


def test_the_map_can_be_read() -> None:
    found = clause_map(read_suite(rules(NIM)), games=2)
    text = format_map(found, verbose=True)
    assert "  modelled by decision.take.options.take (tests/games/nim.yaml:" in text
    assert text.endswith("; no gap\n")
    page = to_html(found)
    assert '<tr id="one-heap" class="">' in page
    assert "<li>none</li>" in page
