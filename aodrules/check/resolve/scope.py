"""The local names of a body: parameters, loop names, `let`s, and what is known about each."""

from __future__ import annotations

from attrs import evolve, field, frozen

from aodrules.check.steps import FieldPlace
from aodrules.lang.types import Type
from aodrules.source.spans import Span


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


@frozen(eq=False)
class Scope:
    """The names in scope, and where in the ruleset we are. Never changed: each binding makes a new one."""

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
            name: evolve(self.names[name], type=type_)
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
