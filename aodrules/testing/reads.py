"""Which fields of the state an expression reads: a law need not be tested again while none of them changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from aodrules.check.checked import CheckedRules, Modifier
from aodrules.check.visit import walk
from aodrules.lang.expressions import Expression, FieldRead, Knows, LimitUsed, PlaceRead, Possible, ValueCall


@define(eq=False)
class Reads:
    """Finds out what expressions over some rules read, values and their modifiers included."""

    rules: CheckedRules
    _of_value: dict[str, frozenset[str] | None] = field(factory=dict, init=False)

    def fields(self, expressions: Iterable[Expression]) -> frozenset[str] | None:
        """Return the fields that expressions read; nothing if that cannot be told."""
        found: set[str] = set()
        for part in (part for each in expressions for part in walk(each)):
            if isinstance(part, FieldRead):
                found.add(part.field)
            elif isinstance(part, LimitUsed):
                found.add(part.limit)
            elif isinstance(part, ValueCall):
                inner = self._value(part.value)
                if inner is None:
                    return None
                found |= inner
            elif isinstance(part, Knows | PlaceRead | Possible):
                return None
        return frozenset(found)

    def _value(self, name: str) -> frozenset[str] | None:
        if name not in self._of_value:
            modifiers = self.rules.modifiers.get(name, ())
            parts = [self.rules.values[name].formula, *(part for each in modifiers for part in _parts(each))]
            inner = self.fields(parts)
            scopes = {each.scope.field for each in modifiers if each.scope.field is not None}
            self._of_value[name] = None if inner is None else inner | scopes
        return self._of_value[name]


def _parts(modifier: Modifier) -> Iterator[Expression]:
    yield modifier.amount
    if modifier.condition is not None:
        yield modifier.condition
