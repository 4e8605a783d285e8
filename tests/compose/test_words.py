"""Documents with words in one language: beside those of the game, and over them with what they are for."""

from __future__ import annotations

from pathlib import Path

import pytest

import aodrules

GAME = """
game: {players: 2, seats: [red, blue], play: idle, points: {luck: 1}}
kinds:
  coin: {plural: coins}
coin:
  penny: {name: {en: Penny, pl: Grosz}}
verb:
  idle: {do: [{for: player, in: players, do: [{choose: nap, by: player}]}]}
decision:
  nap: {options: {sleep: {do: [{let: x, be: 1}]}}}
text:
  decision.nap: Rest?
  decision.nap.options.sleep: {en: Sleep, pl: Śpij}
"""
LAZY = "variant: lazy\nhouse: true\nchange: {text.decision.nap: {en: Really rest?}}\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    write(tmp_path, "game", GAME)
    write(tmp_path, "lazy", LAZY)
    return tmp_path


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_language_is_one_folder(game: Path) -> None:
    write(game, "words/de/all", "words: de\ntext: {coin.penny: {nom: Heller, gen: Hellers}, decision.nap: Ruhen?}\n")
    rules = aodrules.load(game)
    assert rules.languages == ("de", "en", "pl", "ru")
    assert [rules.text("coin.penny", each) for each in ("de", "en", "pl")] == ["Heller", "Penny", "Grosz"]
    assert rules.text("coin.penny", "de").form("gen") == "Hellers"
    assert rules.name == "game"


def test_words_of_a_game_do_not_stand_twice(game: Path) -> None:
    write(game, "more", "words: pl\ntext: {decision.nap.options.sleep: Zaśnij}\n")
    with pytest.raises(aodrules.RulesError) as found:
        aodrules.load(game)
    assert [each.code for each in found.value.report] == ["duplicate-declaration"]


def test_words_for_a_variant_count_together_with_it_alone(game: Path) -> None:
    write(game, "de", "words: de\ntext: {decision.nap: Ruhen?}\n")
    write(game, "lazy-de", "words: de\nfor: lazy\ntext: {decision.nap: Wirklich ruhen?}\n")
    plain, lazy = aodrules.load(game), aodrules.load(game, ["lazy"])
    assert (plain.text("decision.nap", "de"), lazy.text("decision.nap", "de")) == ("Ruhen?", "Wirklich ruhen?")
    assert plain.fingerprint == lazy.fingerprint


def test_a_variant_that_says_something_anew_leaves_no_old_words_in_other_languages(game: Path) -> None:
    write(game, "de", "words: de\ntext: {decision.nap: Ruhen?, coin.penny: Heller}\n")
    asked = aodrules.load(game, ["lazy"]).text("decision.nap", "de")
    assert (asked, asked.language, asked.is_fallback) == ("Really rest?", "en", True)


def test_words_beside_a_game_can_be_named_with_it(game: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = write(tmp_path_factory.mktemp("mine"), "de", "words: de\ntext: {coin.penny: Heller}\n")
    rules = aodrules.load(game, [other])
    assert rules.text("coin.penny", "de") == "Heller"
    assert rules.variants == ()
    saved = rules.new_game(players=2, seed=1).save()
    other.unlink()
    assert aodrules.open_game(saved).book.words.find("coin.penny", "de") == "Heller"


@pytest.mark.parametrize(
    "text, code",
    [
        ("words: German\ntext: {a: b}\n", "wrong-shape"),
        ("words: de\n", "missing-key"),
        ("words: de\ntext: {a: b}\nvalue: {}\n", "unknown-key"),
        ("words: de\ntext: {coin.penny: {Nom: Heller}}\n", "malformed-name"),
        ("words: de\ntext: {coin.penny: [Heller]}\n", "wrong-shape"),
        ("words: de\ntext: {coin.penny: 'Heller {'}\n", "malformed-text"),
    ],
)
def test_what_is_wrong_with_words_is_told(game: Path, text: str, code: str) -> None:
    write(game, "de", text)
    with pytest.raises(aodrules.RulesError) as found:
        aodrules.load(game)
    assert [(each.code, Path(each.path).name) for each in found.value.report] == [(code, "de.yaml")]
