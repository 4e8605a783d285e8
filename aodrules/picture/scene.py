"""A picture as data: nodes with ids that stay, inside each other, and what differs between two pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from attrs import field, frozen

VERSION = 1
"""Of ids, classes and patches: what is promised of them in the reference holds for this number."""

Mark: TypeAlias = "tuple[str, tuple[tuple[str, str | float], ...], str]"
"""One thing drawn: a tag of SVG, its presentation attributes, and the text in it."""


class Node(NamedTuple):
    """Something in the picture; a tuple, since a picture has hundreds of them, and they are compared.

    Examples:
        >>> import aodrules
        >>> from aodrules import svg
        >>> scene = svg.scene(aodrules.load("nim").new_game(players=2, seed=1))
        >>> node = scene.nodes()["heaps.low_heap.lying.pebble"]
        >>> node.classes[0], node.pieces, node.symbol
        ('piece', 3, 'stone.pebble')
    """

    id: str
    """Where a cell of the state is shown: the path of the cell. It stays while the thing stays."""
    classes: tuple[str, ...] = ()
    x: float = 0
    y: float = 0
    scale: float = 1
    symbol: str = ""
    """The address of the member that it shows."""
    label: str = ""
    """What people read on it."""
    title: str = ""
    """What it is in full, for who points at it and for screen readers."""
    pieces: int = 0
    """How many pieces it stands for."""
    marks: tuple[Mark, ...] = ()
    inside: tuple[Node, ...] = ()

    def __repr__(self) -> str:
        return f"<Node {self.id}: {len(self.marks)} marks, {len(self.inside)} inside>"

    def at(self, x: float, y: float, scale: float = 1) -> Node:
        """Return the same node somewhere else."""
        return self._replace(x=round(x, 2), y=round(y, 2), scale=scale)


@frozen(repr=False)
class Scene:
    """A whole picture.

    Examples:
        >>> import aodrules
        >>> from aodrules import svg
        >>> scene = svg.scene(aodrules.load("nim").new_game(players=2, seed=1))
        >>> scene.root.id, scene.language, scene.width > 0
        ('picture', 'en', True)
    """

    width: float
    height: float
    title: str
    description: str
    language: str
    root: Node

    def __repr__(self) -> str:
        return f"<Scene of {self.title}: {self.width:g} by {self.height:g}, {len(self.nodes())} nodes>"

    def nodes(self) -> dict[str, Node]:
        """Return all nodes by id, each before what is inside it."""
        return {node.id: node for node in walk(self.root)}

    def plain(self) -> dict[str, Any]:
        """Return the scene as data that can be written as JSON."""
        nodes = [_flat(node) for node in walk(self.root)]
        return {"version": VERSION, **_head(self), "root": self.root.id, "nodes": nodes}


@frozen(repr=False)
class Patch:
    """What makes one scene of another: nodes that go, nodes that come or change, and the frame if it changes.

    Examples:
        >>> import aodrules
        >>> from aodrules import svg
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> before = svg.scene(game)
        >>> game.push("take low_heap 1")
        >>> sorted(svg.patch(before, svg.scene(game)).plain())
        ['frame', 'put', 'remove', 'version']
    """

    remove: tuple[str, ...] = ()
    put: tuple[dict[str, Any], ...] = ()
    """Nodes as data; of what is inside them only the ids, in order."""
    frame: Mapping[str, Any] = field(factory=dict)

    def __bool__(self) -> bool:
        return bool(self.remove or self.put or self.frame)

    def __repr__(self) -> str:
        return f"<Patch: {len(self.remove)} removed, {len(self.put)} put{', another frame' if self.frame else ''}>"

    def plain(self) -> dict[str, Any]:
        """Return the patch as data that can be written as JSON."""
        return {"version": VERSION, "remove": list(self.remove), "put": list(self.put), "frame": dict(self.frame)}


def walk(node: Node) -> Iterator[Node]:
    """Iterate over a node and all that is inside it."""
    yield node
    for inner in node.inside:
        yield from walk(inner)


def patch(old: Scene, new: Scene) -> Patch:
    """Return what makes the new scene of the old one.

    Examples:
        >>> import aodrules
        >>> from aodrules import svg
        >>> scene = svg.scene(aodrules.load("nim").new_game(players=2, seed=1))
        >>> svg.patch(scene, scene).put
        ()
    """
    changed: list[Node] = []
    gone: dict[str, None] = {}
    come: set[str] = set()
    _compare(old.root, new.root, changed, gone, come)
    frame = {} if _head(old) == _head(new) else _head(new)
    return Patch(tuple(each for each in gone if each not in come), tuple(map(_flat, changed)), frame)


def _compare(old: Node, new: Node, changed: list[Node], gone: dict[str, None], come: set[str]) -> None:
    if old is new or old == new:
        return
    before, after = old.inside, new.inside
    if old[:-1] != new[:-1] or [node.id for node in before] != [node.id for node in after]:
        changed.append(new)
    known = {node.id: node for node in before}
    for node in after:
        was = known.pop(node.id, None)
        if was is None:
            _add_all(node, changed, come)
        else:
            _compare(was, node, changed, gone, come)
    for node in known.values():
        gone.update((each.id, None) for each in walk(node))


def _add_all(node: Node, changed: list[Node], come: set[str]) -> None:
    for each in walk(node):
        changed.append(each)
        come.add(each.id)


def apply(found: Patch, scene: Scene) -> Scene:
    """Return the scene that a patch makes of another.

    Examples:
        >>> import aodrules
        >>> from aodrules import svg
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> before = svg.scene(game)
        >>> game.push("take low_heap 1")
        >>> after = svg.scene(game)
        >>> svg.apply(svg.patch(before, after), before) == after
        True
    """
    nodes = {node.id: _flat(node) for node in walk(scene.root)}
    for each in found.remove:
        del nodes[each]
    nodes |= {each["id"]: each for each in found.put}
    frame = found.frame or _head(scene)
    return Scene(**frame, root=_grown(scene.root.id, nodes))


def _grown(id_: str, nodes: Mapping[str, dict[str, Any]]) -> Node:
    flat = nodes[id_]
    marks = tuple((tag, tuple(attributes.items()), text) for tag, attributes, text in flat["marks"])
    inside = tuple(_grown(each, nodes) for each in flat["inside"])
    return Node(**{**flat, "classes": tuple(flat["classes"]), "marks": marks, "inside": inside})


def _flat(node: Node) -> dict[str, Any]:
    """Return a node as data, of what is inside it the ids."""
    marks = [[tag, dict(attributes), text] for tag, attributes, text in node.marks]
    return {
        **node._asdict(), "classes": list(node.classes), "marks": marks, "inside": [each.id for each in node.inside]
    }  # fmt: skip


def _head(scene: Scene) -> dict[str, Any]:
    return {
        "width": scene.width,
        "height": scene.height,
        "title": scene.title,
        "description": scene.description,
        "language": scene.language,
    }
