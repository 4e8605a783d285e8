"""A law that breaks tells what its names were worth, in the part of it that does not hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aodrules.testing import read_suite, run_suite, to_json
from aodrules.testing.reports import result_lines
from aodrules.testing.suites import Result
from tests.playing import GAMES
from tests.testing.texts import HARBOUR, NIM, rules, written

pytest_plugins = ["pytester"]


def broken(folder: Path, text: str, base: str = HARBOUR, games: int = 4) -> Result:
    path = written(folder, "laws.yaml", f"property:\n  law: {text}\n")
    results = run_suite(read_suite(rules(base), [path]), games=games)
    (found,) = [each for each in results.wrong if each.id == "law"]
    return found


@pytest.mark.parametrize(
    "text, values",
    [
        ("{always: all(p.silver < 6 for p in players)}", ("`p` is red", "`p.silver` is 8")),
        ("{always: round > 0 and round < 1}", ("`round` is 1",)),
        ("{always: len(offer) > 4 or round > 3}", ("`len(offer)` is 4", "`round` is 1")),
        ("{always: not (now == sail)}", ("`now` is sail",)),
        ("{always: sum(q.berths for q in quays) < 3}", ("`sum(q.berths for q in quays)` is 16",)),
        ('{always: "all(len(q.row) > 5 for q in quays if q.berths > 2)"}', ("`q` is customs", "`len(q.row)` is 0")),
        (
            '{always: "all(p.lodging[w] < 3 for p in players for w in workers)"}',
            ("`p` is red", "`w` is sailor", "`p.lodging[w]` is 3"),
        ),
        ('{always: "wages() > 2 if round < 2 else round > 9"}', ("`round` is 1", "`wages()` is 2")),
    ],
)
def test_what_the_names_of_a_law_were_worth(text: str, values: tuple[str, ...], tmp_path: Path) -> None:
    found = broken(tmp_path, text)
    assert found.values == values
    assert found.finding is not None
    assert found.finding.values == values
    assert [f"  where {value}" for value in values] == [
        line for line in result_lines(found) if line.startswith("  where ")
    ]


def test_the_arguments_of_an_answer_come_first(tmp_path: Path) -> None:
    found = broken(tmp_path, "{after: place.place, holds: quay != yard}")
    assert found.values[0] == "`quay` is yard"
    limited = broken(tmp_path, "{after: place.place, limit: {round: 2}}")
    assert limited.values[1:] == ("`how often it came` is 3", "`limit` is 2")
    assert limited.values[0].startswith("`player` is ")


def test_a_change_is_told_with_what_was_before(tmp_path: Path) -> None:
    changed = "any(size(h.lying) < before(size(h.lying)) for h in heaps)"
    found = broken(tmp_path, f"{{whenever: '{changed}', holds: size(taken) == before(size(taken))}}", NIM)
    taken = int(found.values[0].removeprefix("`size(taken)` is "))
    assert found.values[1] == "`before(size(taken))` is 0"
    assert taken > 0
    assert found.finding is not None
    assert found.finding.actions == 1


def test_a_law_that_is_folded_over_several_lines_is_told_on_one(tmp_path: Path) -> None:
    text = ">-\n      len(offer) >\n      4\n"
    path = written(tmp_path, "laws.yaml", f"property:\n  law:\n    always: {text}")
    (found,) = run_suite(read_suite(rules(HARBOUR), [path]), games=1).wrong
    assert found.values == ("`len(offer)` is 4",)


def test_values_are_told_where_a_law_breaks_in_an_example(tmp_path: Path) -> None:
    law = "{clauses: [last-stone-wins], after: take.take, holds: count > 1 or size(quarry) > 90}"
    example = "given: {heaps.low_heap.lying: {pebble: 2}}, when: [{first: take low_heap 1}]"
    text = f"property:\n  law: {law}\nscenario:\n  rare: {{clauses: [last-stone-wins], {example}}}\n"
    suite = read_suite(rules(NIM), [written(tmp_path, "laws.yaml", text)])
    results = run_suite(suite, games=1, seed=3)
    (found,) = results.wrong
    assert "`count` is 1" in found.values
    assert json.loads(to_json(results))["results"][-1]["values"] == list(found.values)


def test_the_plugin_shows_values_and_the_short_game(pytester: pytest.Pytester) -> None:
    nim = (GAMES / "nim.yaml").read_text(encoding="utf-8")
    broken_law = "property:\n  few: {always: all(size(h.lying) > 2 for h in heaps)}\n"
    pytester.makefile(".yaml", nim=nim.replace("property:\n", broken_law, 1))
    result = pytester.runpytest("-q", "nim.yaml", "--aodrules-games=3", "-p", "no:xdist")
    result.stdout.fnmatch_lines(["*where `h` is *_heap*", "*where `size(h.lying)` is *", "*: take *_heap *"])


def test_the_plugin_holds_laws_in_examples_too(pytester: pytest.Pytester) -> None:
    nim = (GAMES / "nim.yaml").read_text(encoding="utf-8")
    # In a game all stones lie on heaps: only in the example most of them do not.
    broken_law = "property:\n  alone: {clauses: [last-stone-wins], after: take.take, holds: size(quarry) == 0}\n"
    pytester.makefile(".yaml", nim=nim.replace("property:\n", broken_law, 1))
    result = pytester.runpytest("-q", "nim.yaml", "--aodrules-games=1", "-p", "no:xdist")
    result.stdout.fnmatch_lines(["*does not hold in scenario `last-stone-wins`*", "*where `size(quarry)` is 11*"])
