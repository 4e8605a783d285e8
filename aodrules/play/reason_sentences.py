"""Why something is refused, in a sentence about this very action: made from the condition that fails and from words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from aodrules.interpreter.evaluation import Evaluator
from aodrules.lang.expressions import (
    BagCount,
    BuiltinCall,
    Const,
    Expression,
    FieldRead,
    Knows,
    Local,
    Operation,
    ValueCall,
)
from aodrules.lang.types import Maybe, Member, Nothing, Number, Piece, Player, Type
from aodrules.play.actions import ActionTable
from aodrules.play.best_reason import is_hidden, is_own
from aodrules.play.phrases import phrase
from aodrules.play.words import plain_words

_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in"}


@frozen(eq=False)
class Sentences:
    """Makes sentences about one answer that is refused."""

    faces: ActionTable
    evaluator: Evaluator
    names: Mapping[str, Any]
    """What the names in conditions stand for."""
    parameters: Mapping[str, Type]
    """The parameters of the option."""
    language: str

    def tell(self, condition: Expression) -> str | None:
        """Return why a condition does not hold; nothing if there are no words for it."""
        return self._tell(condition, wanted=True)

    def _tell(self, condition: Expression, *, wanted: bool) -> str | None:
        if isinstance(condition, ValueCall):
            return self._value_words(condition, f".{str(not wanted).lower()}")
        if isinstance(condition, Knows) and _is_decider(condition.player):
            return self._say("unknown" if wanted else "known", place=self._place(condition))
        if not isinstance(condition, Operation):
            return None
        if condition.operator == "not":
            return self._tell(condition.operands[0], wanted=not wanted)
        if condition.operator == ("and" if wanted else "or"):
            # One that fails is reason enough.
            failed = (one for one in condition.operands if bool(self._value(one)) != wanted)
            return self._tell(next(failed), wanted=wanted)
        operator = condition.operator if wanted else _NEGATED.get(condition.operator)
        if operator is None or len(condition.operands) != 2:
            return None
        left, right = condition.operands
        return self._compared(left, operator, right) or self._compared(right, _TURNED.get(operator, ""), left)

    def _compared(self, left: Expression, operator: str, right: Expression) -> str | None:
        """Return why one does not stand in this relation to the other, if the first has words."""
        if operator in {"==", "!="}:
            return self._equal(left, right, is_wanted=operator == "==")
        if operator == "in" and isinstance(right, FieldRead):
            return self._missing(right, left)
        if operator in {">", ">="} and isinstance(left, BagCount) and self._least(operator, right) == 1:
            return self._missing(left.bag, left.member)
        if operator not in {"<", "<=", ">", ">="} or not isinstance(right.type, Number):
            return None
        if isinstance(left, Local) and isinstance(self.parameters.get(left.name), Number):
            return self._out_of_bounds(left, operator, right)
        return self._amount(left, operator, right)

    def _missing(self, bag: Expression, member: Expression) -> str | None:
        if not isinstance(bag, FieldRead):
            return None
        thing = self._spoken(member.type, self._value(member))
        return self._say("have-none" if is_own(bag) else "none-there", thing=thing, place=self._place(bag))

    def _amount(self, left: Expression, operator: str, right: Expression) -> str | None:
        """Return that the player has too little or too much of something of theirs."""
        is_least = operator in {">", ">="}
        place = self._measure(left)
        if place is None:
            counted = _counted(left)
            if isinstance(counted, FieldRead) and is_least and self._least(operator, right) == 1:
                return self._say("empty", place=self._place(counted))
            return None
        need = self._least(operator, right) if is_least else self._most(operator, right)
        return self._say("too-little" if is_least else "too-much", place=place, have=self._value(left), need=need)

    def _measure(self, amount: Expression) -> str | None:
        """Return what an amount is called that belongs to who decides; nothing if it does not."""
        if isinstance(amount, ValueCall):
            return self._value_words(amount, "") if any(map(_is_decider, amount.arguments)) else None
        counted = amount.bag if isinstance(amount, BagCount) else _counted(amount) or amount
        if not isinstance(counted, FieldRead) or not is_own(counted):
            return None
        if not isinstance(amount, BagCount):
            return self._place(counted)
        return f"{self._place(counted)}: {self._spoken(amount.member.type, self._value(amount.member))}"

    def _value_words(self, call: ValueCall, suffix: str) -> str | None:
        """Return the author's words for a value, or for one that holds or not, with its arguments in their places."""
        words = self.faces.words.find(f"value.{call.value}{suffix}", self.language)
        if words is None:
            return None
        parameters = self.evaluator.tables.rules.values[call.value].parameters
        given = zip(parameters, call.arguments, strict=True)
        return self.faces.words.filled(
            words, {one.name: self._spoken(one.type, self._value(said)) for one, said in given}
        )

    def _out_of_bounds(self, argument: Local, operator: str, right: Expression) -> str:
        is_least = operator in {">", ">="}
        bound = self._least(operator, right) if is_least else self._most(operator, right)
        name = plain_words(argument.name)
        return self._say("at-least" if is_least else "at-most", name=name, value=self._value(argument), bound=bound)

    def _equal(self, left: Expression, right: Expression, *, is_wanted: bool) -> str | None:
        if isinstance(right.type, Nothing) and isinstance(left, FieldRead) and isinstance(left.type, Maybe):
            place = ", ".join(self._indices(left)) or self._place(left)
            if not is_wanted:
                return self._say("empty", place=place)
            if is_hidden(self.evaluator.tables.rules, left):
                return self._say("occupied", place=place)
            return self._say("taken", place=place, thing=self._spoken(left.type, self._value(left)))
        if is_wanted and isinstance(left, FieldRead) and _is_decider(right):
            return self._say("not-yours", place=", ".join(self._indices(left)) or self._place(left))
        if is_wanted and isinstance(left.type, Number) and isinstance(right.type, Number):
            return self._unequal(left, right)
        are_players = isinstance(left.type, Player) and isinstance(left, Local) and left.name in self.parameters
        if not is_wanted and are_players and _is_decider(right):
            return self._say("yourself")
        return None

    def _unequal(self, left: Expression, right: Expression) -> str | None:
        """Return why a number should be another: there is too little or too much of it, or anything at all."""
        have, need, counted = self._value(left), self._value(right), _counted(left)
        if need == 0 and isinstance(counted, FieldRead):
            return self._say("occupied", place=self._place(counted))
        return self._compared(left, ">=" if have < need else "<=", right)

    def _place(self, read: FieldRead | Knows) -> str:
        """Return what a field is called, with what it is indexed by."""
        words, others = self.faces.words.say(f"state.{read.field}", self.language), self._indices(read)
        return f"{words} ({', '.join(others)})" if others else words

    def _indices(self, read: FieldRead | Knows) -> list[str]:
        """Return what a field is indexed by; who decides need not be told."""
        others = (one for one in read.at if not _is_decider(one))
        return [self._spoken(one.type, self._value(one)) for one in others]

    def _least(self, operator: str, right: Expression) -> int:
        return int(self._value(right)) + (operator == ">")

    def _most(self, operator: str, right: Expression) -> int:
        return int(self._value(right)) - (operator == "<")

    def _spoken(self, type_: Type, value: Any) -> str:
        inner = type_.of if isinstance(type_, Maybe) else type_
        if value is None:
            return phrase("none", self.language)
        return (
            self.faces.spoken(inner, value, self.language) if isinstance(inner, Member | Piece | Player) else str(value)
        )

    def _value(self, expression: Expression) -> Any:
        return expression.value if isinstance(expression, Const) else self.evaluator.value(expression, self.names)

    def _say(self, sentence: str, **parts: object) -> str:
        return phrase(sentence, self.language).format(**parts)


def _counted(amount: Expression) -> Expression | None:
    """Return what the pieces are counted of."""
    return amount.arguments[0] if isinstance(amount, BuiltinCall) and amount.builtin in {"size", "len"} else None


def _is_decider(expression: Expression) -> bool:
    return isinstance(expression, Local) and expression.name == "player"
