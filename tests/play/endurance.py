"""Many games of several rules in one process, what memory they take, and a picture of it for the docs.

`python -m tests.play.endurance` plays them all and draws `docs/how-to/memory.svg` anew.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from attrs import frozen

import aodrules
from benchmarks.rates import play_codes

PICTURE = Path(__file__).parents[2] / "docs" / "how-to" / "memory.svg"
BLOCKS = 20
# Rules, variants, players, and how many games of a block: together 5,000.
PARTS = (
    ("tests/games/harbour", (), 2, 2000),
    ("tests/games/caravan", (), 2, 2000),
    ("tests/games/isles", (), 2, 500),
    ("empires", ("builders", "national-advantages"), 4, 500),
)
SAMPLE = 500
"""One game in so many is compared with its replay."""


@frozen
class Point:
    """After so many games: how much memory the process takes, in MiB."""

    games: int
    memory: float


def points(blocks: int = BLOCKS) -> Iterator[Point]:
    """Play blocks of games, and yield what memory is taken after each."""
    books = [(aodrules.load(base, variants), players, games) for base, variants, players, games in PARTS]
    played = 0
    for block in range(blocks):
        for rules, players, games in books:
            for seed in range(block * games, (block + 1) * games):
                play_codes(rules.new_game(players=players, seed=seed, undo=False, log=False), Random(seed))
                if seed % SAMPLE == 0:
                    check_replay(rules, players, seed)
            played += games
        yield Point(played, memory())


def check_replay(rules: aodrules.Rules, players: int, seed: int) -> None:
    """Check that a game is what its record says when that is played again."""
    game = rules.new_game(players=players, seed=seed)
    play_codes(game, Random(seed))
    again = aodrules.replay(game.record(), allow_paths=True)
    assert again.state == game.state
    assert again.scores == game.scores


def memory() -> float:
    """Return how much memory this process takes now; where the system does not tell, the most it ever took."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text(encoding="ascii").split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def picture(found: Sequence[Point]) -> str:
    """Return the points as a line, games to the right and memory upwards from 0."""
    width, height, left, base = 640, 260, 60, 220
    most = 50 * (max(point.memory for point in found) // 50 + 1)

    def place(point: Point) -> str:
        right = left + (width - left - 20) * point.games / found[-1].games
        return f"{right:.1f},{base - (base - 20) * point.memory / most:.1f}"

    marks = "".join(
        f"<text x='{left - 8}' y='{base - (base - 20) * part + 4:.0f}' text-anchor='end'>{most * part:.0f}</text>"
        for part in (0, 0.5, 1)
    )
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' font-family='sans-serif' "
        f"font-size='13' fill='#555'><path d='M{left},10V{base}H{width - 10}' fill='none' stroke='#999'/>{marks}"
        f"<text x='10' y='12'>MiB</text><text x='{width - 20}' y='{base + 20}' text-anchor='end'>"
        f"{found[-1].games:,} games</text><text x='{left}' y='{base + 20}'>0</text>"
        f"<polyline points='{' '.join(map(place, found))}' fill='none' stroke='#1f4e8c' stroke-width='2'/></svg>\n"
    )


if __name__ == "__main__":
    seen = []
    for one in points():
        seen.append(one)
        print(f"{one.games:8,} games: {one.memory:6.1f} MiB", flush=True)  # noqa: T201 - a figure to be seen
    PICTURE.write_text(picture(seen), encoding="utf-8")
