"""From what a document says at length to the short forms of the same: replacements in its text, comments kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from aodrules.authoring.check_files import offsets, overlap
from aodrules.authoring.comments import find_comments
from aodrules.compose.addresses import FIXED_KINDS, META_KEYS, PARAMETER_LISTS, UNPLAYED_KINDS
from aodrules.compose.declarations import long_form
from aodrules.compose.sections import CLAUSES, COLUMNS, spread_document, spread_sections
from aodrules.errors import InternalError
from aodrules.source.diagnostics import Fix, Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.documents import HEAD_KINDS
from aodrules.syntax.tree import Entry, Mapping, Node, Plain, Scalar, Sequence, walk
from aodrules.syntax.yaml_reader import read_yaml

_FEWEST_ROWS, _MOST_COLUMNS = 4, 6
"""A table has so many members at least and so many columns at most: else the names help more than they take."""
_NEVER_COLUMNS = META_KEYS | {"each", "remembers", "description"}
_OF_DECISIONS = META_KEYS | {"given", "optional", "otherwise", "again", "option", "use"}
"""What means something else in a decision than in its option, or is not said there."""


def shorten(root: Mapping) -> Mapping:
    """Return a document in short forms where its long form is the same.

    A document that cannot be brought into the long form is left as it is.
    """
    while True:
        meant = meaning_of(root)
        fixes = [] if meant is None else _without_overlaps(_Shortener(root).fixes())
        if not fixes:
            return root
        source = root.span.source
        again = read_yaml(Source(source.path, _replaced(source.text, fixes)), Report())
        if again is None or meaning_of(again) != meant:
            raise InternalError(f"{source.path} would mean something else in short forms")
        root = again


def meaning_of(root: Mapping) -> Plain | None:
    """Return the long form of a document without places; nothing where it cannot be made."""
    report = Report()
    if not any(kind in root for kind in HEAD_KINDS):
        found: Plain = spread_document(root, report).plain()
    else:
        found = {entry.name: _meaning_of_edits(entry, report) for entry in root}
    return None if report.has_errors else found


def _meaning_of_edits(entry: Entry, report: Report) -> Plain:
    if entry.name == "with":
        return {each.name: [_meaning_of_edits(one, report) for one in each.body] for each in entry.body}
    spread = Entry(entry.key, spread_sections(entry.body, report)) if entry.name == "add" else entry
    return [long_form(body, path, key).plain() for body, path, key in _edited(spread)]


def _edited(entry: Entry) -> Iterator[tuple[Node, tuple[str, ...], Scalar | None]]:
    """Iterate over the bodies that a part of a document with a head holds, each with the address it is for."""
    if entry.name in ("add", "change"):
        for each in entry.body:
            path = tuple(each.name.split("."))
            yield each.value, path, Scalar(each.key.span, path[-1], path[-1])
    elif entry.name == "effects":
        yield entry.value, ("effects", ""), None
    elif entry.name == "insert":
        yield entry.value, ("verb", "", "do"), None
    else:
        yield entry.value, ("text",), None


def _without_overlaps(groups: Iterable[list[Fix]]) -> list[Fix]:
    """Return the replacements of as many short forms as touch no other."""
    found: list[Fix] = []
    for group in groups:
        if not any(overlap(fix.span, other.span) for fix in group for other in found):
            found += group
    return found


def _replaced(text: str, fixes: list[Fix]) -> str:
    for fix in sorted(fixes, key=lambda each: each.span.sort_key, reverse=True):
        start, end = offsets(text, fix.span)
        text = text[:start] + fix.replacement + text[end:]
    return text


@define(eq=False)
class _Shortener:
    """One document, and the lines of it that have a comment."""

    root: Mapping
    _comments: frozenset[int] = field(init=False)
    _is_addition: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self._comments = frozenset(find_comments(self.root))

    def fixes(self) -> Iterator[list[Fix]]:
        """Iterate over what can be said shorter, each with the replacements that belong together."""
        if not any(kind in self.root for kind in HEAD_KINDS):
            yield from self._inside(self.root, ())
            return
        edits = [self.root, *(each.body for each in self.root.mapping("with"))]
        for part in (entry for each in edits for entry in each if entry.name != "with"):
            # An option or parameter that is added may be one more of something that exists.
            self._is_addition = part.name == "add"
            for body, path, key in _edited(part):
                if key is not None:
                    yield from self._at(Entry(key, body), path)
                yield from self._inside(body, path)

    def _inside(self, node: Node, path: tuple[str, ...]) -> Iterator[list[Fix]]:
        if path and path[0] in UNPLAYED_KINDS:
            return
        if isinstance(node, Sequence):
            for item in node:
                yield from self._inside(item, (*path, ""))
        elif isinstance(node, Mapping):
            for entry in node:
                here = (*path, entry.name)
                yield from self._at(entry, here)
                yield from self._inside(entry.value, here)

    def _at(self, entry: Entry, path: tuple[str, ...]) -> Iterator[list[Fix]]:
        forms = (self._table(entry, path), self._only_answer(entry, path), self._word(entry, path))
        yield from (found for found in forms if found)

    def _word(self, entry: Entry, path: tuple[str, ...]) -> list[Fix]:
        """Return how one clause, parameters named by their types or a condition under its clause is written."""
        node = entry.value
        if isinstance(node, Scalar) or not self._is_plain_flow(node):
            return []
        if path[-1] == CLAUSES and isinstance(node, Sequence) and len(node) == 1:
            return [Fix(node.span, _written(node.items[0]))]
        if not isinstance(node, Mapping):
            return []
        texts = {each.name: each.value.text for each in node if isinstance(each.value, Scalar)}
        is_list = path[-1] in PARAMETER_LISTS and len(node) > 0 and not self._is_addition
        if is_list and all(texts.get(each.name) == each.name and not each.key.quoted for each in node):
            return [Fix(node.span, f"[{', '.join(texts)}]")]
        is_reason = path[-2:-1] == ("where",) and not path[-1].isidentifier()
        if is_reason and texts.keys() == {"is", "else"} == set(node.entries) and texts["else"] == path[-1]:
            return [Fix(node.span, _written(node.need("is")))]
        return []

    # Tables of members.

    def _table(self, entry: Entry, path: tuple[str, ...]) -> list[Fix]:
        """Return how members that say the same of themselves are written as rows under columns."""
        section = entry.value
        if len(path) != 1 or path[0] in FIXED_KINDS or not isinstance(section, Mapping) or self._is_flow(section):
            return []
        members = [each for each in section if each.name != CLAUSES]
        columns = _columns(members)
        is_table = columns and all(self._is_plain_flow(each.value) for each in members)
        shared = {_clauses_of(each) for each in members}
        if not is_table or COLUMNS in section or len(shared) > 1 or (CLAUSES in section and shared != {""}):
            return []
        first = members[0].key.span
        # Values that stand in one column go on to do so, with the names of the columns.
        is_aligned = len({each.value.span.column for each in members}) == 1
        width = max(len(each.name) for each in (*members, Entry.of(COLUMNS, section))) if is_aligned else 0
        lines = [f"{f'{COLUMNS}:':<{width + 1}} [{', '.join(columns)}]"]
        lines = [*(f"{CLAUSES}: {each}" for each in shared if each), *lines]
        indent = " " * (first.column - 1)
        start = Span(first.source, first.line, first.column, first.line, first.column)
        rows = [Fix(_behind(each.key.span, each.value.span), _row(each, columns, width)) for each in members]
        return [Fix(start, "".join(f"{line}\n{indent}" for line in lines)), *rows]

    # Decisions with one answer.

    def _only_answer(self, entry: Entry, path: tuple[str, ...]) -> list[Fix]:
        """Return how a decision with one option is written as that option."""
        options = entry.body.get("options")
        if self._is_addition or path[:-1] != ("decision",) or not isinstance(options, Mapping) or len(options) != 1:
            return []
        (option,) = options
        body = option.body
        if "do" not in body or any(key in _OF_DECISIONS for key in body.entries):
            return []
        if any(each.name not in _OF_DECISIONS and each.name != "options" for each in entry.body):
            return []
        named = [] if option.name == path[-1] else [f"option: {option.name}"]
        key = entry.body.key("options").span
        if self._is_flow(options):
            if not self._is_plain_flow(options):
                return []
            parts = [*named, *(f"{each.name}: {_written(each.value)}" for each in body)]
            between = ", " if self._is_flow(entry.body) else "\n" + " " * (key.column - 1)
            return [Fix(_from_to(key, options.span), between.join(parts))]
        return self._opened(key, option, named) if not self._is_flow(body) else []

    def _opened(self, key: Span, option: Entry, named: list[str]) -> list[Fix]:
        """Return how the lines of an option stand where its decision says `options`: as far in as that."""
        nodes = [each for part in option.body for each in (part.key, *walk(part.value))]
        if any(isinstance(each, Scalar) and each.block for each in nodes):
            return []
        begin = next(iter(option.body)).key.span
        last = max((each.span for each in nodes), key=lambda span: (span.end_line, span.end_column))
        if any(line in self._comments for line in range(key.line, begin.line)):
            return []
        lines = key.source.lines[begin.line - 1 : last.end_line]
        body = "\n".join(
            [lines[0][begin.column - 1 :], *(_dedented(line, begin.column - key.column) for line in lines[1:])]
        )
        cut = len(lines[-1]) - (last.end_column - 1)
        text = "\n".join([*named, ""]) + " " * (key.column - 1) * bool(named) + body
        return [Fix(_from_to(key, last), text[: len(text) - cut] if cut else text)]

    def _is_flow(self, node: Node) -> bool:
        return self.root.span.source.line(node.span.line)[node.span.column - 1 : node.span.column] in ("{", "[")

    def _is_plain_flow(self, node: Node) -> bool:
        """Whether a node stands in braces or brackets on one line."""
        return self._is_flow(node) and node.span.line == node.span.end_line


def _columns(members: list[Entry]) -> tuple[str, ...]:
    """Return the attributes that all of some members have in one order; none if that makes no table."""
    if len(members) < _FEWEST_ROWS or any(not isinstance(each.value, Mapping) for each in members):
        return ()
    names = {tuple(name for name in each.body.entries if name != CLAUSES) for each in members}
    cells = (cell for each in members for cell in each.body if cell.name != CLAUSES)
    if len(names) > 1 or any(not isinstance(cell.value, Scalar) or cell.value.is_empty for cell in cells):
        return ()
    (columns,) = names
    is_short = 0 < len(columns) <= _MOST_COLUMNS
    return columns if is_short and not any(name in _NEVER_COLUMNS for name in columns) else ()


def _clauses_of(member: Entry) -> str:
    clauses = member.body.get(CLAUSES)
    return "" if clauses is None else _written(clauses)


def _row(member: Entry, columns: tuple[str, ...], width: int) -> str:
    """Return a member as a row, from the colon behind its id."""
    cells = [_written(member.body.need(name)) for name in columns]
    row = cells[0] if len(cells) == 1 else f"[{', '.join(cells)}]"
    return f":{' ' * max(1, width - len(member.name) + 1)}{row}"


def _behind(key: Span, value: Span) -> Span:
    return Span(key.source, key.end_line, key.end_column, value.end_line, value.end_column)


def _written(node: Node) -> str:
    """Return what stands in the source on one line."""
    span = node.span
    return span.source.line(span.line)[span.column - 1 : span.end_column - 1]


def _from_to(first: Span, last: Span) -> Span:
    return Span(first.source, first.line, first.column, last.end_line, last.end_column)


def _dedented(line: str, width: int) -> str:
    """Return a line so much less far in; one that is not so far in loses what it has."""
    return line[min(width, len(line) - len(line.lstrip(" "))) :]
