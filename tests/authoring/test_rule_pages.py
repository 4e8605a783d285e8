"""Rulebooks as pages: whole in every language, with names where there are names and plurals that are right."""

from __future__ import annotations

import re
from functools import cache

import pytest

import aodrules
from aodrules.authoring.rule_text import RuleText
from tests.page_checks import page_mistakes, running_text

VARIANTS = ("builders", "reduced-randomness")


@cache
def rules_of(word: str) -> aodrules.Rules:
    return aodrules.load(word)


@cache
def page_of(word: str, language: str = "en", variants: tuple[str, ...] = (), *, examples: bool = True) -> str:
    rules = aodrules.load(word, variants) if variants else rules_of(word)
    base = rules_of(word) if variants else None
    return RuleText(rules, base, language, examples=examples, pictures=True).page()


def words_of_ids(rules: aodrules.Rules) -> set[str]:
    """Return the ids of components that nobody would write so: those of two words, and all with their kind."""
    ids = {id_ for members in rules.components.values() for id_ in members if "_" in id_}
    return ids | {f"{kind}.{id_}" for kind, members in rules.components.items() for id_ in members}


@pytest.mark.parametrize(
    "word, language",
    [("empires", "pl"), ("empires", "ru"), ("harbour", "en"), ("isles", "pl"), ("caravan", "ru"), ("nim", "en")],
)
def test_every_page_is_whole_and_speaks_in_names(word: str, language: str) -> None:
    page = page_of(word, language)
    assert page_mistakes(page) == []
    assert f'<html lang="{language}">' in page
    read = running_text(page)
    cells = set(re.findall("<td[^>]*>([^<]+)</td>", page))
    assert not cells & {id_ for members in rules_of(word).components.values() for id_ in members}
    assert [each for each in words_of_ids(rules_of(word)) if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", read)] == []


def test_the_page_shows_the_table_in_light_and_dark() -> None:
    page = page_of("isles", examples=False)
    light, dark = re.findall(r'<div class="on-(?:light|dark)"><svg [^>]*>', page)
    assert 'aria-labelledby="light-picture-title' in light
    assert 'aria-labelledby="dark-picture-title' in dark
    assert "<figcaption>The table before the first decision, for 3 players</figcaption>" in page
    assert "<figure" not in RuleText(rules_of("isles"), examples=False).page()


def test_what_a_variant_changes_is_told_in_names() -> None:
    page = page_of("empires", variants=VARIANTS, examples=False)
    assert page_mistakes(page) == []
    told = page.partition('<section id="variant-builders">')[2].partition("</section>")[0]
    assert "<li>New: Workers: Builder</li>" in told
    assert "<li>New: Buildings: costs nothing</li>" in told
    assert "<li>New: A building bought with a Builder costs $5 less.</li>" in told
    assert "<li>New: Take the money: …?</li>" in told
    assert "<code>" not in told


@pytest.mark.parametrize(
    "language, players, workers",
    [
        ("en", "players", ["1 Colonist", "4 Colonists", "3 Soldiers"]),
        ("pl", "graczy", ["1 Kolonista", "4 Koloniści", "5 Kolonistów", "3 Żołnierze"]),
        ("ru", "игроков", ["1 Колонист", "4 колониста", "5 колонистов", "3 солдата"]),
    ],
)
def test_numbers_have_the_right_forms(language: str, players: str, workers: list[str]) -> None:
    read = running_text(page_of("empires", language))
    assert f"2\N{EN DASH}6 {players}" in read
    assert [each for each in workers if not re.search(rf"(?<!\d){each}(?!\w)", read)] == []


@pytest.mark.parametrize("language, told", [("en", "2 players"), ("pl", "2 gracze"), ("ru", "2 игрока")])
def test_a_few_have_another_form_than_many(language: str, told: str) -> None:
    assert told in running_text(page_of("nim", language))


def test_examples_are_closed_and_have_titles_in_the_language() -> None:
    assert "<summary>Example: After the third turn Age II begins</summary>" in page_of("empires")
    titles = re.findall("<summary>([^<]+)</summary>", page_of("empires", "pl"))
    assert len(titles) > 100
    assert all(re.match(r"Przykład(?:: \w| \d+$)", each) for each in titles)


def test_what_decided_a_place_is_told_in_words() -> None:
    assert "behind because of Money" in running_text(page_of("empires"))


def test_a_game_without_clauses_tells_what_is_decided_and_what_gives_points() -> None:
    page = page_of("harbour", examples=False)
    assert "<li><b>Open a crate</b>: Open; Peek; Pass</li>" in page
    assert "<li>Silver</li>" in page.partition('<section id="points">')[2]
    assert 'id="decisions"' not in page_of("nim", examples=False)


def test_a_page_says_that_its_game_does_not_speak_the_language() -> None:
    assert "po angielsku" in page_of("isles", "pl")
    assert "po angielsku" not in page_of("empires", "pl")


def test_a_grid_is_one_line_and_not_a_table_of_cells() -> None:
    page = page_of("isles", examples=False)
    assert re.search(r'<section id="kind-hex">.*?<p>30, from A1 to F5</p></section>', page, re.DOTALL)


def test_components_are_linked_by_their_addresses_and_numbers_stand_in_columns() -> None:
    page = page_of("empires", examples=False)
    assert '<tr id="worker.captain"><th scope="row">Captain</th><td class="number">5</td>' in page
    assert '<td class="prose">$30 every turn; 5 points</td>' in page
    # A number that is only there to sort by is not told.
    assert '<th scope="col" class="number">order</th>' not in page


def test_a_step_without_a_name_changes_what_is_around_it() -> None:
    page = page_of("empires", variants=VARIANTS, examples=False)
    told = re.findall(
        "<li>([^<]+)</li>", page.partition('<section id="variant-reduced-randomness">')[2].partition("</section>")[0]
    )
    assert told[1:] == ["Changed: Refresh", "Changed: Setup"]


def test_only_what_a_variant_added_to_has_a_column_for_that() -> None:
    page = page_of("empires", variants=VARIANTS, examples=False)
    by_kind = dict(re.findall(r'<section id="kind-(\w+)">(.*?)</section>', page, re.DOTALL))
    assert ">from</th>" in by_kind["worker"]
    assert ">from</th>" not in by_kind["region"]
