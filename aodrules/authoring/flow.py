"""The clauses of a ruleset in the order in which play meets what models them."""

from __future__ import annotations

from attrs import define, field

from aodrules.compose.id_mappings import at
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence


def clauses_in_order(root: Mapping) -> list[str]:
    """Return the clauses that nodes cite: of the game, of the set-up, along the course of play, then all others."""
    walk = _Walk(root)
    for address in (("game",), *(("verb", _word(root, "game", name)) for name in ("begin", "play"))):
        walk.visit(*address)
    for entry in root:
        walk.look(entry.value)
    return list(walk.found)


def _word(root: Mapping, *address: str) -> str:
    node = at(root, *address)
    return node.text if isinstance(node, Scalar) else ""


@define(eq=False)
class _Walk:
    """A walk through a ruleset: each declaration is visited once."""

    root: Mapping
    found: dict[str, None] = field(factory=dict)
    _visited: set[tuple[str, ...]] = field(factory=set)

    def visit(self, *address: str) -> None:
        """Go to a declaration, if there is one that was not visited."""
        node = at(self.root, *address)
        if node is not None and address not in self._visited:
            self._visited.add(address)
            self.look(node)

    def look(self, node: Node) -> None:
        """Note the clauses of a node, of what stands inside it and of what it calls, in order."""
        if isinstance(node, Scalar):
            self.visit("verb", node.text)
        elif isinstance(node, Sequence):
            for item in node:
                self.look(item)
        elif isinstance(node, Mapping):
            for clause in node.get("clauses") or ():  # type: ignore[union-attr]  # a list of names, if it is there
                self.found[clause.text] = None  # type: ignore[union-attr]
            for entry in node:
                if entry.name != "clauses":
                    self._enter(entry.name, entry.value)

    def _enter(self, key: str, value: Node) -> None:
        self.visit("verb", key)
        if key in ("choose", "run") and isinstance(value, Scalar):
            self.visit("decision", value.text)
            kind, _, hook = value.text.rpartition(".")
            members = at(self.root, kind)
            for entry in members if isinstance(members, Mapping) else ():
                self.visit(kind, entry.name)
                self.visit(kind, entry.name, hook)
        self.look(value)
