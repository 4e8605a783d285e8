"""Which nodes of the rules name which clauses, and how often play exercised each clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from attrs import define, field, frozen

from aodrules.check.steps import AnyStep
from aodrules.compose.addresses import UNPLAYED_KINDS
from aodrules.compose.ruleset import Ruleset
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
from aodrules.play.rules_context import RulesContext
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence, words
from aodrules.testing.observers import GameObserver


@frozen(eq=False)
class Cited:
    """A node of the rules that names clauses."""

    address: str
    clauses: tuple[str, ...]
    span: Span
    layer: str
    """The game, module, edition or variant whose document it stands in."""
    reason_only: bool = False
    """Whether it is a condition that names the clause as the reason of a refusal."""


@define(eq=False, slots=False)
class Citations:
    """All citations of a ruleset."""

    ruleset: Ruleset

    @cached_property
    def nodes(self) -> tuple[Cited, ...]:
        """Every node that names clauses, the documents whose head does included."""
        declared = frozenset(words_of(self.ruleset.root.get("clause")))
        found = list(self._in(self.ruleset.root, (), declared))
        for document in self.ruleset.documents:
            head = document.head
            if head is not None and head.clauses:
                clauses = tuple(each.text for each in head.clauses)
                found.append(Cited(f"{head.kind} {head.name.text}", clauses, document.root.span, head.name.text))
        return tuple(found)

    def _in(self, node: Node, path: tuple[str, ...], declared: frozenset[str]) -> Iterator[Cited]:
        if isinstance(node, Sequence):
            for place, item in enumerate(node):
                yield from self._in(item, (*path, step_word(item) or str(place + 1)), declared)
        elif isinstance(node, Mapping):
            yield from self._of(node, path, declared)
            for entry in node:
                if path or entry.name not in UNPLAYED_KINDS:
                    yield from self._in(entry.value, (*path, entry.name), declared)

    def _of(self, node: Mapping, path: tuple[str, ...], declared: frozenset[str]) -> Iterator[Cited]:
        address, layer = ".".join(path), self.ruleset.layer_of(node.span)
        clauses = words(node.get("clauses"))
        if clauses:
            yield Cited(address, clauses, node.span, layer)
        reason = node.get("else")
        if "is" in node and isinstance(reason, Scalar) and reason.text in declared:
            yield Cited(address, (reason.text,), node.span, layer, reason_only=True)

    @cached_property
    def _by_path(self) -> dict[str, list[Cited]]:
        found: dict[str, list[Cited]] = {}
        for node in self.nodes:
            if not node.reason_only:
                found.setdefault(node.span.path, []).append(node)
        return found

    def at(self, span: Span) -> tuple[str, ...]:
        """Return the clauses of the innermost node around a place that names some."""
        around = [node for node in self._by_path.get(span.path, ()) if _contains(node.span, span)]
        return min(around, key=lambda node: _size(node.span)).clauses if around else ()


def words_of(section: Node | None) -> tuple[str, ...]:
    """Return the ids that a section declares."""
    return tuple(entry.name for entry in section) if isinstance(section, Mapping) else ()


def step_word(item: Node) -> str | None:
    """Return the name of a named step."""
    word = item.get("step") if isinstance(item, Mapping) else None
    return word.text if isinstance(word, Scalar) else None


def _contains(outer: Span, inner: Span) -> bool:
    start = (outer.line, outer.column) <= (inner.line, inner.column)
    return start and (inner.line, inner.column) < (outer.end_line, outer.end_column)


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column


@define(eq=False)
class Exercise(GameObserver):
    """Looks on and counts steps by their place, and values, modifiers and answers by their address."""

    places: Counter[Span] = field(factory=Counter)
    addresses: Counter[str] = field(factory=Counter)
    _last: Interpreter | None = None

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on."""
        self.finish()
        self._last = interpreter
        interpreter.evaluator.on_use = self._note_use

    def finish(self) -> None:
        """Count the scores of the last game too: they are computed when somebody asks for them."""
        if self._last is not None and self._last.pending is None:
            for player in range(self._last.tables.players):
                self._last.points(player)
        self._last = None

    def _note_use(self, address: str) -> None:
        # The lines of the score sheet are values, and are declared with the game.
        self.addresses[address.replace("value.points.", "game.points.", 1)] += 1

    def on_step(self, step: AnyStep, _names: Locals) -> None:
        """Count a step."""
        self.places[step.span] += 1

    def on_option(self, decision: str, option: str) -> None:
        """Count an answer."""
        self.addresses[option] += 1
        self.addresses[decision] += 1

    def on_event(self, event: str, _names: Locals) -> None:
        """Count an event."""
        self.addresses[f"event.{event}"] += 1

    def clauses(self, book: RulesContext, citations: Citations) -> Counter[str]:
        """Return how often each clause was exercised."""
        self.finish()
        found: Counter[str] = Counter()
        for span, many in self.places.items():
            for clause in citations.at(span):
                found[clause] += many
        for address, many in self.addresses.items():
            for clause in book.clauses_at(address):
                found[clause] += many
        return found
