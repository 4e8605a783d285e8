"""Checked rules: every declaration of a ruleset with its names resolved and its types known."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

from attrs import evolve, field, frozen

from aodrules.check.steps import Argument, PlaceReference, Steps
from aodrules.lang.expressions import Expression
from aodrules.lang.modifiers import MODIFIER_OPERATIONS, ModifierOperation
from aodrules.lang.types import ListOf, Maybe, Piece, Type
from aodrules.source.spans import Span


def written_address(address: str) -> str:
    """Return the address under which something was written that is filled in with fields or values."""
    return ".".join(part.partition(":")[0] for part in address.split("."))


@frozen(eq=False)
class Parameter:
    """A name and type that a value, verb, hook, decision, option or event is given."""

    name: str
    type: Type
    span: Span
    default: Expression | PlaceReference | None = None
    domain: Expression | None = None
    """For parameters of an option: a set or list of the values to try, over the earlier parameters."""
    low: int = 0
    size: int = 0
    """For number parameters of an option: the static range (`low`, `low + size`); 0 for other types."""
    main: bool = False
    otherwise: str | None = None
    """For parameters of an option with a domain: the clause or text for what the domain leaves out."""


@frozen(eq=False)
class Attribute:
    """A fact about each member of a kind."""

    name: str
    """`kind.attribute`."""
    type: Type
    span: Span
    per: tuple[Type, ...] = ()
    values: tuple[Expression | tuple[Expression, ...] | None, ...] = ()
    """For each member of the whole family (`None` for those of other kinds): a constant, or an expression over the
    number of players and other attributes. A tuple is a table by the one dimension in `per`."""


@frozen(eq=False)
class Pieces:
    """How many pieces each member has."""

    owned: bool
    counts: tuple[Expression, ...]
    """For each member of the whole family (0 where its kind has no pieces); over the number of players and attributes.
    For owned kinds it is the count for each player."""
    common: frozenset[int] = frozenset()
    """The members of an owned family whose pieces are nobody's until they are taken: so many are there for all."""
    has_sides: bool = False
    """Whether sides own such pieces too."""
    of_sides: tuple[tuple[Expression, ...], ...] = ()
    """For each side of the rules the count of each member; empty where no side owns such pieces."""


@frozen(eq=False)
class Kind:
    """A family of components, or a narrower kind within one."""

    name: str
    plural: str
    span: Span
    family: str
    """The name of the kind at the root: itself unless it `is_a` other."""
    members: tuple[str, ...]
    """For the root of a family: all members of the family, sorted. For a narrower kind: its own, in that order."""
    places: tuple[int, ...]
    """The numbers of these members in the family."""
    ordered: bool = False
    pieces: Pieces | None = None
    """Only on the root of a family."""
    for_players: dict[int, tuple[int, int]] = field(factory=dict)
    """Only on the root of a family: members that are in the game with so many players only, from the first number to
    the last."""
    is_side: bool = False
    """Only on the root of a family: whether its members are sides, which own pieces and have no seat."""


@frozen(eq=False)
class Field:
    """A field of the state, named by its address without `state`.

    `table.turn`, `player.cash`; a member's own is `KIND.MEMBER.remembers.FIELD`, a counter `ADDRESS.limit.PERIOD`;
    what is out of the game lies in `out.KIND`.
    """

    name: str
    dimensions: tuple[Type, ...]
    """Players and kinds that index it, the owner of the field (player, region ...) first."""
    type: Type
    span: Span
    start: Expression | None = None
    """What it holds at first, for fields that hold no pieces; the lowest, false, none or empty if not given."""
    holds: str | None = None
    """The family whose pieces it holds (`player` for a list of players), or nothing."""
    owner_dimension: int | None = None
    """Which dimension is the owner of the pieces, for owned kinds."""
    start_all: bool = False
    start_if: Expression | None = None
    """Over the local named like the kind: which members start here."""
    start_by: Expression | None = None
    """Over the same local: the index in the last dimension under which a member starts."""
    only: Expression | None = None
    """Over the local named like the first dimension's kind: which members have the field."""
    secret: Literal["content", "owner"] | None = None
    shows: tuple[str, ...] = ()
    """Attributes (`kind.attribute`) that the back of a hidden piece tells."""
    resets: str | None = None
    """The name of the step that puts it back to its start."""
    is_stock: bool = False
    """Whether it is a bag of pieces that are nobody's until they are taken out of it."""
    goes_with: str | None = None
    """The field whose piece it is about: it goes where the piece goes inside that field, and starts anew after it."""
    is_setting: bool = False
    """Whether it is a fact outside the game: given when a game is made, and never changed."""

    @property
    def tells_owner(self) -> bool:
        """Whether the pieces themselves, and no index, tell everybody whose they are."""
        is_list = isinstance(self.type, ListOf | Maybe) and isinstance(self.type.of, Piece)
        return bool(is_list and self.holds and not self.secret and self.owner_dimension is None)


SEAT = "player.seat"
"""The field that every player has where rules ask for it: the number of the seat in the list the game declares."""


@frozen(eq=False)
class EffectScope:
    """When an effect holds: which members carry it, where they must be, and for whom it counts."""

    kind: str | None = None
    """The family of the members that carry it; nothing for an effect of the whole game."""
    members: tuple[int, ...] = ()
    """The members (numbers in the family) that carry it: one for a member's hook, all for an effect of a kind."""
    field: str | None = None
    """The field the piece must be in; nothing if it always holds."""
    owner: bool = False
    """Whether it applies only where the parameter `player` (or the decider) is the holder."""


MOST_USES = 10_000
"""As far as the counter of a limit counts."""


@frozen(eq=False)
class Limit:
    """How often something may be used: for each period the counter field and the number, times the copies held."""

    periods: tuple[tuple[str, str, Expression], ...]
    """(name of the step or `game`, id of the counter field, how often)."""
    per: Literal["owner", "decider", "game"]


@frozen(eq=False)
class Modifier:
    """An effect on a value. Locals: the value's parameters, and by scope `self`, `owner`."""

    address: str
    scope: EffectScope
    value: str
    operation: ModifierOperation
    amount: Expression
    """For `allow` and `forbid` the condition."""
    condition: Expression | None
    span: Span
    after: tuple[str, ...] = ()

    @property
    def order(self) -> int:
        """When it applies among the modifiers of its value."""
        return MODIFIER_OPERATIONS.index(self.operation)


@frozen(eq=False)
class Reaction:
    """An effect upon an event. Locals: the event's parameters, and by scope `self`, `owner`."""

    address: str
    scope: EffectScope
    event: str
    condition: Expression | None
    body: Steps
    limit: Limit | None
    span: Span


@frozen(eq=False)
class EnterLeaveEffect:
    """What happens when a piece enters or leaves a field.

    Locals: the names of the field's dimensions (`player`, the kinds), the member under its kind's name, and in a kind's
    or member's effect `self` (the same member).
    """

    address: str
    scope: EffectScope
    """Its `field` is not used: the piece need not be anywhere else."""
    entering: bool
    field: str
    condition: Expression | None
    body: Steps
    span: Span


@frozen(eq=False)
class Condition:
    """One condition of an option, and what to say when it fails."""

    id: str
    expression: Expression
    span: Span
    otherwise: str | None = None
    """The clause or text that `why_not` shows."""
    under: str = "where"
    """The key that it stands under: `then_where` for one that must hold when the first steps are done."""


@frozen(eq=False)
class Option:
    """An answer to a decision: its parameters, conditions and steps.

    Locals of conditions and steps: `player` (who decides), the decision's parameters, the option's own, and for
    offers `self`, `owner`. An offer by a whole kind has `self` as its first parameter.
    """

    id: str
    address: str
    parameters: tuple[Parameter, ...]
    conditions: tuple[Condition, ...]
    body: Steps
    span: Span
    again: Expression | None = None
    """How often more it may be chosen in one `choose`, which then goes on; nothing if it ends the decision."""
    limit: Limit | None = None
    hidden: bool = False
    """Whether others see only which option was taken."""
    open: bool = False
    """Whether its conditions may read secrets of who decides, though others see how it is filled in."""
    scope: EffectScope | None = None
    """For offers: who carries it."""
    given: tuple[Parameter, ...] = ()
    """For shared options: what a `use` or `possible` must supply."""
    supplied: tuple[Argument, ...] = ()
    """In a decision, for `use`: what is supplied for `given`."""
    beside: tuple[str, ...] = ()
    """The addresses of answers that end the decision, of which one must be possible for this one to be offered: those
    that it cannot take away. Empty if it takes none away, or if the decision need not be ended by an answer."""


@frozen(eq=False)
class DecisionDef:
    """What a person may be asked."""

    id: str
    address: str
    parameters: tuple[Parameter, ...]
    options: tuple[Option, ...]
    """Its own and those offered into it, sorted by address; `pass` comes on top of these and last."""
    span: Span
    optional: bool = False
    otherwise: Steps = ()
    inline: bool = False
    """Written inside a body: it sees the locals around it, and its options may change `let` names there."""
    says_otherwise: bool = False
    """Whether the rules say what happens when no answer is possible, be it that nothing does."""
    always_asked: bool = False
    """An optional decision that is asked even if nothing else is possible, because its conditions read secrets."""


@frozen(eq=False)
class Verb:
    """A named list of steps. One that is filled in with fields or values has their names behind its own."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Steps
    span: Span

    @property
    def address(self) -> str:
        """Where it is declared; the first steps of an option bear their address as their name."""
        name = self.name.partition(":")[0]
        return name if self.is_first_steps else f"verb.{name}"

    @property
    def is_first_steps(self) -> bool:
        """Whether it stands for the first steps of an option: nobody wrote that it is called."""
        return "." in self.name.partition(":")[0]


@frozen(eq=False)
class Value:
    """A named formula. Its modifiers are in `CheckedRules.modifiers`.

    A hook that is a formula gives several: `KIND.MEMBER.HOOK` for each member that says something,
    `kinds.KIND.hooks.HOOK` for all others, and `KIND.HOOK`, which takes the member first and calls the one that counts.
    """

    name: str
    parameters: tuple[Parameter, ...]
    type: Type
    formula: Expression
    span: Span
    kept: bool = False
    """Whether it is worked out again only after something it reads has changed."""
    is_dispatch: bool = False
    """Whether it only finds the formula of a member: nobody wrote it."""

    @property
    def address(self) -> str:
        """Where it is declared."""
        if self.is_dispatch:
            return "kinds.{}.hooks.{}".format(*self.name.split("."))
        name = self.name.partition(":")[0]
        return name if name.count(".") > 1 else f"value.{name}"


@frozen(eq=False)
class Hook:
    """A place where members of a kind have steps: the parameters given, and the steps of each member that has some.

    Locals: `self`, and the parameters.
    """

    name: str
    """`kind.hook`."""
    parameters: tuple[Parameter, ...]
    bodies: dict[int, Steps]
    """By number of the member in the family."""
    span: Span


@frozen(eq=False)
class EventDef:
    """Something that happens."""

    name: str
    parameters: tuple[Parameter, ...]
    span: Span


@frozen(eq=False)
class SetShape:
    """One way to make a scoring set."""

    size: int
    worth: int
    alike: bool = False
    different: bool = False


@frozen(eq=False)
class Sets:
    """Scoring sets: shapes and how many wild pieces one set may hold."""

    name: str
    shapes: tuple[SetShape, ...]
    wild_per_set: int


@frozen(eq=False)
class Graph:
    """Which members of a kind border which. A grid is one too, with its cells in rows."""

    name: str
    kind: str
    neighbours: tuple[tuple[int, ...], ...]
    """For each member of the family, its neighbours in order of members."""
    around: tuple[tuple[int | None, ...], ...] = ()
    """For grids: the six or four cells around in the order of directions, none where the grid ends."""
    edges: frozenset[int] = frozenset()
    """For grids: the cells at the border of the grid."""


@frozen(eq=False)
class PointSource:
    """One line of the score sheet: a value `points.ID` over `player`."""

    id: str
    value: str


@frozen(eq=False)
class GameSection:
    """The frame of the game: who plays, where it begins, who wins."""

    name: str
    players: tuple[int, int]
    seats: tuple[str, ...]
    begin: str | None
    play: str
    order: Expression | None
    """A list of players; the seats if not given."""
    points: tuple[PointSource, ...]
    winner_most: Expression | None
    """Over the local `player`."""
    winner_then: tuple[Expression, ...]
    winner_if: Expression | None
    """Over `player`; the same for everybody where all win or lose together."""
    span: Span
    end: str | None = None
    """The verb that is done when the game is over, however it ends."""
    outlook: tuple[Expression, ...] = ()
    """Over `player`; the sum is what bots compare instead of points. Play does not depend on it."""

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs of the frame, in the order in which they are done."""
        return tuple(verb for verb in (self.begin, self.play, self.end) if verb is not None)


@frozen
class Mixture:
    """A place where pieces that somebody may not know and another secret depend on each other."""

    what: str
    """A sentence without its point."""
    span: Span


@frozen
class Secrets:
    """What matters for dealing anew what a seat does not know."""

    mixtures: tuple[Mixture, ...] = ()
    asked_amid: frozenset[str] = frozenset()
    """The decisions asked while the steps under way still need a name that tells of hidden pieces."""
    by_pieces: frozenset[str] = frozenset()
    """The addresses of hidden options that depend on which pieces somebody holds."""


@frozen(eq=False)
class CheckedRules:
    """A ruleset in which nothing is unknown. Engines and plans are made from this alone."""

    fingerprint: str
    game: GameSection
    kinds: dict[str, Kind]
    attributes: dict[str, Attribute]
    fields: dict[str, Field]
    values: dict[str, Value]
    verbs: dict[str, Verb]
    hooks: dict[str, Hook]
    events: dict[str, EventDef]
    decisions: dict[str, DecisionDef]
    """By address; inline ones too."""
    options: dict[str, Option]
    """Shared options, by id."""
    sets: dict[str, Sets]
    graphs: dict[str, Graph]
    modifiers: dict[str, tuple[Modifier, ...]] = field(factory=dict)
    """By value; sorted by address, those that must come `after` others after them."""
    reactions: dict[str, tuple[Reaction, ...]] = field(factory=dict)
    """By event, sorted by address."""
    enter_leave_effects: dict[str, tuple[EnterLeaveEffect, ...]] = field(factory=dict)
    """By field, sorted by address."""
    texts: dict[str, dict[str, str]] = field(factory=dict)
    """Address → language → words."""
    secrets: Secrets = Secrets()
    layout: dict[str, Any] = field(factory=dict)
    """How pictures look: id → part, as written. Play does not depend on it."""

    def family(self, kind: str) -> Kind:
        """Return the root of a kind's family."""
        return self.kinds[self.kinds[kind].family]

    @cached_property
    def sides(self) -> tuple[tuple[str, int], ...]:
        """All sides, each a family and a number in it. Among owners they come in this order, behind the seats."""
        roots = [kind for kind in self.kinds.values() if kind.is_side]
        return tuple((kind.name, member) for kind in roots for member in range(len(kind.members)))

    def first_side(self, kind: str) -> int:
        """Return the place among the sides of the first one of a family."""
        return self.sides.index((self.kinds[kind].family, 0))

    def sides_in_game(self) -> tuple[int, ...]:
        """Return the places of the sides that are in a game of so many players as these rules are for."""
        return tuple(place for place, (family, member) in enumerate(self.sides) if member in self.kinds[family].places)

    def sides_owning(self, kind: str) -> int:
        """Return how many sides can own pieces of a kind beside the players."""
        pieces = self.family(kind).pieces if kind in self.kinds else None
        return len(self.sides) if pieces is not None and pieces.has_sides else 0

    @property
    def settings(self) -> dict[str, Field]:
        """The fields of the table that are facts outside the game, by name."""
        return {each.name.removeprefix("table."): each for each in self.fields.values() if each.is_setting}

    def with_parts(self, **parts: object) -> CheckedRules:
        """Return a copy with some parts replaced."""
        return evolve(self, **parts)  # type: ignore[arg-type]
