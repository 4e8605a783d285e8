"""What is gathered over one bag, set or list alone is remembered by what lies in it.

Before and after:

    t1 = 0                                        held = S[40 + player]
    for card in bag_items(S[40 + player], 2):     t1 = K0.get(held)
        if C3[card]:                         →    if t1 is None:
            t1 += C4[card]                            t1 = 0
                                                      for card in bag_items(held, 2):
                                                          if C3[card]:
                                                              t1 += C4[card]
                                                      remembered(K0, held, t1)

What lies in a place decides such a number, whoever's place it is and whenever it is asked. So all places of a field
that ask for the same share a table, and a carrier in a bag or list is never looked for piece by piece.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define, field

from aodrules.compiler.cell_reads import CellRange
from aodrules.compiler.formulas import Bind, CallPure, CellRead, Formula, Memoized, Reduce, Variable, get_item, tuple_of
from aodrules.compiler.passes.share_formulas import canonical
from aodrules.compiler.visit import form, read_by, replace_reads, transform, walk

Node = TypeVar("Node")
LYING = "lying"
"""Stands for what lies in a place. Variables of rules have another form of names."""
NULLABLE = frozenset({"first", "last", "min", "max", "best"})
"""What may gather nothing: none is what a table says of something unknown, so these are kept in a tuple."""


def remember_folds(node: Node, folds: RememberedFolds) -> Node:
    """Return a node in which everything is remembered that is gathered over one place alone."""
    return transform(node, folds.replace)


@define(eq=False)
class RememberedFolds:
    """The folds that are remembered, each once however often it stands in a plan."""

    fields: Mapping[int, CellRange]
    _found: dict[object, Memoized] = field(factory=dict)

    def replace(self, node: Any) -> Any:
        """Return what is put in the place of a node: the node itself if it is not remembered."""
        if not isinstance(node, Reduce):
            return node
        held = _place_of(node)
        if held is None or held.base not in self.fields:
            return node
        alone = _with_held(node, held, Variable(held.span, LYING))
        if read_by(alone) != {LYING} or any(map(_looks_elsewhere, walk(alone))):
            return node
        memoized = self._memoized(node, held, canonical(alone, {}, {}))
        known = Bind(node.span, memoized.key.name, held, memoized)
        return get_item(known, 0) if node.gives in NULLABLE else known

    def _memoized(self, fold: Reduce, held: CellRead, said: object) -> Memoized:
        cells, _ = self.fields[held.base]
        key = cells.name, said
        if key not in self._found:
            variable = Variable(fold.span, f"{LYING}{len(self._found) + 1}")
            value: Formula = _with_held(fold, held, variable)
            if fold.gives in NULLABLE:
                value = tuple_of(fold.span, value)
            self._found[key] = Memoized(fold.span, variable, value)
        return self._found[key]


def _place_of(fold: Reduce) -> CellRead | None:
    """Return the cell over which a fold gathers."""
    items = fold.loops[0].items
    if isinstance(items, CallPure) and not items.planned and items.arguments:
        items = items.arguments[0]
    return items if isinstance(items, CellRead) else None


def _with_held(fold: Reduce, held: CellRead, variable: Variable) -> Reduce:
    """Return a fold with a variable for what a cell holds, wherever it reads it."""
    return replace_reads(fold, {form(held): variable})


def _looks_elsewhere(part: object) -> bool:
    """Whether a formula reads the state."""
    return isinstance(part, CellRead) or (isinstance(part, CallPure) and part.planned)
