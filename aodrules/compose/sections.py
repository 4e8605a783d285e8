"""What a document says once for many declarations, put into each of them: columns of members, and clauses."""

from __future__ import annotations

from collections.abc import Iterable

from aodrules.compose import problems
from aodrules.compose.addresses import FIXED_KINDS, UNPLAYED_KINDS
from aodrules.compose.declarations import long_form, long_tree
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.syntax.problems import missing_value
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, items_of

CLAUSES, COLUMNS = "clauses", "columns"
_OTHERS = UNPLAYED_KINDS | {"game", "state", "effects"}
"""The parts of a document that are no declarations by id, or that play does not depend on."""


def spread_document(root: Mapping, report: Report) -> Mapping:
    """Return the declarations of a document in the long form, with all that is said once put where it belongs.

    What the document itself cites stands for the declarations in it that cite nothing.
    """
    said = _clauses_in(root)
    sections = []
    for entry in spread_sections(root.without(CLAUSES), report):
        body = entry.value
        if said and isinstance(body, Mapping) and entry.name not in _OTHERS:
            uncited = (Entry(each.key, _cite(each.value, said)) for each in body if CLAUSES not in each.body)
            body = Mapping(body.span, {**body.entries, **{each.name: each for each in uncited}})
        sections.append(Entry(entry.key, body))
    return long_tree(Mapping.of(root.span, sections))


def spread_sections(root: Mapping, report: Report) -> Mapping:
    """Return sections of declarations in which each has the clauses and columns that stand beside it."""
    return Mapping.of(root.span, (Entry(each.key, _spread_section(each, report)) for each in root))


def _spread_section(section: Entry, report: Report) -> Node:
    node = section.value
    if not isinstance(node, Mapping) or section.name in _OTHERS or "." in section.name:
        return node
    if section.name not in FIXED_KINDS:
        node = _with_rows(node, None, report)
    said = _clauses_in(node)
    if not said:
        return node
    entries = (each for each in node if each.name != CLAUSES)
    return Mapping.of(node.span, (Entry(each.key, _add_clauses(section.name, each, said)) for each in entries))


def _add_clauses(section: str, entry: Entry, said: tuple[Scalar, ...]) -> Node:
    """Return the body of a declaration with the clauses that stand beside it; an address inside of one as it is."""
    body = entry.value
    return body if "." in entry.name else _cite(long_form(body, (section, entry.name), entry.key), said)


def _cite(node: Node, said: tuple[Scalar, ...]) -> Node:
    """Return a body that cites clauses beside its own."""
    if not isinstance(node, Mapping):
        return node
    together = {clause.text: clause for clause in (*said, *_clauses_in(node))}
    span = said[0].span if CLAUSES not in node else node.need(CLAUSES).span
    return node.with_entry(Entry.of(CLAUSES, Sequence(span, tuple(together.values()))))


def _clauses_in(node: Mapping) -> tuple[Scalar, ...]:
    named = node.get(CLAUSES)
    items: Iterable[Node] = () if named is None else items_of(named)
    return tuple(each for each in items if isinstance(each, Scalar) and not each.is_empty)


# Members in rows.


def _with_rows(members: Mapping, outer: Sequence | None, report: Report) -> Mapping:
    """Return members of which those written as a row have an attribute for each column."""
    columns = _columns(members, report) or outer
    entries = [each for each in members if each.name != COLUMNS]
    rows = [] if columns is not None else [each for each in entries if _is_row(each)]
    if rows:
        # One mistake, one message: the other rows lack the same columns, or belong to the first, which stands empty.
        report.add(_no_columns(rows[0]))
        entries = [each for each in entries if each not in rows[1:]]
    return Mapping.of(members.span, (Entry(each.key, _member(each, columns, report)) for each in entries))


def _is_row(entry: Entry) -> bool:
    return not isinstance(entry.value, Mapping) and entry.name != CLAUSES and "." not in entry.name


def _no_columns(entry: Entry) -> Diagnostic:
    row = entry.value
    if isinstance(row, Scalar) and row.is_empty:
        return missing_value(entry.key, row.span, "a member")
    return problems.wrong_row(entry.name, row, None)


def _columns(node: Mapping, report: Report) -> Sequence | None:
    columns, first = node.get(COLUMNS), dict[str, Scalar]()
    if not isinstance(columns, Sequence):
        return None
    for name in (each for each in columns if isinstance(each, Scalar)):
        if first.setdefault(name.text, name) is not name:
            report.add(problems.duplicate_declaration(f"{COLUMNS}.{name.text}", name.span, first[name.text].span))
    return columns


def _member(entry: Entry, columns: Sequence | None, report: Report) -> Node:
    body = entry.value
    if isinstance(body, Mapping):
        return _group(body, columns, report)
    if not _is_row(entry):
        return body
    cells, names = items_of(body), () if columns is None else columns.items
    if columns is not None and len(cells) != len(names):
        report.add(problems.wrong_row(entry.name, body, columns))
    cells_by_name = zip(names, cells, strict=False)
    return Mapping.of(body.span, (Entry(name, cell) for name, cell in cells_by_name if isinstance(name, Scalar)))


def _group(body: Mapping, columns: Sequence | None, report: Report) -> Mapping:
    """Return a member as it is; of one that stands for many, with its rows in the long form."""
    rows = body.get("each")
    if not isinstance(rows, Mapping):
        return body
    said = _clauses_in(body)
    rows = _with_rows(rows, _columns(body, report) or columns, report)
    cited = (Entry(row.key, _cite(row.value, said) if said and CLAUSES in row.body else row.value) for row in rows)
    return body.without(COLUMNS).with_entry(Entry(body.key("each"), Mapping.of(rows.span, cited)))
