"""What a function computes more than once: it is computed where it is first needed, and remembered until it ends.

    for tech in (0, 1, 2):                   →    once1 = None
        if stock(S, player) >= C0[tech]:          for tech in (0, 1, 2):
            add(tech)                                 if (stock(S, player) if once1 is None else once1) >= C0[tech]:
    if stock(S, player) >= 2:                             add(tech)
        add(40)                                   if (stock(S, player) if once1 is None else once1) >= 2:
                                                      add(40)

Nothing that a function reads changes before it ends. Computed once is what takes a loop or another function, depends on
nothing but the parameters, and stands at several places or inside a loop. What is no call becomes a function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field

from aodrules.compiler.formulas import Bind, CallPure, ComputedOnce, Formula, Literal, Memoized, Reduce, Variable
from aodrules.compiler.nodes import ForEach, Function, WhileLoop
from aodrules.compiler.visit import SAID, children, read_by, transform, walk, weight


def share_formulas(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Return functions that compute nothing twice that takes long, and the functions that this needs."""
    sharing = _Sharing()
    shared, left = dict[str, Function](), dict(functions)
    while left:
        shared |= {name: sharing.function(one) for name, one in left.items()}
        left = {name: one for name, one in sharing.functions.items() if name not in shared}
    return shared


def find_shared(formulas: Sequence[Formula]) -> dict[int, Formula]:
    """Return those inside some formulas of a function that it will compute once, by their identity."""
    search = _Search(frozenset[str]().union(*map(read_by, formulas)))
    forms = _worth_sharing(search.places(tuple(formulas), in_loop=False), search.small)
    nodes = (part for one in formulas for part in walk(one))
    return {id(node): node for node in nodes if search.told.get(id(node)) in forms}


@define(eq=False)
class _Sharing:
    """The functions of formulas that are shared."""

    functions: dict[str, Function] = field(factory=dict)
    _names: dict[object, str] = field(factory=dict)
    """By form of a formula: its function."""

    def function(self, function: Function) -> Function:
        """Return a function that computes nothing twice that takes long."""
        if function.on_copy:
            return function  # Its body changes what its result reads.
        search = _Search(frozenset(function.parameters))
        found = [place for part in (function.body, function.result) for place in search.places(part, in_loop=False)]
        forms = _worth_sharing(found, search.small)
        if not forms:
            return function
        names = {told: f"once{number}" for number, told in enumerate(sorted(forms, key=repr), 1)}

        def replace(node: Any) -> Any:
            told = search.told.get(id(node))
            if told is None or told not in names:
                return node
            return ComputedOnce(node.span, names[told], self._call(node, *told))

        return evolve(function, body=transform(function.body, replace), result=transform(function.result, replace))

    def _call(self, formula: Formula, form: object, free: tuple[str, ...]) -> Formula:
        """Return the call of a function that computes a formula."""
        if isinstance(formula, CallPure) and all(isinstance(one, Variable | Literal) for one in formula.arguments):
            return formula
        if form not in self._names:
            name = self._names[form] = f"formula_{len(self._names) + 1}"
            self.functions[name] = Function(name, formula.span, free, (), formula)
        arguments = tuple(Variable(formula.span, one) for one in free)
        return CallPure(formula.span, self._names[form], arguments, planned=True)


LARGE = 12
"""Nodes of a formula, without those found inside it; a smaller one is computed as fast as it is remembered."""
SMALL = 5
"""Nodes of a formula that keeps a number within its bounds: it is remembered if it stands at so many places."""
MANY = 4
_CLAMPS = frozenset({"max", "min"})
Place = tuple[object, bool, "list[Any]"]
"""A formula that could be shared (form and parameters), whether a loop is around it, and such places inside it."""


def _worth_sharing(places: list[Place], small: Container[object]) -> set[object]:
    """Return the forms of formulas that stand at several places, or in a loop, and not only inside larger ones."""
    chosen = {form for form, _, _ in _inside(places)}
    while True:
        seen, in_loops = Counter[object](), set[object]()
        for form, in_loop in _outermost(places, chosen):
            seen[form] += 1
            if in_loop:
                in_loops.add(form)
        once = {
            form
            for form, many in seen.items()
            if (many < MANY if form in small else many == 1 and form not in in_loops)
        }
        if not once:
            return chosen & seen.keys()
        chosen -= once


def _inside(places: list[Place]) -> Iterator[Place]:
    for place in places:
        yield place
        yield from _inside(place[2])


def _outermost(places: list[Place], chosen: set[object]) -> Iterator[tuple[object, bool]]:
    for form, in_loop, inner in places:
        if form in chosen:
            yield form, in_loop
        else:
            yield from _outermost(inner, chosen)


@define(eq=False)
class _Search:
    """Looks for formulas that take long and depend on nothing but the parameters of a function."""

    parameters: frozenset[str]
    told: dict[int, tuple[object, tuple[str, ...]]] = field(factory=dict)
    """By formula: its form, and the parameters it depends on."""
    weights: dict[object, int] = field(factory=dict)
    """By form: how many nodes it has."""
    small: set[object] = field(factory=set)
    """The forms that are only worth it if they stand at many places."""

    def places(self, node: Any, *, in_loop: bool) -> list[Place]:
        """Return where such formulas stand, those inside others with them."""
        if isinstance(node, tuple):
            return [place for one in node for place in self.places(one, in_loop=in_loop)]
        if node is None or type(node) not in SAID:
            return []
        inner = [place for part, loop in _parts(node) for place in self.places(part, in_loop=in_loop or loop)]
        if not isinstance(node, Formula):
            return inner
        takes_long = _takes_long(node) or self._is_large(node, inner)
        if not (takes_long or _is_clamped(node)):
            return inner
        free: dict[str, str] = {}
        form = canonical(node, {}, free)
        if not free.keys() <= self.parameters:
            return inner
        # The same of another parameter is something else.
        told = self.told[id(node)] = form, tuple(free)
        self.weights[told] = weight(node)
        if not takes_long:
            self.small.add(told)
        return [(told, in_loop, inner)]

    def _is_large(self, formula: Formula, inner: list[Place]) -> bool:
        return weight(formula) - sum(self.weights[form] for form, _, _ in inner if form not in self.small) >= LARGE


def _takes_long(formula: Formula) -> bool:
    return isinstance(formula, Reduce) or (isinstance(formula, CallPure) and formula.planned)


def _is_clamped(formula: Formula) -> bool:
    return isinstance(formula, CallPure) and formula.function in _CLAMPS and weight(formula) >= SMALL


def _parts(node: Any) -> Iterator[tuple[Any, bool]]:
    """Iterate over the parts of a node, each with whether it is done in a loop."""
    if isinstance(node, Reduce):
        for number, loop in enumerate(node.loops):
            yield loop.items, number > 0
            yield loop.conditions, True
        yield node.item, True
    elif isinstance(node, ForEach):
        yield node.items, False
        yield node.body, True
    elif isinstance(node, WhileLoop):
        yield node.condition, True
        yield node.body, True
    elif isinstance(node, Memoized):
        return  # It is computed only once for each key as it is.
    else:
        for one in children(node):
            yield one, False


def canonical(node: Any, bound: Mapping[str, str], free: dict[str, str]) -> object:
    """Return a key that is equal for formulas that say the same, whatever their variables are called."""
    match node:
        case Literal(_, value):
            return "Literal", repr(value)
        case Variable(_, name):
            return bound.get(name) or free.setdefault(name, f"free {len(free)}")
        case Bind(_, name, value, body):
            inner = {**bound, name: f"bound {len(bound)}"}
            return "Bind", canonical(value, bound, free), canonical(body, inner, free)
        case Reduce():
            return _canonical_reduce(node, bound, free)
        case tuple():
            return tuple([canonical(one, bound, free) for one in node])
    if type(node) in SAID:
        return type(node).__name__, tuple([canonical(getattr(node, name), bound, free) for name in SAID[type(node)]])
    return node


def _canonical_reduce(node: Reduce, bound: Mapping[str, str], free: dict[str, str]) -> object:
    loops: list[object] = []
    for loop in node.loops:
        items = canonical(loop.items, bound, free)
        bound = {**bound, loop.name: f"bound {len(bound)}"}
        loops.append((items, canonical(loop.conditions, bound, free)))
    return "Reduce", node.gives, node.skips_none, tuple(loops), canonical(node.item, bound, free)
