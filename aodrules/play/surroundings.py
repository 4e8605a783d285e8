"""Where in the rules a question is asked: the named steps and loops around it, with the names that are known there."""

from __future__ import annotations

from typing import Any, Literal

from attrs import field, frozen

from aodrules.arguments import check_text
from aodrules.facts.state import UnderWay
from aodrules.lang.types import NUMBER, Number, Type, item_type, present
from aodrules.play.ids import IdTable
from aodrules.play.labels import Labels, fill, plain_words
from aodrules.play.rules_context import RulesContext
from aodrules.play.states import Hidden


@frozen
class Around:
    """A named step, or the turn of a loop, in which a question is asked.

    Examples:
        >>> import aodrules
        >>> decision = aodrules.load("harbour").new_game(players=2, seed=42).decision
        >>> assert decision
        >>> [(one.kind, one.address, one.text("en")) for one in decision.around][2:4]
        [('for', 'verb.five_rounds.r', 'Round 1'), ('step', 'verb.five_rounds.round', 'Round')]
    """

    kind: Literal["step", "for", "repeat"]
    """A named step, a `for` or a `repeat`."""
    address: str
    """Where it is written, and where its words are found."""
    names: dict[str, Any] = field(factory=dict, hash=False)
    """The names that a `for` makes, as people read them: whose turn it is, and the position where that has a name."""
    turn: int | None = None
    """Of a `repeat`: which time it is, from 1."""
    _types: tuple[Type, ...] = field(default=(), eq=False, repr=False)
    _context: RulesContext | None = field(default=None, eq=False, repr=False)

    def text(self, language: str = "en") -> str:
        """Return what it is called: a step by its name, a loop by whose turn it is."""
        check_text("a language", language)
        if self._context is None:
            return str(self)
        labels = self._context.labels(language)
        values = [labels.value(type_, value) for type_, value in zip(self._types, self.names.values(), strict=True)]
        if self.kind == "step":
            return labels.say(self.address)
        words = self._own_words(labels)
        if words is not None:
            return fill(words, {**dict(zip(self.names, values, strict=True)), "turn": self.turn})
        if self.kind == "repeat":
            return str(self.turn)
        if not self.names:
            return labels.say(self.address)
        item = next(iter(self.names))
        is_number = isinstance(present(self._types[0]), Number)
        return f"{plain_words(item)} {values[0]}" if is_number else values[0]

    def _own_words(self, labels: Labels) -> str | None:
        """Return the words that a game has for the turns of a loop: those with a place for what changes.

        A step inside a loop over what bears its name has the address of the loop, and words without such a place.
        """
        words = labels.find(self.address)
        return words if words and any(f"{{{name}}}" in words for name in (*self.names, "turn")) else None

    def __str__(self) -> str:
        told = [f"{name}={value}" for name, value in self.names.items()]
        return " ".join([self.address, *told, *([] if self.turn is None else [str(self.turn)])])


class Surroundings(tuple[Around, ...]):
    """The named steps and loops around a question, the outermost first.

    Examples:
        >>> import aodrules
        >>> decision = aodrules.load("nim").new_game(players=2, seed=1).decision
        >>> assert decision
        >>> [(one.kind, one.names) for one in decision.around]
        [('for', {'player': 'first'})]
    """

    __slots__ = ()

    def text(self, language: str = "en") -> str:
        """Return what is around the question in the words of a language, the outermost first.

        A step in the turn of a loop that is called alike, such as a `Round` in `Round 1`, is told once.
        """
        told: list[str] = []
        for one in self:
            words = one.text(language)
            if not told or not f"{told[-1]} ".startswith(f"{words} "):
                told.append(words)
        return " > ".join(told)


def surroundings(
    context: RulesContext, names: IdTable, under_way: tuple[UnderWay, ...], seat: int | None
) -> Surroundings:
    """Return what is around a question as people read it; for a seat without what it may not know."""
    return Surroundings(_around(context, names, one, seat) for one in under_way)


def _around(context: RulesContext, names: IdTable, entered: UnderWay, seat: int | None) -> Around:
    if entered.kind != "for":
        return Around(entered.kind, entered.address, {}, entered.turn, (), context)
    loop = context.loops[entered.address]
    # What is met in a loop over a field of hidden pieces is a piece: whether it is known is the matter of the loop.
    types = tuple(item_type(loop.items.type) if name == loop.name else NUMBER for name, _ in entered.names)
    told = {name: names.readable(type_, value) for (name, value), type_ in zip(entered.names, types, strict=True)}
    if seat is not None and loop.tells_secret:
        told = dict.fromkeys(told, Hidden(str(types[0])))
    return Around(entered.kind, entered.address, told, None, types, context)
