"""Random games of every edition, number of players and combination of variants keep the laws on both engines."""

from __future__ import annotations

import pytest

from tests.content.compositions import EDITIONS, cover, fitting, player_counts, rules_of
from tests.content.playing import LAST_TURN, Match
from tests.sampling import sampled

COVER = [(edition, names) for edition in EDITIONS for names in cover(edition)]
PLAIN = [(edition, players) for edition in EDITIONS for players in range(2, 7 if edition == "empires" else 6)]
SOAKED_SEEDS = range(100, 106)


def play(edition: str, variants: tuple[str, ...], players: int, seed: int) -> Match:
    match = Match(rules_of(edition, variants), players, seed)
    match.play()
    turn = match.reference.state.fields["table.turn"]
    assert turn == [LAST_TURN]
    return match


@pytest.mark.parametrize("edition, players", PLAIN)
def test_every_number_of_players_plays_to_the_end(edition: str, players: int) -> None:
    play(edition, (), players, seed=players)


@pytest.mark.slow
@pytest.mark.parametrize("number", sampled(range(len(COVER)), 4))
def test_variants_go_together_in_pairs(number: int) -> None:
    edition, variants = COVER[number]
    counts = player_counts(rules_of(edition, variants))
    play(edition, variants, counts[number % len(counts)], number)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(len(COVER)))
def test_variants_go_together_with_every_number_of_players(number: int) -> None:
    edition, variants = COVER[number]
    for players in player_counts(rules_of(edition, variants)):
        for seed in SOAKED_SEEDS:
            play(edition, variants, players, seed)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_variant_is_in_the_cover(edition: str) -> None:
    assert {name for names in cover(edition) for name in names} == set(fitting(edition))
