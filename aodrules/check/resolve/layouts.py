"""The layout of pictures: its names are looked up, its outlines read, and nothing in it may be large without bounds.

Layouts come from anybody. What is drawn of them are numbers, outlines of this grammar, colours and ids; they name
nothing outside of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from aodrules.check import problems
from aodrules.check.context import Context
from aodrules.lang.types import Member, Piece, item_type
from aodrules.source.diagnostics import Diagnostic
from aodrules.source.spans import Span
from aodrules.source.wording import quote
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, items_of, word_of

OWN_COLOURS = ("ground", "panel", "slot", "line", "ink", "faint", "accent", "water", "land", "back", "none")
"""Colours that every picture has, light and dark, and the one that is not drawn."""
LARGEST = 10_000
"""The largest number of a layout, in units of its page."""
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
"""The commands of paths, and how many numbers each takes."""
_TOKENS = re.compile(r"\s*,?\s*(?:([A-Za-z])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?))\s*")


def read_layout(context: Context) -> dict[str, Any]:
    """Return the parts of the picture by id, as plain data that needs no further checks."""
    section = context.section("layout")
    for entry in section:
        if isinstance(entry.value, Mapping):
            _check_part(context, entry.value)
            _check_values(context, entry.value, section)
    return {entry.name: entry.value.plain() for entry in section}


def _check_part(context: Context, body: Mapping) -> None:
    """Check what only one sort of part has."""
    if "icon" in body:
        for each in items_of(body.need("of")):
            _check_thing(context, each)
            _check_number(context, word_of(each).partition(".")[0], body)
            _check_attributes(context, word_of(each).partition(".")[0], body.sequence("tells"))
    if "like" in body:
        for each in items_of(body.need("of")):
            _check_thing(context, each)
            _check_attributes(context, word_of(each).partition(".")[0], [body.need("like"), *body.sequence("tells")])
            _check_number(context, word_of(each).partition(".")[0], body)
    if "seat" in body:
        seats = tuple(map(word_of, context.section("game").sequence("seats")))
        _check_name(context, body.need("seat"), seats, "seat")
    if "slot" in body:
        names = [name.removeprefix("table.") for name in context.fields if name.startswith("table.")]
        address = body.need("slot")
        names += _values_of(context, ())
        _check_table(context, "table", word_of(address).removeprefix("table."), body)
        if word_of(address).removeprefix("table.") not in names:
            _tell_unknown(context, address, word_of(address).removeprefix("table."), names, "field of the table")
    for each in body.sequence("omit"):
        _check_name(context, each, context.fields, "field")
    if "group" in body:
        _check_group(context, body)


def _tell_unknown(context: Context, node: Node, name: str, known: Iterable[str], what: str) -> None:
    """Report a name that nothing declares, unless a variant took away what it named: then there is nothing to draw."""
    taken = {entry.address.rsplit(".", maxsplit=1)[-1] for entry in context.ruleset.origins if entry.action == "remove"}
    if name.rpartition(".")[2] not in taken:
        context.add(problems.unknown_name(name, node.span, known, what))


def _check_thing(context: Context, node: Node) -> None:
    kind, _, member = word_of(node).partition(".")
    if kind not in context.kinds:
        _tell_unknown(context, node, kind, context.kinds, "kind")
    elif member and member not in context.family(kind).members:
        known = [f"{kind}.{each}" for each in context.family(kind).members]
        _tell_unknown(context, node, word_of(node), known, "member")


def _check_number(context: Context, kind: str, body: Mapping) -> None:
    """Check that the number beside an icon is an attribute of the kind."""
    wanted = body.get("number")
    if wanted is not None:
        _check_attributes(context, kind, [wanted])


def _check_attributes(context: Context, kind: str, wanted: Iterable[Node]) -> None:
    if kind in context.kinds:
        known = [name.split(".")[1] for name in context.attributes if name.split(".")[0] in context.lineage(kind)]
        for each in wanted:
            _check_name(context, each, known, f"attribute of {kind}")


def _check_name(context: Context, node: Node, known: Iterable[str], what: str) -> None:
    if word_of(node) not in known:
        _tell_unknown(context, node, word_of(node), known, what)


def _check_group(context: Context, body: Mapping) -> None:
    kind = body.word("group")
    if kind != "player" and kind not in context.kinds:
        _check_name(context, body.need("group"), [*context.kinds, "player"], "kind")
        return
    seats = tuple(map(word_of, context.section("game").sequence("seats")))
    members = seats if kind == "player" else context.kinds[kind].members
    _check_slots(context, kind, body)
    for entry in body.mapping("places"):
        if entry.name not in members:
            _tell_unknown(context, entry.key, entry.name, members, kind)
        elif isinstance(entry.value, Mapping):
            _check_slots(context, kind, entry.value)


def _check_slots(context: Context, kind: str, body: Mapping) -> None:
    lineage = ("player",) if kind == "player" else context.lineage(kind)
    known = [*context.fields, *(name for name, each in context.attributes.items() if not each.per)]
    names = [name.split(".")[1] for name in known if name.count(".") == 1 and name.split(".")[0] in lineage]
    values = _values_of(context, lineage)
    for entry in body.mapping("slots"):
        if entry.name not in (*names, *values):
            _tell_unknown(context, entry.key, entry.name, [*names, *values], f"field or attribute of {kind}")
        if isinstance(entry.value, Mapping):
            for owner in lineage:
                _check_table(context, owner, entry.name, entry.value)
        spaces = entry.value.get("spaces") if isinstance(entry.value, Mapping) else None
        if isinstance(spaces, Scalar) and isinstance(spaces.value, str):
            _check_name(context, spaces, names, f"attribute of {kind}")


def _check_table(context: Context, owner: str, name: str, body: Mapping) -> None:
    """Check what tells the columns of a table apart, and what lies on the things there."""
    field, columns, laid = context.fields.get(f"{owner}.{name}"), body.get("columns"), body.get("with")
    item = None if field is None else item_type(field.type)
    if not isinstance(item, Member | Piece):
        return
    if columns is not None:
        _check_attributes(context, item.kind, [columns])
    told_apart = field.dimensions[-1] if field is not None and field.dimensions else None
    if "rows" in body and isinstance(told_apart, Member):
        _check_attributes(context, told_apart.kind, [body.need("rows")])
    if laid is not None:
        names = [each for each in context.fields if each.startswith(f"{owner}.")]
        _check_name(context, laid, [each.rpartition(".")[2] for each in names], f"field of {owner}")


def _values_of(context: Context, lineage: Iterable[str]) -> list[str]:
    """Return the values that take one of these and nothing else, or nothing at all if none is named."""
    found = []
    for name, signature in context.values.items():
        kinds = [getattr(each.type, "kind", str(each.type)) for each in signature.parameters if each.default is None]
        is_one = len(kinds) == len(signature.parameters) == 1 and kinds[0] in lineage
        if "." not in name and (is_one or not (lineage or signature.parameters)):
            found.append(name)
    return found


def _check_values(context: Context, body: Mapping, section: Mapping) -> None:
    """Check all numbers, colours and outlines of a part, wherever they stand in it."""
    for key, node in _scalars(body):
        if isinstance(node.value, int) and node.value > LARGEST:
            context.add(_too_large(node.span))
        elif key in ("fill", "line") and not node.text.startswith("#"):
            _check_colour(context, node, section)
        elif key in ("path", "icon", "outline"):
            wrong = wrong_outline(node.text)
            if wrong is not None:
                context.add(problems.wrong_declaration(f"this outline is not understood: {wrong}", node.span))


def _too_large(at: Span) -> Diagnostic:
    return problems.wrong_declaration(f"the numbers of a layout are at most {LARGEST:,}", at)


def _check_colour(context: Context, node: Scalar, section: Mapping) -> None:
    named = [entry.name for entry in section if isinstance(entry.value, Mapping) and "colour" in entry.value]
    _check_name(context, node, [*named, *OWN_COLOURS], "colour")


def _scalars(node: Node, key: str = "") -> Iterator[tuple[str, Scalar]]:
    """Iterate over all scalars inside a node, each with the key that it stands under."""
    if isinstance(node, Scalar):
        yield key, node
    elif isinstance(node, Mapping):
        for entry in node:
            yield from _scalars(entry.value, _key(entry))
    elif isinstance(node, Sequence):
        for item in node:
            yield from _scalars(item, key)


def _key(entry: Entry) -> str:
    return entry.name


def wrong_outline(text: str) -> str | None:
    """Return why a text is no outline: it begins with `M`, and each command has as many numbers as it takes."""
    command, numbers, place = "", 0, 0
    while place < len(text.rstrip()):
        found = _TOKENS.match(text, place)
        if found is None:
            return f"{quote(text[place : place + 10].strip())} is neither a command nor a number"
        place, letter = found.end(), found[1]
        if letter is None:
            numbers += 1
            if abs(float(found[2])) > LARGEST:
                return f"{quote(found[2])} is too large"
            continue
        wrong = _wrong_end(command, numbers)
        if wrong is not None or letter.upper() not in _NUMBERS or (not command and letter not in "Mm"):
            return wrong or (f"it begins with {quote('M')}" if not command else f"{quote(letter)} is no command")
        command, numbers = letter, 0
    return _wrong_end(command, numbers) if command else f"it begins with {quote('M')}"


def _wrong_end(command: str, numbers: int) -> str | None:
    """Return what is wrong with the numbers behind a command."""
    each = _NUMBERS[command.upper()] if command else 0
    is_right = numbers == 0 if each == 0 else numbers > 0 and numbers % each == 0
    return None if is_right else f"{quote(command or 'M')} takes {each} numbers"
