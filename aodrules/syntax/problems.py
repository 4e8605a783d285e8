"""Every message about the text and shape of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aodrules.source.diagnostics import Diagnostic, Fix, Label, Note, error
from aodrules.source.spans import Span
from aodrules.source.wording import join, nearest, quote, quotes
from aodrules.syntax.tree import Mapping, Node, Scalar
from aodrules.syntax.tree import Sequence as Items

DEEPEST = 60
MOST_NODES = 100_000
_CURE = "put it in quotes or on a line of its own"


# Why a text cannot be read: message, label and help.
_REASONS: dict[str, tuple[str, str, str | None]] = {
    "tab": ("a tab stands where only spaces count", "a tab", "indent with spaces"),
    "unclosed": ("{sign} is not closed", "opened here", "close it, or check the brackets and commas inside it"),
    "unopened": ("{sign} closes nothing", "nothing to close", "check the brackets before it"),
    "bracket": ("expected a comma or a closing bracket, found {rest}", "unexpected", "check commas and quotes"),
    "apostrophe": ("the quote ends the text here", "the text goes on", "put it in double quotes"),
    "no-space": ("a space is missing in {word}", "no space after the colon", "write a space after the colon"),
    "deeper": (
        "{rest} stands deeper than the line above, which has its value already",
        "too deep",
        "begin both lines in one column",
    ),
    "quote": ("{sign} is not closed", "opened here", "close it with the same quote"),
    "escape": ("{pair} means nothing inside double quotes", "not known", "use single quotes"),
    "colon": ("a second colon stands on one line", "a colon here begins a value", "put the text around it in quotes"),
    "no-value": ("no value follows this colon", "nothing after it", "write the value, or put the text in quotes"),
    "no-colon": ("expected a colon after {rest}", "no colon follows", "end the key with a colon"),
    "no-colon-above": ("expected a colon in the line before {rest}", "no key above", "end the line above with a colon"),
    "long-key": ("{rest} is too long for a key", "longer than 1,000 characters", "give it a shorter name"),
    "start": ("{sign} cannot begin a word", "has another meaning in YAML", "put the text in quotes"),
    "indent": ("{rest} does not fit the lines around it", "unexpected", "begin lines of one group in one column"),
    "after": ("expected the end of the line, found {rest}", "unexpected", "put the whole of it in quotes"),
    "end": ("the document ends too early", "more is expected", "check that everything is closed"),
    "other": ("{rest} cannot be read as YAML", "not understood", None),
}


def invalid_yaml(at: Span, reason: str, fix: Fix | None = None) -> Diagnostic:
    """The text cannot be read as YAML."""
    message, label, cure = _REASONS[reason]
    rest = at.source.line(at.line)[at.column - 1 :]
    word = quote(re.split(r"[\s,\[\]{}]", rest, maxsplit=1)[0])
    message = message.format(sign=quote(rest[:1]), pair=quote(rest[:2]), word=word, rest=quote(rest))
    return error(
        "invalid-yaml", message, at=at, label=label, help=cure, fix=_replace_tabs(at) if reason == "tab" else fix
    )


def _replace_tabs(at: Span) -> Fix:
    """Return the cure of a line that is indented with tabs: two spaces for each."""
    line = at.source.line(at.line)
    white = line[: len(line) - len(line.lstrip())]
    return Fix(Span(at.source, at.line, 1, at.line, len(white) + 1), white.replace("\t", "  "))


def control_character(at: Span, sign: str) -> Diagnostic:
    """A sign that has no place in a text."""
    return error(
        "control-character", f"expected text, found the control character U+{ord(sign):04X}", at=at, label="not text"
    )


def empty_document(at: Span) -> Diagnostic:
    """A document that says nothing."""
    return error(
        "empty-document",
        "expected declarations or edits, found an empty document",
        at=at,
        help="begin it with `variant: NAME`, or with what `aodrules new NAME` writes",
    )


def document_too_deep(at: Span) -> Diagnostic:
    """Too much inside each other."""
    return error("document-too-deep", f"expected at most {DEEPEST} levels inside each other, found more", at=at)


def document_too_large(at: Span) -> Diagnostic:
    """Too many keys, values and lists."""
    return error(
        "document-too-large",
        f"expected at most {MOST_NODES:,} keys, values and lists in one document, found more",
        at=at,
        help="cut the document into several files",
    )


def duplicate_key(first: Scalar, second: Scalar) -> Diagnostic:
    """One key twice in one place."""
    return error(
        "duplicate-key",
        f"{quote(second.text)} is written twice in one place",
        at=second.span,
        label="written again",
        also=[Label(first.span, "written first")],
        help=f"put what stands under both under one {quote(second.text)}",
    )


def forbidden_yaml_feature(at: Span, feature: str, help: str | None = None) -> Diagnostic:  # noqa: A002 - as in `error`
    """A part of YAML that the rules language leaves out."""
    return error(
        "forbidden-yaml-feature",
        f"{feature} have no place in rules",
        at=at,
        label="not part of the language",
        help=help,
    )


def ambiguous_scalar(at: Span, text: str, integer: str | None) -> Diagnostic:
    """A word that looks like a number, but not like one of ours."""
    first = "numbers are whole: write one without a point" if _DECIMAL.fullmatch(text) else None
    first = first if integer is None else f"write {quote(integer)}"
    cure = "put it in quotes if it is text"
    if _LONG.fullmatch(text):
        first = "write a smaller number"
    return error(
        "ambiguous-scalar",
        f"expected a whole number or text, found {quote(text)}",
        at=at,
        label="too long for a number" if _LONG.fullmatch(text) else "could be read in two ways",
        help=cure if first is None else f"{first}, or {cure}",
        fix=None if integer is None else Fix(at, integer),
    )


_DECIMAL = re.compile(r"-?[0-9]+\.[0-9]+")
_LONG = re.compile(r"-?[1-9][0-9]+")


def unquoted_expression(at: Span, cut: str, sign: str, whole: str | None, fix: Fix | None) -> Diagnostic:
    """An expression that YAML ends too early."""
    message = f"the {'comma' if sign == ',' else quote(sign)} ends {quote(cut)} here"
    cure = f"put {quote(whole)} in quotes or on a line of its own" if whole else f"if the two belong together, {_CURE}"
    return error("unquoted-expression", message, at=at, label="cut off", help=cure, fix=fix)


def missing_value(
    key: Scalar, at: Span, expected: str | None = None, help_: str | None = None, *, comma: bool = False
) -> Diagnostic:
    """A key with nothing after it."""
    wanted = "a value" if expected is None else expected
    first = f"a comma starts a new key: if this belongs to what stands before, {_CURE}" if comma else _indent(key)
    return error(
        "missing-value",
        f"expected {wanted} under {quote(key.text)}, found nothing",
        at=at,
        label="nothing is written here",
        help=first or help_,
    )


def _indent(key: Scalar) -> str | None:
    """Return the help for a key whose value seems to stand below it, in the same column."""
    source, start = key.span.source, " " * (key.span.column - 1)
    below = next((line for line in source.lines[key.span.line :] if line.strip()), "")
    alone = source.line(key.span.line).strip() == f"{key.text}:"
    is_beside = below.startswith(start) and below[len(start) :][:1] not in ("", " ", "#")
    return f"indent the lines below it that belong to {quote(key.text)}" if alone and is_beside else None


def unknown_key(key: Scalar, place: str, known: Sequence[str], lacking: Sequence[str] = ()) -> Diagnostic:
    """A key that is not known in this place; one that is missing there may be meant."""
    found = nearest(key.text, known)
    notes = [] if found else [Note(f"known here are {quotes(known)}")]
    if lacking and found is not None and found not in lacking:
        notes.insert(0, Note(f"{quotes(lacking, 'or')} is missing"))
    instead = f"write {quotes(lacking, 'or')} instead" if lacking else None
    return error(
        "unknown-key",
        f"{place} has no {quote(key.text)}",
        at=key.span,
        label="not known here",
        help=instead if found is None else f"did you mean {quote(found)}?",
        notes=notes,
        fix=None if found is None else Fix(key.span, found),
    )


def missing_key(at: Span, place: str, wanted: Sequence[str]) -> Diagnostic:
    """A key that must be there is not."""
    cure = f"add `{wanted[0]}: ...` beside it" if len(wanted) == 1 else f"add one of them, such as `{wanted[0]}: ...`"
    return error(
        "missing-key",
        f"{place} lacks {quotes(wanted, 'or')}",
        at=at,
        label=f"{quotes(wanted, 'or')} is missing",
        help=cure,
    )


def conflicting_keys(first: Scalar, second: Scalar, place: str) -> Diagnostic:
    """Two keys of which only one can stand."""
    return error(
        "conflicting-keys",
        f"{quote(first.text)} and {quote(second.text)} cannot stand together in {place}",
        at=second.span,
        label="only one of them",
        also=[Label(first.span)],
    )


def missing_head(key: Scalar) -> Diagnostic:
    """Edits in a document that does not say what it is."""
    return error(
        "missing-head",
        f"{quote(key.text)} stands in a document that is no edition, variant or module",
        at=key.span,
        label="an edit",
        help="begin the document with `variant: NAME`",
    )


def wrong_shape(
    at: Span,
    expected: str,
    found: Node,
    words: Sequence[str] = (),
    help_: str | None = None,
    *,
    wants_list: bool = False,
    is_flag: bool = False,
) -> Diagnostic:
    """Something of another shape than this place takes; `words` are the few that it takes, if so."""
    near = nearest(found.text, words) if isinstance(found, Scalar) else None
    if isinstance(found, Scalar) and near is None:
        near = _FLAGS.get(found.text.lower()) if is_flag else _range(found.text) if "range" in expected else None
    cure = "begin each item with `- `, or put `[...]` around them" if wants_list else help_
    return error(
        "wrong-shape",
        f"expected {expected}, found {_describe(found)}",
        at=at,
        label=f"expected {expected}",
        help=cure if near is None else f"did you mean {quote(near)}?",
        fix=Fix(at, near) if near is not None else _in_brackets(found) if wants_list else None,
    )


def _range(text: str) -> str | None:
    """Return a range that is written with another sign, as one writes it here."""
    found = re.fullmatch(r"([0-9]+) *(?:-|to|\.{3}) *([0-9]+)", text)
    return None if found is None else f"{found[1]}..{found[2]}"


_FLAGS = {"yes": "true", "on": "true", "true": "true", "no": "false", "off": "false", "false": "false"}


def _in_brackets(node: Node) -> Fix | None:
    """Return the cure that makes a list of one thing, if that stands on one line and is all there is."""
    span = node.span
    written = span.source.line(span.line)[span.column - 1 : span.end_column - 1]
    is_whole = written.startswith("{") and written.endswith("}")
    if span.line != span.end_line or not written or not (isinstance(node, Scalar) or is_whole):
        return None
    return Fix(span, f"[{written}]")


def malformed_name(name: Scalar, rule: str, pattern: str | None = None) -> Diagnostic:
    """A name that cannot be used as one; the pattern is that of the names which can."""
    cure = next((each for each in _forms(name.text) if pattern and re.search(pattern, each)), None)
    return error(
        "malformed-name",
        f"{quote(name.text)} is not a name",
        at=name.span,
        label=rule,
        help=None if cure is None else f"write {quote(cure)}",
        fix=None if cure is None else Fix(name.span, cure),
    )


def _forms(name: str) -> list[str]:
    """Return a name with other signs between its words, and in small letters."""
    words = re.sub(r"[^0-9A-Za-z]+", " ", name).strip()
    return [words.replace(" ", sign) for sign in "_-"] + [words.lower().replace(" ", sign) for sign in "_-"]


def _describe(node: Node) -> str:
    """Return in words what an author wrote."""
    if isinstance(node, Items):
        return "a list" if len(node) else "an empty list"
    if isinstance(node, Mapping):
        keys = [quote(entry.name) for entry in node][:2]
        return f"the {'key' if len(keys) == 1 else 'keys'} {join(keys)}" if keys else "`{}`"
    if node.value is None:
        return "nothing"
    noun = {bool: "", int: "the number "}.get(type(node.value), "the text ")
    return f"{noun}{quote(node.text)}"
