"""Mutants: what is changed, who notices, what is kept between runs, and the score."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from aodrules import NotationError, RulesError
from aodrules.check.steps import AddTo, Choose, Reveal
from aodrules.check.visit import walk_steps
from aodrules.testing.mutants import KINDS, mutants_of, sites_of
from aodrules.testing.mutation import (
    MutationRequest,
    format_mutation,
    mutate,
    mutation_json,
    read_exclusions,
    sample,
    score,
)
from tests.games.rulesets import checked
from tests.testing.texts import HARBOUR, NIM, rules, written


def test_every_kind_of_change_is_tried() -> None:
    found = mutants_of(rules().book.checked)
    assert {one.kind for one in found} == set(KINDS)
    assert len({one.id for one in found}) == len(found)
    assert [one.id for one in found] == [one.id for one in mutants_of(rules().book.checked)]


def test_a_mutant_changes_one_place_and_leaves_the_rules_alone() -> None:
    checked = rules().book.checked
    (mutant,) = [one for one in mutants_of(checked) if one.id == "value.wages number `2` -> `3`"]
    changed = mutant.apply(checked)
    assert changed.values["wages"].formula.value == 3  # type: ignore[union-attr]
    assert checked.values["wages"].formula.value == 2  # type: ignore[union-attr]
    assert changed.verbs is checked.verbs


def test_what_is_shared_is_changed_wherever_it_is_used() -> None:
    checked = rules().book.checked
    (mutant,) = [one for one in mutants_of(checked) if one.kind == "condition" and one.old == "house in offer"]
    changed = mutant.apply(checked)
    for decision in ("decision.construct", "decision.nightfall"):
        options = [option for option in changed.decisions[decision].options if option.id in ("build", "credit")]
        assert options
        assert not any("offer" in str(one.expression) for option in options for one in option.conditions[:1])


def test_the_tests_of_nim_notice_what_they_can(tmp_path: Path) -> None:
    state = tmp_path / "state.jsonl"
    found = mutate(MutationRequest(NIM, games=3), state=state)
    fates = Counter(one.fate for one in found.verdicts.values())
    assert fates["killed"] > 0
    assert fates["survived"] == len(found.survivors)
    tried: list[int] = []
    again = mutate(MutationRequest(NIM, games=3), state=state, begun=tried.append)
    assert tried == [0]
    assert again.verdicts == found.verdicts
    text = format_mutation(found)
    assert "survived tests/games/nim.yaml:" in text
    assert "[in-turn]" in text
    assert '"fate": "killed"' in mutation_json(found)


def test_survivors_with_a_reason_do_not_count(tmp_path: Path) -> None:
    whole = mutate(MutationRequest(NIM, games=2))
    first = whole.survivors[0].id
    path = written(tmp_path, "reasons.yaml", f'exclusions:\n  - mutant: "{first}"\n    reason: nobody can tell\n')
    less = mutate(MutationRequest(NIM, games=2), reasons=read_exclusions(path))
    assert less.score.tried == whole.score.tried - 1
    assert less.verdicts[first].by == "nobody can tell"


@pytest.mark.parametrize(
    "text, code",
    [
        ("exclusions: [{mutant: x}]", "missing-key"),
        ("exclusions: [{mutant: x, reason: no}]", "wrong-shape"),
        ("exclusions: [{mutant: x, reason: nobody can tell, by: me}]", "unknown-key"),
        ("mutants: []", "unknown-key"),
    ],
)
def test_an_exclusion_is_a_mutant_and_a_reason(text: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError) as found:
        read_exclusions(written(tmp_path, "reasons.yaml", text))
    assert code in {problem.code for problem in found.value.report}


def test_a_mutant_is_excluded_once(tmp_path: Path) -> None:
    entry = "  - {mutant: x, reason: nobody can tell}\n"
    with pytest.raises(NotationError, match="excluded twice"):
        read_exclusions(written(tmp_path, "reasons.yaml", f"exclusions:\n{entry}{entry}"))


def test_an_exclusion_of_a_mutant_that_is_no_more_is_told() -> None:
    with pytest.raises(NotationError, match="there is no such mutant; did you mean `verb"):
        mutate(MutationRequest(NIM, games=0), reasons={"verb.take_turns number `14` -> `13`": "nobody can tell"})


def test_an_exclusion_of_a_mutant_that_is_noticed_is_told() -> None:
    whole = mutate(MutationRequest(NIM, games=1))
    killed = next(one.id for one in whole.tried if whole.verdicts[one.id].fate == "killed")
    found = mutate(MutationRequest(NIM, games=1), reasons={killed: "nobody can tell"})
    assert [one.id for one in found.wrongly_excluded] == [killed]
    assert "excluded, and noticed by" in format_mutation(found)
    assert found.score == whole.score


def test_a_loop_that_comes_to_its_bound_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "nim.yaml"  # without scenarios, so that it is left to the games
    path.write_text(Path(NIM).read_text(encoding="utf-8").partition("\nscenario:\n")[0] + "\n", encoding="utf-8")
    found = mutate(MutationRequest(str(path), games=1))
    endless = "verb.take_turns condition `any(size(h.lying) > 0 for h in heaps)` -> `true`"
    assert found.verdicts[endless].by.startswith("a game: a loop reached its bound at ")


def test_a_sample_holds_every_document_in_proportion() -> None:
    found = mutants_of(rules(HARBOUR).book.checked)
    drawn = sample(found, 90, seed=1)
    assert len(drawn) == len(set(drawn)) == 90
    assert drawn == sample(found, 90, seed=1)
    for path, many in Counter(one.span.path for one in found).items():
        share = sum(one.span.path == path for one in drawn) / 90
        assert abs(share - many / len(found)) < 0.05


def test_the_interval_narrows_with_what_was_tried() -> None:
    some, more, all_ = score(45, 50, 1000), score(450, 500, 1000), score(900, 1000, 1000)
    assert some.low < more.low < 0.9 < more.high < some.high
    assert all_.low == all_.high == 0.9


def test_several_processes_come_to_the_same_verdicts() -> None:
    one = mutate(MutationRequest(NIM, games=1, sample=8))
    two = mutate(MutationRequest(NIM, games=1, sample=8, jobs=2))
    assert one.verdicts == two.verdicts


def test_only_what_somebody_wrote_is_changed() -> None:
    # Where a revealed name lies the checker has found out; where all of a place is revealed, somebody wrote the place.
    sites = list(sites_of(rules("tests/games/caravan").book.checked))
    reveals = [site.node for site in sites if isinstance(site.node, Reveal)]
    seen = {id(site.node) for site in sites}
    assert {(one.what is None, id(one.place) in seen) for one in reveals} == {(True, True), (False, False)}


CARAVAN = "tests/games/caravan"


def _told(word: str, *, at: str) -> list[str]:
    """Return the mutants of what stands in one file, as they are told."""
    found = mutants_of(rules(word).book.checked)
    return [f"{one.kind}: {one.old} -> {one.new}" for one in found if one.span.path.endswith(at)]


def test_a_choice_of_pieces_is_changed_as_it_is_written() -> None:
    found = _told(f"{CARAVAN}+cards-put-back", at="cards-put-back.yaml")
    assert found == [
        "step: for: - for: player -> nothing",
        "step: choose_pieces: dismissed -> nothing",
        "condition: card is servant -> true",
        "step: choose_pieces: put_back -> nothing",
        "number: 2 -> 1",
        "number: 2 -> 3",
    ]


def test_a_choice_of_pieces_that_is_left_out_asks_nobody_and_moves_nothing() -> None:
    checked = rules(f"{CARAVAN}+cards-put-back").book.checked
    (mutant,) = [one for one in mutants_of(checked) if one.old == "choose_pieces: dismissed"]
    steps = list(walk_steps(mutant.apply(checked).verbs["travel"].body))
    assert not any(isinstance(step, Choose) and step.decision.endswith("dismissed") for step in steps)
    assert not any(step.span == mutant.span for step in steps)
    assert any(isinstance(step, Choose) and step.decision.endswith("put_back") for step in steps)


def test_a_draw_among_places_is_changed_as_it_is_written() -> None:
    found = _told(f"{CARAVAN}+light-fingers", at="light-fingers.yaml")
    assert [each for each in found if "draw" in each] == ["step: draw: 1 -> nothing"]


@pytest.mark.parametrize(
    "word, at, told",
    [
        ("full-stores", "full-stores.yaml", "operator: places -> from the least"),
        ("common-purse", "game.yaml", "step: end: last_wages -> nothing"),
        ("common-purse", "common-purse.yaml", "condition: purse >= 10 * len(seats) -> true"),
        ("common-purse", "common-purse.yaml", "number: 10 -> 11"),
    ],
)
def test_what_is_new_in_the_language_has_mutants(word: str, at: str, told: str) -> None:
    assert told in _told(f"{HARBOUR}+{word}", at=at)


def test_the_formula_of_members_that_say_nothing_has_mutants() -> None:
    found = [one for word in (HARBOUR, "tests/games/isles") for one in mutants_of(rules(word).book.checked)]
    assert [one for one in found if one.address.startswith("kinds.") and ".hooks." in one.address]


def test_first_steps_and_what_must_hold_after_them_are_changed_as_they_are_written() -> None:
    found = mutants_of(checked("harbour+thrifty-builders"))
    here = [one for one in found if one.span.path == "thrifty-builders.yaml"]
    assert {(one.kind, one.old) for one in here if one.address == "decision.construct.options.build"} == {
        ("condition", "player.silver >= wages()"),
        ("comparison", ">= in player.silver >= wages()"),
    }
    assert [one.new for one in here if one.kind == "step"] == ["nothing"]
    assert not [one for one in found if one.kind == "verb" and ".first" in one.old + one.new]


def test_what_is_filled_in_several_times_is_changed_as_it_is_written() -> None:
    rules_ = checked("caravan+levellers")
    (mutant,) = [one for one in mutants_of(rules_) if one.address == "verb.level" and one.kind == "verb"]
    verbs = [verb for verb in mutant.apply(rules_).verbs.values() if verb.address == "verb.level"]
    signs = [step.sign for verb in verbs for step in walk_steps(verb.body) if isinstance(step, AddTo)]
    assert signs == [1, 1]
