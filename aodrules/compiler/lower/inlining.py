"""What is written in place: small values (`inline_values`), verbs and hooks (`inline_verbs`), few turns of a loop.

    price = value_cost(house)                →    price = (2, 3, 5)[house]
    verb_pay(player, price)                  →    S[40 + player] = S[40 + player] - price
    sum over box in (0, 1) of S[20 + box]    →    S[20] + S[21]                              (`unroll_loops`)

Each call may be small and the whole still double with every level: what would grow too large is called instead.
"""

from __future__ import annotations

from attrs import define, field

from aodrules.check.analyse.calls import members_met
from aodrules.check.checked import CheckedRules
from aodrules.check.steps import Call, Choose, For, Repeat, RunHook, Steps, Stop, While
from aodrules.check.visit import children, walk, walk_parts
from aodrules.lang.expressions import Comprehension, Expression, ValueCall

SMALL_VALUE = 40
"""A value without modifiers and with at most so many parts is written in place."""
SMALL_VERB = 4
"""A verb of at most so many simple steps is written in place."""
WRITTEN_OUT = 12
"""Up to so many items a loop in an expression is written out."""
MOST_PARTS = 4_000
"""An expression with more parts, once all is written in place, is not."""
MOST_STEPS = 200
"""The same of steps."""
_BIG = (Choose, For, Repeat, While, Stop)


@define(eq=False)
class InlineSizes:
    """The sizes of expressions, values, verbs and hooks of a ruleset."""

    rules: CheckedRules
    without: frozenset[str] = frozenset()
    """The passes that are left out."""
    _expressions: dict[Expression, int] = field(factory=dict)
    _bodies: dict[tuple[str, int], int] = field(factory=dict)

    def is_value_in_place(self, name: str) -> bool:
        """Whether a value is written where it is called."""
        value = self.rules.values[name]
        if "inline_values" in self.without or self.rules.modifiers.get(name) or value.kept:
            return False
        formula = value.formula
        return sum(1 for _ in walk(formula)) <= SMALL_VALUE and self._expression(formula) <= MOST_PARTS

    def is_verb_in_place(self, name: str) -> bool:
        """Whether the steps of a verb are written where it is called."""
        if "inline_verbs" in self.without:
            return False
        return _is_small(self.rules.verbs[name].body) and self._verb(name) <= MOST_STEPS

    def is_hook_in_place(self, name: str, member: int) -> bool:
        """Whether the steps of a member's hook are written where they are run."""
        return "inline_verbs" not in self.without and self._hook(name, member) <= MOST_STEPS

    def is_written_out(self, loops: Comprehension) -> bool:
        """Whether a loop in an expression may be written out, item by item."""
        return "unroll_loops" not in self.without and WRITTEN_OUT * self._inside(loops) <= MOST_PARTS

    def _expression(self, expression: Expression) -> int:
        if expression not in self._expressions:
            size = self._inside(expression)
            if isinstance(expression, Comprehension) and self.is_written_out(expression):
                size *= WRITTEN_OUT
            elif isinstance(expression, ValueCall) and self.is_value_in_place(expression.value):
                size += self._expression(self.rules.values[expression.value].formula)
            self._expressions[expression] = 1 + size
        return self._expressions[expression]

    def _inside(self, expression: Expression) -> int:
        return sum(self._expression(child) for child in children(expression))

    def _verb(self, name: str) -> int:
        return self._body((name, -1), self.rules.verbs[name].body)

    def _hook(self, name: str, member: int) -> int:
        return self._body((name, member), self.rules.hooks[name].bodies.get(member, ()))

    def _body(self, key: tuple[str, int], steps: Steps) -> int:
        if key not in self._bodies:
            parts = _steps_in(steps)
            self._bodies[key] = len(parts) + sum(map(self._called, parts))
        return self._bodies[key]

    def _called(self, step: object) -> int:
        if isinstance(step, Call) and self.is_verb_in_place(step.verb):
            return self._verb(step.verb)
        if isinstance(step, RunHook):
            found = [self._hook(step.hook, member) for member in members_met(self.rules, step)]
            return max((each for each in found if each <= MOST_STEPS), default=0)
        return 0


def _is_small(steps: Steps) -> bool:
    """Whether a body is so small and simple that it is best written in place."""
    parts = _steps_in(steps)
    return (
        len(steps) <= SMALL_VERB and len(parts) <= 4 * SMALL_VERB and not any(isinstance(part, _BIG) for part in parts)
    )


def _steps_in(steps: Steps) -> list[object]:
    return [part for part in walk_parts(steps) if type(part).__module__ == "aodrules.check.steps"]
