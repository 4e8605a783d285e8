"""What one entry of the table of builtins says: types, words for the reference, and what each reader of it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from attrs import frozen

from aodrules.lang.expressions import BuiltinCall, Comprehension, Expression
from aodrules.lang.interval import Interval
from aodrules.lang.types import Bag, ListOf, Maybe, Member, SetOf, Type, maybe

# Signatures.


@frozen
class TypeVariable:
    """A type that is not fixed: the same wherever its name stands in a signature."""

    name: str
    is_ordered: bool = False
    """Whether it must be a member of an ordered kind."""
    widens: bool = False
    """Whether what stands here may be of a wider type than where the name stood first."""

    def __str__(self) -> str:
        return self.name


@frozen
class Of:
    """A maybe or a collection of something; a `collection` is any list, set or bag."""

    form: str
    of: TypeVariable | Type | Of

    def __str__(self) -> str:
        if self.form == "maybe":
            return f"maybe {self.of}"
        return f"{'list' if self.form == 'collection' else self.form} of {self.of}"


@frozen
class NameOf:
    """The name of a declaration, which is not a value: of a graph, of sets, of a limit, of an option."""

    what: str

    def __str__(self) -> str:
        return self.what


@frozen
class Supplied:
    """A number that is not written where the builtin is called so."""

    number: int


@frozen
class Repeated:
    """Two or more of a type."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of}, {self.of} ..."


@frozen
class Phrase:
    """What only a comprehension, or a builtin with a syntax of its own, can be given: for the reference alone."""

    words: str

    def __str__(self) -> str:
        return self.words


Pattern: TypeAlias = Type | TypeVariable | Of
Parameter: TypeAlias = Pattern | NameOf | Supplied | Repeated | Phrase
Signature: TypeAlias = tuple[Parameter, ...]
FORMS: dict[str, tuple[type, ...]] = {
    "list": (ListOf,),
    "set": (SetOf,),
    "bag": (Bag,),
    "collection": (ListOf, SetOf, Bag),
}


def instantiate(pattern: Pattern, bound: dict[str, Type]) -> Type:
    """Return the type of a pattern whose variables stand for some types."""
    if isinstance(pattern, TypeVariable):
        return bound[pattern.name]
    if not isinstance(pattern, Of):
        return pattern
    inner: Any = instantiate(pattern.of, bound)
    if pattern.form == "maybe":
        return maybe(inner)
    if pattern.form == "bag":
        return Bag(inner.kind)
    return SetOf(inner) if pattern.form == "set" else ListOf(inner)


# What the functions of an entry are given.


class GraphLinks(Protocol):
    """A graph or grid."""

    @property
    def neighbours(self) -> Sequence[Sequence[int]]:
        """For each member of the family, its neighbours."""

    @property
    def around(self) -> Sequence[Sequence[int | None]]:
        """For grids: the cells around in the order of directions, none where the grid ends."""

    @property
    def edges(self) -> frozenset[int]:
        """For grids: the cells at the border."""


class GameFacts(Protocol):
    """What a builtin may ask beside its arguments to say what it gives."""

    @property
    def seats(self) -> int:
        """How many began the game."""

    def remaining(self) -> tuple[int, ...]:
        """Return the seats still in the game."""

    def sides(self) -> tuple[int, ...]:
        """Return the sides in the game as owners, in order."""

    def first_side(self, kind: str) -> int:
        """Return the first side of a kind's family as an owner."""

    def places(self, kind: str) -> tuple[int, ...]:
        """Return the members of a kind, in order."""

    def family_size(self, kind: str) -> int:
        """Return how many members the family of a kind has."""

    def graph(self, name: str) -> GraphLinks:
        """Return a graph or grid."""

    def sets_worth(self, name: str, counts: Sequence[int], wild: int) -> int:
        """Return what pieces are worth in the sets of a declaration."""


class SizeFacts(Protocol):
    """What a builtin may ask beside the intervals of its arguments to say where its result lies."""

    @property
    def players(self) -> Interval:
        """How many can play."""

    @property
    def most_sides(self) -> int:
        """The most sides there can be."""

    def of_type(self, type_: Type) -> Interval:
        """Return all that can be said of a thing of a type."""

    def in_game(self, kind: str) -> Interval:
        """Return how many members of a kind can be in the game."""

    def graph(self, name: str) -> GraphLinks | None:
        """Return a graph or grid; nothing where it was not understood."""

    def worths(self, name: str) -> tuple[int, ...]:
        """Return what each set of a declaration is worth."""

    def known_number(self, expression: Expression) -> Interval | None:
        """Return where a number lies that no play can change; nothing if play can."""

    def longest_range(self, call: BuiltinCall) -> int | None:
        """Return the most numbers of a range between attributes of one member; nothing if it is no such."""


class ScoringSets(Protocol):
    """A declaration of scoring sets."""

    @property
    def shapes(self) -> Sequence[Any]:
        """Each with its size and worth, and whether its pieces are alike or different."""

    @property
    def wild_per_set(self) -> int:
        """How many pieces of a set may be wild."""


Term: TypeAlias = Any
"""A formula of the compiler, or a constant. Formulas take part in arithmetic: `here * 6 + there`."""


class FormulaBuilder(Protocol):
    """What formulas of generated code are made of. Sets are numbers with a bit per member there too, bags are packed.

    Each formula is made as simple as it can be, and stands where the call stands.
    """

    @property
    def seats(self) -> int:
        """How many began the game."""

    def constant(self, value: Any) -> Term:
        """Return the formula of a constant."""

    def is_known(self, term: Term) -> bool:
        """Whether a formula is a constant."""

    def value(self, term: Term) -> Any:
        """Return the constant that a formula is known to be."""

    def op(self, sign: str, left: Term, right: Term) -> Term:
        """Return Python's binary operator of that sign."""

    def negate(self, test: Term) -> Term:
        """Return whether a test does not hold."""

    def nonzero(self, number: Term) -> Term:
        """Return whether a number is not 0."""

    def is_none(self, term: Term) -> Term:
        """Return whether something is none."""

    def all_of(self, *tests: Term) -> Term:
        """Return whether all tests hold."""

    def any_of(self, *tests: Term) -> Term:
        """Return whether one of some tests holds."""

    def add_up(self, *numbers: Term) -> Term:
        """Return a sum."""

    def select(self, condition: Term, then: Term, otherwise: Term) -> Term:
        """Return one of two."""

    def call(self, function: str, *arguments: Term) -> Term:
        """Return what a function of the runtime gives."""

    def table(self, entries: Sequence[Any], index: Term) -> Term:
        """Return an entry of a table of constants."""

    def tuple_of(self, items: Sequence[Term]) -> Term:
        """Return a tuple of formulas."""

    def once(self, term: Term, body: Callable[[Term], Term]) -> Term:
        """Return `body` of a formula that is computed only once."""

    def if_present(self, term: Term, of: Type, then: Callable[[Term], Term], otherwise: Term) -> Term:
        """Return `then` of something, or `otherwise` where it is none."""

    def member_of(self, item: Term, of: Type) -> Term:
        """Return the member that a member or a piece is."""

    def items(self, held: Term, of: Type) -> Term:
        """Return the items of a collection as a tuple."""

    def bag_size(self, bag: Term, of: Type) -> Term:
        """Return how many pieces a bag holds."""

    def bag_count(self, bag: Term, member: Term, of: Type) -> Term:
        """Return how many pieces of a member a bag holds."""

    def bag_packing(self, of: Type) -> tuple[int, int]:
        """Return for how many members a bag has counts, and how many bits each."""

    def without_left(self, seats: Term) -> Term:
        """Return the seats without those who left the game."""

    def sides(self) -> tuple[int, ...]:
        """Return the sides in the game as owners, in order."""

    def first_side(self, kind: str) -> int:
        """Return the first side of a kind's family as an owner."""

    def places(self, kind: str) -> tuple[int, ...]:
        """Return the members of a kind, in order."""

    def family_size(self, kind: str) -> int:
        """Return how many members the family of a kind has."""

    def graph(self, name: str) -> GraphLinks:
        """Return a graph or grid."""

    def sets(self, name: str) -> ScoringSets:
        """Return a declaration of scoring sets."""


Evaluate: TypeAlias = Callable[..., Any]
"""(facts, call, *values) → value, as the types of the language say how values look."""
FindInterval: TypeAlias = Callable[..., Interval]
"""(sizes, call, *intervals) → interval."""
Lower: TypeAlias = Callable[..., Term]
"""(builder, call, *formulas) → formula, of which at least one is not known. Never by way of `evaluate`."""


def on_values(function: Callable[..., Any]) -> Evaluate:
    """Return the `evaluate` of what its values alone tell."""
    return lambda _facts, _call, *values: function(*values)


def on_intervals(function: Callable[..., Interval]) -> FindInterval:
    """Return the `interval` of what the intervals of its values alone tell."""
    return lambda _sizes, _call, *intervals: function(*intervals)


def lower_to_call(function: str) -> Lower:
    """Return the `lower` of what one function of the runtime does."""
    return lambda build, _call, *terms: build.call(function, *terms)


@frozen
class OverItems:
    """How a builtin gathers the items of a comprehension or of one collection."""

    item: tuple[type, ...]
    """The types of which an item can be."""
    wanted: Type | str
    """What is said to be expected where an item is of another type."""
    gives: Callable[[Any], Type]
    """From the type of an item, or of what is ranked, to the type of the result."""
    evaluate: Callable[[Iterable[Any]], Any]
    interval: Callable[[SizeFacts, Comprehension, Interval, Interval], Interval]
    """(sizes, comprehension, number of rounds, item) → interval."""
    unroll: Callable[[FormulaBuilder, Comprehension, list[tuple[Term, Term]]], Term | None] | None = None
    """(builder, comprehension, pairs of a condition and the item that counts if it holds) → formula without a loop,
    or nothing where a loop is better."""
    reduce: Callable[[FormulaBuilder, Callable[[str], Term]], Term] | None = None
    """How the loop is made of those that generated code has: `loop("max")` is one. Without this it has its own."""
    takes_ordered: bool = False
    """Whether members of ordered kinds will do too."""
    skips_none: bool = False
    """Whether items may be maybes: none counts nothing."""
    none_if_empty: bool = False
    """Whether it gives none where there is no item."""
    counts_things: bool = False
    """Whether an item that is no flag counts as true."""
    ranks: bool = False
    """Whether it gives what the loop runs over, not the items: `evaluate` is given pairs of both."""
    ranked: tuple[type, ...] = (object,)
    """The types of which what the loop runs over can be."""


@frozen
class Builtin:
    """A word of the language that computes something."""

    name: str
    takes: tuple[Signature, ...]
    """The ways to call it."""
    gives: Pattern
    doc: str
    example: str
    """An expression over the sample game of `tests/lang/sample.yaml`."""
    result: object
    """What the example comes to there."""
    evaluate: Evaluate | None = None
    """What it gives. A builtin without this has a syntax of its own, and a node of its own among the expressions."""
    interval: FindInterval | None = None
    """Where the result lies, if that is less than its type says."""
    lower: Lower | None = None
    """How generated code computes it. The engines stay independent: this and `evaluate` are written apart."""
    lower_for_loop: Lower | None = None
    """The same where only a loop runs over the result, if that can be cheaper."""
    over: OverItems | None = None
    needs_bounds: bool = False
    """Whether the numbers it is given must have upper bounds."""
    of_those_left: bool = False
    """Whether it changes when somebody leaves the game."""
    never_negative: bool = False
    """Whether the number it gives is never below 0."""
    never_empty: bool = False
    """Whether the collection it gives holds something for certain."""

    def signatures(self) -> tuple[str, ...]:
        """Return the ways to call it, in words."""
        return tuple(", ".join(str(each) for each in way if not isinstance(each, Supplied)) for way in self.takes)


K, CELL, T = TypeVariable("K"), TypeVariable("cell"), TypeVariable("T")


def member_kind(of: Type) -> str:
    """Return the kind of a member, present or not."""
    inner = of.of if isinstance(of, Maybe) else of
    return inner.kind if isinstance(inner, Member) else ""
