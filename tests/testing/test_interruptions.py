"""Fresh house rules of each sort: which examples of the game they only interrupt, and which clauses they break."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aodrules
from aodrules.cli.main import run
from aodrules.testing import format_results, read_suite, run_suite, to_json, to_junit
from aodrules.testing.accountability import with_blame
from aodrules.testing.suites import Results
from tests.testing.texts import HARBOUR, written

HEAD = "variant: fresh\ngame: GAME\nhouse: true\n"

# Harbour.

A_TOLL = """
add:
  decision.toll: {optional: true, options: {pay_up: {where: [player.silver > 0], do: [{pay: 1}]}}}
insert:
  - {first: verb.work_the_quays.berth, do: [{choose: toll, by: w.owner}]}
"""
A_FOREMAN = """
add:
  decision.foreman: {optional: true, options: {build: {use: build, discount: -1}}}
insert:
  - {first: verb.work_the_quays.berth, do: [{choose: foreman, by: w.owner}]}
"""
AN_OATH = """
add:
  state.player.oaths: number 0..99
  decision.oath: {options: {swear: {do: [{add: 1, to: player.oaths, up_to: true}]}}}
insert:
  - {first: verb.placement, do: [{for: player, in: turn_order, do: [{choose: oath, by: player}]}]}
"""
A_GIFT_AT_FIRST = """
add:
  decision.gift: {options: {rich: {do: [{gain: 5}]}, poor: {do: [{gain: 1}]}}}
insert:
  - {last: verb.set_up, do: [{for: player, in: turn_order, do: [{choose: gift, by: player}]}]}
"""
WAGES_AT_LAST = """
remove: [verb.evening.wages]
insert:
  - after: verb.evening.refill
    do:
      - step: pay_day
        do: [{for: player, in: turn_order, do: [{take: wages(), from: player.silver, up_to: true}]}]
"""
NIGHT_BEFORE_WAGES = """
change:
  verb.evening.bonuses: {step: bonuses, do: [{let: quiet, be: true}]}
remove: [verb.evening.refill]
"""
BARTER_FOR_SALE = """
add:
  decision.sell.options.barter: {where: [size(player.store) > 0], do: [{gain: 1}]}
remove: [decision.sell.options.sell]
"""
NO_BARGAIN = "change: {worker.bosun.hands: 1}\n"
LOW_WAGES = "change: {value.wages.is: 1}\n"


def results_of(folder: Path, edits: str, base: str = HARBOUR, overrides: str = "") -> Results:
    head = HEAD.replace("GAME", "harbour" if base == HARBOUR else "aod")
    path = written(folder, "fresh.yaml", f"{head}{overrides}{edits}")
    return with_blame(run_suite(read_suite(aodrules.load(base, [path], cache=False))))


def interrupted(results: Results) -> set[str]:
    return {each.id for each in results.interrupted}


def blamed(results: Results) -> dict[str, list[tuple[str, ...]]]:
    return {each.id: [blame.clauses for blame in each.blame] for each in results.wrong}


@pytest.mark.parametrize("edits", [A_TOLL, A_FOREMAN])
def test_what_a_rule_only_offers_is_passed_also_where_it_could_take_the_answer(edits: str, tmp_path: Path) -> None:
    """A foreman builds for one silver more: the answers of examples are meant for the question of the game."""
    results = results_of(tmp_path, edits)
    assert (interrupted(results), blamed(results)) == (set(), {})


def test_a_question_that_must_be_answered_interrupts_and_is_named_with_its_line(tmp_path: Path) -> None:
    results = results_of(tmp_path, AN_OATH)
    assert blamed(results) == {}
    assert results.is_fine
    (found,) = [each for each in results.interrupted if each.id == "place.no-room-at-a-full-quay"]
    assert found.message == "`place sailor office`: `decision.place` was not asked, red (decision.oath) is"
    (origin,) = found.origins
    assert (origin.document, origin.kind, origin.span.line) == ("fresh", "variant", 7)
    # What does not come by that question is tested as before.
    assert "yard.too-dear" not in interrupted(results)


def test_a_question_of_the_set_up_interrupts_what_fails_because_of_its_answer(tmp_path: Path) -> None:
    example = "scenario: {begins-poor: {given: {round: 1}, then: {players.blue.silver: 9}}}\n"
    more = written(tmp_path, "more.yaml", example)
    assert run(["test", HARBOUR, str(more)]) == 0
    rules = aodrules.load(HARBOUR, [written(tmp_path, "fresh.yaml", HEAD.replace("GAME", "harbour") + A_GIFT_AT_FIRST)])
    results = with_blame(run_suite(read_suite(rules, [more])))
    assert interrupted(results) == {"begins-poor"}
    assert blamed(results) == {}
    (found,) = results.interrupted
    assert found.message.startswith("the set-up asks what it does not answer, and so `players.blue.silver` is ")


@pytest.mark.parametrize("edits", [WAGES_AT_LAST, NIGHT_BEFORE_WAGES])
def test_a_step_that_is_moved_or_removed_interrupts(edits: str, tmp_path: Path) -> None:
    results = results_of(tmp_path, edits)
    assert interrupted(results) == {"evening.unpaid-wages-make-unrest"}
    assert blamed(results) == {}
    assert [origin.document for each in results.interrupted for origin in each.origins] == ["fresh"]


def test_an_option_that_is_gone_interrupts(tmp_path: Path) -> None:
    results = results_of(tmp_path, BARTER_FOR_SALE)
    assert interrupted(results) == {"exchange.the-price-falls", "excise.the-others-pay"}
    assert blamed(results) == {}


def test_a_number_breaks_what_then_says_and_interrupts_what_cannot_be_done_any_more(tmp_path: Path) -> None:
    results = results_of(tmp_path, NO_BARGAIN)
    assert set(blamed(results)) == {"fishery.a-bosun-has-two-hands"}
    assert interrupted(results) == {"yard.a-bosun-bargains-and-builds-twice"}
    assert not results.is_fine


def test_a_rule_that_breaks_what_then_says_is_still_to_blame(tmp_path: Path) -> None:
    results = results_of(tmp_path, LOW_WAGES)
    assert set(blamed(results)) == {"evening.unpaid-wages-make-unrest"}
    assert interrupted(results) == set()


def test_an_example_that_cannot_be_played_without_the_variant_either_is_wrong(tmp_path: Path) -> None:
    more = written(tmp_path, "more.yaml", "scenario: {hopeless: {when: [{red: sell rum}]}}\n")
    path = written(tmp_path, "fresh.yaml", HEAD.replace("GAME", "harbour") + LOW_WAGES)
    results = run_suite(read_suite(aodrules.load(HARBOUR, [path], cache=False), [more]))
    assert "hopeless" in [each.id for each in results.wrong]
    assert interrupted(results) == set()


def test_an_example_of_the_variant_itself_is_never_interrupted(tmp_path: Path) -> None:
    own = AN_OATH + "scenario: {mine: {at: {step: placement}, when: [{red: place sailor fishery}]}}\n"
    results = results_of(tmp_path, own)
    assert [each.id for each in results.wrong] == ["mine"]


def test_interruptions_are_told_and_are_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "fresh.yaml", HEAD.replace("GAME", "harbour") + AN_OATH)
    assert run(["test", f"{HARBOUR}+{path}"]) == 0
    said = capsys.readouterr().out
    assert f"interrupted by variant `fresh` ({path}:7:12): " in said
    assert "cannot be played as written, which is no failure" in said
    path.write_text(HEAD.replace("GAME", "harbour") + AN_OATH + LOW_WAGES, encoding="utf-8")
    assert run(["test", f"{HARBOUR}+{path}"]) == 1


def test_interruptions_are_in_json_and_junit_too(tmp_path: Path) -> None:
    results = results_of(tmp_path, AN_OATH)
    by_id = {each["id"]: each for each in json.loads(to_json(results))["results"]}
    found = by_id["place.no-room-at-a-full-quay"]
    assert (found["status"], found["interrupted_by"][0]["variant"]) == ("interrupted", "fresh")
    assert f'skipped="{len(results.interrupted)}"' in to_junit(results)


def test_only_some_interruptions_are_named_unless_all_are_asked_for(tmp_path: Path) -> None:
    many = "".join(f"  more-{n}: {{at: {{step: placement}}, when: [{{red: place sailor yard}}]}}\n" for n in range(9))
    more = written(tmp_path, "more.yaml", f"scenario:\n{many}")
    path = written(tmp_path, "fresh.yaml", HEAD.replace("GAME", "harbour") + AN_OATH)
    results = with_blame(run_suite(read_suite(aodrules.load(HARBOUR, [path], cache=False), [more])))
    short, long = format_results(results), format_results(results, verbose=True)
    assert f"and {len(results.interrupted) - 5} more, which `--verbose` names" in short
    assert all(f"more-{n} " in long for n in range(9))


# What is not asked.


@pytest.mark.parametrize(
    "given, deed, message",
    [
        (
            "players.red.silver: 0, offer: [inn]",
            "build inn",
            (
                "`build inn`: `decision.construct` was not asked: nothing was possible, because: "
                "You cannot pay for this house [`player.silver >= bill(player, house, discount)`; "
                "`player.silver` = 0, `bill(player, house, discount)` = 4]"
            ),
        ),
        (
            "players.red.silver: 9, offer: [nets]",
            "sell rum",
            "`sell rum`: `decision.sell` was not asked, red (decision.construct) is",
        ),
    ],
)
def test_a_question_that_is_skipped_is_told_by_its_name_with_the_reason(
    given: str, deed: str, message: str, tmp_path: Path
) -> None:
    text = f"given: {{quays.yard.row: [red sailor], {given}}}, at: {{step: berth, quay: yard}}, when: [{{red: {deed}}}]"
    more = written(tmp_path, "more.yaml", f"scenario: {{skipped: {{{text}}}}}\n")
    results = run_suite(read_suite(aodrules.load(HARBOUR, cache=False), [more]))
    assert [each.message for each in results.wrong] == [message]


# Age of Discovery: here rules stand for clauses.

TITHE = """
add:
  decision.tithe: {optional: true, options: {give: {where: [player.cash > 0], do: [{pay: 1}]}}}
insert:
  - {first: verb.income_phase, do: [{for: player, in: turn_order, do: [{choose: tithe, by: player}]}]}
"""
VOW = """
add:
  state.player.vows: number 0..99
  decision.vow: {options: {vow: {do: [{add: 1, to: player.vows, up_to: true}]}}}
insert:
  - {first: verb.placement, do: [{for: player, in: turn_order, do: [{choose: vow, by: player}]}]}
"""
NO_LAST_CALL = "remove: [verb.building_bonuses.last_call]\n"
ANY_PUPIL = "remove: [decision.take_specialist.options.take.where.spec.gain-matching]\n"
DEAR_WAR = "effects: {dear: {modify: war_price, add: 4}}\n"
MORE_INCOME = "effects: {more: {modify: income, add: 1}}\n"


@pytest.mark.slow
def test_an_optional_question_more_disturbs_no_example_of_a_large_game(tmp_path: Path) -> None:
    results = results_of(tmp_path, TITHE, "empires")
    assert (interrupted(results), blamed(results)) == (set(), {})


@pytest.mark.slow
@pytest.mark.parametrize("edits", [VOW, NO_LAST_CALL])
def test_what_is_only_interrupted_blames_nobody_and_says_what_nothing_shows_now(edits: str, tmp_path: Path) -> None:
    results = results_of(tmp_path, edits, "empires")
    assert len(results.interrupted) > 10
    assert blamed(results) == {}
    unshown = json.loads(to_json(results))["unshown_clauses"]
    assert unshown
    assert f"{len(unshown)} clauses are shown by nothing any more: `{unshown[0]}`, " in format_results(results)
    ran = {clause for each in results.results if each.status == "passed" for clause in each.clauses}
    assert not ran & set(unshown)


@pytest.mark.slow
@pytest.mark.parametrize("edits, clause", [(ANY_PUPIL, "spec.gain-matching"), (DEAR_WAR, "war.war-cost-10")])
def test_a_clause_that_is_broken_is_named_alone(edits: str, clause: str, tmp_path: Path) -> None:
    """What must be refused and is not; and what a clause of the game refuses since its number was changed."""
    results = results_of(tmp_path, edits, "empires")
    assert blamed(results)
    assert {each for clauses in blamed(results).values() for each in clauses} == {(clause,)}
    assert results_of(tmp_path, edits, "empires", f"overrides: [{clause}]\n").is_fine


@pytest.mark.slow
def test_one_true_override_is_enough_for_all_that_follows_from_it(tmp_path: Path) -> None:
    """Mint is as it was: its examples fail because income is another. Nobody must say that Mint is overridden."""
    loose = results_of(tmp_path, MORE_INCOME, "empires")
    assert blamed(loose)["mint.two-for-each"] == [("b2.mint-empires", "inc.every-turn")]
    results = results_of(tmp_path, MORE_INCOME, "empires", "overrides: [inc.every-turn]\n")
    assert blamed(results) == {}
    (mint,) = [each for each in results.interrupted if each.id == "mint.two-for-each"]
    assert mint.message == "`players.red.cash` is 6, not 5, which follows from what is overridden"
    assert [(origin.document, origin.span.line) for origin in mint.origins] == [("fresh", 5)]
