"""Checked rules written by hand: `nim` is the smallest game, `bazaar` has a little of everything."""

from __future__ import annotations

from aodrules.check.checked import CheckedRules, DecisionDef, Field, Option, PointSource, Value, Verb
from aodrules.check.steps import AddTo, Choose, For, If, SetTo, Step, Steps, While
from aodrules.lang.types import NUMBER, PLAYER, Number
from tests.engines.bazaar import bazaar
from tests.engines.parts import AT, compare, condition, frame, given, local, number, numbers, players, read, target

__all__ = ["bazaar", "nim"]
PLAYER_LOCAL = local("player", PLAYER)


def nim(heap: int = 11) -> CheckedRules:
    """Take one to three from the heap; whoever takes the last one wins."""
    left = Field("table.heap", (), Number(0, heap), AT, start=number(heap))
    last = Field("player.last", (PLAYER,), Number(0, 1), AT)
    n = local("n", NUMBER)
    take = Option(
        "take",
        "decision.turn.options.take",
        (given("n", Number(1, 3), low=1, size=3, domain=numbers(1, 4)),),
        (condition("enough", compare(">=", read(left), n), "nim.enough"),),
        (
            AddTo(AT, target(left), n, -1),
            If(AT, compare("==", read(left), number(0)), (SetTo(AT, target(last, PLAYER_LOCAL), number(1)),)),
        ),
        AT,
    )
    turn: Steps = (If(AT, compare(">", read(left), number(0)), (Choose(AT, "decision.turn", PLAYER_LOCAL, ()),)),)
    rounds = While(
        AT,
        compare(">", read(left), number(0)),
        number(heap),
        (Step(AT, "verb.play.round", "round", (For(AT, "verb.play.players", "player", players(), None, None, turn),)),),
    )
    points = Value("points.last", (given("player", PLAYER),), NUMBER, read(last, PLAYER_LOCAL), AT)
    return CheckedRules(
        fingerprint="nim",
        game=frame("nim", "play", (PointSource("last", "points.last"),), begin=None),
        kinds={},
        attributes={},
        fields={field.name: field for field in (left, last)},
        values={points.name: points},
        verbs={"play": Verb("play", (), (rounds,), AT)},
        hooks={},
        events={},
        decisions={"decision.turn": DecisionDef("turn", "decision.turn", (), (take,), AT)},
        options={},
        sets={},
        graphs={},
    )
