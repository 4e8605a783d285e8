"""What the cards of the bazaar do: modifiers, reactions, effects of entering, and hooks."""

from __future__ import annotations

from aodrules.check.checked import (
    EffectScope,
    EnterLeaveEffect,
    Hook,
    Limit,
    Modifier,
    Reaction,
)
from aodrules.check.steps import (
    AddTo,
    Call,
    Choose,
    Draw,
    Roll,
)
from aodrules.lang.expressions import Expression
from aodrules.lang.types import (
    NUMBER,
    PLAYER,
    Member,
)
from tests.engines.bazaar_things import (
    BANK,
    CARD,
    CARD_LOCAL,
    CASH,
    DEPARTED,
    GEMS,
    GUILD,
    LINE,
    MINT,
    OWNER,
    PLAYER_LOCAL,
    PORTER,
    SACK,
    SELF,
    SHRINE,
    TILES,
    TITHES,
    WORKER_LOCAL,
)
from tests.engines.parts import (
    AT,
    attribute,
    compare,
    given,
    held,
    local,
    member,
    number,
    place,
    players,
    read,
    size,
    target,
)

MODIFIERS = {
    "price": (
        Modifier("card.mint.own.cheap", held("card", TILES.name, MINT), "price", "add", number(-1), None, AT),
        Modifier(
            "card.shrine.everyone.dear",
            held("card", TILES.name, SHRINE, owner=False),
            "price",
            "add",
            number(1),
            compare("!=", PLAYER_LOCAL, OWNER),
            AT,
        ),
        Modifier("effects.base.floor", EffectScope(), "price", "at_least", number(0), None, AT),
        Modifier(
            "effects.base.gift",
            EffectScope(),
            "price",
            "set",
            number(0),
            compare("==", read(CASH, PLAYER_LOCAL), number(0)),
            AT,
        ),
    ),
    "tile_points": (
        Modifier(
            "card.guild.at_end",
            held("card", TILES.name, GUILD),
            "tile_points",
            "add",
            size(read(GEMS, OWNER)),
            None,
            AT,
        ),
        Modifier(
            "kinds.card.effects.printed",
            held("card", TILES.name, *CARD.places),
            "tile_points",
            "add",
            attribute("card.cost", NUMBER, SELF),
            None,
            AT,
        ),
    ),
}


def gain(amount: Expression, player: Expression = PLAYER_LOCAL) -> Call:
    return Call(AT, "gain", (amount, player))


REACTIONS: dict[str, tuple[Reaction, ...]] = {
    "bought": (
        Reaction(
            "card.guild.everyone.dues",
            held("card", TILES.name, GUILD, owner=False),
            "bought",
            compare("!=", PLAYER_LOCAL, OWNER),
            (gain(number(1), OWNER),),
            None,
            AT,
        ),
        Reaction(
            "card.shrine.own.tithe",
            held("card", TILES.name, SHRINE),
            "bought",
            None,
            (Choose(AT, "decision.tithe", OWNER, (CARD_LOCAL,)),),
            Limit((("game", TITHES.name, number(1)),), "owner"),
            AT,
        ),
        Reaction(
            "effects.base.custom",
            EffectScope(),
            "bought",
            compare("==", CARD_LOCAL, member("card", PORTER)),
            (Roll(AT, players(), "lucky"), gain(number(1), local("lucky", PLAYER))),
            None,
            AT,
        ),
    )
}
PASSAGES: dict[str, tuple[EnterLeaveEffect, ...]] = {
    GEMS.name: (
        EnterLeaveEffect(
            "effects.base.polish",
            EffectScope(),
            entering=True,
            field=GEMS.name,
            condition=compare("==", local("gem", Member("gem")), member("gem", 2)),
            body=(gain(number(1)),),
            span=AT,
        ),
    ),
    LINE.name: (
        EnterLeaveEffect(
            "effects.base.tip",
            EffectScope(),
            entering=False,
            field=LINE.name,
            condition=compare("==", WORKER_LOCAL, member("worker", 1)),
            body=(AddTo(AT, target(DEPARTED), number(1)),),
            span=AT,
        ),
    ),
}
HOOKS = {
    "card.every_round": Hook(
        "card.every_round",
        (given("player", PLAYER),),
        {
            BANK: (gain(number(2)),),
            MINT: (Draw(AT, "gem", number(1), None, place(SACK), place(GEMS, PLAYER_LOCAL), up_to=True),),
            PORTER: (Choose(AT, "decision.recall", PLAYER_LOCAL, ()),),
        },
        AT,
    )
}
