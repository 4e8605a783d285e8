"""Checked steps: what a rule does, with every name resolved and every argument in place."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from aodrules.lang.expressions import Expression
from aodrules.source.spans import Span


@frozen(eq=False)
class FieldPlace:
    """A field that holds pieces.

    `at` has an expression for each dimension but the owner's, which is `None`: the owner of the piece that moves
    fills it. A per-player field of pieces without owners has all its indices.
    """

    span: Span
    field: str
    at: tuple[Expression | None, ...]
    index: Expression | None = None
    """One position of a list, itself a place that holds one piece."""


@frozen(eq=False)
class ParameterPlace:
    """The place given as a parameter."""

    span: Span
    name: str


PlaceReference: TypeAlias = FieldPlace | ParameterPlace


@frozen(eq=False)
class FieldTarget:
    """A field that `set`, `add` or `take` changes."""

    span: Span
    field: str
    at: tuple[Expression, ...]


@frozen(eq=False)
class LocalTarget:
    """A `let` name that `set`, `add` or `take` changes."""

    span: Span
    name: str


Target: TypeAlias = FieldTarget | LocalTarget
Argument: TypeAlias = Expression | PlaceReference
"""What is given for a parameter: an expression, or a place for a `place of K`."""


@frozen(eq=False)
class Move:
    """Move pieces. `what` is a member, an owned piece, a maybe of these, or `None` for `all`.

    Out of a bag: up to `count` (1 if not given) of the member. Out of a list: the first `count` equal items; out of a
    list position or a maybe: that one if it is equal. `all` takes everything, of one owner (`owner`) or of everybody.
    What does not fit into a full list, bag or maybe stays where it is (an event `cut`, unless `up_to`).
    """

    span: Span
    kind: str
    """The family of the pieces; `player` for lists of players."""
    what: Expression | None
    owner: Expression | None
    count: Expression | None
    source: PlaceReference
    target: PlaceReference
    position: Expression | None = None
    """Where in a list: `None` is last; 0 is first; beyond the end is last."""
    result: str | None = None
    """`as`: a name for the piece that was moved (one out of a list or maybe) or else for how many were."""
    result_is_piece: bool = False
    up_to: bool = False
    open: bool = True
    """Whether everybody knows which piece is named."""
    knowers: tuple[Expression, ...] = ()
    """If not everybody does: the seats that do."""
    aside: bool = False
    """Whether the piece is only laid aside: nothing happens on the way, as if it still lay where it was."""
    left: PlaceReference | None = None
    """For pieces that were laid aside: the place that they leave now."""

    @property
    def ends(self) -> tuple[PlaceReference, ...]:
        """The place that pieces leave and the one that they enter; none while they are laid aside."""
        return () if self.aside else (self.left or self.source, self.target)


@frozen(eq=False)
class Draw:
    """Take `count` pieces by chance out of a bag, or from the top (first) of a list."""

    span: Span
    kind: str
    count: Expression
    owner: Expression | None
    source: PlaceReference
    target: PlaceReference
    position: Expression | None = None
    result: str | None = None
    up_to: bool = False

    @property
    def ends(self) -> tuple[PlaceReference, ...]:
        """The place that pieces leave and the one that they enter."""
        return self.source, self.target


@frozen(eq=False)
class Shuffle:
    """Put a list into a random order; nobody knows the order afterwards, only what is in it."""

    span: Span
    place: FieldPlace


@frozen(eq=False)
class Roll:
    """Bind a name to an equally likely item of a collection (none if it is empty)."""

    span: Span
    items: Expression
    result: str


@frozen(eq=False)
class Sort:
    """Sort a list by a number computed for each item under the name `item`; equal items keep their order."""

    span: Span
    place: FieldPlace
    item: str
    by: Expression


@frozen(eq=False)
class SetTo:
    """Give a field or local a new value. A number that leaves its range is cut."""

    span: Span
    target: Target
    value: Expression
    up_to: bool = False


@frozen(eq=False)
class AddTo:
    """Add to a number, or members to a set; `sign` is -1 for `take`."""

    span: Span
    target: Target
    amount: Expression
    sign: int = 1
    result: str | None = None
    """`as`: by how much the number really grew, or fell by a `take`; less than 0 if it went the other way."""
    up_to: bool = False


@frozen(eq=False)
class Let:
    """Bind a name to a value."""

    span: Span
    name: str
    value: Expression
    told: bool = False
    """Whether everybody is told the value (`reveal: EXPRESSION, as: NAME`), whoever knew it before."""


@frozen(eq=False)
class If:
    """Do one or the other."""

    span: Span
    condition: Expression
    then: Steps
    otherwise: Steps = ()


@frozen(eq=False)
class For:
    """Do `body` for each item of a collection, which is fixed when the loop starts; `where` is tested at each turn."""

    span: Span
    address: str
    name: str
    items: Expression
    where: Expression | None
    index: str | None
    """A name for the position of the item in the collection, from 0."""
    body: Steps
    ordered_by: Expression | None = None
    """The player who puts the items in order."""
    optional: bool = False
    worth_asking: Expression | None = None
    """With `ordered_by`: items for which this is false are left out (their body only runs hooks they lack)."""
    tells_secret: bool = False
    """Whether somebody need not know whose turn it is."""


@frozen(eq=False)
class Repeat:
    """Do `body` so many times; the number is fixed at the start."""

    span: Span
    count: Expression
    body: Steps
    address: str = ""


@frozen(eq=False)
class While:
    """Do `body` while the condition holds, at most so many times (the bound is fixed at the start)."""

    span: Span
    condition: Expression
    at_most: Expression
    body: Steps
    uses_up: bool = False
    """Whether each round must lower the number that `at_most` is: a round that does not is the last."""


@frozen(eq=False)
class Choose:
    """Ask a player (`by` is `None`: chance decides)."""

    span: Span
    decision: str
    """The address of the decision."""
    by: Expression | None
    arguments: tuple[Argument, ...]
    """In the order of the decision's parameters."""


@frozen(eq=False)
class Happen:
    """Something happened: bystanders react."""

    span: Span
    event: str
    arguments: tuple[Expression, ...]


@frozen(eq=False)
class RunHook:
    """Run the steps a member has under a hook; nothing if it has none (or if the subject is none)."""

    span: Span
    hook: str
    """`kind.hook`, where kind is the one that declares the hook."""
    subject: Expression
    arguments: tuple[Argument, ...]


@frozen(eq=False)
class Call:
    """Do a verb."""

    span: Span
    verb: str
    arguments: tuple[Argument, ...]


@frozen(eq=False)
class Reveal:
    """Let seats know a piece.

    It is the one called `what` in the place (looked for at `index` first, then anywhere there), or everything there
    if `what` is `None`. `to` is one player or a set of players, `None` for all seats.
    """

    span: Span
    what: Expression | None
    place: FieldPlace
    to: Expression | None


@frozen(eq=False)
class Step:
    """A named place. When it begins, the counters and fields that are reset here go back to their start."""

    span: Span
    address: str
    name: str
    body: Steps


@frozen(eq=False)
class Stop:
    """Leave the body this is written in, or (with a name) an enclosing step of the same body."""

    span: Span
    step: str | None = None
    """The address of the step to leave."""


@frozen(eq=False)
class LeaveGame:
    """A player leaves; its pieces go to `out`."""

    span: Span
    player: Expression


@frozen(eq=False)
class EndGame:
    """The game is over at once."""

    span: Span


AnyStep: TypeAlias = (
    Move
    | Draw
    | Shuffle
    | Roll
    | Sort
    | SetTo
    | AddTo
    | Let
    | If
    | For
    | Repeat
    | While
    | Choose
    | Happen
    | RunHook
    | Call
    | Reveal
    | Step
    | Stop
    | LeaveGame
    | EndGame
)
Steps: TypeAlias = tuple[AnyStep, ...]


def is_written(name: str) -> bool:
    """Whether a name stands in the rules; the others are made for what they do not name."""
    return ":" not in name
