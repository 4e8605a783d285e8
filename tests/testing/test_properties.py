"""Properties: the moments they speak of, what they see, and the short games that break them."""

from __future__ import annotations

from pathlib import Path

import pytest

import aodrules
from aodrules.testing import format_results, read_suite, run_suite
from aodrules.testing.exploring import explore
from aodrules.testing.findings import Finding, make_finding
from aodrules.testing.playing import Line, lines_for, play
from aodrules.testing.properties import Property
from aodrules.testing.strategies import hypothesis_lines
from tests.testing.texts import HARBOUR, law, rules, written

BROKEN = {
    "always": "always: round < 2",
    "whenever": "whenever: any(size(p.store) > before(size(p.store)) for p in players)\nholds: round > 1",
    "upon": "upon: built\nholds: player.town[house] > 1",
    "after": "after: sell.sell\nholds: player.silver < before(player.silver)",
    "after several": "after: [construct.build, sell.sell]\nholds: player.silver < before(player.silver)",
    "after several, together": "after: [place.place, sell.sell]\nlimit: {game: 22}",
    "finally": "finally: round < 5",
}


def broken(one: Property) -> Finding:
    book = rules().book
    search = explore(book, [one], 6)
    return make_finding(book, one, search.broken[one.id])


@pytest.mark.parametrize("text", BROKEN.values(), ids=list(BROKEN))
def test_a_law_that_does_not_hold_is_found_at_its_moment(text: str) -> None:
    search = explore(rules().book, [law(text)], 6)
    assert "tried" in search.broken
    assert search.tested["tried"] > 0


@pytest.mark.parametrize(
    "text",
    [
        "always: all(size(p.lodging) <= 4 for p in players)",
        "whenever: round > before(round)\nholds: round == before(round) + 1",
        "upon: sold\nholds: player.store[good] <= before(player.store[good])",
        "after: place.place\nholds: player.lodging[worker] == before(player.lodging[worker]) - 1",
        "after: [unload.open, unload.peek]\nholds: size(player.town) == before(size(player.town)) and spot < 4",
        "after: sell.pass\nholds: player.silver == before(player.silver)",
        "finally: round == 5",
    ],
)
def test_laws_that_hold_are_kept(text: str) -> None:
    assert explore(rules().book, [law(text)], 4).broken == {}


EXCEPTIONS = {
    "always": ("round >= 2", "round >= 3"),
    "whenever": ("before(round) < 2", "before(round) > 9"),
    "upon": ("player.town[house] == 1", "player.town[house] > 1"),
    "after": ("player.silver >= before(player.silver)", "player.silver > 999"),
    "finally": ("round == 5", "round == 4"),
}
"""Of laws that are broken: an exception that is always true where they are, and one that is not."""


@pytest.mark.parametrize("moment", EXCEPTIONS)
def test_a_law_is_kept_where_an_exception_holds(moment: str) -> None:
    keeps, does_not = EXCEPTIONS[moment]
    both = law(f"{BROKEN[moment]}\nexcept: {{never: '{does_not}', always: '{keeps}'}}")
    search = explore(rules().book, [both], 6)
    assert search.broken == {}
    assert search.tested["tried"] > 0
    one = law(f"{BROKEN[moment]}\nexcept: {{never: '{does_not}'}}")
    assert "tried" in explore(rules().book, [one], 6).broken


def test_a_property_asks_what_all_effects_give() -> None:
    word = f"{HARBOUR}+dear-timber"
    text = "always: all(price(p, h) == h.cost + share(price(p, h)) for p in players for h in houses)"
    assert explore(rules(word).book, [law(text, word)], 2).broken == {}
    nothing = "always: all(share(price(p, h)) == 0 for p in players for h in houses)"
    assert "tried" in explore(rules(word).book, [law(nothing, word)], 2).broken


def test_a_property_asks_what_one_member_gives() -> None:
    """Each house says for itself what it is worth; what others give is no matter."""
    text = "always: all(share(house_points(p), houses.inn) == p.town[inn] * houses.inn.points for p in players)"
    assert explore(rules().book, [law(text)], 4).broken == {}
    wrong = "always: all(share(house_points(p), h) == 0 for p in players for h in houses)"
    assert "tried" in explore(rules().book, [law(wrong)], 4).broken


def test_a_property_sees_what_is_hidden() -> None:
    assert explore(rules().book, [law("always: all(h.era == steam for h in stack[steam])")], 2).broken == {}


def test_a_broken_law_comes_with_a_short_game_that_replays() -> None:
    finding = broken(law(BROKEN["after"]))
    assert finding.actions <= 40
    game = aodrules.replay(finding.record, rules=rules())
    assert len(game.record().splitlines()) == finding.actions + 8


def test_a_long_game_is_also_told_from_a_step_shortly_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aodrules.testing.findings.LONGEST_RECORD", 5)
    finding = broken(law(BROKEN["upon"]))
    assert finding.scenario is not None
    assert finding.scenario_actions is not None
    assert finding.scenario_actions < finding.actions
    assert "at: {step: verb.work_the_quays.berth" in finding.scenario


def test_the_same_line_gives_the_same_game() -> None:
    book = rules().book
    for line in lines_for(book, 6):
        assert play(book, line, most=30).answers == play(book, line, most=30).answers


def test_play_stops_where_it_is_told() -> None:
    played = play(rules().book, Line(2, 1), most=7)
    assert len(played.answers) == 7
    assert not played.is_over


def test_hypothesis_thinks_of_games_of_every_size() -> None:
    lines = hypothesis_lines(rules().book, 12)
    assert len(set(lines)) == 12
    assert {line.players for line in lines} == {2, 3, 4}


def test_properties_of_a_document_are_reported_with_their_games(tmp_path: Path) -> None:
    path = written(tmp_path, "laws.yaml", f"property:\n  soon-over: {{{BROKEN['always']}}}\n")
    results = run_suite(read_suite(rules(HARBOUR), [path]), games=3)
    assert [each.id for each in results.wrong] == ["soon-over"]
    text = format_results(results)
    assert "FAILED property soon-over" in text
    assert "# aodrules record 3" in text or "from a position shortly before" in text
