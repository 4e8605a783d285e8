"""What is known while a ruleset is checked: declarations by name, the report, and the local names of a body."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeVar

from attrs import define, evolve, field, frozen

from aodrules.check.checked import (
    SEAT,
    Attribute,
    Condition,
    DecisionDef,
    EventDef,
    Field,
    Graph,
    Kind,
    Option,
    Parameter,
    Sets,
    Verb,
)
from aodrules.check.steps import AnyStep, FieldPlace, Steps
from aodrules.compose.ruleset import Ruleset
from aodrules.lang.expressions import Const, Expression, Local
from aodrules.lang.types import OWNER, PLAYER, UNKNOWN, Number, Owner, Player, Type
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Node, Scalar

MOST_PLAYERS = 12
_T = TypeVar("_T")


@define(eq=False)
class Signature:
    """What a value, verb, hook, decision or shared option takes, known before its body is read."""

    name: str
    parameters: tuple[Parameter, ...]
    span: Span
    body: Node
    type: Type | None = None
    """What a value gives, once known."""

    @property
    def mapping(self) -> Mapping:
        """The body as a mapping; an empty one if it is none."""
        return self.body if isinstance(self.body, Mapping) else Mapping(self.span)


@define(eq=False)
class HookShape:
    """How a kind uses one of its hooks."""

    name: str
    kind: str
    span: Span
    form: str
    """`steps`, `effects`, `adds_to` or `formula`."""
    parameters: tuple[Parameter, ...] = ()
    place: Node | None = None
    """The field named by `in`, as written."""
    owner: bool = False
    """Whether it holds for the owner alone."""
    adds_to: Scalar | None = None
    gives: Type | None = None
    """For formulas: what they give."""
    default: Node | None = None
    """The formula, the steps or the effects of members that say nothing, as written."""

    @property
    def default_value(self) -> str:
        """The name of the value that is the formula of members that say nothing: the address of the hook."""
        return "kinds.{}.hooks.{}".format(*self.name.split("."))

    def value_of(self, kind: str, member: str) -> str:
        """Return the name of the value that is the formula of one member: its address."""
        return f"{kind}.{member}.{self.name.split('.')[1]}"


@frozen(eq=False)
class UnfinishedOption:
    """An option whose first steps, and the conditions on what comes of them, are still apart from the rest."""

    option: Option
    first: Steps = ()
    then_where: tuple[Condition, ...] = ()


@frozen
class KnownLimit:
    """A limit, known before the body it stands in is read."""

    counter: str
    """The counter of its first period."""
    span: Span = field(eq=False)
    is_for_all: bool = False
    """Whether it counts once for the game and not for each player."""


@define(eq=False, repr=False)
class Context:
    """The declarations read so far. Filled in order: kinds, members, fields, signatures, then bodies."""

    ruleset: Ruleset
    report: Report
    kinds: dict[str, Kind] = field(factory=dict)
    has_sides: bool = False
    """Whether somebody without a seat can own pieces: known as soon as the kinds are."""
    attributes: dict[str, Attribute] = field(factory=dict)
    fields: dict[str, Field] = field(factory=dict)
    field_bodies: dict[str, Mapping] = field(factory=dict)
    """What the declarations of fields say."""
    hooks: dict[str, HookShape] = field(factory=dict)
    """By `kind.hook`."""
    values: dict[str, Signature] = field(factory=dict)
    verbs: dict[str, Signature] = field(factory=dict)
    decisions: dict[str, Signature] = field(factory=dict)
    options: dict[str, Signature] = field(factory=dict)
    events: dict[str, EventDef] = field(factory=dict)
    sets: dict[str, Sets] = field(factory=dict)
    graphs: dict[str, Graph] = field(factory=dict)
    inline: dict[str, DecisionDef] = field(factory=dict)
    """Decisions written inside bodies, by address."""
    shared: dict[str, Option] = field(factory=dict)
    unfinished: dict[str, UnfinishedOption] = field(factory=dict)
    """Shared options as their uses take them up, by id."""
    costs: dict[str, Verb] = field(factory=dict)
    """The first steps of options with conditions on what comes of them, as verbs by name."""
    member_kinds: dict[tuple[str, str], str] = field(factory=dict)
    """(family, member) → the member's own kind."""
    member_bodies: dict[tuple[str, str], Mapping] = field(factory=dict)
    """(family, member) → its body."""
    limits: dict[str, list[KnownLimit]] = field(factory=dict)
    """The limits under each name: one counter, or several that only their addresses tell apart."""
    steps: dict[str, Span] = field(factory=dict)
    """Every named step by its address, as bodies are read."""
    periods: dict[str, Scalar] = field(factory=dict)
    """Field → the word that says in which step it is reset."""
    loops: dict[str, int] = field(factory=dict)
    """How many loops were read so far by body and name."""
    formulas: dict[str, Expression] = field(factory=dict)
    """The formulas of values, once read."""
    read_value: Callable[[Context, str], Type] = field(default=lambda *_: UNKNOWN)
    """Reads the formula of a value and returns its type; values are read when first needed."""
    kernel: dict[str, StepReader] = field(factory=dict)
    """The verbs of the language, each with the function that reads it."""
    meant: set[tuple[str, str]] = field(factory=set)
    """(kind, word) → a word that a misspelt attribute surely means, which was told."""
    untyped: set[str] = field(factory=set)
    """The last names of fields whose type was not understood: what uses them says nothing more."""
    _plurals: dict[str, str] = field(factory=dict)
    """Kinds by the names of their collections, and how many kinds there were when it was made."""
    _plurals_of: int = 0

    def value_type(self, name: str) -> Type:
        """Return what a value gives, reading its formula first if that was not done yet."""
        signature = self.values[name]
        if signature.type is None:
            signature.type = UNKNOWN  # a value that needs itself: the cycle is reported with the call graph
            signature.type = self.read_value(self, name)
        return signature.type

    @property
    def root(self) -> Mapping:
        """The composed tree."""
        return self.ruleset.root

    def add(self, problem: Diagnostic) -> None:
        """Report a problem."""
        self.report.add(problem)

    def reject(self, problem: Diagnostic) -> Expression:
        """Report a problem, and return an expression that fits everywhere in place of what is wrong."""
        self.report.add(problem)
        return Const(UNKNOWN, problem.primary.span, 0)

    def add_unless_known(self, problem: Diagnostic) -> None:
        """Report what may merely follow from another mistake: not while there is one."""
        if not self.report.has_errors:
            self.report.add(problem)

    def own_address(self, address: str) -> str:
        """Return an address for a loop: with a number behind it where another of the same body bears the same name."""
        number = self.loops[address] = self.loops.get(address, 0) + 1
        return address if number == 1 else f"{address}_{number}"

    def seat_field(self) -> Field:
        """Return the field that tells which seat a player sits on, and let the state have it from now on."""
        game = self.section("game")
        most = (len(game.sequence("seats")) or MOST_PLAYERS) - 1
        start = Local(PLAYER, game.span, "player")
        return self.fields.setdefault(SEAT, Field(SEAT, (PLAYER,), Number(0, most), game.span, start))

    def section(self, name: str) -> Mapping:
        """Return what is declared under a top-level key; empty if nothing is."""
        return self.root.mapping(name)

    def kind_part(self, kind: str, part: str) -> Mapping:
        """Return what the declaration of a kind says under a key; empty if it says nothing."""
        return self.section("kinds").mapping(kind).mapping(part)

    def family(self, kind: str) -> Kind:
        """Return the root of a kind's family."""
        return self.kinds[self.kinds[kind].family]

    def lineage(self, kind: str) -> tuple[str, ...]:
        """Return a kind and the family it belongs to: where its attributes and hooks are declared."""
        family = self.kinds[kind].family
        return (kind,) if kind == family else (kind, family)

    def is_a(self, kind: str, other: str) -> bool:
        """Whether every member of a kind is a member of another."""
        return kind == other or (kind in self.kinds and self.kinds[kind].family == other)

    def attribute_of(self, kind: str, name: str) -> Attribute | None:
        """Return the attribute a kind or its family declares under a name."""
        return self._of_kind(self.attributes, kind, name)

    def field_of(self, kind: str, name: str) -> Field | None:
        """Return the field of each member of a kind that bears a name."""
        return self._of_kind(self.fields, kind, name)

    def hook_of(self, kind: str, name: str) -> HookShape | None:
        """Return the hook a kind or its family declares under a name."""
        return self._of_kind(self.hooks, kind, name)

    def hooks_with_defaults(self, kind: str) -> Iterator[HookShape]:
        """Iterate over the hooks of a kind and its family whose steps or effects count for members that say nothing."""
        for hook in self.hooks.values():
            if hook.kind in self.lineage(kind) and hook.gives is None and hook.default is not None:
                yield hook

    def _of_kind(self, declared: dict[str, _T], kind: str, name: str) -> _T | None:
        return next((declared[f"{k}.{name}"] for k in self.lineage(kind) if f"{k}.{name}" in declared), None)

    def has_owners(self, kind: str) -> bool:
        """Whether the pieces of a kind have owners."""
        pieces = self.family(kind).pieces if kind in self.kinds else None
        return pieces is not None and pieces.owned

    def owner_of(self, kind: str) -> Owner | Player:
        """Return the type of whose a piece of a kind is: a player's, or perhaps a side's."""
        pieces = self.family(kind).pieces if kind in self.kinds else None
        return OWNER if pieces is not None and pieces.has_sides else PLAYER

    def is_common(self, kind: str) -> bool:
        """Whether all pieces of a kind are nobody's until they are taken."""
        pieces = self.family(kind).pieces if kind in self.kinds else None
        return pieces is not None and bool(pieces.common) and pieces.common.issuperset(self.kinds[kind].places)

    def field_named(self, word: str) -> Field | None:
        """Return the field that a declaration names: of the table where it does not say whose."""
        return self.fields.get(word) or self.fields.get(f"table.{word}")

    def is_global(self, name: str) -> bool:
        """Whether a name means a collection or a field of the table."""
        return name in ("players", "seats", "owners") or f"table.{name}" in self.fields or self.plural(name) is not None

    def plural(self, name: str) -> Kind | None:
        """Return the kind whose collection bears a name."""
        if self._plurals_of != len(self.kinds):
            self._plurals = {self.kinds[kind].plural: kind for kind in reversed(self.kinds)}
            self._plurals_of = len(self.kinds)
        kind = self._plurals.get(name)
        return None if kind is None else self.kinds[kind]


# The local names of a body: parameters, loop names, `let`s, and what is known about each.


@frozen(eq=False)
class LocalName:
    """A local name: its type, how it came to be, and where the piece it names lies, if that is known."""

    type: Type
    role: str
    """`parameter`, `loop`, `let`, `as`, `self` or `owner`."""
    span: Span | None = None
    place: FieldPlace | None = None
    is_there: bool = False
    """Whether the piece surely still lies in that place: nothing was done since the name was bound."""
    member: str | None = None
    """For `self` in the body of one member: its id."""
    is_owner: bool = False
    """Whether it was bound as an owner, whatever a test found out about it since."""


@frozen(eq=False)
class Scope:
    """The names in scope, and where in the ruleset we are. Never changed: each binding makes a new one."""

    context: Context
    address: str
    names: dict[str, LocalName] = field(factory=dict)
    steps: tuple[str, ...] = ()
    """Addresses of the named steps around, outermost first; only those of the same body."""
    changed: frozenset[str] = frozenset()
    """`let` names that are changed somewhere in the body: tests do not narrow them."""
    bare: str | None = None
    """A kind whose attributes may be written without a subject (in `pieces: count`)."""
    past: bool = False
    """Whether there is an earlier state to speak of with `before(...)`: in properties only."""
    judges: bool = False
    """Whether it may ask who `won(...)`: in properties and scenarios only."""

    def get(self, name: str) -> LocalName | None:
        """Return what a name means, or nothing."""
        return self.names.get(name)

    def bind(self, name: str, meaning: LocalName) -> Scope:
        """Return these names and one more."""
        return evolve(self, names={**self.names, name: meaning})

    def bind_all(self, meanings: dict[str, LocalName]) -> Scope:
        """Return these names and some more."""
        return evolve(self, names={**self.names, **meanings})

    def narrowed(self, types: dict[str, Type]) -> Scope:
        """Return these names with more exact types for some."""
        narrower = {
            name: evolve(
                self.names[name], type=type_, is_owner=self.names[name].is_owner or self.names[name].type == OWNER
            )
            for name, type_ in types.items()
            if name in self.names and name not in self.changed
        }
        return self.bind_all(narrower) if narrower else self

    def after_a_step(self) -> Scope:
        """Return the same names when something was done: pieces may not lie any more where they were."""
        moved = {name: evolve(each, is_there=False) for name, each in self.names.items() if each.is_there}
        return self.bind_all(moved) if moved else self

    def under(self, address: str) -> Scope:
        """Return the same names at another address."""
        return evolve(self, address=address)

    def inside(self, step: str) -> Scope:
        """Return the same names inside one more named step."""
        return evolve(self, steps=(*self.steps, step))


StepReader: TypeAlias = Callable[[Scope, Mapping], tuple[AnyStep | Steps | None, Scope]]
"""Reads a step, and returns it with the names as they are after it."""
