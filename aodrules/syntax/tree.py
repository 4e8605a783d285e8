"""A YAML document as a tree in which every node knows its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from attrs import define, evolve, field

from aodrules.source.spans import Span

Plain: TypeAlias = "str | int | bool | list[Plain] | dict[str, Plain] | None"
Path: TypeAlias = tuple[str | int, ...]
"""Where a node stands in its tree: keys of mappings and positions in lists."""


@define(eq=False)
class Scalar:
    """A word, number or flag. `value` is what it means; `text` is what was written between the quotes, if any."""

    span: Span
    value: str | int | bool | None
    text: str
    quoted: bool = False
    block: bool = False
    """Whether it is a block scalar (`|` or `>`): its span is that of the sign."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written at all."""
        return self.value is None

    def plain(self) -> Plain:
        """Return the value without its place."""
        return self.value

    # A cached ruleset has tens of thousands of nodes: a tuple is written and read twice as fast as named fields.
    def __reduce__(self) -> tuple[type[Scalar], tuple[object, ...]]:
        return Scalar, (self.span, self.value, self.text, self.quoted, self.block)


@define(eq=False)
class Entry:
    """One key of a mapping and what stands under it."""

    key: Scalar
    value: Node

    @classmethod
    def of(cls, name: str, value: Node, span: Span | None = None) -> Entry:
        """Return an entry under a key that nobody wrote; its place is that of the value if nothing else is said."""
        return cls(Scalar(span or value.span, name, name), value)

    @property
    def name(self) -> str:
        """The key as text; a number used as a key is its digits."""
        return self.key.text

    @property
    def body(self) -> Mapping:
        """The mapping under the key; an empty one if something else stands there."""
        return self.value if isinstance(self.value, Mapping) else Mapping(self.value.span)

    def __reduce__(self) -> tuple[type[Entry], tuple[object, ...]]:
        return Entry, (self.key, self.value)


@define(eq=False)
class Mapping:
    """Keys and what stands under them, in the order written. Keys are unique."""

    span: Span
    entries: dict[str, Entry] = field(factory=dict)

    @classmethod
    def of(cls, span: Span, entries: Iterable[Entry]) -> Mapping:
        """Return the mapping of some entries."""
        return cls(span, {entry.name: entry for entry in entries})

    def get(self, name: str) -> Node | None:
        """Return what stands under a key, or nothing."""
        entry = self.entries.get(name)
        return None if entry is None else entry.value

    def key(self, name: str) -> Scalar:
        """Return the key itself, for its place."""
        return self.entries[name].key

    def need(self, name: str) -> Node:
        """Return what stands under a key; an empty word if there is nothing."""
        return self.get(name) or Scalar(self.span, None, "")

    def word(self, name: str) -> str:
        """Return the word under a key; an empty one if there is none."""
        return word_of(self.get(name))

    def flag(self, name: str) -> bool:
        """Whether a key says `true`."""
        node = self.get(name)
        return isinstance(node, Scalar) and node.value is True

    def mapping(self, name: str) -> Mapping:
        """Return the mapping under a key; an empty one if there is none."""
        node = self.get(name)
        return node if isinstance(node, Mapping) else Mapping(self.span)

    def sequence(self, name: str) -> tuple[Node, ...]:
        """Return the items of the list under a key; none if there is no list."""
        node = self.get(name)
        return node.items if isinstance(node, Sequence) else ()

    def with_entry(self, entry: Entry) -> Mapping:
        """Return a copy with one entry added, or replaced where it stands."""
        return evolve(self, entries={**self.entries, entry.name: entry})

    def without(self, *names: str) -> Mapping:
        """Return a copy without some keys."""
        return evolve(self, entries={key: entry for key, entry in self.entries.items() if key not in names})

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries.values())

    def __len__(self) -> int:
        return len(self.entries)

    def plain(self) -> Plain:
        """Return the value without places."""
        return {name: entry.value.plain() for name, entry in self.entries.items()}

    def __reduce__(self) -> tuple[type[Mapping], tuple[object, ...]]:
        return Mapping, (self.span, self.entries)


@define(eq=False)
class Sequence:
    """Items in the order written."""

    span: Span
    items: tuple[Node, ...] = ()

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def plain(self) -> Plain:
        """Return the value without places."""
        return [item.plain() for item in self.items]

    def __reduce__(self) -> tuple[type[Sequence], tuple[object, ...]]:
        return Sequence, (self.span, self.items)


Node: TypeAlias = Scalar | Mapping | Sequence


def walk(node: Node) -> Iterator[Node]:
    """Iterate over a node and everything inside it, keys left out."""
    yield node
    children: tuple[Node, ...] = ()
    if isinstance(node, Mapping):
        children = tuple(entry.value for entry in node)
    elif isinstance(node, Sequence):
        children = node.items
    for child in children:
        yield from walk(child)


def at(node: Node | None, *path: str | int) -> Node | None:
    """Return what stands at a path, or nothing."""
    for part in path:
        if isinstance(node, Mapping):
            node = node.get(str(part))
        elif isinstance(node, Sequence) and isinstance(part, int) and part < len(node):
            node = node.items[part]
        else:
            return None
    return node


def items_of(node: Node) -> tuple[Node, ...]:
    """Return the items of a list; anything else is the only one."""
    return node.items if isinstance(node, Sequence) else (node,)


def reason_in(node: Mapping) -> Scalar | None:
    """Return the clause or text that a condition (`is`), or a type with a set to try, names for what it refuses."""
    reason = node.get("else")
    refuses = "is" in node or (len(node) == 2 and "if" not in node)
    return reason if isinstance(reason, Scalar) and refuses else None


def word_of(node: Node | None) -> str:
    """Return the word a node is; an empty one if it is none."""
    return node.text if isinstance(node, Scalar) else ""


def words(node: Node | None) -> tuple[str, ...]:
    """Return the words of a list, or one word; `all` alone says nothing."""
    if isinstance(node, Scalar):
        return () if node.text == "all" else (node.text,)
    return tuple(each.text for each in node if isinstance(each, Scalar)) if isinstance(node, Sequence) else ()
