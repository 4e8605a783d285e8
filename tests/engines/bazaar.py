"""The bazaar: buy cards from a row with coins, send workers to stand in a line, collect gems. Written by hand."""

from __future__ import annotations

from aodrules.check.checked import (
    CheckedRules,
    DecisionDef,
    EventDef,
    Limit,
    Option,
    PointSource,
    Sets,
    SetShape,
    Verb,
)
from aodrules.check.steps import (
    AddTo,
    Call,
    Choose,
    Draw,
    For,
    Happen,
    If,
    Let,
    LocalTarget,
    Move,
    ParameterPlace,
    Reveal,
    RunHook,
    SetTo,
    Shuffle,
    Sort,
    Step,
    Steps,
    Stop,
)
from aodrules.lang.expressions import Const, PieceMember, PieceOwner, PlaceRead
from aodrules.lang.types import (
    NUMBER,
    PLAYER,
    ListOf,
    Maybe,
    Member,
    Piece,
    Place,
    SetOf,
)
from tests.engines.bazaar_effects import HOOKS, MODIFIERS, PASSAGES, REACTIONS, gain
from tests.engines.bazaar_things import (
    BANK,
    CAMP,
    CARD,
    CARD_LOCAL,
    CASH,
    COST,
    DECK,
    FIELDS,
    GEM,
    GEMS,
    HAND,
    LINE,
    LOANS,
    LOOK,
    ORDER,
    OUT,
    PLAYER_LOCAL,
    POINTS,
    PRICE,
    ROUND,
    ROW,
    SACK,
    SELF,
    SHRINE,
    SPENT,
    STALL,
    STALL_LOCAL,
    SUPPLY,
    TILE_POINTS,
    TILES,
    TOKEN,
    WORKER,
    WORKER_LOCAL,
    WORTH,
)
from tests.engines.parts import (
    AT,
    attribute,
    builtin,
    call,
    compare,
    compute,
    condition,
    count_in,
    frame,
    given,
    held,
    length,
    local,
    member,
    members,
    none,
    number,
    numbers,
    over,
    place,
    players,
    read,
    size,
    target,
)


def _decisions() -> dict[str, DecisionDef]:
    decisions = (_act(), _window(), _tithe(), _recall(), _stall())
    return {decision.address: decision for decision in decisions}


def _act() -> DecisionDef:
    base = "decision.act.options"
    buy = Option(
        "buy",
        f"{base}.buy",
        (given("card", Member("card"), domain=read(ROW)),),
        (
            condition(
                "pays", compare("<=", call(PRICE, PLAYER_LOCAL, CARD_LOCAL), read(CASH, PLAYER_LOCAL)), "bazaar.pays"
            ),
        ),
        (Call(AT, "buy", (CARD_LOCAL, PLAYER_LOCAL, place(ROW))),),
        AT,
    )
    place_worker = Option(
        "place",
        f"{base}.place",
        (given("worker", Member("worker")), given("stall", Member("stall"))),
        (
            condition("has", compare(">", count_in(read(SUPPLY, PLAYER_LOCAL), WORKER_LOCAL), number(0))),
            condition("single", compare("==", size(read(CAMP, STALL_LOCAL, PLAYER_LOCAL)), number(0)), "bazaar.single"),
        ),
        (
            Move(AT, "worker", WORKER_LOCAL, PLAYER_LOCAL, None, place(SUPPLY, None), place(CAMP, STALL_LOCAL, None)),
            Let(AT, "taken", number(0)),
            Choose(AT, LOOK, PLAYER_LOCAL, ()),
            AddTo(AT, target(CASH, PLAYER_LOCAL), local("taken", NUMBER)),
        ),
        AT,
        again=number(1),
    )
    queue = Option(
        "queue",
        f"{base}.queue",
        (given("worker", Member("worker")),),
        (condition("has", compare(">", count_in(read(SUPPLY, PLAYER_LOCAL), WORKER_LOCAL), number(0))),),
        (
            Move(AT, "worker", WORKER_LOCAL, PLAYER_LOCAL, None, place(SUPPLY, None), place(LINE), position=number(0)),
            gain(number(1)),
        ),
        AT,
    )
    rest = Option("rest", f"{base}.rest", (), (), (gain(number(2)),), AT)
    return DecisionDef("act", "decision.act", (), (buy, place_worker, queue, rest), AT)


def _window() -> DecisionDef:
    """A window into which the bank offers a loan and every tile its own sale."""
    loan = Option(
        "loan",
        "card.bank.own.loan",
        (),
        (condition("poor", compare("<", read(CASH, PLAYER_LOCAL), number(4))),),
        (gain(number(3)),),
        AT,
        limit=Limit((("round", LOANS.name, number(1)),), "owner"),
        scope=held("card", TILES.name, BANK),
    )
    sell = Option(
        "sell",
        "kinds.card.effects.sell",
        (given("self", Member("card")),),
        (condition("dear", compare(">", attribute("card.cost", NUMBER, SELF), number(2))),),
        (
            Move(AT, "card", SELF, None, None, place(TILES, PLAYER_LOCAL), place(OUT[0])),
            gain(attribute("card.cost", NUMBER, SELF)),
            Stop(AT),
            gain(number(9)),
        ),
        AT,
        scope=held("card", TILES.name, *CARD.places),
    )
    return DecisionDef("window", "decision.window", (), (loan, sell), AT, optional=True)


def _tithe() -> DecisionDef:
    pay = Option(
        "pay",
        "decision.tithe.options.pay",
        (),
        (condition("has", compare(">", read(CASH, PLAYER_LOCAL), number(0))),),
        (
            AddTo(AT, target(CASH, PLAYER_LOCAL), number(1), -1),
            Draw(AT, "gem", number(1), None, place(SACK), place(GEMS, PLAYER_LOCAL), up_to=True),
        ),
        AT,
    )
    refuse = Option("refuse", "decision.tithe.options.refuse", (), (), (), AT)
    return DecisionDef("tithe", "decision.tithe", (given("card", Member("card")),), (pay, refuse), AT)


def _recall() -> DecisionDef:
    """Take the first of one's own workers out of the line; with none there is a coin instead."""
    worker = local("worker", Piece("worker"))
    back = Option(
        "back",
        "decision.recall.options.back",
        (given("worker", Piece("worker"), domain=read(LINE)),),
        (condition("own", compare("==", PieceOwner(PLAYER, AT, worker), PLAYER_LOCAL)),),
        (
            Move(AT, "worker", worker, None, None, place(LINE), place(SUPPLY, None)),
            If(
                AT,
                compare("==", PieceMember(Member("worker"), AT, worker), member("worker", 1)),
                (gain(number(1)),),
            ),
        ),
        AT,
    )
    return DecisionDef("recall", "decision.recall", (), (back,), AT, otherwise=(gain(number(1)),), says_otherwise=True)


def _stall() -> DecisionDef:
    """An inline decision: look at a token and perhaps take it; it counts in a `let` of the verb around it."""
    take = Option(
        "take",
        f"{LOOK}.options.take",
        (given("stall", Member("stall")),),
        (
            condition("there", compare(">", size(read(CAMP, STALL_LOCAL, PLAYER_LOCAL)), number(0))),
            condition("token", compare("!=", read(TOKEN, STALL_LOCAL), none())),
        ),
        (
            AddTo(AT, LocalTarget(AT, "taken"), number(1)),
            Reveal(AT, read(TOKEN, STALL_LOCAL), place(TOKEN, STALL_LOCAL), None),
            Move(AT, "gem", None, None, None, place(TOKEN, STALL_LOCAL), place(GEMS, PLAYER_LOCAL)),
        ),
        AT,
    )
    return DecisionDef("look", LOOK, (), (take,), AT, optional=True, inline=True)


def _bazaar_verbs() -> dict[str, Verb]:
    verbs = (_gain_verb(), _buy_verb(), _set_up(), _rounds(), _round_end())
    return {verb.name: verb for verb in verbs}


def _gain_verb() -> Verb:
    amount = local("amount", NUMBER)
    return Verb(
        "gain",
        (given("amount", NUMBER, main=True), given("player", PLAYER)),
        (AddTo(AT, target(CASH, PLAYER_LOCAL), amount, up_to=True),),
        AT,
    )


def _buy_verb() -> Verb:
    return Verb(
        "buy",
        (given("card", Member("card"), main=True), given("player", PLAYER), given("out_of", Place("card"))),
        (
            Let(AT, "price", call(PRICE, PLAYER_LOCAL, CARD_LOCAL)),
            AddTo(AT, target(CASH, PLAYER_LOCAL), local("price", NUMBER), -1, result="paid"),
            AddTo(AT, target(SPENT, PLAYER_LOCAL), local("paid", NUMBER)),
            Move(AT, "card", CARD_LOCAL, None, None, ParameterPlace(AT, "out_of"), place(TILES, PLAYER_LOCAL)),
            If(
                AT,
                compare("==", length(PlaceRead(ListOf(Member("card")), AT, "out_of")), number(0)),
                (gain(number(1)),),
            ),
            Happen(AT, "bought", (PLAYER_LOCAL, CARD_LOCAL)),
        ),
        AT,
    )


def _set_up() -> Verb:
    deal: Steps = (Draw(AT, "card", number(1), None, place(DECK), place(HAND, PLAYER_LOCAL)),)
    tokens: Steps = (Draw(AT, "gem", number(1), None, place(SACK), place(TOKEN, STALL_LOCAL)),)
    return Verb(
        "set_up",
        (),
        (
            Shuffle(AT, place(DECK)),
            Draw(AT, "card", number(3), None, place(DECK), place(ROW)),
            For(AT, "verb.set_up.deal", "player", players(), None, None, deal),
            For(AT, "verb.set_up.tokens", "stall", members(STALL), None, None, tokens),
        ),
        AT,
    )


def _rounds() -> Verb:
    turn: Steps = (Choose(AT, "decision.window", PLAYER_LOCAL, ()), Choose(AT, "decision.act", PLAYER_LOCAL, ()))
    tile = local("tile", Member("card"))
    bonus: Steps = (
        For(
            AT,
            "verb.rounds.bonus",
            "tile",
            read(TILES, PLAYER_LOCAL),
            compare("!=", tile, member("card", SHRINE)),
            "place",
            (RunHook(AT, "card.every_round", tile, (PLAYER_LOCAL,)),),
            ordered_by=PLAYER_LOCAL,
        ),
    )
    in_round: Steps = (
        SetTo(AT, target(ROUND), local("turn", NUMBER)),
        For(AT, "verb.rounds.turns", "player", read(ORDER), None, None, turn),
        For(AT, "verb.rounds.bonuses", "player", read(ORDER), None, None, bonus),
        Call(AT, "round_end", ()),
    )
    step = Step(AT, "verb.rounds.round", "round", in_round)
    return Verb("rounds", (), (For(AT, "verb.rounds.rounds", "turn", numbers(1, 5), None, None, (step,)),), AT)


def _round_end() -> Verb:
    first = over("first", Maybe(PLAYER), local("it", PLAYER), "it", read(ORDER))
    wealth = compute("-", number(0), read(CASH, PLAYER_LOCAL))
    missing = compute("-", number(3), length(read(ROW)))
    reveal = over("set", SetOf(PLAYER), PLAYER_LOCAL, "player", players())
    return Verb(
        "round_end",
        (),
        (
            Let(AT, "first", builtin("either", PLAYER, first, Const(PLAYER, AT, 0))),
            Move(AT, "worker", None, None, None, place(LINE), place(SUPPLY, None)),
            Sort(AT, place(ORDER), "player", wealth),
            Draw(AT, "card", missing, None, place(DECK), place(ROW), up_to=True),
            SetTo(AT, LocalTarget(AT, "first"), Const(PLAYER, AT, 0)),
            Reveal(AT, None, place(HAND, local("first", PLAYER)), reveal),
        ),
        AT,
    )


def bazaar() -> CheckedRules:
    """Four rounds of buying, sending workers and collecting gems."""
    shapes = (SetShape(2, 2, alike=True), SetShape(3, 5, different=True), SetShape(2, 1))
    return CheckedRules(
        fingerprint="bazaar",
        game=frame(
            "bazaar",
            "rounds",
            tuple(PointSource(value.name.removeprefix("points."), value.name) for value in POINTS),
            begin="set_up",
            order=read(ORDER),
        ),
        kinds={each.name: each for each in (CARD, GEM, STALL, WORKER)},
        attributes={each.name: each for each in (COST, WORTH)},
        fields={each.name: each for each in FIELDS},
        values={each.name: each for each in (PRICE, TILE_POINTS, *POINTS)},
        verbs=_bazaar_verbs(),
        hooks=HOOKS,
        events={"bought": EventDef("bought", (given("player", PLAYER), given("card", Member("card"))), AT)},
        decisions=_decisions(),
        options={},
        sets={"gem_sets": Sets("gem_sets", shapes, 1)},
        graphs={},
        modifiers=MODIFIERS,
        reactions=REACTIONS,
        enter_leave_effects=PASSAGES,
    )
