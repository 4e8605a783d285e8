"""`Rules.text`: words for whatever stands at an address."""

from __future__ import annotations

from functools import cache

import pytest

import aodrules
from aodrules.play.lookup import addresses_read

rules_of = cache(aodrules.load)
SAID = [
    ("worker.colonist", {"case": "acc", "count": 3}, "Kolonistów"),
    ("worker.colonist", {}, "Kolonista"),
    ("kinds.worker", {}, "Robotnicy"),
    ("player.red", {"case": "ins"}, "czerwonym"),
    ("players.red.cash", {}, "Pieniądze (czerwony)"),
    ("regions.caribbean.token", {}, "Żeton (Karaiby)"),
    ("state.player.cash", {}, "Pieniądze"),
    ("player.cash", {}, "Pieniądze"),
    ("verb.refresh.colony_scoring", {}, "Colony scoring"),
    ("decision.place_worker", {}, "Umieść robotnika"),
    ("decision.destination.options.sail", {"region": "caribbean"}, "Odkryj Karaiby"),
    ("decision.ally.options.ally", {"number": 1, "region": "peru"}, "Umieść 1 Żołnierza w Peru"),
    ("decision.ally.options.ally", {"number": 2, "region": "florida"}, "Umieść 2 Żołnierzy na Florydzie"),
    ("decision.destination.options.sail", {}, "Odkryj …"),
    ("event.expedition_failed", {"region": "brazil"}, "Ekspedycja do Brazylii nie powiodła się"),
    ("value.discovered.true", {"region": "virginia"}, "Wirginię już odkryto."),
    ("game.points.economy", {}, "Gospodarka"),
    ("phrase.total", {}, "razem"),
    ("not-offered", {}, "Nie masz nic, co na to pozwala: …."),
    ("game-over", {}, "Koniec gry"),
    ("phrase.holder", {"label": "Uniwersytet"}, "Nie masz nic, co na to pozwala: Uniwersytet."),
]


@pytest.mark.parametrize("address, arguments, said", SAID)
def test_everything_has_words_at_its_address(address: str, arguments: dict[str, object], said: str) -> None:
    assert rules_of("empires").text(address, "pl", **arguments) == said


def test_a_clause_has_words_by_its_id() -> None:
    rules = rules_of("empires")
    assert rules.text("b2.cathedral") == rules.text("clause.b2.cathedral") == rules.clauses["b2.cathedral"].says
    assert rules.text("b2.cathedral", "pl").language == "pl"


@pytest.mark.parametrize("word", ["empires", "nim", "harbour", "caravan", "isles"])
def test_all_that_people_read_has_words(word: str) -> None:
    rules = rules_of(word)
    assert [each for each in addresses_read(rules.book.checked) if not rules.text(each, "ru")] == []


def test_what_is_not_there_is_refused_with_the_nearest() -> None:
    with pytest.raises(aodrules.UnknownNameError, match=r"did you mean `worker\.colonist`"):
        rules_of("empires").text("worker.colonits")


def test_an_argument_that_is_not_there_is_refused() -> None:
    with pytest.raises(aodrules.ArgumentError, match=r"has no `regoin`; did you mean `region`"):
        rules_of("empires").text("decision.destination.options.sail", regoin="peru")


def test_languages_are_those_of_the_game_and_our_own() -> None:
    assert rules_of("nim").languages == ("en", "pl", "ru")
    assert rules_of("nim").text("decision.take", "pl").is_fallback


def test_languages_to_choose_from_are_those_in_which_the_game_has_words() -> None:
    assert rules_of("caravan").own_languages == ("en",)
    assert rules_of("empires").own_languages == ("en", "pl", "ru")


def test_rules_are_called_by_game_or_edition_and_variants() -> None:
    assert rules_of("empires").title("pl") == "Empires: Era Odkryć"
    assert rules_of("harbour+dear-timber").title() == "Harbour + Dear timber"
    assert rules_of("caravan").title() == "Caravan"
    with pytest.raises(aodrules.ArgumentError, match="no words in `plx`"):
        rules_of("caravan").title("plx")
