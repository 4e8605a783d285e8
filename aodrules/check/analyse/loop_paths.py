"""Which loops inside each other make the most work or ask most often: the way down to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Protocol, TypeAlias

from attrs import define

from aodrules.check.analyse.calls import Caller, bodies_of, handed_over, members_met
from aodrules.check.analyse.costs import Cost, LoopRounds, share_of
from aodrules.check.checked import CheckedRules, DecisionDef, EffectScope, Option
from aodrules.check.steps import (
    AnyStep,
    Call,
    Choose,
    Draw,
    For,
    Happen,
    If,
    Move,
    Repeat,
    RunHook,
    Step,
    Steps,
    While,
)
from aodrules.check.visit import children, expressions, text_of
from aodrules.lang.expressions import BuiltinCall, Comprehension, Expression, Loop, Possible, ValueCall
from aodrules.source.spans import Span
from aodrules.source.wording import quote

Path: TypeAlias = list[LoopRounds]
Way: TypeAlias = "tuple[int, Callable[[], Path]]"
"""How much there is on a way, and the loops along it."""
Inside: TypeAlias = "Steps | Caller | DecisionDef | Expression"
"""Something that a path can lead into."""


class Counter(Protocol):
    """What counts work and decisions."""

    rules: CheckedRules
    caller: Caller

    def step_cost(self, step: AnyStep) -> Cost:
        """Return what a step costs."""

    def caller_cost(self, caller: Caller) -> Cost:
        """Return what a call costs."""

    def work_of(self, *read: Expression | None) -> int:
        """Return the work of reading something."""

    def rounds_of(self, items: Expression) -> int:
        """Return the most items of a collection."""

    def most_of(self, number: Expression) -> int:
        """Return the most that a number can be."""

    def times_asked(self, decision: DecisionDef) -> int:
        """Return how often a decision can be asked in one `choose`."""

    def listing_of(self, option: Option) -> int:
        """Return the work of listing an option."""

    def copies_of(self, scope: EffectScope) -> int:
        """Return how many can hold an effect at once."""

    def pieces_moved(self, step: Move | Draw) -> int:
        """Return how many pieces a step moves at most."""

    def passages(self, step: Move | Draw) -> Iterable[Caller]:
        """Return what may happen on the way of a piece."""


@define(eq=False)
class LoopPaths:
    """Finds the loops that count most: at each fork the way with the most rounds, or the most questions."""

    counter: Counter
    of_questions: bool

    def into(self, inside: Inside) -> Path:
        """Return the loops on the dearest way into something, the outermost first."""
        if isinstance(inside, tuple):
            return self._dearest(*(self._step_way(step) for step in inside))
        if isinstance(inside, Caller):
            self.counter.caller = inside
            finder = self._callers.get(inside.kind)
            return self._body(inside) if finder is None else finder(self, inside)
        if isinstance(inside, DecisionDef):
            return self._decision(inside)
        return self._expression(inside)

    # Ways.

    def _dearest(self, *ways: Way) -> Path:
        """Return the path of the way on which there is most, the last of several."""
        if not ways:
            return []
        amount, path = max(reversed(ways), key=lambda way: way[0])
        return path() if amount else []

    def _measure(self, cost: Cost) -> int:
        return cost.decisions if self.of_questions else cost.most

    def _steps_way(self, steps: Steps) -> Way:
        return sum(self._measure(self.counter.step_cost(step)) for step in steps), lambda: self.into(steps)

    def _step_way(self, step: AnyStep) -> Way:
        finder = self._steps.get(type(step))
        path = (lambda: finder(self, step)) if finder else lambda: self._dearest(*self._reading(*expressions(step)))
        return self._measure(self.counter.step_cost(step)), path

    def _caller_way(self, caller: Caller) -> Way:
        return self._measure(self.counter.caller_cost(caller)), lambda: self.into(caller)

    def _reading(self, *read: Expression | None) -> list[Way]:
        return [] if self.of_questions else [self._reading_way(each) for each in read if each is not None]

    def _reading_way(self, expression: Expression) -> Way:
        return self.counter.work_of(expression), lambda: self._expression(expression)

    def _around(self, turn: LoopRounds, *inside: Way) -> Way:
        """Return the way through a loop: it counts itself even where nothing in it does."""
        amount = max((amount for amount, _ in inside), default=0)
        own = 0 if self.of_questions else 1
        return turn.times * (own + amount), lambda: [turn, *self._dearest(*inside)]

    # Steps.

    def _for(self, step: For) -> Path:
        turn = LoopRounds(
            self.counter.rounds_of(step.items), quote(f"for {step.name} in {text_of(step.items.span)}"), step.span
        )
        return self._dearest(
            *self._reading(*children(step.items)),
            self._around(turn, self._steps_way(step.body), *self._reading(step.where)),
        )

    def _repeat(self, step: Repeat) -> Path:
        turn = LoopRounds(self.counter.most_of(step.count), quote(f"repeat {text_of(step.count.span)}"), step.span)
        return self._dearest(*self._reading(step.count), self._around(turn, self._steps_way(step.body)))

    def _while(self, step: While) -> Path:
        turn = LoopRounds(self.counter.most_of(step.at_most), quote(f"while {text_of(step.condition.span)}"), step.span)
        inside = self._around(turn, self._steps_way(step.body), *self._reading(step.condition))
        return self._dearest(*self._reading(step.at_most), inside)

    def _if(self, step: If) -> Path:
        ways = self._steps_way(step.then), self._steps_way(step.otherwise)
        return self._dearest(*self._reading(step.condition), *ways)

    def _named(self, step: Step) -> Path:
        return self.into(step.body)

    def _call(self, step: Call | Happen) -> Path:
        called, _, _ = handed_over(self.counter.rules, step)
        return self._dearest(*self._reading(*expressions(step)), self._caller_way(called))

    def _run(self, step: RunHook) -> Path:
        members = members_met(self.counter.rules, step)
        hooks = (self._caller_way(Caller("hook", step.hook, member)) for member in members)
        return self._dearest(*self._reading(*expressions(step)), *hooks)

    def _choose(self, step: Choose) -> Path:
        decision = self.counter.rules.decisions.get(step.decision)
        return [] if decision is None else self._decision(decision)

    def _move(self, step: Move | Draw) -> Path:
        turn = LoopRounds(self.counter.pieces_moved(step), "for each piece that is moved", step.span)
        passages = [self._caller_way(caller) for caller in self.counter.passages(step)]
        around = [self._around(turn, *passages)] if passages else []
        return self._dearest(*self._reading(*expressions(step)), *around)

    # Callers.

    def _game(self, _: Caller) -> Path:
        game = self.counter.rules.game
        verbs = [Caller("verb", verb) for verb in (game.begin, game.play) if verb is not None]
        return self._dearest(*(self._caller_way(verb) for verb in verbs))

    def _event(self, caller: Caller) -> Path:
        found = self.counter.rules.reactions.get(caller.name, ())
        return self._dearest(*(self._held(each.scope, each.span, self._steps_way(each.body)) for each in found))

    def _held(self, scope: EffectScope, span: Span, *inside: Way) -> Way:
        """Return the way through an effect that several may hold at once."""
        copies = self.counter.copies_of(scope)
        if copies > 1:
            return self._around(LoopRounds(copies, "for each copy that holds the effect", span), *inside)
        return max((amount for amount, _ in inside), default=0), lambda: self._dearest(*inside)

    def _body(self, caller: Caller) -> Path:
        return self._dearest(*(self._steps_way(body) for body in bodies_of(self.counter.rules, caller)))

    def _value(self, caller: Caller) -> Path:
        value = self.counter.rules.values.get(caller.name)
        modifiers = self.counter.rules.modifiers.get(caller.name, ())
        held = [self._held(each.scope, each.span, *self._reading(each.amount, each.condition)) for each in modifiers]
        return self._dearest(*self._reading(value.formula if value else None), *held)

    def _called_decision(self, caller: Caller) -> Path:
        decision = self.counter.rules.decisions.get(caller.name)
        return self._decision(decision) if decision else []

    def _decision(self, decision: DecisionDef) -> Path:
        ways = [self._steps_way(each.body) for each in decision.options] + [self._steps_way(decision.otherwise)]
        ways += [] if self.of_questions else [self._listing_way(each) for each in decision.options]
        path = self._dearest(*ways)
        times = self.counter.times_asked(decision)
        return (
            [LoopRounds(times, f"as {quote(decision.id)} is asked again", decision.span), *path] if times > 1 else path
        )

    def _listing_way(self, option: Option) -> Way:
        return self.counter.listing_of(option), lambda: self._listing(option)

    def _listing(self, option: Option) -> Path:
        read = self._dearest(*self._reading(*(each.expression for each in option.conditions)))
        ways = self.counter.listing_of(option) // max(1, share_of(read))
        return (
            [LoopRounds(ways, f"for each way to fill in {quote(option.id)}", option.span), *read] if ways > 1 else read
        )

    # Expressions.

    def _expression(self, expression: Expression) -> Path:
        if isinstance(expression, Comprehension):
            return self._loops(expression.loops, expression.item)
        ways = self._reading(*children(expression))
        if isinstance(expression, ValueCall):
            ways.append(self._caller_way(Caller("value", expression.value)))
        elif isinstance(expression, Possible):
            option = self.counter.rules.options.get(expression.option)
            ways += [] if option is None else [self._listing_way(option)]
        elif isinstance(expression, BuiltinCall) and expression.builtin == "range":
            ways.append(
                self._around(LoopRounds(self.counter.rounds_of(expression), text_of(expression.span), expression.span))
            )
        return self._dearest(*ways)

    def _loops(self, loops: tuple[Loop, ...], item: Expression) -> Path:
        if not loops:
            return self._expression(item)
        loop = loops[0]
        turn = LoopRounds(
            self.counter.rounds_of(loop.items), quote(f"for {loop.name} in {text_of(loop.items.span)}"), loop.items.span
        )
        further = self._loops(loops[1:], item)
        inside = [*self._reading(*loop.conditions), (share_of(further) if further else 0, lambda: further)]
        return self._dearest(*self._reading(*children(loop.items)), self._around(turn, *inside))

    _callers: ClassVar[dict[str, Any]] = {
        "game": _game,
        "value": _value,
        "event": _event,
        "decision": _called_decision,
    }
    _steps: ClassVar[dict[type, Any]] = {
        For: _for,
        Repeat: _repeat,
        While: _while,
        If: _if,
        Step: _named,
        Call: _call,
        Happen: _call,
        RunHook: _run,
        Choose: _choose,
        Move: _move,
        Draw: _move,
    }
