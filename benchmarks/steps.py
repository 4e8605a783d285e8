"""`python -m benchmarks.steps RULES...`: how many steps of Python's interpreter a decision takes.

Random games with the legal codes listed before every decision, as the bench plays them. Steps are the same on every
machine with one version of Python, so one commit can be held against another: run the same file with the other
checkout first in `PYTHONPATH`. Calls of what is written in C count as one.
"""

from __future__ import annotations

import sys
from random import Random
from types import FrameType
from typing import Any

import click

from aodrules import Rules
from benchmarks.rates import WAYS, play_codes, rules_of

USUAL = ("empires", "empires+builders+national-advantages", "aoe3-pl", "harbour")
GAMES = 3


def steps_of(rules: Rules, players: int, games: int, **options: Any) -> tuple[int, int]:
    """Return how many decisions some games have, the forced ones too, and how many steps all of them take."""
    taken = 0

    def count(frame: FrameType, event: str, _: object) -> Any:
        nonlocal taken
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        taken += event == "opcode"
        return count

    for seed in range(games):  # What is kept from game to game is kept before anything is counted.
        play_codes(rules.new_game(players=players, seed=seed, **options), Random(seed))
    decisions = 0
    for seed in range(games):
        game, chance = rules.new_game(players=players, seed=seed, **options), Random(seed)
        while codes := game.codes:
            code = codes[int(chance.random() * len(codes))]
            sys.settrace(count)
            game.push(code)
            sys.settrace(None)
            decisions += 1
    return decisions, taken


def main(*words: str) -> None:
    """Show a table of rules."""
    click.echo(f"{'rules':38} {'way':40} {'decisions':>9} {'steps each':>10}")
    for word in words or USUAL:
        rules = rules_of(word)
        for way, options in WAYS.items():
            decisions, taken = steps_of(rules, min(4, rules.players[1]), GAMES, **options)
            click.echo(f"{word:38} {way:40} {decisions:9,} {taken / decisions:10.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
