"""Kinds and members: families, their order, attributes and pieces; grids, graphs and scoring sets over them."""

from __future__ import annotations

import re

from attrs import evolve, frozen

from aodrules.check import problems
from aodrules.check.checked import Attribute, Graph, Kind, Pieces, Sets, SetShape
from aodrules.check.context import MOST_PLAYERS, Context, HookShape, LocalName, Scope
from aodrules.check.resolve.expressions import check_name, find_named, read_expression
from aodrules.check.resolve.parameters import read_parameters, read_type
from aodrules.lang.expressions import Const, Expression
from aodrules.lang.types import NUMBER, ListOf, Maybe, Member, Nothing, Number, Type, Unknown
from aodrules.source.diagnostics import Fix
from aodrules.source.wording import nearest
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, word_of

_ON_MEMBERS = ("name", "text", "clauses", "needs", "description", "remembers", "each", "for_players")
_SO_MANY = re.compile(r"([0-9]{1,2})(?:(\.\.)([0-9]{1,2})?)?")


@frozen(eq=False)
class MemberText:
    """A member as written: its id, kind and body."""

    id: str
    kind: str
    key: Scalar
    body: Mapping


def read_kinds(context: Context) -> None:
    """Read all kinds with their members, in order, before anything that speaks of them."""
    declared = {entry.name: entry for entry in context.section("kinds") if isinstance(entry.value, Mapping)}
    for entry in declared.values():
        check_name(context, entry.key, "player", "owner")
    families = {name: _family(context, name, declared) for name in declared}
    together: dict[str, list[str]] = {}
    for name, family in families.items():
        together.setdefault(family, []).append(name)
    for root, kinds in together.items():
        _read_family(context, root, kinds, declared)


def _family(context: Context, name: str, declared: dict[str, Entry]) -> str:
    parent = declared[name].body.get("is_a")
    if not isinstance(parent, Scalar):
        return name
    above = find_named(context, parent, declared, "kind")
    if above is None:
        return name
    if "is_a" in above.body:
        message = f"`{parent.text}` is itself a narrower kind: there is one level only"
        context.add(problems.wrong_declaration(message, parent.span))
        return name
    return parent.text


def _read_family(context: Context, root: str, kinds: list[str], declared: dict[str, Entry]) -> None:
    members = [member for kind in kinds for member in _members(context, kind)]
    _report_twins(context, members)
    ordered = sorted(members, key=lambda member: (_place(context, member, declared[root].body), member.id))
    ids = tuple(dict.fromkeys(member.id for member in ordered))
    for member in ordered:
        context.member_kinds[root, member.id] = member.kind
        context.member_bodies[root, member.id] = member.body
    for kind in kinds:
        own = ids if kind == root else tuple(m for m in ids if context.member_kinds[root, m] == kind)
        context.kinds[kind] = _kind(context, declared[kind], root, own, ids)
    found = {ids.index(member.id): _for_players(context, member) for member in ordered}
    for_players = {number: players for number, players in found.items() if players is not None}
    is_side = any("owns" in declared[kind].body for kind in kinds)
    context.kinds[root] = evolve(context.kinds[root], for_players=for_players, is_side=is_side)
    context.has_sides |= is_side


def _for_players(context: Context, member: MemberText) -> tuple[int, int] | None:
    """Return with how many players a member is in the game; nothing where that is with any number."""
    node = member.body.get("for_players")
    if node is None:
        return None
    low, high = _so_many(node)
    fewest, most = _so_many(context.section("game").get("players"))
    if low > high:
        message = f"`{member.id}` is in a game of no number of players"
        context.add(problems.wrong_member(message, node.span, "write the smaller number first"))
    elif low > most or high < fewest:
        message = f"`{member.id}` is in no game: {fewest} to {most} can play"
        context.add(problems.wrong_member(message, node.span, None))
    return low, high


def _so_many(node: Node | None) -> tuple[int, int]:
    """Return the ends of a number or range of players."""
    found = _SO_MANY.fullmatch(node.text) if isinstance(node, Scalar) else None
    if found is None:
        return 1, MOST_PLAYERS  # What is no range was told when the document was read.
    low = int(found[1])
    return low, (low if not found[2] else int(found[3]) if found[3] else MOST_PLAYERS)


def _kind(context: Context, entry: Entry, root: str, own: tuple[str, ...], ids: tuple[str, ...]) -> Kind:
    body = entry.body
    if "ordered" in body and "sorted_by" not in body:
        context.add(problems.wrong_declaration("an ordered kind says what it is `sorted_by`", entry.key.span))
    return Kind(
        entry.name,
        body.word("plural") or f"{entry.name}s",
        entry.key.span,
        root,
        own,
        tuple(ids.index(member) for member in own),
        body.flag("ordered"),
    )


def _members(context: Context, kind: str) -> list[MemberText]:
    found: list[MemberText] = []
    for entry in context.section(kind):
        # What is no body was told when the document was read.
        if not isinstance(entry.value, Mapping):
            continue
        body = entry.value
        rows = body.get("each")
        if isinstance(rows, Mapping):
            found.extend(_row(row, kind, body) for row in rows)
        else:
            found.append(MemberText(entry.name, kind, entry.key, body))
    for member in found:
        check_name(context, member.key)
    return found


def _row(row: Entry, kind: str, shared: Mapping) -> MemberText:
    entries = {**shared.without("each").entries, **row.body.entries}
    return MemberText(row.name, kind, row.key, Mapping(row.value.span, entries))


def _report_twins(context: Context, members: list[MemberText]) -> None:
    first: dict[str, MemberText] = {}
    for member in members:
        twin = first.setdefault(member.id, member)
        if twin is not member:
            context.add(problems.duplicate_name(member.id, member.key.span, twin.key.span, "members of one family"))


def _place(context: Context, member: MemberText, family: Mapping) -> int:
    name = family.get("sorted_by")
    if not isinstance(name, Scalar):
        return 0
    value = member.body.get(name.text)
    if value is None:
        value = family.mapping("attributes").mapping(name.text).get("default")
    if isinstance(value, Scalar) and isinstance(value.value, int) and not isinstance(value.value, bool):
        return value.value
    # That there is none at all is told with the other attributes.
    if value is not None:
        message = f"`{member.id}` needs a plain number for `{name.text}`, by which its kind is sorted"
        context.add(problems.wrong_member(message, value.span, "write a number, such as 10"))
    return 0


def read_attributes(context: Context) -> None:
    """Read the attributes of all kinds: first their types, then what each member has."""
    nodes: dict[str, Mapping] = {}
    for kind in context.kinds:
        for entry in context.kind_part(kind, "attributes"):
            _declare_attribute(context, kind, entry)
            if isinstance(entry.value, Mapping):
                nodes[f"{kind}.{entry.name}"] = entry.value
    for name, node in nodes.items():
        attribute = context.attributes[name]
        context.attributes[name] = evolve(attribute, values=_values(context, attribute, node.get("default")))


def _declare_attribute(context: Context, kind: str, entry: Entry) -> None:
    check_name(context, entry.key, "owner", "self")
    type_, per = read_type(context, entry.body.get("is"), entry.key)
    name = f"{kind}.{entry.name}"
    context.attributes[name] = Attribute(name, type_, entry.key.span, per)


def _values(
    context: Context, attribute: Attribute, default: Node | None
) -> tuple[Expression | tuple[Expression, ...] | None, ...]:
    kind, name = attribute.name.split(".")
    family = context.family(kind)
    found: list[Expression | tuple[Expression, ...] | None] = []
    lacking: dict[str, Mapping] = {}
    for member in family.members:
        if not context.is_a(context.member_kinds[family.name, member], kind):
            found.append(None)
            continue
        body = context.member_bodies[family.name, member]
        node = body.get(name)
        node = default if node is None else node
        found.append(_value(context, attribute, node, (family.name, member), body))
        if node is None and not isinstance(attribute.type, Maybe | Unknown):
            lacking[member] = body
    _report_lacking(context, attribute, lacking)
    return tuple(found)


def _report_lacking(context: Context, attribute: Attribute, lacking: dict[str, Mapping]) -> None:
    """Report members without an attribute; where no member has it, its declaration."""
    kind, name = attribute.name.split(".")
    if 1 < len(lacking) == len(context.kinds[kind].members):
        written = {entry.name for body in lacking.values() for entry in body if not _is_part(context, kind, entry.name)}
        _report_unused(context, attribute, nearest(name, written - {*_ON_MEMBERS}))
        return
    for member, body in lacking.items():
        context.add(problems.wrong_member(f"`{member}` says nothing about `{name}`", body.span, f"add `{name}: ...`"))


def _report_unused(context: Context, attribute: Attribute, near: str | None) -> None:
    """Report an attribute that no member has; `near` is what they have instead, if that can be guessed."""
    kind, name = attribute.name.split(".")
    message, at = f"no `{kind}` says anything about `{name}`", attribute.span
    if near is None:
        context.add(problems.wrong_member(message, at, f"give each of them `{name}: ...`, or the attribute a default"))
    else:
        context.meant.add((kind, near))
        context.add(problems.wrong_member(message, at, f"did you mean `{near}`?", Fix(at, near)))


def _value(
    context: Context, attribute: Attribute, node: Node | None, member: tuple[str, str], body: Mapping
) -> Expression | tuple[Expression, ...]:
    if node is None:
        return Const(Nothing(), body.span, None)
    scope = _names(context, member)
    if attribute.per:
        return _table(scope, attribute, node)
    if isinstance(node, Sequence):
        return _listed(scope, attribute.type, node)
    return read_expression(scope, node, attribute.type)


def _names(context: Context, member: tuple[str, str]) -> Scope:
    kind = context.member_kinds[member]
    return Scope(context, f"{kind}.{member[1]}", {"self": LocalName(Member(kind), "self", member=member[1])}, bare=kind)


def _listed(scope: Scope, type_: Type, node: Sequence) -> Expression:
    item = type_.of if isinstance(type_, ListOf) else type_
    if not isinstance(type_, ListOf):
        scope.context.add(problems.type_mismatch(type_, ListOf(NUMBER), "a list", node.span))
    items = [read_expression(scope, each, item) for each in node]
    return Const(
        type_,
        node.span,
        tuple(int(each.value) for each in items if isinstance(each, Const) and isinstance(each.value, int)),
    )


def _table(scope: Scope, attribute: Attribute, node: Node) -> tuple[Expression, ...]:
    context = scope.context
    dimension = attribute.per[0]
    if not isinstance(dimension, Member) or len(attribute.per) > 1:
        context.add(problems.wrong_declaration("a table of an attribute is by one kind", attribute.span))
        return ()
    family = context.family(dimension.kind)
    given = node if isinstance(node, Mapping) else None
    if given is not None:
        for entry in given:
            if entry.name not in family.members:
                context.add(problems.unknown_name(entry.name, entry.key.span, family.members, family.name))
    return tuple(_row_value(scope, attribute, node, given, member) for member in family.members)


def _row_value(scope: Scope, attribute: Attribute, node: Node, given: Mapping | None, member: str) -> Expression:
    cell = given.get(member) if given is not None else node
    if cell is None:
        scope.context.add(problems.wrong_member(f"the table says nothing about `{member}`", node.span))
        return Const(NUMBER, node.span, 0)
    return read_expression(scope, cell, attribute.type)


def read_pieces(context: Context) -> None:
    """Read whose and how many the pieces of each family are. Whose comes first: types depend on it."""
    owned: dict[str, bool] = {}
    for name, kind in context.kinds.items():
        body = _pieces_body(context, name)
        if body is not None:
            is_owned = body.flag("owned") or _is_common(body)
            owned[kind.family] = owned.get(kind.family, False) or is_owned
    for family, is_owned in owned.items():
        root = context.kinds[family]
        bodies = [_body_of_pieces(context, root, member) for member in root.members]
        common = frozenset(number for number, body in enumerate(bodies) if _is_common(body))
        context.kinds[family] = evolve(root, pieces=Pieces(is_owned, (), common))
    _find_sided(context)


def _find_sided(context: Context) -> None:
    """Find the families of pieces that sides own."""
    for kind in context.kinds:
        for entry in context.section("kinds").mapping(kind).mapping("owns"):
            piece = find_named(context, entry.key, context.kinds, "kind")
            if piece is None:
                continue
            root = context.family(piece.name)
            if root.pieces is None or not root.pieces.owned:
                message = f"nobody owns a {piece.name}"
                context.add(problems.wrong_declaration(message, entry.key.span, "name a kind with `owned` pieces"))
            else:
                context.kinds[root.name] = evolve(root, pieces=evolve(root.pieces, has_sides=True))


def _is_common(body: Mapping | None) -> bool:
    """Whether pieces are nobody's until they are taken."""
    return body is not None and body.word("owned") == "when_taken"


def read_piece_counts(context: Context) -> None:
    """Read how many pieces each member has, once attributes are known."""
    for name, root in context.kinds.items():
        if root.pieces is not None:
            counts = tuple(_count(context, root, member) for member in root.members)
            of_sides = _counts_of_sides(context, root) if root.pieces.has_sides else ()
            context.kinds[name] = evolve(root, pieces=evolve(root.pieces, counts=counts, of_sides=of_sides))


def _counts_of_sides(context: Context, root: Kind) -> tuple[tuple[Expression, ...], ...]:
    """Return how many pieces of each member of a family every side has."""
    sides = [(kind.name, member) for kind in context.kinds.values() if kind.is_side for member in kind.members]
    return tuple(tuple(_count_of_side(context, side, root, member) for member in root.members) for side in sides)


def _count_of_side(context: Context, side: tuple[str, str], root: Kind, member: str) -> Expression:
    """Return what a side has of a member: as its own kind says, else its family, of the narrower kind or the family."""
    kind = context.member_kinds[root.name, member]
    for owner in context.lineage(context.member_kinds[side]):
        owns = context.section("kinds").mapping(owner).mapping("owns")
        for name in context.lineage(kind):
            node = owns.get(name)
            if node is not None:
                return _read_count_of_side(context, side, root, member, node)
    return Const(NUMBER, root.span, 0)


def _pieces_body(context: Context, kind: str) -> Mapping | None:
    pieces = context.section("kinds").mapping(kind).get("pieces")
    return pieces if isinstance(pieces, Mapping) else None


def _body_of_pieces(context: Context, root: Kind, member: str) -> Mapping | None:
    """Return what is said of the pieces of a member: by its kind, else by its family."""
    kind = context.member_kinds[root.name, member]
    return _pieces_body(context, kind) or _pieces_body(context, root.name)


def _count(context: Context, root: Kind, member: str) -> Expression:
    body = _body_of_pieces(context, root, member)
    node = body.get("count") if body is not None else None
    if node is None:
        return Const(NUMBER, root.span, 0 if body is None else 1)
    return read_expression(_names(context, (root.name, member)), node, NUMBER)


def _read_count_of_side(context: Context, side: tuple[str, str], root: Kind, member: str, node: Node) -> Expression:
    count = read_expression(_names(context, side), node, NUMBER)
    is_common = _is_common(_body_of_pieces(context, root, member))
    if is_common and not (isinstance(count, Const) and count.value == 0):
        message = f"`{member}` is nobody's until it is taken, so that no side begins with one"
        context.add(problems.wrong_declaration(message, node.span, "write 0: the side may take one"))
    return count


def read_hooks(context: Context) -> None:
    """Read how each kind uses its hooks."""
    for kind in context.kinds:
        for entry in context.kind_part(kind, "hooks"):
            _read_hook(context, kind, entry)


_FORMS = {"adds_to": "a number", "effects": "effects", "formula": "a formula"}
"""What members have under hooks that are not for steps."""


def _read_hook(context: Context, kind: str, entry: Entry) -> None:
    body = entry.body
    adds_to = body.get("adds_to")
    formula = body.get("is")
    forms = {"adds_to": adds_to is not None, "effects": "effects" in body, "formula": formula is not None}
    form = next((name for name, is_meant in forms.items() if is_meant), "steps")
    other = context.attribute_of(kind, entry.name)
    if other is not None:
        context.add(problems.duplicate_name(entry.name, entry.key.span, other.span, f"parts of a {kind}"))
    effects, steps = body.get("effects"), body.get("do")
    if steps is not None and form != "steps":
        message = f"a hook for {_FORMS[form]} has no steps of its own"
        context.add(problems.wrong_declaration(message, body.key("do").span))
    context.hooks[f"{kind}.{entry.name}"] = HookShape(
        f"{kind}.{entry.name}",
        kind,
        entry.key.span,
        form,
        read_parameters(context, body.get("given"), plain=True),
        body.get("in"),
        body.word("scope") == "owner",
        adds_to if isinstance(adds_to, Scalar) else None,
        default=effects if isinstance(effects, Mapping) else steps if form == "steps" else None,
    )
    if isinstance(formula, Mapping):
        _read_formula_hook(context, context.hooks[f"{kind}.{entry.name}"], formula, body)


def _read_formula_hook(context: Context, hook: HookShape, formula: Mapping, body: Mapping) -> None:
    """Read what the formulas of members give, and see that each member has one."""
    others = [each for each in ("effects", "adds_to", "in", "scope") if each in body]
    if others:
        message = f"a hook that is a formula has no `{others[0]}`"
        context.add(problems.wrong_declaration(message, body.key(others[0]).span))
    for each in hook.parameters:
        if each.name == "self":
            context.add(problems.reserved_name("self", each.span))
    gives, per = read_type(context, formula.get("is"), formula)
    if per or (isinstance(gives, Number) and gives != NUMBER):
        message = "a formula gives no table, and the ends of its numbers are worked out"
        context.add(problems.wrong_declaration(message, formula.need("is").span))
    hook.gives, hook.default = gives, formula.get("default")
    name, family = hook.name.split(".")[1], context.family(hook.kind).name
    if hook.default is None and not isinstance(gives, Maybe | Unknown):
        for member in context.kinds[hook.kind].members:
            said = context.member_bodies[family, member]
            if name not in said:
                message = f"`{member}` says nothing about `{name}`"
                context.add(problems.wrong_member(message, said.span, f"add `{name}: ...`"))


def check_members(context: Context) -> None:
    """Report what stands in a member's body and belongs to no attribute or hook of its kind."""
    for (family, member), body in context.member_bodies.items():
        kind = context.member_kinds[family, member]
        for entry in body:
            is_meant = any((each, entry.name) in context.meant for each in context.lineage(kind))
            if entry.name not in _ON_MEMBERS and not is_meant and not _is_part(context, kind, entry.name):
                _report_part(context, kind, entry)


def _is_part(context: Context, kind: str, name: str) -> bool:
    return context.attribute_of(kind, name) is not None or context.hook_of(kind, name) is not None


def _report_part(context: Context, kind: str, entry: Entry) -> None:
    known = [*context.attributes, *context.hooks]
    lineage = context.lineage(kind)
    words = [name.split(".")[1] for name in known if name.split(".")[0] in lineage]
    context.add(problems.unknown_name(entry.name, entry.key.span, words, f"attribute or hook of {kind}"))


# Grids, graphs and scoring sets: declarations that builtins work on.


MOST_CELLS = 1000
_HEX_EVEN = ((0, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0))
_HEX_ODD = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, 0), (1, 1))
_SQUARE = ((0, 1), (-1, 0), (0, -1), (1, 0))


def read_grids(context: Context) -> None:
    """Make a kind of the cells of each grid, and the graph of their neighbours."""
    for entry in context.section("grid"):
        if isinstance(entry.value, Mapping):
            _read_grid(context, entry, entry.value)


def _read_grid(context: Context, entry: Entry, body: Mapping) -> None:
    columns, rows = _number(body, "columns"), _number(body, "rows")
    if columns < 1 or rows < 1 or columns * rows > MOST_CELLS:
        context.add(problems.wrong_declaration(f"a grid has 1 to {MOST_CELLS} cells", entry.key.span))
        columns = rows = 1
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    ids = tuple(f"{_letters(column)}{row + 1}" for row, column in cells)
    word = body.word("plural") or f"{entry.name}s"
    context.kinds[entry.name] = Kind(entry.name, word, entry.key.span, entry.name, ids, tuple(range(len(ids))))
    for member in ids:
        context.member_kinds[entry.name, member] = entry.name
        context.member_bodies[entry.name, member] = Mapping(entry.key.span)
    for name, values in (("row", [row + 1 for row, _ in cells]), ("column", [column + 1 for _, column in cells])):
        constants = tuple(Const(Number(value, value), entry.key.span, value) for value in values)
        context.attributes[f"{entry.name}.{name}"] = Attribute(
            f"{entry.name}.{name}", Number(), entry.key.span, (), constants
        )
    context.graphs[entry.name] = _graph_of_grid(entry.name, body, columns, rows)


def _graph_of_grid(name: str, body: Mapping, columns: int, rows: int) -> Graph:
    squares = body.word("cells") == "squares"
    shifted = 1 if body.word("odd_rows") != "left" else 0
    around = tuple(
        tuple(
            _cell(row + down, column + right, columns, rows)
            for down, right in (_SQUARE if squares else _HEX_ODD if row % 2 == shifted else _HEX_EVEN)
        )
        for row in range(rows)
        for column in range(columns)
    )
    neighbours = tuple(tuple(sorted(cell for cell in cells if cell is not None)) for cells in around)
    edges = frozenset(number for number, cells in enumerate(around) if None in cells)
    return Graph(name, name, neighbours, around, edges)


def _cell(row: int, column: int, columns: int, rows: int) -> int | None:
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else None


def _letters(column: int) -> str:
    return chr(ord("a") + column) if column < 26 else _letters(column // 26 - 1) + _letters(column % 26)


def read_graphs(context: Context) -> None:
    """Read which members of a kind border which."""
    for entry in context.section("graph"):
        if isinstance(entry.value, Mapping):
            _read_graph(context, entry, entry.value)


def _read_graph(context: Context, entry: Entry, body: Mapping) -> None:
    kind = context.kinds.get(body.word("of"))
    if kind is None:
        at = body.get("of") or entry.key
        context.add(problems.unknown_name(body.word("of"), at.span, context.kinds, "kind"))
        return
    size = len(context.family(kind.name).members)
    borders: list[set[int]] = [set() for _ in range(size)]
    for link in body.sequence("links"):
        ends = [_end(context, kind, each) for each in link] if isinstance(link, Sequence) else []
        if len(ends) != 2:
            context.add(problems.wrong_declaration("a link joins two members", link.span))
        elif ends[0] is not None and ends[1] is not None:
            borders[ends[0]].add(ends[1])
            borders[ends[1]].add(ends[0])
    context.graphs[entry.name] = Graph(entry.name, kind.name, tuple(tuple(sorted(each)) for each in borders))


def _end(context: Context, kind: Kind, node: Node) -> int | None:
    name = word_of(node)
    if name not in kind.members:
        context.add(problems.unknown_name(name, node.span, kind.members, kind.name))
        return None
    return kind.places[kind.members.index(name)]


def read_sets(context: Context) -> None:
    """Read the scoring sets."""
    for entry in context.section("sets"):
        shapes = tuple(
            SetShape(max(1, _number(each, "size")), _number(each, "worth"), each.flag("alike"), each.flag("different"))
            for each in entry.body.sequence("shapes")
            if isinstance(each, Mapping)
        )
        context.sets[entry.name] = Sets(entry.name, shapes, _number(entry.body, "wild_per_set"))


def _number(body: Mapping, key: str) -> int:
    node = body.get(key)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else 0
