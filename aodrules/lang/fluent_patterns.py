"""Texts as Fluent reads and fills them: the only module that knows the packages of Fluent, and imported when needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from attrs import field, frozen
from fluent.runtime import FluentBundle
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Transformer

from aodrules.lang.forms import CASE, COUNT, FORM, PatternProblem
from aodrules.source.wording import quotes

_INFLECTS = "INFLECTS"
_FUNCTIONS = (FORM, _INFLECTS, "NUMBER")
_VARIANT = re.compile(r"\*?\[\s*[A-Za-z0-9._-]+\s*\]")
_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"?')
_SHOWN = "-shown"  # beside a number to choose by: how it is written, so that nobody else writes it otherwise


# Filling.


@frozen(eq=False)
class FluentFillers:
    """What fills texts, by language: texts of one language share what is known of it."""

    _bundles: dict[str, FluentBundle] = field(factory=dict)
    _made: list[FluentFiller] = field(factory=list)

    def make(self, text: str, language: str) -> FluentFiller | None:
        """Return what fills a text; nothing for one that cannot be read."""
        read = read_text(text)
        if read.problems or read.message is None:
            return None
        if language not in self._bundles:
            self._bundles[language] = _bundle(language)
        self._made.append(FluentFiller(read, read.message, self._bundles[language], len(self._made)))
        return self._made[-1]


class FluentFiller:
    """Fills one text by Fluent; what came out for the same arguments before is not worked out again."""

    def __init__(self, read: FluentText, message: ast.Message, bundle: FluentBundle, number: int) -> None:
        self._bundle = bundle
        self._parameters = tuple(read.parameters)
        self._known: dict[tuple[Any, ...], str] = {}
        key = f"m{number}"
        bundle.add_resource(ast.Resource([ast.Message(ast.Identifier(key), message.value)]))
        self._pattern = bundle.get_message(key).value

    def __call__(self, arguments: Mapping[str, Any]) -> str:
        """Return the text with its arguments in their places."""
        given = tuple(arguments.get(name, _absent(name)) for name in self._parameters)
        key = tuple((str(each), type(each), getattr(each, "_fill", None)) for each in given)
        if key not in self._known:
            if len(self._known) > 2000:
                self._known.clear()
            self._known[key] = self._fill(given)
        return self._known[key]

    def _fill(self, given: tuple[Any, ...]) -> str:
        named: dict[str, Any] = {}
        for name, value in zip(self._parameters, given, strict=True):
            number = getattr(value, "number", value)
            is_number = isinstance(number, int) and not isinstance(number, bool)
            named[name] = number if is_number else value if isinstance(value, str) else str(value)
            named[f"{name}{_SHOWN}"] = str(value)
        found, _ = self._bundle.format_pattern(self._pattern, named)  # type: ignore[arg-type] # it has a value
        return str(found)


def _bundle(language: str) -> FluentBundle:
    functions: dict[str, Any] = {FORM: _form, _INFLECTS: _inflects}
    return FluentBundle([language, "en"], functions, use_isolating=False)


def _inflects(thing: Any) -> str:
    """Return whether a name has forms by case, as a selector reads it."""
    return "yes" if getattr(thing, "inflects", False) else "no"


def _absent(name: str) -> str | int:
    """Return what stands for an argument that is not given: the plain form of a name, one of it."""
    return 1 if name == COUNT else "" if name == CASE else f"{{{name}}}"


def _form(thing: Any, count: int | None = None, *, case: str = "") -> str:
    """Return a form of a name; anything else as it is."""
    asked = getattr(thing, "form", None)
    return str(thing) if asked is None else str(asked(str(case), None if count is None else int(count)))


# Reading.


@frozen(eq=False)
class FluentText:
    """A text as Fluent reads it."""

    message: ast.Message | None
    parameters: dict[str, int] = field(factory=dict)
    problems: tuple[PatternProblem, ...] = ()


@frozen(eq=False)
class _Source:
    """A text as a message of Fluent, and where each of its characters stands in the text."""

    text: str
    places: tuple[int, ...]

    def place(self, index: int) -> int:
        """Return where a character stands in the text as it was written."""
        return self.places[min(index, len(self.places) - 1)]


@lru_cache(maxsize=4096)
def read_text(text: str) -> FluentText:
    """Return a text as Fluent reads it, with what is wrong with it."""
    source = _to_source(text)
    entry = FluentParser().parse_entry(source.text)
    if isinstance(entry, ast.Junk):
        return FluentText(None, problems=(_syntax_problem(entry, source, len(text)),))
    end = 0 if entry.span is None else entry.span.end
    if not isinstance(entry, ast.Message) or entry.attributes or source.text[end:].strip():
        rest = source.place(end + len(source.text[end:]) - len(source.text[end:].lstrip()))
        message = "a line of a text may not begin with `.`, `*` or `[`"
        return FluentText(None, problems=(PatternProblem(message, rest, len(text)),))
    reader = _PatternReader(source)
    reader.visit(entry)
    return FluentText(entry, reader.parameters, tuple(reader.problems))


def _to_source(text: str) -> _Source:
    """Return a text as a message of Fluent, in which each variant of a selector begins a line of its own."""
    signs, places = list("m =\n "), [0] * 5
    for sign, place in _with_lines(text):
        signs += f"{sign} " if sign == "\n" else sign
        places += [place] * (2 if sign == "\n" else 1)
    return _Source("".join(signs), (*places, len(text)))


def _with_lines(text: str) -> Iterator[tuple[str, int]]:
    """Iterate over the signs of a text and their places, with line ends before variants and after the last of them."""
    around: list[str] = []  # "code" in braces, "variants" behind the arrow of a selector
    at = 0
    while at < len(text):
        inside, length = around[-1] if around else "", 1
        if inside == "code" and text[at] == '"':
            length = len(_STRING.match(text, at)[0])  # type: ignore[index] # the quote itself fits
        elif inside == "code" and text.startswith("->", at):
            around[-1], length = "variants", 2
        elif text[at] == "{":
            around.append("code")
        elif text[at] == "}" and around:
            if around.pop() == "variants":
                yield "\n", at
        elif inside == "variants" and (variant := _VARIANT.match(text, at)):
            yield "\n", at
            length = len(variant[0])
        yield from zip(text[at : at + length], range(at, at + length), strict=True)
        at += length


_WRONG = {
    "E0004": "expected a name",
    "E0008": "a function is called by capital letters",
    "E0010": "no variant is the default",
    "E0011": "there are no variants after `->`",
    "E0012": "a variant has no text",
    "E0013": "expected the name of a variant",
    "E0015": "there are two default variants",
    "E0016": "a selector chooses by `$name`",
    "E0017": "this cannot be chosen by",
    "E0018": "this cannot be chosen by",
    "E0020": "a text in quotes has no end",
    "E0027": "there is a `}` without its `{`",
    "E0028": "a place to fill holds nothing that can be shown",
}
_CURES = {
    "E0010": "put `*` before one, as in `*[other]`",
    "E0016": "put `$` before the parameter, as in `{ $count -> ... }`",
    "E0027": 'write `{"}"}` for the sign itself',
    "E0003": "a place to fill looks like `{name}`",
    "E0028": "a place to fill looks like `{name}`",
}


def _syntax_problem(junk: ast.Junk, source: _Source, length: int) -> PatternProblem:
    wrong = junk.annotations[0]
    code, at = wrong.code or "", 0 if wrong.span is None else wrong.span.start
    if code == "E0005":
        return PatternProblem("the text is empty", 0, length)
    expected = ((wrong.arguments or [""])[0] or "").strip('"')
    message = f"expected `{expected}`" if code == "E0003" else _WRONG.get(code, "this is no text that can be filled")
    start = min(source.place(at), max(length - 1, 0))
    return PatternProblem(message, start, start + 1, _CURES.get(code))


class _PatternReader(Transformer):
    """Turns what Fluent would look up among messages into parameters, and notes which there are."""

    def __init__(self, source: _Source) -> None:
        self.source = source
        self.parameters: dict[str, int] = {}
        self.problems: list[PatternProblem] = []

    def visit_Placeable(self, node: ast.Placeable) -> ast.Placeable:  # noqa: N802 - Fluent's name for it
        inner = node.expression
        if isinstance(inner, ast.MessageReference | ast.VariableReference) and not getattr(inner, "attribute", None):
            self._note(inner)
            node.expression = ast.VariableReference(ast.Identifier(f"{inner.id.name}{_SHOWN}"))
            return node
        self.generic_visit(node)
        return node

    def visit_MessageReference(self, node: ast.MessageReference) -> Any:  # noqa: N802
        self._note(node)
        thing = ast.VariableReference(node.id)
        if node.attribute is None:
            return thing
        case = ast.NamedArgument(ast.Identifier(CASE), ast.StringLiteral(node.attribute.name))
        return ast.FunctionReference(ast.Identifier(FORM), ast.CallArguments([thing], [case]))

    def visit_VariableReference(self, node: ast.VariableReference) -> ast.VariableReference:  # noqa: N802
        self._note(node)
        return node

    def visit_TermReference(self, node: ast.TermReference) -> ast.TermReference:  # noqa: N802
        self._refuse(node, f"there are no terms here, such as `-{node.id.name}`")
        return node

    def visit_FunctionReference(self, node: ast.FunctionReference) -> Any:  # noqa: N802
        if node.id.name not in _FUNCTIONS:
            self._refuse(node.id, f"there is no function `{node.id.name}`", f"there are {quotes(_FUNCTIONS)}")
        return self.generic_visit(node)

    def _note(self, node: ast.MessageReference | ast.VariableReference) -> None:
        place = 0 if node.id.span is None else self.source.place(node.id.span.start)
        self.parameters.setdefault(node.id.name, place)

    def _refuse(self, node: ast.SyntaxNode, message: str, help_: str | None = None) -> None:
        start, end = (0, 1) if node.span is None else (node.span.start, node.span.end)
        places = self.source.place(start), self.source.place(end)
        self.problems.append(PatternProblem(message, *places, help_))
