"""Where hidden pieces and other secrets depend on each other: there no position can be dealt anew in a fair way.

Pieces are dealt by exchanging those that a seat cannot tell apart, numbers and the like by trying what others may have
answered in secret. Each is right only where the other does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from attrs import define, evolve, field, frozen

from aodrules.check.analyse.calls import Caller, CallGraph
from aodrules.check.checked import CheckedRules, DecisionDef, Mixture, Option, Parameter, Secrets
from aodrules.check.steps import (
    AddTo,
    Argument,
    Call,
    Choose,
    Draw,
    FieldPlace,
    For,
    Happen,
    If,
    Let,
    LocalTarget,
    Move,
    ParameterPlace,
    PlaceReference,
    Repeat,
    Reveal,
    RunHook,
    SetTo,
    Step,
    Steps,
    While,
)
from aodrules.check.visit import bodies, children, expressions, walk, walk_steps
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


def trace_hidden_pieces(rules: CheckedRules, graph: CallGraph) -> Secrets:
    """Return where pieces that a seat may not know and other secrets depend on each other."""
    tracer = _Tracer(rules, graph)
    tracer.trace()
    return Secrets(tuple(tracer.mixtures.values()), frozenset(tracer.asked), frozenset(tracer.by_pieces))


@define(eq=False)
class _Tracer:
    """Walks through all bodies, callers first."""

    rules: CheckedRules
    graph: CallGraph
    mixtures: dict[str, Mixture] = field(factory=dict)
    asked: set[str] = field(factory=set)
    by_pieces: set[str] = field(factory=set)
    _values: set[str] = field(factory=set)
    _given: set[tuple[str, str]] = field(factory=set)
    """Parameters of verbs and hooks that are given something which tells of hidden pieces."""
    _entered: set[tuple[str, str]] = field(factory=set)
    """What is called while such a name is still needed."""
    _changed: set[tuple[Caller, str]] = field(factory=set)
    """Names of `let` that some step makes tell of hidden pieces; the body is then read again with them."""

    def trace(self) -> None:
        """Look at everything."""
        for caller in reversed(self.graph.order):
            value = self.rules.values.get(caller.name) if caller.sort == "value" else None
            if value is not None:
                read = [value.formula]
                for modifier in self.rules.modifiers.get(value.name, ()):
                    read += [modifier.amount, *([] if modifier.condition is None else [modifier.condition])]
                if self._tell(read, _TraceScope(caller)):
                    self._values.add(value.name)
        for caller in self.graph.order:
            visitor = self._visitors.get(caller.sort)
            before = -1
            while visitor is not None and before != len(self._changed):
                before = len(self._changed)
                visitor(self, evolve(_TraceScope(caller), amid=(caller.sort, caller.name) in self._entered))

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
            if self._tell(_conditions(option), scope):
                return True
        return self._tell((child for child in children(expression) if not _is_counted(expression, child)), scope)

    def _is_hidden(self, name: str) -> bool:
        declared = self.rules.fields.get(name)
        return declared is not None and declared.secret is not None and declared.holds is not None

    # Callers.

    def _verb(self, scope: _TraceScope) -> None:
        verb = self.rules.verbs.get(scope.caller.name)
        if verb is not None:
            self._walk(verb.body, self._parameters(verb.parameters, scope))

    def _hook(self, scope: _TraceScope) -> None:
        hook = self.rules.hooks[scope.caller.name]
        self._walk(hook.bodies[scope.caller.member], self._parameters(hook.parameters, scope))

    def _parameters(self, parameters: Iterable[Parameter], scope: _TraceScope) -> _TraceScope:
        given = {each.name for each in parameters if (scope.caller.name, each.name) in self._given}
        return evolve(scope, hidden=frozenset(given))

    def _event(self, scope: _TraceScope) -> None:
        for reaction in self.rules.reactions.get(scope.caller.name, ()):
            self._walk(reaction.body, scope)

    def _passages(self, scope: _TraceScope) -> None:
        declared = self.rules.fields.get(scope.caller.name)
        names = {declared.holds or "", "self"} if declared and self._is_hidden(declared.name) else NO_NAMES
        for passage in self.rules.passages.get(scope.caller.name, ()):
            if passage.entering is (scope.caller.sort == "entering"):
                self._walk(passage.body, evolve(scope, hidden=frozenset(names)))

    def _decision(self, scope: _TraceScope) -> None:
        decision = self.rules.decisions.get(scope.caller.name)
        if decision is not None and not decision.inline:
            self._options(decision, scope)

    def _options(self, decision: DecisionDef, scope: _TraceScope) -> None:
        for option in decision.options:
            self._walk(option.body, self._option(option, scope))
        self._walk(decision.otherwise, scope)

    def _option(self, option: Option, scope: _TraceScope) -> _TraceScope:
        """Return the names in the steps of an option."""
        for parameter, supplied in zip(option.given, option.supplied, strict=False):
            if not isinstance(supplied, FieldPlace | ParameterPlace):
                scope = scope.with_name(parameter.name, hidden=self._tells(supplied, scope))
        is_held = option.scope is not None and self._is_hidden(option.scope.field or "")
        if option.hidden and (is_held or self._tell(_conditions(option), scope)):
            self.by_pieces.add(option.address)
            names = {each.name for each in option.parameters} | ({"self"} if is_held else set())
            return evolve(scope, hidden=scope.hidden | names)
        return evolve(scope, hidden=scope.hidden - {each.name for each in option.parameters})

    # Steps.

    def _walk(self, steps: Steps, scope: _TraceScope) -> None:
        outside = scope.later
        for number, step in enumerate(steps):
            scope = evolve(scope, later=outside | _mentioned(steps[number + 1 :]))
            walker = self._walkers.get(type(step))
            scope = scope if walker is None else walker(self, step, scope) or scope

    def _let(self, step: Let, scope: _TraceScope) -> _TraceScope:
        is_changed = (scope.caller, step.name) in self._changed
        return scope.with_name(step.name, hidden=is_changed or self._tells(step.value, scope))

    def _change(self, step: SetTo | AddTo, scope: _TraceScope) -> _TraceScope:
        value = step.value if isinstance(step, SetTo) else step.amount
        if not self._tells(value, scope):
            return scope
        if isinstance(step.target, LocalTarget):
            self._changed.add((scope.caller, step.target.name))
        else:
            declared = self.rules.fields.get(step.target.field)
            if declared is not None and declared.secret is not None:
                what = f"what `{declared.name}` holds depends on hidden pieces"
                self.mixtures.setdefault(what, Mixture(what, step.span))
        return scope.with_name(step.result, hidden=True) if isinstance(step, AddTo) else scope

    def _for(self, step: For, scope: _TraceScope) -> None:
        is_hidden = self._tells(step.items, scope)
        inside = evolve(
            scope.with_name(step.name, hidden=is_hidden),
            later=scope.later | _mentioned(step.body) | _names_in([step.where]),
            amid=scope.is_amid or is_hidden,  # the loop remembers what it runs over
        )
        if step.ordered_by is not None and inside.is_amid:
            self.asked.add(f"{step.address}.order")
        self._walk(step.body, inside)

    def _repeated(self, step: Repeat | While | If | Step, scope: _TraceScope) -> None:
        later = _mentioned((step,)) if isinstance(step, Repeat | While) else NO_NAMES
        for body in bodies(step):
            self._walk(body, evolve(scope, later=scope.later | later))

    def _choose(self, step: Choose, scope: _TraceScope) -> None:
        decision = self.rules.decisions.get(step.decision)
        if scope.is_amid and step.by is not None:
            self.asked.add(step.decision)
        self._enter(scope, ("decision", step.decision))
        if decision is not None and decision.inline:
            self._options(decision, scope)

    def _happen(self, step: Happen, scope: _TraceScope) -> None:
        self._enter(scope, ("event", step.event))

    def _run(self, step: RunHook, scope: _TraceScope) -> None:
        hook = self.rules.hooks.get(step.hook)
        self._hand_over(("hook", step.hook), hook.parameters if hook else (), step.arguments, scope)

    def _call(self, step: Call, scope: _TraceScope) -> None:
        verb = self.rules.verbs.get(step.verb)
        self._hand_over(("verb", step.verb), verb.parameters if verb else (), step.arguments, scope)

    def _hand_over(
        self,
        called: tuple[str, str],
        parameters: Iterable[Parameter],
        arguments: Iterable[Argument],
        scope: _TraceScope,
    ) -> None:
        self._enter(scope, called)
        for parameter, argument in zip(parameters, arguments, strict=False):
            if not isinstance(argument, FieldPlace | ParameterPlace) and self._tells(argument, scope):
                self._given.add((called[1], parameter.name))

    def _enter(self, scope: _TraceScope, *called: tuple[str, str]) -> None:
        if scope.is_amid:
            self._entered.update(called)

    def _move(self, step: Move | Draw, scope: _TraceScope) -> _TraceScope:
        for sort, place in (("leaving", step.source), ("entering", step.target)):
            self._enter(scope, *((sort, name) for name in self.graph.fields_of(scope.caller, place)))
        if isinstance(step, Draw) or step.what is None:
            return scope
        if not step.open and not self._tells(step.what, scope):
            what = f"a secret that is no piece decides which {step.kind} is moved"
            self.mixtures.setdefault(what, Mixture(what, step.span))
        is_shown = step.open or not any(map(self._is_hidden, self._fields(step.target, scope)))
        if isinstance(step.what, Local) and is_shown:
            scope = scope.with_name(step.what.name, hidden=False)
        return scope.with_name(step.result, hidden=step.result_is_piece and not is_shown)

    def _fields(self, place: PlaceReference, scope: _TraceScope) -> frozenset[str]:
        return self.graph.fields_of(scope.caller, place)

    def _reveal(self, step: Reveal, scope: _TraceScope) -> _TraceScope:
        declared = self.rules.fields.get(step.place.field)
        is_list = declared is not None and isinstance(declared.type, ListOf)
        if step.what is not None and is_list and step.place.index is None and self._is_hidden(step.place.field):
            # Who was not shown it may not learn where the others now know a piece.
            what = f"where a piece in `{step.place.field}` is known depends on which one was revealed by its name"
            self.mixtures.setdefault(what, Mixture(what, step.span))
        is_open = isinstance(step.what, Local) and step.to is None
        return scope.with_name(step.what.name, hidden=False) if is_open and isinstance(step.what, Local) else scope

    _visitors: ClassVar[dict[str, Callable[[Any, _TraceScope], None]]] = {
        "verb": _verb,
        "hook": _hook,
        "event": _event,
        "entering": _passages,
        "leaving": _passages,
        "decision": _decision,
    }
    _walkers: ClassVar[dict[type, Callable[[Any, Any, _TraceScope], _TraceScope | None]]] = {
        Let: _let,
        SetTo: _change,
        AddTo: _change,
        If: _repeated,
        For: _for,
        Repeat: _repeated,
        While: _repeated,
        Step: _repeated,
        Choose: _choose,
        Happen: _happen,
        RunHook: _run,
        Call: _call,
        Move: _move,
        Draw: _move,
        Reveal: _reveal,
    }


def _conditions(option: Option) -> list[Expression | None]:
    return [*(each.domain for each in option.parameters), *(each.expression for each in option.conditions)]


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
