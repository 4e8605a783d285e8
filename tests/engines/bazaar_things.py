"""What the bazaar has: kinds, fields, values."""

from __future__ import annotations

from aodrules.check.checked import (
    Attribute,
    Field,
    Value,
)
from aodrules.lang.types import (
    NUMBER,
    PLAYER,
    Bag,
    ListOf,
    Maybe,
    Member,
    Number,
    Piece,
)
from tests.engines.parts import (
    AT,
    attribute,
    builtin,
    call,
    compute,
    given,
    kind,
    local,
    number,
    pieces,
    read,
)

PLAYER_LOCAL = local("player", PLAYER)
LOOK = "decision.act.options.place.look"
GEM = kind("gem", "jade opal ruby", pieces=pieces(4, 4, 4))
CARD = kind("card", "bank guild mint porter shrine", pieces=pieces(2, 2, 2, 2, 3))
WORKER = kind("worker", "farmer guard", pieces=pieces(3, 2, owned=True))
STALL = kind("stall", "east west")
BANK, GUILD, MINT, PORTER, SHRINE = range(5)

COST = Attribute("card.cost", NUMBER, AT, values=tuple(number(n) for n in (2, 3, 1, 2, 0)))
WORTH = Attribute("gem.worth", NUMBER, AT, values=tuple(number(n) for n in (1, 2, 3)))

ROUND = Field("table.round", (), Number(0, 4), AT)
DEPARTED = Field("table.departed", (), Number(0, 99), AT)
ORDER = Field("table.order", (), ListOf(PLAYER), AT, holds="player", start_all=True)
DECK = Field("table.deck", (), ListOf(Member("card")), AT, holds="card", start_all=True, secret="content")
ROW = Field("table.row", (), ListOf(Member("card"), 3), AT, holds="card")
SACK = Field("table.sack", (), Bag("gem"), AT, holds="gem", start_all=True, secret="content")
LINE = Field("table.line", (), ListOf(Piece("worker"), 3), AT, holds="worker")
TOKEN = Field("stall.token", (Member("stall"),), Maybe(Member("gem")), AT, holds="gem", secret="content")
CAMP = Field("stall.camp", (Member("stall"), PLAYER), Bag("worker"), AT, holds="worker", owner_dimension=1)
CASH = Field("player.cash", (PLAYER,), Number(0, 12), AT, start=number(4))
SPENT = Field("player.spent", (PLAYER,), Number(0, 99), AT, resets="round")
GEMS = Field("player.gems", (PLAYER,), Bag("gem"), AT, holds="gem")
TILES = Field("player.tiles", (PLAYER,), Bag("card"), AT, holds="card")
HAND = Field("player.hand", (PLAYER,), ListOf(Member("card")), AT, holds="card", secret="owner")
SUPPLY = Field("player.supply", (PLAYER,), Bag("worker"), AT, holds="worker", owner_dimension=0, start_all=True)
LOANS = Field("card.bank.own.loan.limit.round", (PLAYER,), Number(0, 9), AT, resets="round")
TITHES = Field("card.shrine.own.tithe.limit.game", (PLAYER,), Number(0, 9), AT)
OUT = (
    Field("out.card", (), Bag("card"), AT, holds="card"),
    Field("out.gem", (), Bag("gem"), AT, holds="gem"),
    Field("out.worker", (PLAYER,), Bag("worker"), AT, holds="worker", owner_dimension=0),
)
FIELDS = (
    *(
        ROUND,
        DEPARTED,
        ORDER,
        DECK,
        ROW,
        SACK,
        LINE,
        TOKEN,
        CAMP,
        CASH,
        SPENT,
        GEMS,
        TILES,
        HAND,
        SUPPLY,
        LOANS,
        TITHES,
    ),
    *OUT,
)

CARD_LOCAL = local("card", Member("card"))
WORKER_LOCAL = local("worker", Member("worker"))
STALL_LOCAL = local("stall", Member("stall"))
SELF = local("self", Member("card"))
OWNER = local("owner", PLAYER)

PRICE = Value(
    "price",
    (given("player", PLAYER), given("card", Member("card"))),
    NUMBER,
    attribute("card.cost", NUMBER, CARD_LOCAL),
    AT,
)
TILE_POINTS = Value("tile_points", (given("player", PLAYER),), NUMBER, number(0), AT)
GEM_POINTS = Value(
    "points.gems",
    (given("player", PLAYER),),
    NUMBER,
    builtin("sets_worth", NUMBER, read(GEMS, PLAYER_LOCAL), number(1), names=("gem_sets",)),
    AT,
)
POINTS = (
    Value("points.tiles", (given("player", PLAYER),), NUMBER, call(TILE_POINTS, PLAYER_LOCAL), AT),
    GEM_POINTS,
    Value("points.cash", (given("player", PLAYER),), NUMBER, compute("//", read(CASH, PLAYER_LOCAL), number(3)), AT),
)
