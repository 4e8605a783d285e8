"""Worlds that a seat cannot tell apart, and what it notices when the same is done in each of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from aodrules.compiler.layout import GENERATOR
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.game import Game
from tests.content.compositions import rules_of as shipped_rules
from tests.play import secret_games as small
from tests.playing import random_game

WORDS = ("harbour", "caravan", "isles")
TEXTS = {
    "sorts": small.SORTS,
    "auction": small.AUCTION,
    "stairs": small.STAIRS,
    "under way": small.UNDER_WAY,
    "openly": small.PLAYED_OPENLY,
    "told": small.TOLD,
    "valued": small.VALUED,
}
VARIANTS = ((), ("scouting",), ("secret-objectives",), ("reduced-randomness",), ("tidings",))


def middle(word: str, seed: int, decisions: int) -> Game:
    """Return a game in its middle: of the tests, of the small ones, or with variants of one that ships."""
    if word in WORDS:
        return random_game(word, seed, decisions)
    edition, *variants = word.split("+")
    rules = small.rules_of(TEXTS[word]) if word in TEXTS else shipped_rules(edition, tuple(variants))
    game = rules.new_game(players=rules.players[0] + seed % 2, seed=seed)
    chance = random.Random(seed)
    for _ in range(decisions):
        if not game.over:
            game.push(chance.choice(game.codes))
    return game


ALL = [*WORDS, *TEXTS, *("+".join(("empires", *names)) for names in VARIANTS)]
ON_A_MAP = "tempus"
"""A large game that is looked at where that takes little time; it has tests of its own besides."""


def seen(game: Game, machine: Compiled, seat: int) -> Any:
    """Return all that a seat sees of a position, and what it knows to be somewhere in a field."""
    other = Game(game.book, game._seating, machine)
    view = other.view(game.players[seat])
    reader = view._seat_reader
    fields = sorted(name for name, field in game.tables.rules.fields.items() if field.secret and field.holds)
    inside = [
        (name, at, sorted(reader.inside(name, at).items()))
        for name in fields
        for at in game.tables.shapes[name].indices()
    ]
    return view.plain(), view.decision, view.actions, view.events, inside, other.log(game.players[seat])


def another_world(game: Game, seat: int, seed: int) -> Compiled:
    """Return a position the seat could be in, with the chance that is to come in the true one."""
    machine, truth = game.sample(game.players[seat], seed).machine, game.machine
    assert isinstance(machine, Compiled)
    assert isinstance(truth, Compiled)
    cells = machine.cells[:]
    cells[GENERATOR] = truth.cells[GENERATOR]
    return Compiled(machine.program, cells)


def with_other_secrets(game: Game, seat: int, chance: random.Random) -> tuple[Game | None, bool]:
    """Return a game with other secret answers that looks the same to a seat all the way, and whether it differs."""
    one, other = (game.book, game._seating), game.players[seat]
    first, second = Game(*one), Game(*one)
    by_pieces = game.tables.rules.secrets.by_pieces
    for code in game._answers:
        assert first.decision is not None
        choice = game._action_table.spaces[first.decision.address].decode(code)[0]
        is_secret = choice.option is not None and choice.option.hidden and choice.option.address not in by_pieces
        given = code
        if is_secret and first.decision.player != other:
            given = chance.choice(
                [each for each in second.codes if choice.offset <= each < choice.offset + choice.codes]
            )
        if given not in second.codes:
            return None, False  # what was answered in the open tells the two apart
        first.push(code)
        second.push(given)
        views = [each.view(other) for each in (first, second)]
        if views[0].plain() != views[1].plain() or views[0].events != views[1].events:
            return None, False
    assert isinstance(first.machine, Compiled)
    assert isinstance(second.machine, Compiled)
    return second, first.machine.cells != second.machine.cells


def public_answers(game: Game, machine: Compiled, seat: int) -> Iterator[tuple[str, int]]:
    """Iterate over the answers to the question that waits, each with what a seat hears of it."""
    for code in machine.codes:
        action = game._action_table.action(str(machine.decision), code)
        is_open = machine.player == seat or not action.hidden
        yield (str(action) if is_open else str(action).split()[0]), code


def shows_something(game: Game, machine: Compiled, seat: int) -> bool:
    """Whether the last answer let a seat see a piece that it did not know, or let chance decide."""
    tables = game.tables
    for entry in machine.happenings:
        if entry[0] in {"roll", "tell"} or (entry[0] == "reveal" and entry[6] >> seat & 1):
            return True
        if entry[0] == "move" and tables.rules.fields[entry[5]].secret:
            is_told = entry[9] == -1 or entry[9] >> seat & 1
            if is_told and not tables.visible_to(entry[5], entry[6]) >> seat & 1:
                return True
    return False
