"""Recorded games and counts of legal sequences as data: how they are read, made and compared.

`python -m tests.content.recording` makes them anew; review the difference.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml
from attrs import asdict, frozen

import aodrules
from aodrules.facts.state import Machine, Question
from aodrules.interpreter.evaluation import Evaluator
from tests.content.compositions import EDITIONS, player_counts, rules_of
from tests.content.playing import TEMPERS, Player

TESTS = Path(__file__).parent.parent
PLAYTHROUGHS = TESTS / "playthroughs"
COUNTS = TESTS / "counts"
POSITIONS = 20
DEPTH = 3
ENOUGH = 2_000
"""Sequences are not counted deeper where there are more than so many already."""
VARIANT_SETS = (
    "empires+builders",
    "empires+national-advantages",
    "empires+builders+national-advantages+auction",
    "empires+no-survivors+scouting",
    "empires+buy-victory-points+reduced-randomness+two-player",
    "aoe3-ru+auction",
)
"""What is counted beside the plain editions."""
COUNTED = (*EDITIONS, *VARIANT_SETS, "tempus", "ages+no-resigning")
RECORDED = (
    *COUNTED,
    "ages+simple",
    "aoe3-pl+auction",
    "empires+two-player",
    "empires+national-advantages+random-nations",
    "empires+national-advantages+auction",
    "empires+no-survivors",
    "empires+scouting",
    "empires+advanced-reconnaissance",
    "empires+reduced-randomness",
    "empires+buy-victory-points",
)
_SEEDS = 200
"""Among so many games those that are recorded are chosen."""
_FEWER_SEEDS = {"ages+no-resigning": 60, "ages+simple": 60}
_GAMES = {**dict.fromkeys(EDITIONS, 6), "tempus": 3, "ages+no-resigning": 2}
"""How many games are recorded at most of the games that ship; of other rulesets one."""


@frozen
class Line:
    """One answer of a recorded game: who gave it, to what, out of how many, from which state."""

    player: str
    decision: str
    choices: int
    state: str
    action: str

    def __str__(self) -> str:
        return f"{self.player} {self.decision} {self.choices} {self.state} {self.action}"


@frozen
class Recording:
    """A whole game, written down."""

    rules: str
    players: int
    seed: int
    temper: str
    lines: tuple[Line, ...]
    scores: dict[str, int]

    def __str__(self) -> str:
        head = [f"{name}: {getattr(self, name)}" for name in ("rules", "players", "seed", "temper")]
        scores = ", ".join(f"{player} {points}" for player, points in self.scores.items())
        return "\n".join([*head, f"scores: {scores}", "", *map(str, self.lines), ""])


def parse_recording(text: str) -> Recording:
    """Return a recorded game from its text."""
    head, _, body = text.partition("\n\n")
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    scores = (part.split() for part in facts["scores"].split(", "))
    lines = (line.split(" ", 4) for line in body.splitlines())
    return Recording(
        facts["rules"],
        int(facts["players"]),
        int(facts["seed"]),
        facts["temper"],
        tuple(
            Line(player, decision, int(choices), state, action) for player, decision, choices, state, action in lines
        ),
        {player: int(points) for player, points in scores},
    )


def rules_named(word: str) -> aodrules.Rules:
    """Return the rules of a word `edition+variant`."""
    edition, *variants = word.split("+")
    return rules_of(edition, tuple(variants))


class Course:
    """A game on one engine, followed in the words of its actions."""

    def __init__(self, word: str, players: int, seed: int, engine: str = "compiled") -> None:
        self.rules = rules_named(word)
        self.machine = self.rules.book.machine(engine, players, seed, log=False)
        self.seats = self.rules.seats[:players]
        self._action_table = self.rules.book.actions(self.seats)

    def said(self, code: int) -> str:
        """Return an answer in words."""
        return str(self._action_table.action(self._asked.decision, code))

    def code(self, said: str) -> int | None:
        """Return the legal answer that words mean."""
        return next((code for code in self.machine.codes if self.said(code) == said), None)

    def line(self, code: int) -> Line:
        """Return what is written down when an answer is given."""
        state = self.machine.plain()
        digest = sha256(repr((sorted(state.fields.items()), sorted(state.knowledge.items()))).encode())
        seat, decision = self.seats[self._asked.player], self._asked.decision
        return Line(seat, decision, len(self.machine.codes), digest.hexdigest()[:8], self.said(code))

    @property
    def scores(self) -> dict[str, int]:
        """Each player's points as they stand."""
        evaluator = Evaluator(self.rules.book.tables(len(self.seats)), self.machine.plain())
        return {name: evaluator.named_value("total", (seat,)) for seat, name in enumerate(self.seats)}

    @property
    def _asked(self) -> Question:
        assert self.machine.pending is not None
        return self.machine.pending


def recorded(word: str, players: int, seed: int, temper: str) -> Recording:
    """Play a game and write it down."""
    course = Course(word, players, seed)
    player = Player(course.rules.book.tables(players), temper, random.Random(seed))
    lines = []
    while course.machine.pending is not None:
        code = player.answer(course.machine)
        lines.append(course.line(code))
        course.machine.apply(code)
    return Recording(word, players, seed, temper, tuple(lines), course.scores)


# Which games are worth recording.


def _candidates(word: str) -> Iterator[tuple[int, int, str, frozenset[str]]]:
    """Play many games and tell what was asked and answered in each."""
    rules = rules_named(word)
    counts = player_counts(rules)
    for seed in range(_FEWER_SEEDS.get(word, _SEEDS)):
        players, temper = counts[-1 - seed % min(2, len(counts))], sorted(TEMPERS)[seed % len(TEMPERS)]
        player = Player(rules.book.tables(players), temper, random.Random(seed))
        machine = rules.book.machine("compiled", players, seed, log=False)
        seen = set[str]()
        while machine.pending is not None:
            code = player.answer(machine)
            choice, _ = player.spaces[machine.pending.decision].decode(code)
            seen |= {machine.pending.decision, f"{machine.pending.decision} {choice.address}"}
            machine.apply(code)
        yield players, seed, temper, frozenset(seen)


def chosen(word: str) -> list[Recording]:
    """Return few games in which as much as possible is asked and answered."""
    pool = list(_candidates(word))
    wanted = {each for *_, seen in pool for each in seen}
    found: list[Recording] = []
    while wanted and len(found) < _GAMES.get(word, 1):
        players, seed, temper, seen = max(pool, key=lambda game: (len(wanted & game[3]), -game[1]))
        found.append(recorded(word, players, seed, temper))
        wanted -= seen
    return found


# Counts.


@frozen
class Position:
    """A position of a recorded game, and how many sequences of answers go on from there."""

    game: str
    after: int
    """How many answers were given before."""
    decision: str
    counts: tuple[int, ...]
    """Sequences of one answer, of two, ..."""


def machine_at(recording: Recording, after: int) -> Machine:
    """Return a game after so many answers of a recorded one."""
    course = Course(recording.rules, recording.players, recording.seed)
    for line in recording.lines[:after]:
        code = course.code(line.action)
        assert code is not None, line
        course.machine.apply(code)
    return course.machine


def count(machine: Machine, depth: int) -> int:
    """Return how many sequences of so many answers there are; what ends the game early counts once."""
    if depth == 1 or machine.pending is None:
        return max(1, len(machine.codes))
    total = 0
    for code in machine.codes:
        child = machine.copy()
        child.apply(code)
        total += count(child, depth - 1)
    return total


def counts_from(machine: Machine) -> tuple[int, ...]:
    """Return how many sequences of one answer there are, of two, ..., as deep as they can be counted."""
    found: list[int] = []
    while len(found) < DEPTH and (not found or found[-1] <= ENOUGH):
        found.append(count(machine, len(found) + 1))
    return tuple(found)


def positions(games: dict[str, Recording]) -> list[Position]:
    """Return positions of recorded games in which every decision occurs, with their counts."""
    places: list[tuple[str, int]] = []
    seen = set[str]()
    for name, recording in games.items():
        for after, line in enumerate(recording.lines):
            if line.decision not in seen and line.choices > 1:
                seen.add(line.decision)
                places.append((name, after))
    name, recording = next(iter(games.items()))
    step = max(1, len(recording.lines) // POSITIONS)
    more = [(name, after) for after in range(step // 2, len(recording.lines), step) if (name, after) not in places]
    places += more[: max(0, POSITIONS - len(places))]
    found = []
    for name, after in sorted(places):
        machine = machine_at(games[name], after)
        found.append(Position(name, after, games[name].lines[after].decision, counts_from(machine)))
    return found


def read_recordings() -> dict[str, Recording]:
    """Return all recorded games by name."""
    return {path.stem: parse_recording(path.read_text("utf-8")) for path in sorted(PLAYTHROUGHS.glob("*.txt"))}


def read_positions(word: str) -> list[Position]:
    """Return the counted positions of a ruleset."""
    rows: list[dict[str, Any]] = yaml.safe_load((COUNTS / f"{word}.yaml").read_text("utf-8"))
    return [Position(**{**row, "counts": tuple(row["counts"])}) for row in rows]


def _write(word: str) -> None:
    games = {f"{word}-{number}": recording for number, recording in enumerate(chosen(word), 1)}
    for name, recording in games.items():
        (PLAYTHROUGHS / f"{name}.txt").write_text(str(recording), encoding="utf-8")
    if word in COUNTED:
        rows = [asdict(position) for position in positions(games)]
        text = "".join(f"- {json.dumps(row)}\n" for row in rows)
        (COUNTS / f"{word}.yaml").write_text(text, encoding="utf-8")


def main() -> None:
    """Make all recorded games and counts anew."""
    for folder in (PLAYTHROUGHS, COUNTS):
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
    for word in RECORDED:
        _write(word)


if __name__ == "__main__":
    main()
