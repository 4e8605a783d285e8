"""The friendly face of a question that waits."""

from __future__ import annotations

from typing import Any

from aodrules.facts.state import Question
from aodrules.lang.types import HiddenPiece as HiddenType
from aodrules.lang.types import ListOf, Type
from aodrules.play.actions import ActionTable
from aodrules.play.cell_views import Hidden
from aodrules.play.labels import Labels
from aodrules.play.rules_context import RulesContext
from aodrules.play.views import Decision


def decision_face(
    book: RulesContext, faces: ActionTable, pending: Question, step: str | None, seat: int | None = None
) -> Decision:
    """Return a question as everybody reads it; for a seat without what it may not know."""
    declared = book.checked.decisions.get(pending.decision)
    types = _types(book, faces, pending)
    args = {name: _argument(faces, types[name], value, seat) for name, value in pending.arguments}
    id_ = pending.decision if declared is None else declared.id

    def words(language: str) -> str:
        template = book.words.find(pending.decision, language) or book.words.say(id_, language)
        spoken = {name: Labels(book, language).value(types[name], args[name]) for name, _ in pending.arguments}
        return book.words.filled(template, spoken)

    player = faces.names.seats[pending.player]
    return Decision(id_, pending.decision, player, args, step, lambda: book.clauses_at(pending.decision), words)


def _types(book: RulesContext, faces: ActionTable, pending: Question) -> dict[str, Type]:
    declared = book.checked.decisions.get(pending.decision)
    if declared is not None:
        return {parameter.name: parameter.type for parameter in declared.parameters}
    (item,) = faces.spaces[pending.decision].choices[0].types
    return {"items": ListOf(item)}  # type: ignore[arg-type] # what is put in order is always an item


def _argument(faces: ActionTable, type_: Type, value: Any, seat: int | None) -> Any:
    if seat is not None and isinstance(type_, HiddenType):
        return Hidden(str(type_.of))
    return faces.names.readable(type_, value)
