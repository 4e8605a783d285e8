"""Strict YAML: a text as a tree in which every node knows its place.

Built from the parser's events, so that what the language leaves out (anchors, tags, duplicate keys) is still seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml
from attrs import define, field
from yaml import AliasEvent, CollectionStartEvent, MappingEndEvent, ScalarEvent, SequenceEndEvent, SequenceStartEvent
from yaml.scanner import ScannerError

from aodrules.source import problems as source_problems
from aodrules.source.diagnostics import Report
from aodrules.source.disk import LARGEST_FILE
from aodrules.source.files import normalize_line_ends
from aodrules.source.spans import Source, Span
from aodrules.syntax import problems
from aodrules.syntax.scalars import as_integer, is_ambiguous, meaning
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence
from aodrules.syntax.yaml_errors import (
    GLUED,
    expression_end,
    glued,
    is_identifier,
    is_open,
    next_sign,
    put_in_quotes,
    yaml_problem,
)

# Signs that turn the order of reading (U+202A to U+202E, U+2066 to U+2069) could show a rule as it is not.
_NOT_TEXT = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_MOST_CUTS = 100  # Each is looked at closely, which would take long in a hostile document.
_GLUED_COMMENT = re.compile(r"[|>][-+0-9]*#")
_TOKEN = re.compile(r"[&*!]\S*")


class _StoppedError(Exception):
    """Reading ended early; the reason is in the report."""


def read_yaml(source: Source, report: Report) -> Mapping | None:
    """Read one document; whatever is not strict YAML is reported.

    Returns nothing where no tree can be made. A tree that is returned may have gaps if the report has errors.
    """
    if "\r" in source.text or source.text.startswith("\ufeff"):
        source = Source(source.path, normalize_line_ends(source.text))
    if not _is_text_within_limits(source, report):
        return None
    try:
        root = _YamlReader(source, report).document()
    except _StoppedError:
        return None
    return _as_root(root, report)


def _is_text_within_limits(source: Source, report: Report) -> bool:
    """Return whether a text is neither too long nor full of signs that are no text."""
    found = _NOT_TEXT.search(source.text)
    if found is not None:
        line, column = source.place(found.start())
        report.add(problems.control_character(Span(source, line, column, line, column + 1), found.group()))
        return False
    size = len(source.text.encode())
    if size > LARGEST_FILE:
        report.add(source_problems.file_too_large(source.path, size))
        return False
    return True


def _as_root(root: Node | None, report: Report) -> Mapping | None:
    if isinstance(root, Mapping) or root is None:
        return root
    if isinstance(root, Scalar) and root.is_empty:
        report.add(problems.empty_document(root.span))
    else:
        report.add(problems.wrong_shape(root.span, "declarations or edits", root))
    return None


@define(eq=False)
class _YamlReader:
    """One reading of one text."""

    source: Source
    report: Report
    events: Iterator[Any] = field(init=False)
    nodes: int = 0
    cuts: int = 0
    mended_to: int = 0
    """Where the last expression that had been cut at a comma ends: what begins before is a part of it."""
    last: tuple[Any, Any] | None = None
    """The events with which the last value that was read starts and ends."""

    def __attrs_post_init__(self) -> None:
        self.events = self._watched()

    def _watched(self) -> Iterator[Any]:
        """Iterate over the events of the parser; what it cannot read is reported."""
        try:
            yield from yaml.parse(self.source.text, Loader=LOADER)
        except (yaml.YAMLError, ValueError, OverflowError) as error:  # The parser in Python lets some escapes through.
            last = None if self.last is None else (self.last[0].start_mark.index, self.last[1].end_mark.index)
            self.report.add(yaml_problem(error, self.source, last))
            raise _StoppedError from None

    def document(self) -> Node | None:
        """Return the one document of the text."""
        next(self.events)
        start = next(self.events)
        if isinstance(start, yaml.StreamEndEvent):
            return Scalar(Span(self.source, 1, 1, 1, 1), None, "")
        if start.version or start.tags:
            self._forbid(self._span(start, start), "directives")
        root = self._node(next(self.events), 1, in_flow=False)
        next(self.events)
        after = next(self.events)
        if not isinstance(after, yaml.StreamEndEvent):
            cure = "put each document into a file of its own"
            self._forbid(self._span(after, after), "several documents in one file", cure)
        return root

    def _forbid(self, at: Span, feature: str, cure: str | None = None) -> None:
        self.report.add(problems.forbidden_yaml_feature(at, feature, cure))

    def _node(self, event: Any, depth: int, *, in_flow: bool) -> Node:
        """Return what begins with an event, however deep it goes within the limits."""
        self.nodes += 1
        if self.nodes > problems.MOST_NODES:
            self.report.add(problems.document_too_large(self._span(event, event)))
            raise _StoppedError
        if isinstance(event, AliasEvent):
            self._forbid(self._token(event), "aliases", "write out what is meant")
            raise _StoppedError
        if event.anchor is not None:
            self._forbid(self._token(event, "&"), "anchors", "leave it out")
        if event.tag is not None:
            self._forbid(self._token(event, "!"), "tags", "leave it out")
        if isinstance(event, ScalarEvent):
            return self._scalar(event, in_flow=in_flow)
        # INVARIANT (bounded depth): checked before anything recurses.
        if depth > problems.DEEPEST:
            self.report.add(problems.document_too_deep(self._span(event, event)))
            raise _StoppedError
        in_flow = in_flow or bool(event.flow_style)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(event, depth, in_flow=in_flow)
        return self._mapping(event, depth, in_flow=in_flow)

    def _scalar(self, event: Any, *, in_flow: bool) -> Scalar:
        text = event.value
        self.last = (event, event)
        if event.style in {"|", ">"}:
            line, column = event.start_mark.line + 1, event.start_mark.column + 1
            glued = _GLUED_COMMENT.match(self.source.text, event.start_mark.index)
            if glued is not None:  # libyaml alone would take it
                at = column + len(glued.group()) - 1
                self.report.add(problems.invalid_yaml(Span(self.source, line, at, line, at + 1), "other"))
            return Scalar(Span(self.source, line, column, line, column + 1), text, text, block=True)
        span = self._span(event, event)
        if event.style:
            if escaped := _NOT_TEXT.search(text):
                self.report.add(problems.control_character(span, escaped.group()))
            return Scalar(span, text, text, quoted=True)
        if in_flow and self._is_cut(event):
            start = event.start_mark.index
            return self._report_cut(text, span, start, expression_end(self.source.text, start, in_flow=True))
        if not text[:1].isalpha() and is_ambiguous(text):
            self.report.add(problems.ambiguous_scalar(span, text, as_integer(text)))
            return Scalar(span, text, text)
        return Scalar(span, meaning(text), text)

    def _sequence(self, start: Any, depth: int, *, in_flow: bool) -> Sequence:
        items: list[Node] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            is_part = self._is_part(event)
            item = self._node(event, depth + 1, in_flow=in_flow)
            if not is_part:
                items.append(item)
        span = self._outer(start, event, items[-1] if items else None)
        return Sequence(span, tuple(items))

    def _mapping(self, start: Any, depth: int, *, in_flow: bool) -> Mapping:
        entries: dict[str, Entry] = {}
        while not isinstance(event := next(self.events), MappingEndEvent):
            is_part = self._is_part(event)
            key = self._key(event, depth, in_flow=in_flow)
            if in_flow and not is_part and next_sign(self.source.text, event.end_mark.index) != ":":
                is_part = True
                self._key_without_colon(event, key, entries)
            value = self._node(next(self.events), depth + 1, in_flow=in_flow)
            if not is_part:
                self._enter(entries, Entry(key, value))
        last = next(reversed(entries.values())).value if entries else None
        return Mapping(self._outer(start, event, last), entries)

    def _key(self, event: Any, depth: int, *, in_flow: bool) -> Scalar:
        if isinstance(event, CollectionStartEvent):
            self._forbid(self._span(event, event), "lists and groups as keys")
            raise _StoppedError
        key = self._node(event, depth, in_flow=in_flow)
        if not isinstance(key, Scalar) or key.value is None:
            self._forbid(key.span, "empty keys")
            raise _StoppedError
        return key

    def _enter(self, entries: dict[str, Entry], entry: Entry) -> None:
        name = entry.key.text
        first = entries.get(name)
        if name == "<<":
            self._forbid(entry.key.span, "merged keys", "write out what is meant")
        elif first is None:
            entries[name] = entry
        else:
            self.report.add(problems.duplicate_key(first.key, entry.key))

    # The comma slip: YAML ends an expression at its comma, and what follows looks like another key or item.

    def _is_part(self, event: Any) -> bool:
        return self.mended_to > 0 and bool(event.start_mark.index < self.mended_to)

    def _is_cut(self, event: Any) -> bool:
        if not is_open(event.value) or self._is_part(event):
            return False
        return next_sign(self.source.text, event.end_mark.index) == ","

    def _key_without_colon(self, event: Any, key: Scalar, entries: dict[str, Entry]) -> None:
        """Report a key that is no key: the rest of the value before it, or one whose value was forgotten."""
        before = next(reversed(entries.values()), None)
        value = before.value if before else None
        if self._is_part(event) or self._is_glued(key, entries):
            return
        if before is None or not isinstance(value, Scalar) or value.quoted or value.is_empty or is_identifier(key.text):
            self.report.add(problems.missing_value(key, key.span, comma=True))
            return
        start = sum(len(line) + 1 for line in self.source.lines[: value.span.line - 1]) + value.span.column - 1
        before.value = self._report_cut(value.text, value.span, start, event.end_mark.index)

    def _is_glued(self, key: Scalar, entries: dict[str, Entry]) -> bool:
        """Report a key that has no space behind its colon, and go on with what was meant."""
        found = None if key.quoted else GLUED.fullmatch(key.text)
        if found is None:
            return False
        cut, rest = found.end("key"), found["rest"]
        self.report.add(glued(key.span, cut))
        meant = Scalar(key.span.within(cut + 1, len(key.text)), meaning(rest), rest)
        self._enter(entries, Entry(Scalar(key.span.within(0, cut), found["key"], found["key"]), meant))
        return True

    def _report_cut(self, cut: str, span: Span, start: int, end: int | None) -> Scalar:
        """Report an expression that was cut, and return the whole of it where it is certain how far it goes."""
        self.cuts += 1
        if self.cuts > _MOST_CUTS:
            raise _StoppedError
        if end is None:
            self.report.add(problems.unquoted_expression(span, cut, ",", None, None))
            return Scalar(span, cut, cut)
        whole = " ".join(self.source.text[start:end].split())
        span = Span(self.source, span.line, span.column, *self.source.place(end))
        fix = put_in_quotes(span, self.source.text[start:end])
        self.report.add(problems.unquoted_expression(span, cut, ",", whole, fix))
        self.mended_to = end
        return Scalar(span, whole, whole)

    # Places.

    def _span(self, start: Any, end: Any) -> Span:
        first, last = start.start_mark, end.end_mark
        if last.line < len(self.source.lines):
            return Span(self.source, first.line + 1, first.column + 1, last.line + 1, last.column + 1)
        # libyaml adds a line end that the text may lack, and counts it.
        return Span(self.source, *self._point(first), *self._point(last))

    def _point(self, mark: Any) -> tuple[int, int]:
        if mark.line < len(self.source.lines):
            return mark.line + 1, mark.column + 1
        return self.source.place(len(self.source.text))

    def _outer(self, start: Any, end: Any, last: Node | None) -> Span:
        """Return the span of a list or of keys: up to its bracket, or in block style up to its last value."""
        self.last = (start, end)
        if start.flow_style or last is None:
            return self._span(start, end)
        first = start.start_mark
        return Span(self.source, first.line + 1, first.column + 1, last.span.end_line, last.span.end_column)

    def _token(self, event: Any, sign: str = "*") -> Span:
        """Return the span of the anchor, tag or alias with which an event begins."""
        line, column = event.start_mark.line + 1, event.start_mark.column
        for token in _TOKEN.finditer(self.source.line(line), column):
            if token.group().startswith(sign):
                return Span(self.source, line, token.start() + 1, line, token.end() + 1)
        return self._span(event, event)


# The parser of events: libyaml where there is one, else the parser in Python, made to agree with it.

_SPACES = "\0 \t\r\n\x85\u2028\u2029"
_FLOW_SIGNS = ",[]{}"


class PythonLoader(yaml.SafeLoader):
    """The parser in Python. In flow style it takes `Why?` as a word and refuses `a:` before a comma, like libyaml."""

    def scan_plain(self) -> Any:
        """Return the plain scalar that begins here."""
        chunks: list[str] = []
        spaces: list[str] = []
        start = end = self.get_mark()
        indent = self.indent + 1
        while self.peek() != "#":
            length = self._word_length()
            if length == 0:
                break
            self.allow_simple_key = False
            chunks += [*spaces, self.prefix(length)]
            self.forward(length)
            end = self.get_mark()
            spaces = self.scan_plain_spaces(indent, start) or []
            if not spaces or (not self.flow_level and self.column < indent):
                break
        return yaml.ScalarToken("".join(chunks), True, start, end)  # noqa: FBT003 - the parser's own signature

    def _word_length(self) -> int:
        """Return how many signs of a plain scalar follow without a space."""
        length = 0
        while (sign := self.peek(length)) not in _SPACES and not (self.flow_level and sign in _FLOW_SIGNS):
            follows = self.peek(length + 1)
            if sign == ":" and follows in _SPACES:
                break
            if sign == ":" and self.flow_level and follows in _FLOW_SIGNS + "?":
                self.forward(length)
                raise ScannerError("while scanning a plain scalar", None, "found unexpected ':'", self.get_mark())
            length += 1
        return length


LOADER: Any = getattr(yaml, "CSafeLoader", PythonLoader)
