"""Every source of chance in the language gives what the reference promises, on each engine by itself.

Two engines that agree can agree in a bias, so each is held against the promise. How sure that is: fair chance fails a
test once in a million, and a chance that one time in four takes the first instead is noticed by each test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import pytest

import aodrules
from aodrules.compiler.runtime import determinization, moves, steps
from aodrules.facts import chance
from aodrules.interpreter import state_changes
from aodrules.play import beliefs
from tests.engines.fairness import FLUKE, fit
from tests.playing import ENGINES

pytestmark = pytest.mark.slow

GAMES = 2000
"""One for each seed from 0 up: neighbours, as people give them."""
ACE, JACK, KING = range(3)
PILE = (ACE, KING, KING, JACK, JACK, JACK)
BOX = (ACE,) * 2 + (JACK,) * 4 + (KING,) * 4
RED_FOOT, RED_HORSE, BLUE_FOOT, BLUE_HORSE, GREEN_FOOT, GREEN_HORSE = range(6)
LINE = (RED_HORSE, RED_HORSE, GREEN_FOOT)
HOME = (RED_FOOT,) * 4 + (BLUE_FOOT,) * 4 + (BLUE_HORSE,) * 2 + (GREEN_FOOT,) * 3 + (GREEN_HORSE,) * 2
TILES = range(3)

PROMISED: dict[str, Iterable[Hashable]] = {
    "die": range(1, 7),
    "next_die": range(1, 7),
    "die_from_low": range(4, 7),
    "seeds": (1, 2, 2, 2),
    "any_fruit": range(4),
    "sweet_fruit": (0, 2, 3),
    "from_basket": (1, 3),
    "any_player": range(3),
    "any_friend": (0, 2),
    "in_order": range(3),
    "from_row": (ACE, JACK, JACK, JACK),
    "from_pile": PILE,
    "at_pile": PILE,
    "from_line": LINE,
    "at_line": LINE,
    "at_home": HOME,
    "into_bag": [tuple(Counter(pair)[card] for card in TILES) for pair in combinations(PILE, 2)],
    "into_row": [*permutations(BOX, 2)],
    "into_one": [(card,) for card in BOX],
    "pawns_drawn": [*permutations((GREEN_FOOT,) * 3 + (GREEN_HORSE,) * 2, 2)],
    "open_row": [*permutations(TILES)],
    "closed_row": [*permutations(TILES)],
    "partly_row": [*permutations(TILES)],
    "pawns_row": [*permutations((RED_FOOT, BLUE_FOOT, GREEN_FOOT))],
    "hidden_two": [*permutations(range(4), 2)],
    "named": (0, 1, 3, 4, 11, 12),
    "inline": range(5),
    "dependent": [4 * first + second for first, second in combinations(range(4), 2)],
    "taken": {*LINE},
    "passed": (True, False, False),
}
"""For each field in which something stays that chance has brought: equally likely cases."""


@cache
def rules() -> aodrules.Rules:
    return aodrules.load(Path(__file__).with_name("every_chance.yaml"), cache=False)


def fields_after(engine: str) -> list[dict[str, Any]]:
    """Return what all fields hold after one game for each seed."""
    games = (rules().new_game(seed=seed, engine=engine, undo=False, log=False) for seed in range(GAMES))
    return [game._machine.plain().fields for game in games]


@pytest.fixture(scope="module", params=ENGINES)
def fair(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return fields_after(request.param)


@pytest.mark.parametrize("source", PROMISED)
def test_chance_is_as_promised(fair: list[dict[str, Any]], source: str) -> None:
    assert fit((fields[f"table.{source}"][0] for fields in fair), PROMISED[source]) > FLUKE


def test_one_roll_tells_nothing_about_the_next(fair: list[dict[str, Any]]) -> None:
    pairs = ((fields["table.die"][0], fields["table.next_die"][0]) for fields in fair)
    assert fit(pairs, product(range(1, 7), repeat=2)) > FLUKE


def test_a_game_tells_nothing_about_that_of_the_next_seed(fair: list[dict[str, Any]]) -> None:
    dice = [fields["table.die"][0] for fields in fair]
    assert fit(zip(dice[::2], dice[1::2], strict=True), product(range(1, 7), repeat=2)) > FLUKE


def samples(field: str) -> Iterator[Hashable]:
    """Iterate over what lies in a hidden field in positions that a player could believe in."""
    game = rules().new_game(seed=1)
    for seed in range(GAMES):
        yield game.sample("blue", seed)._machine.plain().fields[f"table.{field}"][0]


@pytest.mark.parametrize("field", ["hidden_two", "closed_row"])
def test_what_is_not_known_is_dealt_anew_fairly(field: str) -> None:
    assert fit(samples(field), PROMISED[field]) > FLUKE


BIDS = """
game: {players: 2, seats: [red, blue], play: auction}
state:
  player: {bid: {is: number 0..3, secret: owner}}
verb:
  auction:
    do:
      - {choose: bid, by: first(players)}
      - {choose: wait, by: last(players)}
decision:
  bid:
    options:
      bid: {for: {n: 1..4}, hidden: true, do: [{set: player.bid, to: "min(n, 3)"}]}
  wait: {options: {go: {do: []}}}
"""


def believed_bids(folder: Path) -> list[Hashable]:
    """Return what a player may believe that another one has bid."""
    path = folder / "bids.yaml"
    path.write_text(BIDS, encoding="utf-8")
    game = aodrules.load(path, cache=False).new_game(seed=1)
    game.push("bid 2")
    dealer = game.dealer("blue")
    return [dealer.deal(seed).plain().fields["player.bid"][0] for seed in range(GAMES)]


def test_what_was_answered_in_secret_is_believed_fairly(tmp_path: Path) -> None:
    assert fit(believed_bids(tmp_path), (1, 2, 3, 3)) > FLUKE


# That a test passes says something only if it fails where chance is not fair.


def is_skewed(generator: int) -> bool:
    """Whether this is one time in four."""
    return chance.roll(generator ^ 0x5DEECE66D, 4)[1] == 0


def skewed_roll(generator: int, sides: int) -> tuple[int, int]:
    after, number = chance.roll(generator, sides)
    return after, 0 if is_skewed(generator) else number


def skewed_order(generator: int, items: Sequence[Any]) -> tuple[int, tuple[Any, ...]]:
    after, order = chance.shuffled(generator, items)
    return after, tuple(items) if is_skewed(generator) else order


def skewed_pick(generator: int, items: list[int], many: int) -> tuple[int, list[int]]:
    first = items[:many]
    after, picked = chance.picked(generator, items, many)
    return after, first if is_skewed(generator) else picked


PLANTED: list[tuple[Any, str, Callable[..., Any]]] = [
    (state_changes, "roll", skewed_roll),
    (state_changes, "shuffled", skewed_order),
    (moves, "picked", skewed_pick),
    (moves, "roll", skewed_roll),
    (steps, "roll", skewed_roll),
    (steps, "shuffled", skewed_order),
    (determinization, "shuffled", skewed_order),
    (beliefs, "roll", skewed_roll),
]


@pytest.fixture(scope="module", params=ENGINES)
def skewed(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    with pytest.MonkeyPatch.context() as patch:
        for module, name, planted in PLANTED:
            patch.setattr(module, name, planted)
        return fields_after(request.param)


@pytest.mark.parametrize("source", PROMISED)
def test_a_bias_is_noticed(skewed: list[dict[str, Any]], source: str) -> None:
    assert fit((fields[f"table.{source}"][0] for fields in skewed), PROMISED[source]) < FLUKE


def test_a_bias_of_samples_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(determinization, "shuffled", skewed_order)
    assert fit(samples("hidden_two"), PROMISED["hidden_two"]) < FLUKE


def test_a_bias_of_beliefs_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(beliefs, "roll", skewed_roll)
    assert fit(believed_bids(tmp_path), (1, 2, 3, 3)) < FLUKE


def test_every_use_of_the_generator_is_planted_in() -> None:
    """A new user of the generator must come into one of the games above."""
    users = {
        (path.stem, name)
        for path in Path(aodrules.__file__).parent.rglob("*.py")
        for name in ("roll", "shuffled", "picked")
        if path.stem != "chance" and f" {name}" in imported_chance(path)
    }
    # This decides nothing of what lies where: who knows of what cannot be told apart.
    others = {("determinization", "roll")}
    assert users == {(module.__name__.rpartition(".")[2], name) for module, name, _ in PLANTED} | others


def imported_chance(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return " ".join(line for line in lines if line.startswith("from aodrules.facts.chance import"))
