"""Expressions as text: parsed by Python's own parser, never evaluated by it, and kept to a closed subset."""

from __future__ import annotations

import ast
import keyword
import re
from itertools import accumulate

from attrs import frozen

from aodrules.lang.operators import OPERATORS
from aodrules.source.spans import Span
from aodrules.source.wording import quote

MOST_CHARACTERS = 2000
MOST_DEPTH = 60
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_ALLOWED: tuple[type[ast.AST], ...] = (
    ast.Expression,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.Attribute,
    ast.Subscript,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IsNot,
    ast.IfExp,
    ast.Call,
    ast.keyword,
    ast.GeneratorExp,
    ast.comprehension,
    ast.Store,
    *(operator.syntax for operator in OPERATORS),
)

_WORDS: dict[type[ast.AST], str] = {
    ast.Div: "`/` is not part of the language: numbers are whole",
    ast.Pow: "`**` is not part of the language",
    ast.Lambda: "`lambda` is not part of the language",
    ast.JoinedStr: "text is not part of an expression",
    ast.Dict: "`{...}` is not part of an expression",
    ast.Set: "`{...}` is not part of an expression: write `set(... for ... in ...)`",
    ast.ListComp: "write `list(... for ... in ...)` instead of `[... for ... in ...]`",
    ast.SetComp: "write `set(... for ... in ...)` instead of `{... for ... in ...}`",
    ast.DictComp: "`{...}` is not part of an expression",
    ast.Tuple: "a comma stands only between the arguments of a call and inside `[...]`",
    ast.Starred: "`*` stands only between two numbers",
    ast.NamedExpr: "`:=` is not part of the language",
    ast.Slice: "`[a:b]` is not part of the language",
}
# As word processors set them.
_QUOTES = "[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb]"
_CONSTANTS = {True: "true", False: "false", None: "none"}


@frozen
class ExpressionText:
    """The text of an expression and where it stands."""

    text: str
    span: Span
    start: int | None
    """How far into the span the text begins (1 after a quote); nothing if positions inside cannot be told."""

    def span_of(self, node: ast.AST | None) -> Span:
        """Return the place of a part of the expression; of the whole where that cannot be told."""
        if node is None or self.start is None or not hasattr(node, "col_offset"):
            return self.span
        raw = self.text.encode()
        start = len(raw[: node.col_offset].decode(errors="ignore"))
        end = len(raw[: node.end_col_offset].decode(errors="ignore"))  # type: ignore[attr-defined]
        return self.span.within(self.start + start, self.start + end)

    def part(self, node: ast.AST) -> str:
        """Return the text of a part of the expression."""
        return ast.get_source_segment(self.text, node) or self.text


@frozen
class SyntaxMistake:
    """Why a text is no expression: what is wrong and where in the text."""

    message: str
    node: ast.AST | None = None
    help: str | None = None
    cure: str | None = None
    """What to write instead of the part, or of the whole text where there is none; nothing if that is not certain."""


def parse(written: ExpressionText) -> ast.expr | SyntaxMistake:
    """Return the syntax tree of an expression, or why it is none."""
    text = written.text
    if len(text) > MOST_CHARACTERS:
        return SyntaxMistake(f"an expression has at most {MOST_CHARACTERS} characters, found {len(text)}")
    if not text.strip():
        return SyntaxMistake("an expression is expected here, found nothing")
    try:
        tree = ast.parse(text if text == text.strip(" ") else f"({text})", mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return _explained(text)
    return _outside(tree, text) or tree.body


def _explained(text: str) -> SyntaxMistake:
    """Say why Python's parser did not take the text."""
    if _brackets(text) > MOST_DEPTH:
        return SyntaxMistake(f"an expression is nested at most {MOST_DEPTH} deep")
    if re.search(r"(?<![=!<>])=(?!=)", text):
        return _mended(text, "two things are compared with `==`", re.sub(r"(?<![=!<>])=(?!=)", "==", text))
    if re.search(r"&&|\|\||!(?!=)", text):
        help_ = "conditions are joined with `and` and `or`, and turned round with `not`"
        return _mended(text, help_, _with_words(text))
    if re.search(_QUOTES, text):
        return _mended(text, "ids stand without quotes", re.sub(_QUOTES, "", text))
    for word in IDENTIFIER.findall(text):
        if word in ("from", "class", "def", "import", "with", "while", "return", "pass", "global", "try", "as"):
            return SyntaxMistake(f"{quote(text)} is no expression: `{word}` cannot be a name", help=None)
    if any(text.count(a) != text.count(b) for a, b in ("()", "[]")):
        return SyntaxMistake(f"{quote(text)} is no expression: a bracket is not closed or not opened")
    return SyntaxMistake(f"{quote(text)} is no expression")


def _brackets(text: str) -> int:
    """Return how many brackets are open at once at most."""
    steps = ((sign in "([{") - (sign in ")]}") for sign in text)
    return max(accumulate(steps), default=0)


def _with_words(text: str) -> str:
    """Return a condition with the words of the language in place of the signs of others."""
    for sign, word in ((r" *&& *", " and "), (r" *\|\| *", " or "), (r"!(?!=) *", "not ")):
        text = re.sub(sign, word, text)
    return text


def _mended(text: str, help_: str, cure: str) -> SyntaxMistake:
    """Return a mistake with its cure, if that is an expression."""
    try:
        is_cured = _outside(ast.parse(cure.strip(" "), mode="eval"), cure) is None
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        is_cured = False
    return SyntaxMistake(f"{quote(text)} is no expression", help=help_, cure=cure if is_cured else None)


def _outside(tree: ast.Expression, text: str) -> SyntaxMistake | None:
    """Return the first thing in the tree that the language does not have."""
    todo: list[tuple[ast.AST, int]] = [(tree, 0)]
    while todo:
        node, depth = todo.pop()
        if depth > MOST_DEPTH:
            return SyntaxMistake(f"an expression is nested at most {MOST_DEPTH} deep", node)
        if isinstance(node, ast.Div):
            return SyntaxMistake(_WORDS[ast.Div], node, "write `//`", re.sub(r"(?<!/)/(?!/)", "//", text))
        if not isinstance(node, _ALLOWED):
            return SyntaxMistake(_WORDS.get(type(node), "this is not part of the language"), node)
        if isinstance(node, ast.Compare) and _is_none_test(node):
            return SyntaxMistake(
                "`is` tests of which kind something is", None, "write `== none` or `!= none`", _with_signs(text)
            )
        if isinstance(node, ast.Constant):
            mistake = _mistake_of_constant(node)
            if mistake:
                return mistake
        todo.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
    return None


def _is_none_test(node: ast.Compare) -> bool:
    signs = zip(node.ops, node.comparators, strict=True)
    return any(isinstance(sign, ast.Is | ast.IsNot) and _is_none(other) for sign, other in signs)


def _is_none(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is None
    return isinstance(node, ast.Name) and node.id == "none"


def _with_signs(text: str) -> str:
    return re.sub(r"\bis +[nN]one\b", "== none", re.sub(r"\bis +not +[nN]one\b", "!= none", text))


def _mistake_of_constant(node: ast.Constant) -> SyntaxMistake | None:
    if isinstance(node.value, bool) or node.value is None:
        word = _CONSTANTS[node.value]
        return SyntaxMistake(f"`{node.value}` is written `{word}`", node, help=f"write `{word}`", cure=word)
    if isinstance(node.value, str):
        cure = node.value if is_usable_name(node.value) else None
        return SyntaxMistake("text is not part of an expression", node, help="ids stand without quotes", cure=cure)
    if not isinstance(node.value, int):
        return SyntaxMistake("numbers are whole", node)
    if abs(node.value) > 10**9:
        return SyntaxMistake("a number has at most nine digits", node)
    return None


def is_usable_name(name: str) -> bool:
    """Whether a name can be used in expressions: an identifier that means nothing else there."""
    return bool(IDENTIFIER.fullmatch(name)) and not keyword.iskeyword(name) and name not in ("true", "false", "none")
