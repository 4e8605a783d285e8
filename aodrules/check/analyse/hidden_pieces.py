"""Where hidden pieces and other secrets depend on each other: there no position can be dealt anew in a fair way.

Pieces are dealt by exchanging those that a seat cannot tell apart, numbers and the like by trying what others may have
answered in secret. Each is right only where the other does not matter.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field, frozen

from aodrules.check.analyse.calls import Caller, CallGraph, Effect, called_by, plain_arguments, receiver
from aodrules.check.analyse.driver import BodyWalk, Handler, Loop
from aodrules.check.checked import CheckedRules, DecisionDef, Mixture, Option, Parameter, Reaction, Secrets
from aodrules.check.steps import (
    AddTo,
    Argument,
    Choose,
    Draw,
    For,
    Let,
    LocalTarget,
    Move,
    Reveal,
    RunHook,
    SetTo,
    Steps,
)
from aodrules.check.visit import children, expressions, tests_of, walk, walk_steps
from aodrules.lang.expressions import (
    BuiltinCall,
    Expression,
    FieldRead,
    Local,
    Operation,
    PlaceRead,
    Possible,
    ValueCall,
)
from aodrules.lang.types import ListOf, Nothing
from aodrules.source.spans import Span

NO_NAMES: frozenset[str] = frozenset()


@frozen(eq=False)
class _TraceScope:
    """A place in a body: which names tell of hidden pieces, and what is still needed after it."""

    caller: Caller
    hidden: frozenset[str] = NO_NAMES
    later: frozenset[str] = NO_NAMES
    amid: bool = False
    """Whether whoever called this still needs such a name."""

    def with_name(self, name: str | None, *, hidden: bool) -> _TraceScope:
        if name is None:
            return self
        return evolve(self, hidden=self.hidden | {name} if hidden else self.hidden - {name})

    @property
    def is_amid(self) -> bool:
        """Whether the rest of what is under way needs a name that tells of hidden pieces."""
        return self.amid or bool(self.hidden & self.later)


def trace_hidden_pieces(rules: CheckedRules, graph: CallGraph, joint: Container[Span]) -> Secrets:
    """Return where pieces that a seat may not know and other secrets depend on each other.

    Secrets of several seats do so where everybody is told what comes of them; `joint` has the places.
    """
    tracer = _HiddenPieceAnalysis(rules, graph, joint)
    tracer.trace()
    return Secrets(tuple(tracer.mixtures.values()), frozenset(tracer.asked), frozenset(tracer.by_pieces))


@define(eq=False)
class _HiddenPieceAnalysis(BodyWalk[_TraceScope]):
    """Follows the names that tell of hidden pieces."""

    graph: CallGraph
    joint: Container[Span]
    mixtures: dict[str, Mixture] = field(factory=dict)
    asked: set[str] = field(factory=set)
    by_pieces: set[str] = field(factory=set)
    _values: set[str] = field(factory=set)
    _given: set[tuple[Caller, str]] = field(factory=set)
    """Parameters of verbs and hooks that are given something which tells of hidden pieces."""
    _entered: set[tuple[str, str]] = field(factory=set)
    """What is called while such a name is still needed."""
    _changed: set[tuple[Caller, str]] = field(factory=set)
    """Names of `let` that some step makes tell of hidden pieces; the body is then read again with them."""
    _others: set[tuple[Caller, str] | str] = field(factory=set)
    """Names, and values by theirs, that tell of secrets which are no pieces."""

    def trace(self) -> None:
        """Look at everything."""
        for caller in reversed(self.graph.order):
            value = self.rules.values.get(caller.name) if caller.kind == "value" else None
            if value is not None:
                read = [value.formula]
                for modifier in self.rules.modifiers.get(value.name, ()):
                    read += expressions(modifier)
                if self._tell(read, _TraceScope(caller)):
                    self._values.add(value.name)
                if self._tell_others(read, _TraceScope(caller)):
                    self._others.add(value.name)
        for caller in self.graph.order:
            before = -1
            while before != len(self._changed) + len(self._others):
                before = len(self._changed) + len(self._others)
                self.visit(caller)

    # Expressions.

    def _tell(self, read: Iterable[Expression | None], scope: _TraceScope) -> bool:
        """Whether any of some expressions tells which pieces lie hidden somewhere."""
        return any(self._tells(each, scope) for each in read if each is not None)

    def _tells(self, expression: Expression, scope: _TraceScope) -> bool:
        if isinstance(expression, Local):
            return expression.name in scope.hidden
        if isinstance(expression, FieldRead):
            return self._is_hidden(expression.field) or self._tell(expression.at, scope)
        if isinstance(expression, PlaceRead):
            places = self.graph.places.get((scope.caller, expression.name), frozenset())
            return any(map(self._is_hidden, places))
        if isinstance(expression, ValueCall) and expression.value in self._values:
            return True
        if isinstance(expression, Possible) and expression.option in self.rules.options:
            option = self.rules.options[expression.option]
            if self._tell(tests_of(option), scope):
                return True
        return self._tell((child for child in children(expression) if not _is_counted(expression, child)), scope)

    def _tell_others(self, read: Iterable[Expression | None], scope: _TraceScope) -> bool:
        """Whether any of some expressions tells of a secret that is no piece."""
        parts = (part for each in read if each is not None for part in walk(each))
        return any(self._tells_other(part, scope) for part in parts)

    def _tells_other(self, part: Expression, scope: _TraceScope) -> bool:
        if isinstance(part, FieldRead):
            declared = self.rules.fields.get(part.field)
            return declared is not None and declared.secret is not None and declared.holds is None
        if isinstance(part, Local):
            return (receiver(scope.caller), part.name) in self._others
        if isinstance(part, Possible) and part.option in self.rules.options:
            return self._tell_others(tests_of(self.rules.options[part.option]), scope)
        return isinstance(part, ValueCall) and part.value in self._others

    def _is_hidden(self, name: str) -> bool:
        declared = self.rules.fields.get(name)
        return declared is not None and declared.secret is not None and declared.holds is not None

    # Bodies.

    def start(self, caller: Caller, parameters: Sequence[Parameter]) -> _TraceScope:
        given = frozenset(each.name for each in parameters if (receiver(caller), each.name) in self._given)
        return _TraceScope(caller, given, amid=(caller.kind, caller.name) in self._entered)

    def in_effect(self, caller: Caller, effect: Effect) -> _TraceScope:
        scope = self.start(caller, ())
        if isinstance(effect, Reaction) or not self._is_hidden(effect.field):
            return scope
        return evolve(scope, hidden=frozenset({self.rules.fields[effect.field].holds or "", "self"}))

    def in_option(self, decision: DecisionDef, option: Option, scope: _TraceScope) -> _TraceScope:
        for parameter, supplied in plain_arguments(option.given, option.supplied):
            scope = scope.with_name(parameter.name, hidden=self._tells(supplied, scope))
        is_held = option.scope is not None and self._is_hidden(option.scope.field or "")
        by_pieces = is_held or self._tell(tests_of(option), scope)
        if by_pieces and self._tell_others(tests_of(option), scope):
            # That it was answered tells of the one what depends on the other.
            what = f"whether `{option.id}` is possible depends on hidden pieces and on other secrets"
            self.mixtures.setdefault(what, Mixture(what, option.span))
        if option.hidden and not by_pieces:
            self._others.update((receiver(scope.caller), each.name) for each in option.parameters)
        if option.hidden and by_pieces:
            self.by_pieces.add(option.address)
            names = {each.name for each in option.parameters} | ({"self"} if is_held else set())
            return evolve(scope, hidden=scope.hidden | names)
        return evolve(scope, hidden=scope.hidden - {each.name for each in option.parameters})

    def walk(self, steps: Steps, scope: _TraceScope) -> None:
        outside = scope.later
        for number, step in enumerate(steps):
            scope = self.step(step, evolve(scope, later=outside | _mentioned(steps[number + 1 :])))

    # Steps.

    def _let(self, step: Let, scope: _TraceScope) -> _TraceScope:
        tells_others = self._tell_others([step.value], scope)
        if step.told:
            return self._tell_all(step, scope, tells_others=tells_others)
        if tells_others:
            self._others.add((receiver(scope.caller), step.name))
        is_changed = (scope.caller, step.name) in self._changed
        return scope.with_name(step.name, hidden=is_changed or self._tells(step.value, scope))

    def _tell_all(self, step: Let, scope: _TraceScope, *, tells_others: bool) -> _TraceScope:
        """Return the names after everybody was told what an expression comes to."""
        if tells_others and (step.span in self.joint or self._tells(step.value, scope)):
            # What is told of the one depends on how the other truly is.
            what = f"`{step.name}` is told to all and depends on several secrets at once"
            self.mixtures.setdefault(what, Mixture(what, step.span))
        if isinstance(step.value, Local):
            scope = scope.with_name(step.value.name, hidden=False)
        return scope.with_name(step.name, hidden=False)

    def _change(self, step: SetTo | AddTo, scope: _TraceScope) -> _TraceScope:
        value = step.value if isinstance(step, SetTo) else step.amount
        if isinstance(step.target, LocalTarget) and self._tell_others([value], scope):
            self._others.add((receiver(scope.caller), step.target.name))
        where = () if isinstance(step.target, LocalTarget) else step.target.at
        if not self._tell((value, *where), scope):
            return scope
        if isinstance(step.target, LocalTarget):
            self._changed.add((scope.caller, step.target.name))
        else:
            declared = self.rules.fields.get(step.target.field)
            if declared is not None and declared.secret is not None:
                what = f"what `{declared.name}` holds depends on hidden pieces"
                self.mixtures.setdefault(what, Mixture(what, step.span))
        return scope.with_name(step.result, hidden=True) if isinstance(step, AddTo) else scope

    def in_loop(self, step: Loop, scope: _TraceScope) -> _TraceScope:
        if not isinstance(step, For):
            return evolve(scope, later=scope.later | _mentioned((step,)))
        is_hidden = self._tells(step.items, scope)
        inside = evolve(
            scope.with_name(step.name, hidden=is_hidden),
            later=scope.later | _mentioned(step.body) | _names_in([step.where]),
            amid=scope.is_amid or is_hidden,  # the loop remembers what it runs over
        )
        if step.ordered_by is not None and inside.is_amid:
            self.asked.add(f"{step.address}.order")
        return inside

    def read_subject(self, step: RunHook | Choose, scope: _TraceScope) -> None:
        if isinstance(step, Choose) and scope.is_amid and step.by is not None:
            self.asked.add(step.decision)

    def hand_over(
        self, called: Caller, parameters: Sequence[Parameter], arguments: Sequence[Argument], scope: _TraceScope
    ) -> None:
        self._enter(scope, ("hook" if called.kind == "run" else called.kind, called.name))
        if called.kind in {"verb", "run"}:
            for parameter, argument in plain_arguments(parameters, arguments):
                if self._tells(argument, scope):
                    self._given.add((called, parameter.name))
                if self._tell_others([argument], scope):
                    self._others.add((called, parameter.name))

    def _enter(self, scope: _TraceScope, *called: tuple[str, str]) -> None:
        if scope.is_amid:
            self._entered.update(called)

    def _move(self, step: Move | Draw, scope: _TraceScope) -> _TraceScope:
        enter_leave_effects = called_by(self.rules, self.graph, scope.caller, step)
        self._enter(scope, *((enter_leave.kind, enter_leave.name) for enter_leave in enter_leave_effects))
        if isinstance(step, Draw) or step.what is None:
            return scope
        if not step.open and not self._tells(step.what, scope):
            what = f"a secret that is no piece decides which {step.kind} is moved"
            self.mixtures.setdefault(what, Mixture(what, step.span))
        is_shown = step.open or not any(map(self._is_hidden, self.graph.fields_of(scope.caller, step.target)))
        if isinstance(step.what, Local) and is_shown:
            scope = scope.with_name(step.what.name, hidden=False)
        return scope.with_name(step.result, hidden=step.result_is_piece and not is_shown)

    def _reveal(self, step: Reveal, scope: _TraceScope) -> _TraceScope:
        declared = self.rules.fields.get(step.place.field)
        is_list = declared is not None and isinstance(declared.type, ListOf)
        if step.what is not None and is_list and step.place.index is None and self._is_hidden(step.place.field):
            # Who was not shown it may not learn where the others now know a piece.
            what = f"where a piece in `{step.place.field}` is known depends on which one was revealed by its name"
            self.mixtures.setdefault(what, Mixture(what, step.span))
        is_open = isinstance(step.what, Local) and step.to is None
        return scope.with_name(step.what.name, hidden=False) if is_open and isinstance(step.what, Local) else scope

    handlers: ClassVar[dict[type, Handler]] = {
        **BodyWalk.handlers,
        Let: _let,
        SetTo: _change,
        AddTo: _change,
        Move: _move,
        Draw: _move,
        Reveal: _reveal,
    }


def _is_counted(expression: Expression, child: Expression) -> bool:
    """Whether only the number of what is read, or that there is something, is asked for: everybody sees that."""
    if not isinstance(child, FieldRead | Local | PlaceRead):
        return False
    if isinstance(expression, BuiltinCall):
        return expression.builtin in ("size", "len")
    is_comparison = isinstance(expression, Operation) and expression.operator in ("==", "!=")
    return is_comparison and any(isinstance(each.type, Nothing) for each in children(expression))


def _mentioned(steps: Steps) -> frozenset[str]:
    """Return the names that steps read, those inside them too."""
    return frozenset().union(*(_names_in(expressions(step)) for step in walk_steps(steps)))


def _names_in(read: Iterable[Expression | None]) -> frozenset[str]:
    return frozenset(part.name for each in read if each is not None for part in walk(each) if isinstance(part, Local))
