"""Secrets are types: what another seat can notice must be known to all; marks moves and decisions that keep secrets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from aodrules.check import analysis_problems
from aodrules.check.analyse.bounds import MOST_PASSES
from aodrules.check.analyse.calls import Caller, CallGraph, Effect, limit_numbers, plain_arguments, receiver
from aodrules.check.analyse.driver import BodyWalk, Handler, Loop
from aodrules.check.analyse.hidden_pieces import trace_hidden_pieces
from aodrules.check.analyse.knowledge import (
    EVERYONE,
    NOBODY,
    Knowers,
    Knowledge,
    KnownName,
    KnownNames,
    common,
    inward,
    seats_of,
    together,
    who_knows,
)
from aodrules.check.checked import CheckedRules, DecisionDef, EffectScope, Field, Modifier, Option, Parameter, Reaction
from aodrules.check.steps import (
    AddTo,
    AnyStep,
    Argument,
    Choose,
    Draw,
    FieldPlace,
    FieldTarget,
    For,
    If,
    Let,
    LocalTarget,
    Move,
    ParameterPlace,
    PlaceReference,
    Repeat,
    Reveal,
    Roll,
    RunHook,
    SetTo,
    Sort,
    Steps,
)
from aodrules.check.visit import changed_names, expressions, tests_of, text_of, transform_steps
from aodrules.lang.expressions import Expression, Local
from aodrules.lang.types import Player
from aodrules.source.diagnostics import Note, Report
from aodrules.source.spans import Span


def keep_secrets(rules: CheckedRules, graph: CallGraph, report: Report) -> CheckedRules:
    """Return rules whose moves and decisions say what they hide; report every secret that others could notice."""
    options = (option for decision in rules.decisions.values() for option in decision.options)
    if all(each.secret is None for each in rules.fields.values()) and not any(each.hidden for each in options):
        return rules
    knowledge = Knowledge(rules, graph)
    knowledge.prepare()
    analysis = _SecrecyAnalysis(rules, graph, knowledge, report)
    analysis.check()
    decisions = {
        address: evolve(each, always_asked=True) if address in analysis.always_asked else each
        for address, each in rules.decisions.items()
    }
    kept = transform_steps(rules.with_parts(decisions=decisions), analysis.closed)
    return kept.with_parts(secrets=trace_hidden_pieces(kept, graph, analysis.joint))


@define(eq=False)
class _SecrecyAnalysis(BodyWalk[KnownNames]):
    """Finds what is not known to everyone who could notice it."""

    graph: CallGraph
    knowledge: Knowledge
    report: Report
    always_asked: set[str] = field(factory=set)
    joint: set[Span] = field(factory=set)
    """Where everybody is told what nobody knew alone."""
    _closed: dict[Move, Knowers] = field(factory=dict)
    """Moves that must not tell which piece they name, and who knows it."""
    _secret_loops: set[For] = field(factory=set)
    """Loops of whose items not everyone knows which has its turn."""
    _given: dict[tuple[Caller, str], KnownName] = field(factory=dict)
    _changed: frozenset[str] = field(init=False)
    _lowered: dict[tuple[Caller, str], Knowers] = field(factory=dict)
    """Who knows a changed `let` name, over all that is put into it."""
    _told: set[Expression | tuple[str, str]] = field(factory=set)
    """What was reported already: one mistake, one message."""
    _origins: dict[tuple[Caller, str], Span] = field(factory=dict)
    """Where a parameter is given something that not everyone knows."""
    _filled_in: dict[tuple[Caller, str], Option] = field(factory=dict)
    """By the name of a parameter: the hidden option that it belongs to."""
    _is_silent: bool = False

    def closed(self, step: AnyStep) -> AnyStep:
        """Return a step, marked if it must not tell which piece it names, or whose turn it is."""
        if isinstance(step, For) and step in self._secret_loops:
            return evolve(step, tells_secret=True)
        if not isinstance(step, Move) or step not in self._closed or step.what is None:
            return step
        return evolve(step, open=False, knowers=seats_of(self._closed[step], step.span))

    def check(self) -> None:
        """Check everything."""
        self._changed = changed_names(self.rules)
        self._check_effects()
        self._check_game()
        for caller in self.graph.order:
            self.visit(caller)

    # Needs.

    def _need(self, expression: Expression | None, names: KnownNames, what: str) -> None:
        """Report an expression that not everyone knows."""
        if expression is not None and self.knowledge.of(expression, names) != EVERYONE:
            self._leak(expression, what, EVERYONE, names)

    def _need_all(self, read: Iterable[Expression | None], names: KnownNames, what: str) -> None:
        for expression in read:
            self._need(expression, names, what)

    def _leak(self, expression: Expression, what: str, needed: Knowers, names: KnownNames) -> None:
        part = self.knowledge.cause(expression, needed)
        option = self._filled_in.get((names.caller, part.name)) if isinstance(part, Local) else None
        mistake = part if option is None or not isinstance(part, Local) else (option.address, part.name)
        if self._is_silent or mistake in self._told:
            return
        self._told.add(mistake)
        who = who_knows(self.knowledge.seen.get(part, NOBODY))
        given = self._origin(part, names)
        notes = [Note("the secret is given here", given)] if given else []
        hidden = option.id if option is not None else None
        said = (what, text_of(part.span), who, part.span, expression.span, notes, hidden)
        self.report.add(analysis_problems.leaked_secret(*said))

    def _origin(self, part: Expression, names: KnownNames) -> Span | None:
        """Return where a parameter was first given a secret."""
        return self._origins.get((receiver(names.caller), part.name)) if isinstance(part, Local) else None

    # The frame.

    def _check_game(self) -> None:
        game, names = self.rules.game, KnownNames(Caller("game", "game"))
        for source in game.points:
            value = self.rules.values.get(source.value)
            if value is not None and self.knowledge.value(source.value) != EVERYONE:
                self._leak(value.formula, "what counts as points", EVERYONE, names)
        winner = (game.winner_most, *game.winner_then, game.winner_if)
        self._need_all(winner, names, "who wins")
        self._need(game.order, names, "the order of play")

    def _check_effects(self) -> None:
        effects: list[Modifier | Reaction] = [each for all_ in self.rules.modifiers.values() for each in all_]
        effects += [each for all_ in self.rules.reactions.values() for each in all_]
        for effect in effects:
            held = self._secret_field(effect.scope.field)
            if held is not None:
                self._report_effect(effect, held)

    def _report_effect(self, effect: Modifier | Effect, held: Field) -> None:
        self.report.add(analysis_problems.effect_in_secret_field(effect.address, held.name, effect.span, held.span))

    def _secret_field(self, name: str | None) -> Field | None:
        found = self.rules.fields.get(name or "")
        return found if found is not None and found.secret is not None else None

    # Bodies.

    def start(self, caller: Caller, parameters: Sequence[Parameter]) -> KnownNames:
        called = receiver(caller)
        return KnownNames(caller, {each.name: self._given.get((called, each.name), KnownName()) for each in parameters})

    def in_effect(self, caller: Caller, effect: Effect) -> KnownNames | None:
        if isinstance(effect, Reaction):
            names = _carried(KnownNames(Caller("reaction", effect.address)), effect.scope)
        else:
            names, held = KnownNames(Caller("enter_leave", effect.address)), self._secret_field(effect.field)
            if held is not None:
                if effect.scope.kind is not None:
                    self._report_effect(effect, held)
                    return None
                names = _with_hidden_piece(names, held)
        self._need(effect.condition, names, "whether this happens")
        return names

    def in_option(self, decision: DecisionDef, option: Option, scope: KnownNames) -> KnownNames:
        """Check the conditions of an option; return the names in its steps."""
        names = scope if option.scope is None else _carried(scope, option.scope)
        for parameter, supplied in plain_arguments(option.given, option.supplied):
            names = names.bind(parameter.name, self.knowledge.name_for(supplied, names))
        self._need_all((option.again, *limit_numbers(option.limit)), names, "how often this may be chosen")
        secret = self._secret_of(option, names)
        if secret is not None:
            if not option.hidden and not option.open and not self._is_silent:
                self.report.add(analysis_problems.option_shows_secret(option.id, option.span, secret.span))
            if decision.optional:
                self.always_asked.add(decision.address)
        decider = names.seat(Local(Player(), option.span, "player"))
        for parameter in option.parameters:
            names = names.bind(parameter.name, KnownName(decider) if option.hidden else KnownName())
            if option.hidden:
                self._filled_in[names.caller, parameter.name] = option
        return names

    def _secret_of(self, option: Option, names: KnownNames) -> Expression | Option | None:
        """Return the first thing that an option's conditions read and not everyone knows."""
        decider = names.seat(Local(Player(), option.span, "player"))
        found: Expression | Option | None = self._secret_holder(option)
        for expression in tests_of(option):
            knowers = self.knowledge.of(expression, names)
            if knowers == EVERYONE:
                continue
            if not decider or not decider <= knowers:
                self._unknown(option, expression, decider)
            else:
                found = found or self.knowledge.smallest(expression, EVERYONE)
        return found

    def _secret_holder(self, option: Option) -> Option | None:
        """Return the option itself if that it is offered tells what lies in a secret field."""
        held = self._secret_field(option.scope.field if option.scope else None)
        if held is None or option.scope is None:
            return None
        if held.secret != "owner" or not option.scope.owner:  # noqa: S105 - a word of the language
            self.report.add(analysis_problems.unknown_to_decider(option.id, held.name, option.span))
            return None
        return option

    def _unknown(self, option: Option, expression: Expression, decider: Knowers) -> None:
        if not self._is_silent:
            part = self.knowledge.cause(expression, decider)
            self.report.add(analysis_problems.unknown_to_decider(option.id, text_of(part.span), part.span))

    def body(self, steps: Steps, scope: KnownNames) -> None:
        """Walk through a body until it is clear who knows the names it changes, then check it."""
        self._is_silent = True
        for _ in range(MOST_PASSES if self._changed else 0):
            before = dict(self._lowered)
            self.walk(steps, scope)
            if before == self._lowered:
                break
        self._is_silent = False
        self.walk(steps, scope)

    # Steps.

    def other_step(self, step: AnyStep, scope: KnownNames) -> None:
        self._need_all(expressions(step), scope, "this step")

    def _let(self, step: Let, names: KnownNames) -> KnownNames:
        meaning = self.knowledge.name_for(step.value, names)
        if step.told:
            if meaning.full == NOBODY:
                self.joint.add(step.span)
            if isinstance(step.value, Local):
                names = names.bind(step.value.name, KnownName())
            meaning = KnownName()
        if step.name in self._changed:
            lowered = self._lower(names, step.name, meaning.full)
            meaning = KnownName(lowered, common(lowered, meaning.presence))
        return names.bind(step.name, meaning)

    def _lower(self, names: KnownNames, name: str, knowers: Knowers) -> Knowers:
        key = (names.caller, name)
        self._lowered[key] = common(self._lowered.get(key, EVERYONE), knowers)
        return self._lowered[key]

    def _change(self, step: SetTo | AddTo, names: KnownNames) -> KnownNames:
        value = step.value if isinstance(step, SetTo) else step.amount
        knowers = self.knowledge.of(value, names)
        if isinstance(step.target, LocalTarget):
            self._lower(names, step.target.name, knowers)
        else:
            knowers = common(knowers, self._put(step.target, value, names))
        result = step.result if isinstance(step, AddTo) else None
        return names.bind(result, KnownName(knowers, knowers)) if result else names

    def _put(self, target: FieldTarget, value: Expression, names: KnownNames) -> Knowers:
        """Check what is put where: who sees the field must know it. Return who sees it."""
        declared = self.rules.fields.get(target.field)
        holders = EVERYONE if declared is None else self.knowledge.held(declared, target.at, names)
        for index in target.at:
            self._put_before(holders, index, f"where something is put in `{target.field}`", names)
        self._put_before(holders, value, f"what is put into `{target.field}`", names)
        return holders

    def _put_before(self, holders: Knowers, expression: Expression, what: str, names: KnownNames) -> None:
        """Report what some seats see, or everybody, and do not know."""
        knowers = self.knowledge.of(expression, names)
        if knowers != EVERYONE and (holders == EVERYONE or not holders or not holders <= knowers):
            self._leak(expression, what, holders, names)

    def in_branches(self, step: If, scope: KnownNames) -> tuple[KnownNames, KnownNames]:
        self._need(step.condition, scope, "a condition of a step")
        return scope, scope

    def in_loop(self, step: Loop, scope: KnownNames) -> KnownNames:
        if not isinstance(step, For):
            bounds = (step.count,) if isinstance(step, Repeat) else (step.condition, step.at_most)
            self._need_all(bounds, scope, "how often this is done")
            return scope
        if self.knowledge.presence(step.items, scope) != EVERYONE:
            self._leak(step.items, "how often this is done", EVERYONE, scope)
        if step.ordered_by is not None:
            self._need_all((step.items, step.ordered_by), scope, "what is put in order")
        item = KnownName(self.knowledge.of(step.items, scope), EVERYONE, self.knowledge.source(step.items, scope))
        if item.full != EVERYONE:
            self._secret_loops.add(step)
        inside = scope.bind(step.name, item)
        self._need(step.where, inside, "a condition of a step")
        return inside

    def read_subject(self, step: RunHook | Choose, scope: KnownNames) -> None:
        if isinstance(step, Choose):
            self._need(step.by, scope, "who decides")
        else:
            self._need(step.subject, scope, "whose steps are run")

    def in_choice(self, step: Choose, scope: KnownNames) -> KnownNames:
        inside = scope
        for seat in scope.seat(step.by):
            inside = scope.same_seat("player", seat)
        return inside

    def hand_over(
        self, called: Caller, parameters: Sequence[Parameter], arguments: Sequence[Argument], scope: KnownNames
    ) -> None:
        """Check what a decision or event is given; remember who knows what a verb or hook is given."""
        needs = {"decision": "what a decision is given", "event": f"what happens (`{called.name}`)"}.get(called.kind)
        for argument in arguments:
            if isinstance(argument, FieldPlace | ParameterPlace):
                self._check_place(argument, scope)
            elif needs is not None:
                self._need(argument, scope, needs)
        pairs = list(plain_arguments(parameters, arguments)) if needs is None else []
        for parameter, argument in pairs:
            meaning = self.knowledge.name_for(argument, scope)
            full, presence = (inward(each, pairs, scope) for each in (meaning.full, meaning.presence))
            before = self._given.get((called, parameter.name))
            source = meaning.source if before is None or before.source == meaning.source else None
            known = before or KnownName()
            name = KnownName(common(known.full, full), common(known.presence, presence), source)
            self._given[called, parameter.name] = name
            if full != EVERYONE:
                origin = self._origin(argument, scope) or argument.span
                self._origins.setdefault((called, parameter.name), origin)

    # Pieces.

    def _check_place(self, place: PlaceReference, names: KnownNames) -> None:
        if isinstance(place, FieldPlace):
            self._need_all((*place.at, place.index), names, "where pieces move")

    def _held(self, place: PlaceReference, names: KnownNames) -> Knowers:
        """Return who knows what lies in a place."""
        found = EVERYONE
        for name in sorted(self.graph.fields_of(names.caller, place)):
            declared = self.rules.fields.get(name)
            at = place.at if isinstance(place, FieldPlace) else ()
            found = common(found, EVERYONE if declared is None else self.knowledge.held(declared, at, names))
        return found

    def _move(self, step: Move, names: KnownNames) -> KnownNames:
        self._check_place(step.source, names)
        self._check_place(step.target, names)
        self._need_all((step.owner, step.count, step.position), names, "how pieces move")
        source, target = self._held(step.source, names), self._held(step.target, names)
        named = EVERYONE if step.what is None else self.knowledge.of(step.what, names)
        if named != EVERYONE:
            self._closed[step] = common(self._closed.get(step, EVERYONE), named)
            if source == EVERYONE and step.what is not None:
                self._leak(step.what, "which piece is moved", EVERYONE, names)
        seen = together(source, target)
        if isinstance(step.what, Local) and target == EVERYONE:
            names = names.bind(step.what.name, KnownName())
        if step.result is not None:
            known = seen if step.result_is_piece else together(named, target)
            names = names.bind(step.result, KnownName(known, together(named, target)))
        return names

    def _draw(self, step: Draw, names: KnownNames) -> KnownNames:
        self._check_place(step.source, names)
        self._check_place(step.target, names)
        self._need_all((step.count, step.owner, step.position), names, "how many are drawn")
        return names.bind(step.result, KnownName()) if step.result else names

    def _roll(self, step: Roll, names: KnownNames) -> KnownNames:
        self._need(step.items, names, "what is rolled")
        return names.bind(step.result, KnownName())

    def _sort(self, step: Sort, names: KnownNames) -> None:
        self._check_place(step.place, names)
        held = self._held(step.place, names)
        known = self.knowledge.of(step.by, names.bind(step.item, KnownName(held, EVERYONE, step.place.field)))
        if common(known, held) != held:
            self._leak(step.by, "the new order", held, names)

    def _reveal(self, step: Reveal, names: KnownNames) -> KnownNames:
        self._check_place(step.place, names)
        self._need(step.to, names, "who is shown something")
        if not isinstance(step.what, Local):
            return names
        seats = EVERYONE if step.to is None else names.seat(step.to)
        before = names.meaning(step.what.name)
        return names.bind(step.what.name, evolve(before, full=together(before.full, seats)))

    handlers: ClassVar[dict[type, Handler]] = {
        **BodyWalk.handlers,
        Let: _let,
        SetTo: _change,
        AddTo: _change,
        Move: _move,
        Draw: _draw,
        Roll: _roll,
        Sort: _sort,
        Reveal: _reveal,
    }


def _carried(names: KnownNames, scope: EffectScope) -> KnownNames:
    return names.same_seat("owner", "player") if scope.owner else names


def _with_hidden_piece(names: KnownNames, held: Field) -> KnownNames:
    """Return the names in an effect of a secret field: who may look into it knows the piece."""
    players = frozenset({"player"} if any(isinstance(each, Player) for each in held.dimensions) else ())
    knowers = players if held.secret == "owner" else NOBODY  # noqa: S105 - a word of the language
    for name in (held.holds or "", "self"):
        names = names.bind(name, KnownName(knowers, EVERYONE, held.name))
    return names
