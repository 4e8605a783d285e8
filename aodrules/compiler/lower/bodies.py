"""The steps of a body: names bound one after the other, control, named steps and ways out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aodrules.check import steps as checked
from aodrules.check.steps import AnyStep, Steps
from aodrules.compiler.folding import branch, call_pure, is_literal, nonzero, operation
from aodrules.compiler.layout import LEFT, STEP
from aodrules.compiler.lower.moves import MovePlanner
from aodrules.compiler.lower.planner import item_type
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import (
    Assign,
    Break,
    CallRuntime,
    CellRead,
    CellWrite,
    Finish,
    ForEach,
    Formula,
    IfLogging,
    Labelled,
    Literal,
    Statement,
    Statements,
    Variable,
    WhileLoop,
    WriteLog,
)
from aodrules.compiler.passes.merge_bag_tests import relevant_members, restrict_to
from aodrules.compiler.variables import asks, flow, leaves
from aodrules.lang.types import Player, item_word
from aodrules.source.spans import Span


class BodyPlanner(MovePlanner):
    """Turns steps into statements."""

    def steps(self, steps: Steps, scope: LowerScope) -> Statements:
        """Return the statements of steps; names that a step binds hold for those after it."""
        statements: list[Statement] = []
        for step in steps:
            more, scope = self.step(step, scope)
            statements += more
        return tuple(statements)

    def step(self, step: AnyStep, scope: LowerScope) -> tuple[Statements, LowerScope]:
        """Return the statements of a step and the names after it."""
        binding = _BINDING.get(type(step))
        if binding is not None:
            return binding(self, step, scope)
        return _PLAIN[type(step)](self, step, scope), scope

    def let(self, step: checked.Let, scope: LowerScope) -> tuple[Statements, LowerScope]:
        """Return the binding of a name."""
        value = self.expression(step.value, scope)
        if is_literal(value) and step.name not in self.changed:
            return (), scope.bind(step.name, value)
        variable = self.variable(step.name, step.span)
        return (Assign(step.span, variable.name, value),), scope.bind(step.name, variable)

    def roll(self, step: checked.Roll, scope: LowerScope) -> tuple[Statements, LowerScope]:
        """Return a roll, and the names after it."""
        variable, items = self.variable(step.result, step.span), self.variable("items", step.span)
        fixed = Assign(step.span, items.name, self.items(step.items, scope))
        rolled = CallRuntime(step.span, "roll_item", (items,), variable.name)
        word = Literal(step.span, item_word(step.items.type))
        note = WriteLog(step.span, (Literal(step.span, "roll"), variable, word))
        noting = IfLogging(step.span, branch(step.span, nonzero(call_pure(step.span, "len", items)), (note,)))
        return (fixed, rolled, noting), scope.bind(step.result, variable)

    # Control.

    def if_(self, step: checked.If, scope: LowerScope) -> Statements:
        """Return a branch."""
        condition = self.expression(step.condition, scope)
        if isinstance(condition, Literal):
            return self.steps(step.then if condition.value else step.otherwise, scope)
        return branch(step.span, condition, self.steps(step.then, scope), self.steps(step.otherwise, scope))

    def for_(self, step: checked.For, scope: LowerScope) -> Statements:
        """Return a loop."""
        if step.ordered_by is not None:
            return self.ordered(step, scope)
        variable = self.variable(step.name, step.span)
        inner = scope.bind(step.name, variable)
        before, count, inner = self.indexed(step, inner)
        body = self.steps(step.body, inner)
        items = self.items(step.items, scope)
        if not count:
            items = restrict_to(items, relevant_members(body, variable.name, self.procedures))
        own = body
        body = branch(step.span, self.passes(step, inner), body)
        if not body:
            return ()
        if self.somebody_leaves and isinstance(item_type(step.items.type), Player):
            left = self.variable("left", step.span)
            before += (Assign(step.span, left.name, CellRead(step.span, LEFT)),)
            body = branch(step.span, self._stays(variable, left, step.span), body)
        loop = (*before, ForEach(step.span, variable.name, items, count + body))
        # Most windows stay shut for everybody, and most hooks are nobody's.
        is_window = isinstance(item_type(step.items.type), Player) and asks(own)
        return self.if_anybody(variable, own, loop) if is_window else loop

    def passes(self, step: checked.For, scope: LowerScope) -> Formula:
        """Return whether an item passes the tests of a loop."""
        tests = (one for one in (step.where, step.worth_asking) if one is not None)
        return operation(step.span, "and", *(self.expression(one, scope) for one in tests))

    def _stays(self, player: Variable, before: Variable, span: Span) -> Formula:
        """Return whether a player has not left since a loop began."""
        now = operation(span, "not in", player, CellRead(span, LEFT))
        return operation(span, "or", now, operation(span, "in", player, before))

    def indexed(self, step: checked.For, scope: LowerScope) -> tuple[Statements, Statements, LowerScope]:
        """Return statements before a loop and at the start of its body that count its turns, and the inner scope."""
        if step.index is None:
            return (), (), scope
        counter = self.variable(step.index, step.span)
        start = Assign(step.span, counter.name, Literal(step.span, -1))
        count = Assign(step.span, counter.name, operation(step.span, "+", counter, Literal(step.span, 1)))
        return (start,), (count,), scope.bind(step.index, counter)

    def ordered(self, step: checked.For, scope: LowerScope) -> Statements:
        """Return a loop whose items a player puts in order."""
        raise NotImplementedError  # pragma: no cover - the last class of the chain has it

    def choose(self, step: checked.Choose, scope: LowerScope) -> Statements:
        """Return a question."""
        raise NotImplementedError  # pragma: no cover - the last class of the chain has it

    def repeat(self, step: checked.Repeat, scope: LowerScope) -> Statements:
        """Return a loop of so many turns."""
        body = self.steps(step.body, scope)
        count = self.expression(step.count, scope)
        if not body or (isinstance(count, Literal) and count.value == 0):
            return ()
        if isinstance(count, Literal) and count.value == 1:
            return body
        return (ForEach(step.span, self.fresh("turn"), call_pure(step.span, "range", count), body),)

    def while_(self, step: checked.While, scope: LowerScope) -> Statements:
        """Return a loop with a condition."""
        span = step.span
        left = self.variable("turns_left", span)
        condition = self.expression(step.condition, scope)
        less = Assign(span, left.name, operation(span, "-", left, Literal(span, 1)))
        inner = (*self.steps(step.body, scope), less)
        bounded = operation(span, "and", operation(span, ">", left, Literal(span, 0)), condition)
        note = WriteLog(span, (Literal(span, "bound"), Literal(span, str(span))))
        # Only where the last turn was used up can the condition still hold.
        reached = operation(span, "and", operation(span, "<=", left, Literal(span, 0)), condition)
        return (
            Assign(span, left.name, self.expression(step.at_most, scope)),
            WhileLoop(span, bounded, inner),
            IfLogging(span, branch(span, reached, (note,))),
        )

    # Named steps and ways out.

    def named(self, step: checked.Step, scope: LowerScope) -> Statements:
        """Return a named step."""
        span, label = step.span, self.fresh("step")
        outer = self.variable("outer", span)
        body = self.steps(step.body, scope.inside(step.address, label, outer.name))
        begin: Statements = (WriteLog(span, (Literal(span, "step"), Literal(span, step.address))),)
        begin = (IfLogging(span, begin), *self._resets(step, span))
        if leaves(body, label):
            body = (Labelled(span, label, body),)
        keep = Assign(span, outer.name, CellRead(span, STEP))
        if not asks(body):
            # Nobody sees that the step is active, but a `stop` goes back to what was active around it.
            return (*((keep,) if outer.name in flow(body)[0] else ()), *begin, *body)
        number = self.step_number(step.address)
        before = (keep, CellWrite(span, STEP, None, Literal(span, number)))
        return (*before, *begin, *body, CellWrite(span, STEP, None, outer))

    def step_number(self, address: str) -> int:
        """Return the number of a named step; 0 is for none."""
        if address not in self.steps_seen:
            self.steps_seen.append(address)
        return self.steps_seen.index(address) + 1

    def _resets(self, step: checked.Step, span: Span) -> Statements:
        """Return the statements that put fields back to their start when a step begins."""
        fields = self.rules.fields.values()
        names = [one.name for key in (step.name, step.address) for one in fields if one.resets == key]
        return tuple(
            CallRuntime(span, "reset_cells", self.reset_arguments(name, span)) for name in dict.fromkeys(names)
        )

    def reset_arguments(self, field: str, span: Span) -> tuple[Formula, ...]:
        """Return what the runtime needs to reset a field: its name, shape, first cell and start."""
        cells = self.layout.fields[field]
        start = self.starts(field)
        return tuple(Literal(span, one) for one in (field, cells.base, cells.shape, start))

    def stop(self, step: checked.Stop, scope: LowerScope) -> Statements:
        """Return the way out of a body or step."""
        if step.step is not None:
            return (Break(step.span, scope.steps[step.step]),)
        if scope.outermost is None:
            return (Break(step.span, scope.label),)
        return CellWrite(step.span, STEP, None, Variable(step.span, scope.outermost)), Break(step.span, scope.label)

    def leave_game(self, step: checked.LeaveGame, scope: LowerScope) -> Statements:
        """Return how a player leaves."""
        player = self.expression(step.player, scope)
        fixed = Literal(step.span, self.players), Literal(step.span, self.places_to_leave())
        return (CallRuntime(step.span, "leave_game", (player, *fixed)),)

    def end_game(self, step: checked.EndGame, _: LowerScope) -> Statements:
        """Return the end of the game."""
        return (Finish(step.span),)


_BINDING: dict[type, Callable[[Any, Any, LowerScope], tuple[Statements, LowerScope]]] = {
    checked.Move: lambda planner, step, scope: planner.move(step, scope),
    checked.Draw: lambda planner, step, scope: planner.draw(step, scope),
    checked.Roll: lambda planner, step, scope: planner.roll(step, scope),
    checked.AddTo: lambda planner, step, scope: planner.add_to(step, scope),
    checked.Let: lambda planner, step, scope: planner.let(step, scope),
}
_PLAIN: dict[type, Callable[[Any, Any, LowerScope], Statements]] = {
    checked.Shuffle: lambda planner, step, scope: planner.shuffle(step, scope),
    checked.Sort: lambda planner, step, scope: planner.sort(step, scope),
    checked.SetTo: lambda planner, step, scope: planner.set_to(step, scope),
    checked.If: lambda planner, step, scope: planner.if_(step, scope),
    checked.For: lambda planner, step, scope: planner.for_(step, scope),
    checked.Repeat: lambda planner, step, scope: planner.repeat(step, scope),
    checked.While: lambda planner, step, scope: planner.while_(step, scope),
    checked.Choose: lambda planner, step, scope: planner.choose(step, scope),
    checked.Happen: lambda planner, step, scope: planner.happen(step, scope),
    checked.RunHook: lambda planner, step, scope: planner.run(step, scope),
    checked.Call: lambda planner, step, scope: planner.call(step, scope),
    checked.Reveal: lambda planner, step, scope: planner.reveal(step, scope),
    checked.Step: lambda planner, step, scope: planner.named(step, scope),
    checked.Stop: lambda planner, step, scope: planner.stop(step, scope),
    checked.LeaveGame: lambda planner, step, scope: planner.leave_game(step, scope),
    checked.EndGame: lambda planner, step, scope: planner.end_game(step, scope),
}
