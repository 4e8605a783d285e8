"""Addresses: from `verb.refresh.goods.do` to the place in a composed tree it stands for, and what may stand there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from itertools import takewhile

from attrs import frozen

from aodrules.source.spans import Source, Span
from aodrules.source.wording import nearest
from aodrules.syntax.tree import Entry, Mapping, Node, Path, Scalar, Sequence, at

STEP_LISTS = ("first", "do", "then", "else", "otherwise")
"""The keys under which steps stand."""
CONDITION_LISTS = ("where", "then_where")
"""The keys under which conditions stand."""
DOTTED_KINDS = frozenset({"clause", "position", "property", "scenario", "text"})
"""Declaration kinds whose ids may contain dots."""
UNPLAYED_KINDS = frozenset({"text", "clause", "ruling", "property", "position", "scenario", "layout"})
"""Declaration kinds that play does not depend on."""
FIXED_KINDS = UNPLAYED_KINDS | {
    "game", "kinds", "state", "value", "verb", "decision", "option", "event", "sets", "graph", "grid", "effects",
}  # fmt: skip
"""Declaration kinds that the language knows; every other one is a kind of the game."""
PARAMETER_LISTS = frozenset({"given", "main", "for"})
META_KEYS = frozenset({"name", "text", "clauses", "needs"})
"""What may stand on any body."""
NEVER_IDS = frozenset({"clauses", "needs"})
"""Those of them that are no ids even in a family."""

_PARTS_OF_CONDITIONS = META_KEYS | {"is", "else"}
_FAMILIES_OF_FAMILIES = frozenset({"state", "text", "effects"})
_FAMILIES_OF_BODIES = PARAMETER_LISTS | {"remembers", "options"}
_FAMILIES_OF_KINDS = frozenset({"attributes", "hooks", "effects"})
_FAMILIES_OF_LAYOUT = frozenset({"places", "slots"})
_FAMILIES_OF_GAME = frozenset({"points", "settings"})


@frozen(eq=False)
class TreePlace:
    """A node of a tree and how it is reached."""

    node: Node
    parts: tuple[str, ...] = ()
    """The address: keys, and names of steps in place of all the keys that lead to them."""
    path: Path = ()
    chain: tuple[str, ...] = ()
    """The keys and named steps on the way, positions left out; what encloses it has a shorter one."""
    key: Scalar | None = None
    """The key it stands under, if it stands under one."""

    @property
    def address(self) -> str:
        """The address as text."""
        return ".".join(self.parts)

    @property
    def span(self) -> Span:
        """The smallest text that shows the place: its key or its name."""
        return self.node.span if self.key is None else self.key.span

    @property
    def is_step(self) -> bool:
        """Whether a step stands there."""
        return bool(self.path) and isinstance(self.path[-1], int)

    @property
    def has_steps(self) -> bool:
        """Whether named steps inside are its children: a verb, a hook, an option or an effect."""
        if any(isinstance(part, int) for part in self.path):
            return False
        if isinstance(self.node, Mapping):
            return len(self.parts) > 1 and ("do" in self.node or isinstance(self.node.get("first"), Sequence))
        if not isinstance(self.node, Sequence) or len(self.parts) != 3:
            return False
        return self.parts[0] not in FIXED_KINDS or self.parts[2] == "otherwise"

    @property
    def is_step_list(self) -> bool:
        """Whether it is a list in which steps stand."""
        return isinstance(self.node, Sequence) and (self.has_steps or self.parts[-1] in STEP_LISTS)

    @property
    def holder(self) -> tuple[str, ...]:
        """The address of the verb, hook, option or effect in which it stands, if it is a step or a list of steps."""
        keys = tuple(takewhile(lambda part: isinstance(part, str), self.path))
        return tuple(map(str, keys[:-1] if keys[-1] == "do" else keys))

    def under(self, entry: Entry) -> TreePlace:
        """Return the place of an entry of the mapping that stands here."""
        name = entry.name
        return TreePlace(entry.value, (*self.parts, name), (*self.path, name), (*self.chain, name), entry.key)


@frozen(eq=False)
class MissingAddress:
    """An address that leads nowhere: how far it leads, and what is not there."""

    deepest: TreePlace
    rest: tuple[str, ...]
    start: int
    """Where the first part that is not there begins, as an offset into the address."""


def resolve(root: Mapping, address: str) -> TreePlace | MissingAddress:
    """Return the place an address stands for. Where ids contain dots the longest existing id counts."""
    return resolve_from(TreePlace(root), address)


def resolve_from(place: TreePlace, address: str) -> TreePlace | MissingAddress:
    """Return the place an address stands for that begins at another place."""
    rest = tuple(address.split("."))
    start = 0
    while rest:
        found = _longest(place, rest)
        if found is None:
            return MissingAddress(place, _new_ids(place, rest), start)
        length, place = found
        start += sum(len(part) + 1 for part in rest[:length])
        rest = rest[length:]
    return place


def _new_ids(place: TreePlace, rest: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ids that the parts of an address would make if they were added: those with dots are taken whole."""
    if rest and len(place.parts) == 1 and place.parts[0] in DOTTED_KINDS:
        return (".".join(rest),)
    if len(rest) > 1 and not place.parts and rest[0] in DOTTED_KINDS:
        return (rest[0], ".".join(rest[1:]))
    before = next((number for number, part in enumerate(rest, 1) if part in CONDITION_LISTS), 0)
    if before or (place.parts and place.parts[-1] in CONDITION_LISTS):
        # A condition may stand under a clause.
        end = len(rest) - 1 if rest[-1] in _PARTS_OF_CONDITIONS else len(rest)
        return (*rest[:before], *filter(None, [".".join(rest[before:end])]), *rest[end:])
    return rest


def _longest(place: TreePlace, rest: tuple[str, ...]) -> tuple[int, TreePlace] | None:
    for length in range(len(rest), 0, -1):
        found = child(place, ".".join(rest[:length]))
        if found is not None:
            return length, found
    return None


def locate(root: Mapping, parts: tuple[str, ...], hidden: Container[Source] = ()) -> TreePlace | None:
    """Return the place at an address whose ids are known; steps of hidden sources yield their name to others."""
    place: TreePlace | None = TreePlace(root)
    for part in parts:
        if place is None:
            return None
        place = child(place, part, hidden) or child(place, part)
    return place


def child(place: TreePlace, name: str, hidden: Container[Source] = ()) -> TreePlace | None:
    """Return what stands under a key or, in what has steps, the step of that name."""
    if isinstance(place.node, Mapping) and name in place.node:
        return place.under(place.node.entries[name])
    if not place.has_steps:
        return None
    return next((step for step in named_steps(place, hidden) if step.parts[-1] == name), None)


def known_names(place: TreePlace) -> dict[str, Span]:
    """Return the names that may stand next in an address, with their places."""
    names = {step.parts[-1]: step.span for step in named_steps(place)} if place.has_steps else {}
    if isinstance(place.node, Mapping):
        names |= {entry.name: entry.key.span for entry in place.node}
    return names


def step_holders(place: TreePlace) -> Iterator[TreePlace]:
    """Iterate over everything inside a place whose named steps are its children."""
    if place.has_steps:
        yield place
    elif isinstance(place.node, Mapping):
        for entry in place.node:
            if place.parts or entry.name not in UNPLAYED_KINDS:
                yield from step_holders(place.under(entry))


def named_steps(place: TreePlace, hidden: Container[Source] = ()) -> list[TreePlace]:
    """Return the steps that bear a name: `step: NAME`, and bare verbs that stand there once."""
    steps = [step for step in all_steps(place) if step.node.span.source not in hidden]
    named = {step.parts[-1] for step in steps if _label(step.node) is not None}
    bare = Counter(step.parts[-1] for step in steps if _label(step.node) is None)
    unique = {name for name, times in bare.items() if times == 1} - named
    return [step for step in steps if _label(step.node) is not None or step.parts[-1] in unique]


def all_steps(place: TreePlace) -> Iterator[TreePlace]:
    """Iterate over the steps with a name of their own or of a bare verb inside a place, however deep."""
    yield from _steps(place.node, place.path, place.chain, place.parts)


def _steps(node: Node, path: Path, chain: tuple[str, ...], parts: tuple[str, ...]) -> Iterator[TreePlace]:
    if isinstance(node, Sequence):
        for position, item in enumerate(node):
            name = step_name(item)
            there, known = (*path, position), chain if name is None else (*chain, f"step {name.text}")
            if name is not None:
                yield TreePlace(item, (*parts, name.text), there, known, name)
            yield from _steps(item, there, known, parts)
    elif isinstance(node, Mapping):
        for entry in node:
            if _leads_to_steps(entry):
                yield from _steps(entry.value, (*path, entry.name), (*chain, entry.name), parts)


def _leads_to_steps(entry: Entry) -> bool:
    if entry.name in STEP_LISTS:
        return isinstance(entry.value, Sequence)
    return isinstance(entry.value, Mapping) and (entry.name == "options" or "do" in entry.value)


def step_name(step: Node) -> Scalar | None:
    """Return the name a step bears: its label, or the verb if it is nothing but a verb."""
    label = _label(step)
    if label is not None:
        return label
    if isinstance(step, Mapping) and len(step) == 1:
        (entry,) = step
        return entry.key if isinstance(entry.value, Scalar) and entry.value.is_empty else None
    if isinstance(step, Scalar) and isinstance(step.value, str) and step.value.isidentifier():
        return step
    return None


def _label(step: Node) -> Scalar | None:
    label = step.get("step") if isinstance(step, Mapping) else None
    return label if isinstance(label, Scalar) else None


# What an author may have meant.


def places_ending_with(root: Mapping, address: str) -> list[TreePlace]:
    """Return the places whose address is this one with a declaration kind before it."""
    found = [resolve(root, f"{entry.name}.{address}") for entry in root]
    return [place for place in found if isinstance(place, TreePlace)]


def nearest_address(root: Mapping, address: str) -> str | None:
    """Return the one address that exists and is near to one that does not, part by part, or that only ends with it."""
    whole = places_ending_with(root, address)
    if len(whole) == 1:
        return whole[0].address
    for _ in address.split("."):
        found = resolve(root, address)
        if not isinstance(found, MissingAddress):
            return address
        place, (wrong, *rest) = found.deepest, found.rest
        near = nearest(wrong, known_names(place))
        if near is None:
            return None
        address = ".".join((*place.parts, near, *rest))
    return None


def enclosing_address(root: Mapping, address: str) -> str | None:
    """Return the address of what would hold a node that is not there, if that is more than a declaration kind."""
    found = resolve(root, address)
    parts = found.deepest.parts if isinstance(found, MissingAddress) else ()
    return ".".join(parts) if len(parts) > 1 else None


# Which mappings are families (id → body), told by their address alone.


def is_id_mapping(path: Path, root: Mapping) -> bool:
    """Return whether what stands at an address is a family: ids that documents add one by one."""
    match path:
        case ():
            return True
        case (kind,):
            return kind != "game"
        case (kind, part):
            return kind in _FAMILIES_OF_FAMILIES or (kind == "game" and part in _FAMILIES_OF_GAME)
        case ("kinds", _, "hooks", _, "effects"):
            return True
        case ("layout", *_, part):
            return part in _FAMILIES_OF_LAYOUT
        case ("property", _, "except"):
            return True
        case (kind, *_, part) if part in _FAMILIES_OF_BODIES:
            return kind not in UNPLAYED_KINDS
        case (kind, _, part):
            return part in _FAMILIES_OF_KINDS if kind == "kinds" else _has_effects(root, kind, part)
    return False


def _has_effects(root: Mapping, kind: str | int, hook: str | int) -> bool:
    """Return whether a hook of a kind holds effects by their ids."""
    mark = at(root, "kinds", kind, "hooks", hook, "effects")
    return isinstance(mark, Mapping) or (isinstance(mark, Scalar) and mark.value is True)


def is_meta(key: str, value: Node, path: Path, root: Mapping) -> bool:
    """Return whether a key of the body at a path is one that may stand on any body, and not the id of something."""
    if key not in META_KEYS or (isinstance(value, Mapping) and ("is" in value or "do" in value)):
        return False
    return key in NEVER_IDS or not is_id_mapping(path, root)
