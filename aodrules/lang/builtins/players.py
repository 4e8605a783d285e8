"""Those who play: who is still in the game, what they know, what they used and can do."""

from __future__ import annotations

from attrs import evolve

from aodrules.lang.builtins.entry import (
    Builtin,
    FormulaBuilder,
    K,
    NameOf,
    Of,
    Phrase,
    SizeFacts,
    Term,
)
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.interval import ANY, Interval
from aodrules.lang.types import FLAG, NUMBER, OWNER, PLAYER


def _players_interval(sizes: SizeFacts, _: BuiltinCall, *__: Interval) -> Interval:
    return Interval(1, sizes.players.high, ANY)


def _owners_interval(sizes: SizeFacts, _: BuiltinCall, *__: Interval) -> Interval:
    high = sizes.players.high
    return Interval(1, None if high is None else high + sizes.most_sides, ANY)


def _lower_seats_from(build: FormulaBuilder, _: BuiltinCall, seat: Term) -> Term:
    seats = tuple(range(build.seats))
    return build.without_left(build.table([seats[one:] + seats[:one] for one in seats], seat))


WORDS = (
    Builtin(
        "players",
        takes=((),),
        gives=Of("list", PLAYER),
        doc="Those still in the game.",
        example="len(players)",
        result=2,
        evaluate=lambda facts, _: facts.remaining(),
        interval=_players_interval,
        lower=lambda build, _: build.without_left(build.constant(tuple(range(build.seats)))),
        of_those_left=True,
        never_empty=True,
    ),
    Builtin(
        "seats",
        takes=((),),
        gives=Of("list", PLAYER),
        doc="Everybody who began the game.",
        example="len(seats)",
        result=2,
        evaluate=lambda facts, _: tuple(range(facts.seats)),
        interval=lambda sizes, _: evolve(sizes.players, item=ANY),
        never_empty=True,
    ),
    Builtin(
        "owners",
        takes=((),),
        gives=Of("list", OWNER),
        doc="Those still in the game, and behind them the sides that have no seat.",
        example="len(owners)",
        result=3,
        evaluate=lambda facts, _: (*facts.remaining(), *facts.sides()),
        interval=_owners_interval,
        lower=lambda build, _: build.without_left(build.constant((*range(build.seats), *build.sides()))),
        of_those_left=True,
        never_empty=True,
    ),
)
"""Written without brackets."""

MEMBERS = Builtin(
    "members",
    takes=((NameOf("kind"),),),
    gives=Of("list", K),
    doc="The members of a kind that are in a game of so many players.",
    example="len(seasons)",
    result=2,
    evaluate=lambda facts, call: facts.places(call.names[0]),
    interval=lambda sizes, call: evolve(sizes.in_game(call.names[0]), item=ANY),
)
"""What the plural of a kind means where some members are not in every game."""

AS_OWNER = Builtin(
    "as_owner",
    takes=((NameOf("kind"), K),),
    gives=OWNER,
    doc="A side where an owner is wanted: nobody writes it.",
    example="guests.uncle in owners",
    result=True,
    evaluate=lambda facts, call, side: facts.first_side(call.names[0]) + side,
    lower=lambda build, call, side: build.add_up(build.constant(build.first_side(call.names[0])), side),
)
AS_SIDE = Builtin(
    "as_side",
    takes=((NameOf("kind"), OWNER),),
    gives=K,
    doc="An owner that was found to be a side of that kind: nobody writes it.",
    example="sum(o.patience for o in owners if o is guest)",
    result=4,
    evaluate=lambda facts, call, owner: owner - facts.first_side(call.names[0]),
    lower=lambda build, call, owner: build.op("-", owner, build.constant(build.first_side(call.names[0]))),
)
UNWRITTEN = (MEMBERS, AS_OWNER, AS_SIDE)
"""What nobody writes: other words mean these."""

BUILTINS = (
    Builtin(
        "seats_from",
        takes=((PLAYER,),),
        gives=Of("list", PLAYER),
        doc="The players still in the game, clockwise from this seat.",
        example="len(seats_from(opener))",
        result=2,
        evaluate=lambda facts, _, seat: tuple(sorted(facts.remaining(), key=lambda one: (one - seat) % facts.seats)),
        interval=_players_interval,
        lower=_lower_seats_from,
        of_those_left=True,
        never_empty=True,
    ),
    Builtin(
        "knows",
        takes=((PLAYER, Phrase("hidden K")),),
        gives=FLAG,
        doc="Whether the player knows which piece lies there.",
        example="knows(opener, token)",
        result=True,
    ),
    Builtin(
        "used",
        takes=((NameOf("limit"),), (NameOf("limit"), PLAYER)),
        gives=NUMBER,
        doc="How often something limited was used in the first period of its limit.",
        example="used(peek, opener)",
        result=0,
    ),
    Builtin(
        "possible",
        takes=((NameOf("option"), Phrase("arguments ...")),),
        gives=FLAG,
        doc="Whether a shared option has a legal instance.",
        example="possible(peek)",
        result=True,
    ),
)
