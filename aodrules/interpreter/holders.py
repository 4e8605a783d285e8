"""Who holds an effect: the members, the players in whose fields they are, and in how many copies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from aodrules.check.checked import EffectScope, Limit
from aodrules.facts.state import PlainState
from aodrules.interpreter.places import cell, items_at, piece_of
from aodrules.interpreter.tables import Tables
from aodrules.lang.types import Bag, Owner, Player


@frozen
class Holder:
    """One holder of an effect: the member (none for an effect of the whole game), the player who has it, how often."""

    member: int | None = None
    owner: int | None = None
    copies: int = 1

    @property
    def names(self) -> dict[str, int]:
        """The local names `self` and `owner`, where there is such."""
        named = {"self": self.member, "owner": self.owner}
        return {name: value for name, value in named.items() if value is not None}


def has_owners(tables: Tables, scope: EffectScope) -> bool:
    """Whether the effect is held in the fields of players."""
    return scope.field is not None and None not in tables.parts_by_owner[scope.field]


def holders(
    tables: Tables, state: PlainState, scope: EffectScope, owners: Iterable[int] | None = None
) -> Iterator[Holder]:
    """Return who carries an effect now, by member and seat; only these owners, if given."""
    if scope.kind is None:
        yield Holder()
        return
    if scope.field is not None and has_owners(tables, scope):
        seats: list[int | None] = [*(range(tables.owners) if owners is None else owners)]
    else:
        seats = [None]
    for member in scope.members:
        for seat in seats:
            copies = copies_held(tables, state, scope, member, seat)
            if copies:
                yield Holder(member, seat, copies)


def copies_held(tables: Tables, state: PlainState, scope: EffectScope, member: int, owner: int | None) -> int:
    """Return how many copies of a member are where the effect holds, with this owner if the field has some."""
    if scope.field is None:
        return 1
    indices = tables.parts_by_owner[scope.field].get(owner, ())
    return sum(_copies_at(tables, state, scope.field, at, member) for at in indices)


def _copies_at(tables: Tables, state: PlainState, field: str, at: tuple[int, ...], member: int) -> int:
    if isinstance(tables.rules.fields[field].type, Bag):
        counts = cell(tables, state, field, at)
        return int(counts[member])
    items = items_at(tables, state, field, at)
    return sum(piece_of(tables, field, at, item).member == member for item in items)


def counter_at(
    tables: Tables, limit: Limit | None, counter: str, player: int | None, holder: Holder
) -> tuple[int, ...]:
    """Return the indices of the counter of a limit: the owner or decider, and the member where each has its own."""
    whose = holder.owner if limit is not None and limit.per == "owner" else player
    dimensions = tables.rules.fields[counter].dimensions
    found = (whose if isinstance(dimension, Player | Owner) else holder.member for dimension in dimensions)
    return tuple(index or 0 for index in found)
