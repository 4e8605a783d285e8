"""A comparison measures seats, roles, points, and the use and worth of every single thing."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

import aodrules
from aodrules.simulate.balance import HELD, USED, Association, Balance, FigureNames, compare, worth_of_things
from aodrules.simulate.balance_page import balance_page, scale_for
from aodrules.simulate.matches import Match, MatchSetting, play_match
from aodrules.simulate.statistics import Estimate
from tests.page_checks import page_mistakes


def seat(name: str, place: int, total: int, **more: Any) -> dict[str, Any]:
    kept = {"seat": name, "bot": "random", "place": place, "total": total, "points": {"trade": total}}
    return {**kept, "used": {}, "held": {}, "roles": {}, **more}


def match(seed: int, *seats: dict[str, Any]) -> Match:
    return Match(seed, seats, {}, 10)


def line(found: Balance, group: str, id_: str) -> Any:
    (one,) = [each for each in found.lines if (each.group, each.id) == (group, id_)]
    return one


def test_wins_are_told_by_what_a_single_place_says() -> None:
    """Who sat where and who played which role are two questions: here the fox always wins, on either seat."""
    roles = [{"roles": {"mask": name}} for name in ("fox", "owl")]
    before = [
        match(n, seat("red", 1 + n % 2, 5, **roles[n % 2]), seat("blue", 2 - n % 2, 4, **roles[1 - n % 2]))
        for n in range(20)
    ]
    found = compare("base", "changed", before, before)
    assert line(found, "share of wins by Mask", "fox").before.value == 1
    assert line(found, "share of wins by Mask", "owl").before.value == 0
    assert line(found, "share of wins", "red").before.value == 0.5


def test_a_role_that_nobody_had_tells_nothing() -> None:
    masks = [{"roles": {"mask": "fox"}}, {}]
    matches = [match(n, seat("red", 1, 5, **masks[n % 2]), seat("blue", 2, 4)) for n in range(6)]
    found = compare("base", "changed", matches, matches)
    assert line(found, "share of wins by Mask", "fox").before.count == 3


def test_every_thing_is_counted_however_rare() -> None:
    things = {f"tile t{number}": 1 for number in range(100)}
    before = [match(n, seat("red", 1, 5), seat("blue", 2, 4)) for n in range(4)]
    after = [match(n, seat("red", 1, 5, used=things), seat("blue", 2, 4)) for n in range(4)]
    found = compare("base", "changed", before, after)
    assert len([each for each in found.lines if each.group == USED]) == 100


def test_the_worth_of_a_thing_compares_seats_of_the_same_match() -> None:
    """The charm goes with five points more; the stone is held by everybody and tells nothing."""
    chance = Random(1)
    matches = []
    for n in range(60):
        level = chance.randrange(100)
        holder = seat("red", 1, level + 5 + chance.randrange(3), held={"charm": 1, "stone": 1})
        matches.append(match(n, holder, seat("blue", 2, level + chance.randrange(3), held={"stone": 2})))
    charm, stone = worth_of_things(matches)
    assert (charm.group, charm.thing, charm.seats) == (HELD, "Charm", 60)
    assert charm.points.low < 5 < charm.points.high
    assert charm.points.high - charm.points.low < 2
    assert charm.wins.value == 1
    assert stone.points.count == 0
    page = balance_page(compare("base", "changed", matches, matches), [charm, stone])
    assert "Held in the end: Charm" in page
    assert "Held in the end: Stone" not in page


def test_a_real_game_tells_what_was_used_and_held() -> None:
    rules = aodrules.load("empires", ["national-advantages"])
    found = play_match(rules, MatchSetting(2, ("random",)), 3)
    things = {thing for each in found.seats for thing in each["used"]}
    assert {thing.split()[0] for thing in things} >= {"box", "worker", "place"}
    assert all(each["roles"]["board"] for each in found.seats)
    assert all(isinstance(one, Association) for one in worth_of_things([found]))


def test_figures_are_named_in_the_words_of_the_rules() -> None:
    names = FigureNames(aodrules.load("empires", ["national-advantages"]))
    assert names.used("box colonist_dock") == "Box: Colonist Dock"
    assert names.used("space soldier") == "Space: Soldier space"
    assert names.used("place") == "Place"
    assert names.used("train") == "Train", "its words, too, are `Place: ...`"
    assert names.used("w red colonist") == "Worker: red Colonist"
    assert names.used("item settlers") == "Building: Settlers"
    assert names.held("wares cattle") == "Goods: Cattle"
    assert names.source("colonies_II") == "Colonies in Age II"
    assert names.role("board", "england") == "England"
    assert names.field("board") == "Nation"


def test_what_only_one_side_has_is_named_too() -> None:
    plain = aodrules.load("empires")
    assert FigureNames(plain).used("box customs_house") == "Box: Customs house"
    assert (
        FigureNames(plain, aodrules.load("empires", ["customs-house"])).used("box customs_house")
        == "Box: Customs House"
    )


def test_few_games_see_no_difference_in_shares_at_all() -> None:
    chance = Random(2)
    before, after = (
        [match(n, seat("red", (place := chance.randrange(1, 3)), 5), seat("blue", 3 - place, 4)) for n in range(12)]
        for _ in range(2)
    )
    told = compare("base", "changed", before, after).sensitivity
    assert re.fullmatch(
        r"With 12 games a difference below .* decisions or any in a share of wins cannot be seen\.", told
    )


def compared() -> Balance:
    before = [match(n, seat("red", 1, 5), seat("blue", 2, 4)) for n in range(20)]
    used = {"small": 1, "large": 3}
    after = [match(n, seat("red", 1, 8 + n % 2, used=used), seat("blue", 2, 4)) for n in range(20)]
    return compare("base", "changed", before, after)


def test_a_chart_has_a_scale_with_numbers() -> None:
    section = balance_page(compared(), []).partition('<section id="group-points">')[2].partition("</table>")[0]
    ticks = [each.replace("\N{MINUS SIGN}", "-") for each in re.findall(r">([^<a-z]+)</text>", section)]
    assert ticks == ["-2", "-1", "0", "+1", "+2"]
    # The interval lies on that scale: 240 units wide, with 24 left free on each side.
    low, high = (float(each) for each in re.findall(r'x1="([0-9.]+)" x2="([0-9.]+)"[^>]* class="range"', section)[0])
    (change,) = [each for each in compared().lines if each.group == "points"]
    assert low == pytest.approx(120 + 96 * change.change.low / 2, abs=0.1)
    assert high == pytest.approx(120 + 96 * change.change.high / 2, abs=0.1)


def test_charts_show_what_is_larger_first() -> None:
    page = balance_page(compared(), [])
    differing, used = (page.partition(f'<section id="{name}">')[2] for name in ("differs", "group-how-often-used"))
    widths = [float(each) for each in re.findall(r'<rect [^>]*width="([0-9.]+)"', differing.partition("</section>")[0])]
    assert len(widths) > 2
    assert widths == sorted(widths, reverse=True)
    assert re.findall(r'scope="row">([^<]+)<', used.partition("</section>")[0]) == ["Large", "Small"]


def test_the_page_of_a_comparison_names_both_rules() -> None:
    page = balance_page(compared(), [], ("Game", "Game + Change"))
    assert "<h1>Game → Game + Change</h1>" in page
    # The words to ask for them stay, so that others can play it again.
    assert "<code>base changed</code>" in page
    assert page_mistakes(page) == []


def test_a_long_group_folds_what_cannot_be_told() -> None:
    things = {f"tile t{number}": 1 for number in range(30)}
    before = [match(n, seat("red", 1, 5, used=things), seat("blue", 2, 4)) for n in range(4)]
    page = balance_page(compare("base", "changed", before, before), [])
    assert "<summary>30 figures that cannot be told from chance</summary>" in page
    assert page_mistakes(page) == []


@pytest.mark.parametrize("reach, limit", [(0.9, 1), (1.0, 1), (2.03, 3), (37, 40), (0.0042, 0.005), (0, 1)])
def test_a_scale_ends_at_a_round_number(reach: float, limit: float) -> None:
    assert scale_for([Estimate(0.0, -reach, reach, 9)]).limit == pytest.approx(limit)
