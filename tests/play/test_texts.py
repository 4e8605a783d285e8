"""Words by address and language: forms, what is marked where another language helps out, languages that are none."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import aodrules
from aodrules.lang.patterns import parameters_of, pattern_problems
from aodrules.play.texts import NumberText, Words, counted, joined, languages_of_our_own, own_words

rules_of = cache(aodrules.load)
TEXTS = {
    "coin.penny": {"en": "{ $count -> [one] Penny *[other] Pence }", "pl": "{ $case -> *[nom] Grosz [acc] Grosza }"},
    "event.lost": {"en": "{coin} lost", "pl": "Zgubiono {coin.acc}"},
    "event.found": {"en": "{coin} found"},
}


def words() -> Words:
    return Words(TEXTS)


def test_a_sentence_asks_for_a_form_of_a_name() -> None:
    penny = words().say("coin.penny", "pl")
    assert words().say("event.lost", "pl").fill({"coin": penny}) == "Zgubiono Grosza"


def test_a_name_without_that_form_is_shown_as_it_is() -> None:
    penny = words().say("coin.penny", "en")
    assert words().say("event.lost", "pl").fill({"coin": penny}) == "Zgubiono Penny"
    assert words().say("event.lost", "pl").fill({"coin": "Dukat"}) == "Zgubiono Dukat"


def test_names_that_are_joined_take_a_form_together() -> None:
    penny = words().say("coin.penny", "pl")
    assert joined([penny, "i", penny], " ").form("acc") == "Grosza i Grosza"
    assert counted(3, words().say("coin.penny", "en")) == "3 Pence"


def test_words_of_another_language_are_marked() -> None:
    found = words().say("event.found", "pl").fill({"coin": words().say("coin.penny", "pl")})
    assert (found, found.language, found.is_fallback) == ("Grosz found", "en", True)


def test_a_sentence_with_a_name_of_another_language_is_marked() -> None:
    foreign = Words({"coin.penny": {"en": "Penny"}}).say("coin.penny", "pl")
    sentence = words().say("event.lost", "pl")
    assert not sentence.is_fallback
    assert sentence.fill({"coin": foreign}).is_fallback
    assert sentence.fill({"coin": foreign}).language == "pl"


def test_letters_of_an_id_are_the_last_resort_and_marked() -> None:
    found = words().say("coin.half_crown", "pl")
    assert (found, found.is_fallback) == ("Half crown", True)
    assert not words().say("coin.half_crown", "en").is_fallback


def test_a_text_is_copied_as_a_text() -> None:
    text = words().say("event.found", "pl")
    for twin in (pickle.loads(pickle.dumps(text)), copy.deepcopy(text)):
        assert (twin, type(twin), twin.language, twin.is_fallback) == (text, type(text), "en", True)


def test_an_amount_is_written_like_its_number() -> None:
    assert (NumberText(5), NumberText(5).number) == ("5", 5)


UNKNOWN: list[Callable[[aodrules.Game], object]] = [
    lambda game: game.actions[0].label("plx"),
    lambda game: game.decision and game.decision.text("plx"),
    lambda _game: rules_of("harbour").new_game(seed=1).log()[0].title("plx"),
    lambda game: game.events[0].text("plx"),
    lambda game: game.why_not(game.actions[0], "plx"),
    lambda game: game.book.words.check("plx"),
    lambda _game: rules_of("nim").text("decision.take", "plx"),
    lambda game: game.decision and game.decision.around.text("plx"),
    lambda game: game.choices and game.choices.candidates[0].label("plx"),
    lambda game: [reason for one in impossible(game) for reason in one.reasons("plx")],
    lambda game: game.ranking[0].text("plx"),
    lambda game: game.ranking[1].because("plx"),
    lambda game: game.log(since=0)[0].turns[0].label("plx"),
    lambda game: needs_of(game).text("plx"),
    lambda game: aodrules.svg.render(game, language="plx"),
    lambda game: next(iter(game.scores.values())).lines[0].text("plx"),
]


def impossible(game: aodrules.Game) -> list[aodrules.Candidate]:
    choices = game.choices
    assert choices is not None
    found = [one for one in choices.pick("take").pick("low_heap").candidates if not one.possible]
    assert found
    return found


def needs_of(game: aodrules.Game) -> aodrules.UndoNeeds:
    game.push(game.actions[0])
    needs = game.undo_needs("first")
    assert needs is not None
    return needs


@pytest.mark.parametrize("ask", UNKNOWN)
def test_an_unknown_language_is_refused_with_the_nearest(ask: Callable[[aodrules.Game], object]) -> None:
    game = rules_of("nim").new_game(players=2, seed=1)
    game.push("take low_heap 1")
    with pytest.raises(aodrules.ArgumentError, match=r"no words in `plx`; did you mean `pl`\? .* en, pl and ru"):
        ask(game)


def test_our_own_words_are_whole_in_every_language() -> None:
    assert languages_of_our_own() == ("en", "pl", "ru")
    for address, texts in own_words().texts.items():
        assert set(texts) == set(languages_of_our_own()), address
        wanted = parameters_of(texts["en"]).keys()
        assert [pattern_problems(text, None) for text in texts.values()] == [[], [], []]
        assert {tuple(sorted(parameters_of(text))) for text in texts.values()} == {tuple(sorted(wanted))}, address


def test_what_bears_the_id_name_is_no_name(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(
        """
game: {players: 2, play: main}
state: {table: {name: {is: number 0..9, name: {en: Length of a name}}}}
verb: {main: {do: [{choose: act, by: first(players)}]}}
decision:
  act: {name: {en: What to do}, options: {name: {name: {en: Name it}, do: []}, text: {do: []}}}
""",
        encoding="utf-8",
    )
    rules = aodrules.load(path, cache=False)
    assert dict(rules.book.words.texts) == {
        "state.table.name": {"en": "Length of a name"},
        "decision.act": {"en": "What to do"},
        "decision.act.options.name": {"en": "Name it"},
    }
