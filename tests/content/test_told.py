"""Whatever happens in Age of Discovery is told in words, in three languages."""

from __future__ import annotations

import pytest

from aodrules import MoveEvent
from tests.content.compositions import rules_of
from tests.play.test_events import raw_texts


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition, variants",
    [
        ("aoe3-pl", ("auction",)),
        ("aoe3-ru", ()),
        ("empires", ("builders", "national-advantages", "scouting", "two-player")),
        ("empires", ("builders", "national-advantages", "scouting", "tidings", "secret-objectives", "loans")),
    ],
)
def test_what_happens_is_told_in_words(edition: str, variants: tuple[str, ...]) -> None:
    rules = rules_of(edition, variants)
    kinds, wrong = raw_texts(rules.new_game(players=rules.players[0], seed=3, undo=False))
    assert wrong == set()
    assert {"move", "set", "shuffle", "sort", "reveal", "happen", "step", "action", "decision", "over"} <= kinds


def test_a_token_face_down_is_told_by_its_back() -> None:
    game = rules_of("empires").new_game(players=2, seed=1)
    moves = [event for event in game.view("red").events if isinstance(event, MoveEvent)]
    found = [event for event in moves if event.target.path == "regions.peru.token"]
    assert [event.text(language) for event in found for language in ("en", "pl", "ru")] == [
        "hidden (Discoveries, card: no): Tokens left over → Token (Peru)",
        "zakryte (Odkrycia, karta: nie): Pozostałe żetony → Żeton (Peru)",
        "скрыто (Открытия, карта: нет): Оставшиеся жетоны → Жетон (Перу)",
    ]
