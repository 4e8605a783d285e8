"""Several pieces chosen as one act: `choose_pieces` as a loop around a decision that takes one piece at a time.

    choose_pieces: NAME                 let: least, most
    by: player                          step: NAME
    from: FROM, to: TO                    while: more can be taken
    at_least: A, at_most: B                 choose: NAME
    where: CONDITION              ->          NAME: the next piece, laid aside into `player.NAME`
                                              done: if there are enough
                                        move: all, from: player.NAME, to: TO

Pieces come in ascending order, so that each choice is made in one way only; with `in_order` their order is chosen too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from attrs import evolve, frozen

from aodrules.check import problems
from aodrules.check.checked import Condition, DecisionDef, Field, Option, Parameter
from aodrules.check.context import Context, LocalName, Scope
from aodrules.check.resolve.bodies import Read, check_fit, check_whose, family_name, read_body, read_ends, read_position
from aodrules.check.resolve.decisions import read_conditions
from aodrules.check.resolve.expressions import held_kind, read_expression, read_if_given
from aodrules.check.resolve.parameters import DECIDER
from aodrules.check.steps import Choose, FieldPlace, If, Let, Move, PlaceReference, Step, Steps, Stop, While
from aodrules.check.visit import transform
from aodrules.lang.expressions import (
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    FieldRead,
    ItemAt,
    Local,
    Loop,
    Operation,
    PieceMember,
)
from aodrules.lang.types import FLAG, NUMBER, OWNER, PLAYER, Bag, ListOf, Maybe, Member, Piece, SetOf, Type, maybe
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence

Part = TypeVar("Part")
_INDEX = re.compile(r"\[[^][]*\]")

_KEYS = (
    "choose_pieces", "by", "from", "to", "of", "where", "at_least", "at_most", "in_order", "hidden", "open",
    "position", "otherwise", "name", "text", "clauses", "needs",
)  # fmt: skip
DONE = "done"
"""The answer that ends a choice of pieces."""


@frozen(eq=False)
class _Choice:
    """A choice of pieces under way, seen from inside its decision: `player` is who decides."""

    name: str
    span: Span
    item: Member | Piece
    word: str
    """The name of the piece that is looked at."""
    pieces: Expression
    """What lies where pieces are chosen from, without what is laid aside."""
    aside: FieldPlace
    """Where chosen pieces lie until the choice is complete."""
    piece: Member | Piece
    """What lies there: with its owner, where it has one."""
    conditions: tuple[Condition, ...]
    in_order: bool

    @property
    def chosen(self) -> Expression:
        """What is laid aside so far, in order."""
        return FieldRead(ListOf(self.piece), self.span, self.aside.field, (_decider(self.span),))

    def number(self, value: int) -> Expression:
        """Return a plain number."""
        return Const(NUMBER, self.span, value)

    def local(self, part: str) -> Expression:
        """Return a bound of the choice, which is fixed before it begins."""
        return Local(NUMBER, self.span, f"{self.name}:{part}")

    @property
    def taken(self) -> Expression:
        """How many are laid aside."""
        return BuiltinCall(NUMBER, self.span, "len", (self.chosen,))

    def compare(self, left: Expression, operator: str, right: Expression) -> Expression:
        """Return a comparison."""
        return Operation(FLAG, self.span, operator, (left, right))

    def is_not_before_last(self, piece: Expression) -> Expression:
        """Whether a piece may follow what is laid aside: nothing comes before its like."""
        index = Operation(NUMBER, self.span, "-", (self.taken, self.number(1)))
        last: Expression = ItemAt(maybe(self.piece), self.span, self.chosen, index)
        last = BuiltinCall(self.piece, self.span, "either", (last, Const(self.piece, self.span, 0)))
        if isinstance(self.piece, Piece) and not isinstance(self.item, Piece):
            last = PieceMember(self.item, self.span, last)
        return self.compare(piece, ">=", last)

    def fitting(self, *tests: Expression) -> tuple[Expression, ...]:
        """Return what holds of another piece that may be chosen, under the name of such a one."""
        own = tuple(rename(each.expression, self.word, self.other) for each in self.conditions)
        return (*own, *tests)

    @property
    def other(self) -> Local:
        """Another piece than the one that is looked at."""
        return Local(self.item, self.span, f"{self.word}:other")

    def over_pieces(self, gives: str, type_: Type, item: Expression, *tests: Expression) -> Expression:
        """Return what is gathered over all pieces that pass some tests."""
        loop = Loop(self.other.name, self.item, self.pieces, tests)
        return Comprehension(type_, self.span, gives, item, (loop,))

    @property
    def something_fits(self) -> Expression:
        """Whether there is a piece that may come next."""
        order = () if self.in_order else (self.is_not_before_last(self.other),)
        return self.over_pieces("any", FLAG, Const(FLAG, self.span, True), *self.fitting(*order))  # noqa: FBT003

    @property
    def leaves_enough(self) -> Expression:
        """Whether with this piece and those that may follow it there are enough."""
        order = () if self.in_order else (self.compare(self.other, ">=", Local(self.item, self.span, self.word)),)
        left = self.over_pieces("count", NUMBER, Const(FLAG, self.span, True), *self.fitting(*order))  # noqa: FBT003
        wanted = Operation(NUMBER, self.span, "-", (self.local("least"), self.taken))
        is_last = self.compare(wanted, "<=", self.number(1))  # It is one of them itself.
        return Operation(FLAG, self.span, "or", (is_last, self.compare(left, ">=", wanted)))


def _decider(span: Span) -> Expression:
    return Local(PLAYER, span, "player")


def rename(part: Part, name: str, other: Expression) -> Part:
    """Return a part in which another expression stands for a local name."""
    return transform(part, lambda one: other if isinstance(one, Local) and one.name == name else one)


def read_choose_pieces(scope: Scope, body: Mapping) -> Read:
    """Read a `choose_pieces`: a named step that asks for one piece after another, and the move of them all."""
    context, name, span = scope.context, body.word("choose_pieces"), body.key("choose_pieces").span
    for entry in body:
        if entry.name not in _KEYS:
            context.add(problems.unknown_name(entry.name, entry.key.span, _KEYS, "part of a choice of pieces"))
    if body.flag("hidden") and body.flag("open"):
        message = "a choice of pieces is either `hidden` or `open`"
        context.add(problems.wrong_declaration(message, body.key("open").span))
        return None, scope
    by = _read_by(scope, body)
    inner = scope.bind("player", DECIDER)
    source, target, kind = read_ends(inner, body)
    owner = read_if_given(inner, body.get("of"), context.owner_of(kind or ""))
    if by is None or source is None or target is None or kind is None:
        return None, scope
    pieces = _pieces_in(inner, source, owner or _decider(span), body)
    if pieces is None:
        return None, scope
    word, piece = kind, _piece_type(context, kind)
    item = Member(kind) if isinstance(pieces.type, Bag) else piece
    hidden = scope.get(word)
    if hidden is not None:
        context.add(problems.shadowed_name(word, span, hidden.span))
    aside = _declare_aside(inner, body, kind)
    if aside is None:
        return None, scope
    about = inner.bind(word, LocalName(item, "parameter", span))
    conditions, _ = read_conditions(about, body.get("where"))
    in_order = body.flag("in_order")
    choice = _Choice(name, span, item, word, pieces, aside, piece, conditions, in_order)
    address = f"{scope.address}.{name}"
    context.steps[address] = span
    decision = _decision(inner, choice, body, Stop(span, address), source)
    twin = context.inline.setdefault(decision.address, decision)
    if twin is not decision:
        context.add(problems.duplicate_name(name, span, twin.span, "decisions of one body"))
    final = Move(span, family_name(context, kind), None, None, None, aside, target, read_position(inner, body))
    final = evolve(final, up_to=True, left=source)
    check_fit(inner, final, kind)
    check_whose(inner, final)
    steps = (*_bounds(inner, choice, body, target), _loop(choice, body, decision, address), final)
    return rename(steps, "player", by), scope


def _read_by(scope: Scope, body: Mapping) -> Local | None:
    node = body.need("by")
    by = read_expression(scope, node, PLAYER)
    if isinstance(by, Local):
        return by
    if not scope.context.report.has_errors:
        message = "who chooses pieces is a name, such as `player`"
        scope.context.add(problems.wrong_arguments(message, node.span, "name the player by a loop or a parameter"))
    return None


def _piece_type(context: Context, kind: str) -> Member | Piece:
    return Piece(kind) if context.has_owners(kind) else Member(kind)


def _pieces_in(scope: Scope, place: PlaceReference | None, owner: Expression, body: Mapping) -> Expression | None:
    """Return what lies in the place that pieces are chosen from."""
    node = body.need("from")
    place = place if isinstance(place, FieldPlace) and place.index is None else None
    field = None if place is None else scope.context.fields[place.field]
    if place is None or field is None or not isinstance(field.type, Bag | ListOf):
        message = "pieces are chosen out of a list or a bag"
        scope.context.add(problems.not_a_place(str(node.plain()), node.span, message))
        return None
    if field.secret == "content":  # noqa: S105 - a word of the language
        message = f"nobody knows what lies in `{node.plain()}`, so that nobody can choose from it"
        scope.context.add(problems.wrong_arguments(message, node.span, "`draw` takes pieces that nobody knows"))
        return None
    if field.is_stock:
        message = f"what lies in `{node.plain()}` is nobody's until it is taken"
        scope.context.add(problems.wrong_arguments(message, node.span, "`move` it with `of` to who takes it"))
        return None
    at = tuple(owner if each is None else each for each in place.at)
    return FieldRead(field.type, node.span, field.name, at)


def declare_choices(context: Context) -> None:
    """Let players have the places where chosen pieces lie aside before any body is read: all bodies may read them.

    Where the names of fields do not tell the kind of the pieces, the place is known from its step on.
    """
    for body in _find_choices(context.root):
        families = {family_name(context, kind) for kind in _kinds_held(context, body.word("to"))}
        kinds = [
            kind
            for kind in _kinds_held(context, body.word("from"))
            if not families or family_name(context, kind) in families
        ]
        if len(kinds) == 1:
            field = _aside(context, body, kinds[0])
            context.fields.setdefault(field.name, field)


def _find_choices(node: Node) -> Iterator[Mapping]:
    if isinstance(node, Mapping) and isinstance(node.get("choose_pieces"), Scalar):
        yield node
    for inner in (entry.value for entry in node) if isinstance(node, Mapping) else ():
        yield from _find_choices(inner)
    for item in node if isinstance(node, Sequence) else ():
        yield from _find_choices(item)


def _kinds_held(context: Context, place: str) -> list[str]:
    """Return the kinds of the pieces in all fields that a place may mean, by its last name."""
    name = _INDEX.sub("", place).rpartition(".")[2]
    fields = [field for field in context.fields.values() if field.holds in context.kinds]
    found = [
        field for field in fields if name in (field.name.rpartition(".")[2], field.name.removesuffix(f".{field.holds}"))
    ]
    return list(dict.fromkeys(str(held_kind(field.type)) for field in found))


def _aside(context: Context, body: Mapping, kind: str) -> Field:
    """Return the place where the pieces of a choice lie aside."""
    node = body.need("choose_pieces")
    of = ListOf(_piece_type(context, kind))
    new = Field(f"player.{node.plain()}", (PLAYER,), of, node.span, holds=family_name(context, kind))
    return evolve(new, secret="owner") if body.flag("hidden") else new  # noqa: S106 - a word of the language


def _declare_aside(scope: Scope, body: Mapping, kind: str) -> FieldPlace | None:
    """Let every player have a place where pieces that they choose lie aside, under the name of the choice."""
    context, node = scope.context, body.need("choose_pieces")
    if kind not in context.kinds or context.family(kind).pieces is None:
        context.add(problems.not_a_place(str(body.need("from").plain()), body.need("from").span, "pieces are needed"))
        return None
    if body.flag("hidden") and context.owner_of(kind) == OWNER:
        message = "a side has no secrets: what it owns is chosen openly"
        context.add(problems.wrong_declaration(message, body.key("hidden").span, "leave out `hidden`"))
    new = _aside(context, body, kind)
    known = context.fields.setdefault(new.name, new)
    if known.span != new.span:
        context.add(problems.duplicate_name(str(node.plain()), node.span, known.span, "fields of a player"))
        return None
    return FieldPlace(node.span, new.name, (_decider(node.span),))


def _bounds(scope: Scope, choice: _Choice, body: Mapping, target: PlaceReference) -> Steps:
    """Return how many must and may be chosen, fixed before the first: no more than there are and than fit."""
    least = read_if_given(scope, body.get("at_least"), NUMBER) or choice.number(0)
    most = _size(choice, choice.pieces)
    said = read_if_given(scope, body.get("at_most"), NUMBER)
    if said is not None:
        most = BuiltinCall(NUMBER, choice.span, "min", (said, most))
    room = _room(scope, choice, target)
    if room is not None:
        most = BuiltinCall(NUMBER, choice.span, "min", (room, most))
    return Let(choice.span, f"{choice.name}:least", least), Let(choice.span, f"{choice.name}:most", most)


def _size(choice: _Choice, pieces: Expression) -> Expression:
    return BuiltinCall(NUMBER, choice.span, "size" if isinstance(pieces.type, Bag) else "len", (pieces,))


def _room(scope: Scope, choice: _Choice, target: PlaceReference) -> Expression | None:
    """Return how many pieces fit, where that is known to have a bound."""
    if not isinstance(target, FieldPlace):
        return None
    field = scope.context.fields[target.field]
    if isinstance(field.type, Maybe) or target.index is not None:
        return choice.number(1)
    limit = field.type.limit if isinstance(field.type, Bag | ListOf) else None
    if limit is None:
        return None
    at = tuple(_decider(choice.span) if each is None else each for each in target.at)
    held = _size(choice, FieldRead(field.type, choice.span, field.name, at))
    return Operation(NUMBER, choice.span, "-", (choice.number(limit), held))


def _decision(scope: Scope, choice: _Choice, body: Mapping, stop: Stop, source: PlaceReference) -> DecisionDef:
    span, name = choice.span, choice.name
    address = f"{scope.address}.{name}"
    domain = choice.pieces
    if isinstance(domain.type, Bag):
        domain = choice.over_pieces("set", SetOf(Member(choice.item.kind)), choice.other)
    piece = Local(choice.item, span, choice.word)
    order = () if choice.in_order else (Condition("order", choice.is_not_before_last(piece), span),)
    enough = Condition("enough", choice.leaves_enough, span)
    possible = Condition("possible", choice.compare(choice.local("least"), "<=", choice.local("most")), span)
    room = Condition("most", choice.compare(choice.taken, "<", choice.local("most")), span)
    owner = None
    if isinstance(choice.pieces.type, Bag) and isinstance(choice.piece, Piece):
        owner = read_if_given(scope, body.get("of"), scope.context.owner_of(choice.piece.kind)) or _decider(span)
    kind = family_name(scope.context, choice.item.kind)
    move = Move(span, kind, piece, owner, None, source, choice.aside, aside=True)
    check_whose(scope, move)
    take = Option(
        name,
        f"{address}.options.{name}",
        (Parameter(choice.word, choice.item, span, domain=domain),),
        (*choice.conditions, *order, room, possible, enough),
        (move,),
        span,
        hidden=body.flag("hidden"),
        open=body.flag("open"),
    )
    has_enough = Condition("enough", choice.compare(choice.taken, ">=", choice.local("least")), span)
    done = Option(DONE, f"{address}.options.{DONE}", (), (has_enough,), (stop,), span)
    otherwise = (*read_body(scope.under(f"{address}.otherwise"), body.get("otherwise")), stop)
    options = tuple(sorted((take, done), key=lambda one: one.address))
    says = "otherwise" in body
    return DecisionDef(name, address, (), options, span, False, otherwise if says else (), True, says)  # noqa: FBT003


def _loop(choice: _Choice, body: Mapping, decision: DecisionDef, address: str) -> Step:
    """Return the named step that asks as long as there is something to ask."""
    span = choice.span
    goes_on = choice.compare(choice.taken, "<", choice.local("most"))
    if not (body.flag("hidden") or body.flag("open")):
        # What fits is no secret here, so nobody is asked whether they are done when nothing more can be taken.
        lacks = choice.compare(choice.taken, "<", choice.local("least"))
        more = Operation(FLAG, span, "or", (lacks, choice.something_fits))
        goes_on = Operation(FLAG, span, "and", (goes_on, more))
    left = Operation(NUMBER, span, "-", (choice.local("most"), choice.taken))
    ask = Choose(span, decision.address, _decider(span), ())
    # Where nothing was taken no answer was possible.
    nothing = If(span, choice.compare(choice.taken, "==", choice.number(0)), (Stop(span, address),))
    return Step(span, address, choice.name, (While(span, goes_on, left, (ask, nothing), uses_up=True),))
