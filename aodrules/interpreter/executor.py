"""What steps do: the meaning of the steps of the language, as generators that stop at each question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check.checked import DecisionDef, EffectScope, Hook, Limit, Option, Parameter, Reaction
from aodrules.check.steps import (
    AnyStep,
    Argument,
    Call,
    Choose,
    Draw,
    EndGame,
    For,
    Happen,
    If,
    LeaveGame,
    Move,
    Repeat,
    RunHook,
    Step,
    Steps,
    Stop,
    While,
    is_written,
)
from aodrules.facts.action_codes import PASSING, REST, ActionSpace, order_address
from aodrules.facts.state import Cause, PlaceRef, PlainState, Question, UnderWay
from aodrules.interpreter.holders import Holder, counter_at, has_owners, holders
from aodrules.interpreter.moves import Moved
from aodrules.interpreter.options import Locals, bound, holder_of, legal_codes, within_limit
from aodrules.interpreter.state_changes import StateChanges
from aodrules.interpreter.tables import Tables
from aodrules.lang.expressions import Expression
from aodrules.lang.types import Owner, Player, item_of, kind_of


@frozen(eq=False)
class OpenQuestion:
    """A question that waits: what is asked, the legal answers, and the names its conditions see."""

    pending: Question
    codes: tuple[int, ...]
    locals: Locals
    closed: frozenset[str] = frozenset()
    """The addresses of options that were chosen as often as they may be in one `choose`."""


@define
class Uses:
    """How often each option that asks again was chosen in one `choose`, by address."""

    closed: frozenset[str] = frozenset()
    """Those that were chosen as often as they may be."""
    _counts: Counter[str] = field(factory=Counter)

    def count(self, option: Option, again: int) -> None:
        """Count one more choice of an option, which may be chosen so often after the first time."""
        self._counts[option.address] += 1
        if self._counts[option.address] > again:
            self.closed |= {option.address}

    def are_up(self, decision: DecisionDef) -> bool:
        """Whether something was chosen, and nothing can be chosen any more."""
        return bool(self.closed) and all(option.address in self.closed for option in decision.options)


Flow: TypeAlias = Generator[OpenQuestion, int, None]
"""Steps under way: gives questions and is sent the codes of the answers."""
Items: TypeAlias = "tuple[tuple[int, Any], ...]"
"""The items of a loop, each with its position."""
_UNASKED = -1
"""What stands for an answer where one could only have passed."""


class Observer(Protocol):
    """Somebody who looks on while steps are done: for laws and examples that speak of moments between two questions."""

    def on_step(self, step: AnyStep, names: Locals) -> None:
        """Be told that a step is about to be done."""

    def on_skip(self, decision: str, names: Locals) -> None:
        """Be told that a decision is not asked because nothing is possible, and which names its conditions see."""

    def on_option(self, decision: str, option: str) -> None:
        """Be told that an answer (by address) was given and that its steps are about to be done."""

    def after_option(self, decision: str, option: str, names: Locals) -> None:
        """Be told that the steps of an answer are done."""

    def on_event(self, event: str, names: Locals) -> None:
        """Be told that everybody has reacted to an event."""


class Stopped(Exception):  # noqa: N818 - it is no error but a `stop` on its way out
    """A `stop` on its way to the end of the step it names, or of the body it is written in."""

    def __init__(self, step: str | None) -> None:
        super().__init__(step)
        self.step = step


class Ended(Exception):  # noqa: N818 - it is no error but the end of the game
    """The end of the game on its way out of everything."""


class Executor:
    """Does steps, and changes the state by them."""

    def __init__(self, changes: StateChanges, spaces: dict[str, ActionSpace], observer: Observer | None = None) -> None:
        self.changes = changes
        self.observer = observer
        self.evaluator = changes.evaluator
        self.state = changes.state
        self.tables = changes.tables
        self.rules = changes.tables.rules
        self.spaces = spaces
        self.under_way: list[UnderWay] = []
        """The named steps and loops that are under way, the outermost first."""
        self._flows: dict[type, Callable[[Any, Locals], Flow]] = {
            Move: self._move,
            Draw: self._draw,
            If: self._if,
            For: self._for,
            Repeat: self._repeat,
            While: self._while,
            Choose: self._choose,
            Happen: self._happen,
            RunHook: self._run,
            Call: self._call,
            Step: self._step,
        }
        self._exits: dict[type, Callable[[Any, Locals], None]] = {
            Stop: self._stop,
            LeaveGame: self._leave_game,
            EndGame: self._end_game,
        }

    def game(self) -> Flow:
        """Play the whole game."""
        with suppress(Ended):
            yield from self._verbs(self.rules.game.begin, self.rules.game.play)
        yield from self._finish(self.rules.game.end)

    def set_up(self) -> Flow:
        """Do only what comes before play."""
        yield from self._verbs(self.rules.game.begin)

    def _verbs(self, *verbs: str | None) -> Flow:
        for verb in verbs:
            if verb is not None:
                body = self.rules.verbs[verb]
                yield from self._body(self._steps(body.body, {}), Cause(body.address))

    def _finish(self, end: str | None) -> Flow:
        """Do the verb that ends every game, if there is one, and let the game be over."""
        with suppress(Ended):
            yield from self._verbs(end)
        self.state.over = True
        self.state.step = None
        self.changes.note(("over",))

    def body(self, steps: Steps, names: Locals) -> Flow:
        """Do the steps of one body."""
        yield from self._body(self._steps(steps, names), None)

    def _body(self, flow: Flow, cause: Cause | None) -> Flow:
        """Do what stands in a verb, hook, option or effect: a plain `stop` leaves it."""
        try:
            with self.changes.caused_by(cause):
                yield from flow
        except Stopped as stopped:
            if stopped.step is not None:
                raise

    def _steps(self, steps: Steps, locals_: Locals) -> Flow:
        for step in steps:
            if self.observer is not None:
                self.observer.on_step(step, locals_)
            sort = type(step)
            if sort in self._flows:
                yield from self._flows[sort](step, locals_)
            elif sort in self._exits:
                self._exits[sort](step, locals_)
            else:
                self.changes.make(step, locals_)

    def _value(self, expression: Expression, locals_: Locals) -> Any:
        return self.evaluator.value(expression, locals_)

    def _named(self, parameters: tuple[Parameter, ...], arguments: Iterable[Argument], locals_: Locals) -> Locals:
        """Return parameters with what is given for them."""
        given = [self.evaluator.argument(argument, locals_) for argument in arguments]
        return dict(zip((parameter.name for parameter in parameters), given, strict=True))

    # Control.

    def _if(self, step: If, locals_: Locals) -> Flow:
        yield from self._steps(step.then if self._value(step.condition, locals_) else step.otherwise, locals_)

    def _repeat(self, step: Repeat, locals_: Locals) -> Flow:
        for turn in range(self._value(step.count, locals_)):
            with self._inside(UnderWay("repeat", step.address, turn=turn + 1)):
                yield from self._steps(step.body, locals_)

    @contextmanager
    def _inside(self, entered: UnderWay) -> Iterator[None]:
        """Let something be under way."""
        self.under_way.append(entered)
        try:
            yield
        finally:
            self.under_way.pop()

    def _while(self, step: While, locals_: Locals) -> Flow:
        yield from self._rounds(step, self._value(step.at_most, locals_), locals_)

    def _rounds(self, step: While, left: int, locals_: Locals) -> Flow:
        while self._value(step.condition, locals_):
            if left <= 0:
                self.changes.note(("bound", str(step.span)))
                return
            yield from self._steps(step.body, locals_)
            left = self._rounds_left(step, left, locals_)

    def _rounds_left(self, step: While, left: int, locals_: Locals) -> int:
        """Return how many rounds there can be after one: none if what they use up did not become less."""
        if not step.uses_up:
            return left - 1
        number: int = self._value(step.at_most, locals_)
        return number if number < left else 0

    def _call(self, step: Call, locals_: Locals) -> Flow:
        verb = self.rules.verbs[step.verb]
        names = self._named(verb.parameters, step.arguments, locals_)
        yield from self._body(self._steps(verb.body, names), Cause(verb.address))

    def _run(self, step: RunHook, locals_: Locals) -> Flow:
        subject = self._value(step.subject, locals_)
        hook = self.rules.hooks[step.hook]
        if subject is not None and subject in hook.bodies:
            names = {"self": subject, **self._named(hook.parameters, step.arguments, locals_)}
            yield from self._body(self._steps(hook.bodies[subject], names), cause_of_hook(hook, subject))

    def _step(self, step: Step, locals_: Locals) -> Flow:
        around = self.state.step
        self.state.step = step.address
        self.changes.note(("step", step.address))
        self.changes.reset(step)
        yield from self._inside_step(step, around, self._steps(step.body, locals_))

    def _inside_step(self, step: Step, around: str | None, flow: Flow) -> Flow:
        """Do what stands in a named step; it is active until then."""
        try:
            with self._inside(UnderWay("step", step.address)):
                yield from flow
        except Stopped as stopped:
            if stopped.step != step.address:
                raise
        finally:
            self.state.step = around

    def _stop(self, step: Stop, _: Locals) -> None:
        raise Stopped(step.step)

    def _end_game(self, _step: EndGame, _: Locals) -> None:
        raise Ended

    def _leave_game(self, step: LeaveGame, locals_: Locals) -> None:
        player = self._value(step.player, locals_)
        # Somebody is always in the game: rules may count on that.
        if player not in self.state.left and len(self.state.left) == self.tables.players - 1:
            raise Ended
        self.changes.leave(player)

    # Loops.

    def _for(self, step: For, locals_: Locals) -> Flow:
        items = tuple(enumerate(self.evaluator.items(step.items, locals_)))
        yield from self._run_over(step, items, frozenset(self.state.left), locals_)

    def _run_over(self, step: For, items: Items, gone: frozenset[int], locals_: Locals) -> Flow:
        """Do a loop's body for items, in their order or in that of the player who is asked."""
        if step.ordered_by is None:
            yield from self._turns(step, items, gone, locals_)
        else:
            yield from self._ordered(step, items, gone, locals_)

    def _turns(self, step: For, items: Items, gone: frozenset[int], locals_: Locals) -> Flow:
        are_players = isinstance(item_of(step.items.type), Player | Owner)
        for index, item in items:
            just_left = are_players and item in self.state.left and item not in gone
            if not just_left and self._passes(step, index, item, locals_):
                yield from self._turn(step, index, item, locals_)

    def _turn(self, step: For, index: int, item: Any, locals_: Locals) -> Flow:
        locals_.update(self._loop_names(step, index, item))
        with self._inside(self._turn_of(step, index, item)):
            yield from self._steps(step.body, locals_)

    def _turn_of(self, step: For, index: int, item: Any) -> UnderWay:
        names = self._loop_names(step, index, item)
        return UnderWay("for", step.address, tuple(one for one in names.items() if is_written(one[0])))

    @staticmethod
    def _loop_names(step: For, index: int, item: Any) -> Locals:
        return {step.name: item} if step.index is None else {step.name: item, step.index: index}

    def _passes(self, step: For, index: int, item: Any, locals_: Locals) -> bool:
        """Whether an item passes `where` and is worth asking about."""
        names = {**locals_, **self._loop_names(step, index, item)}
        tests = (test for test in (step.where, step.worth_asking) if test is not None)
        return all(self._value(test, names) for test in tests)

    def _ordered(self, step: For, items: Items, gone: frozenset[int], locals_: Locals) -> Flow:
        """Let a player pick the next item as long as there is a choice; what is left then is done in order."""
        player: int = self._value(step.ordered_by, locals_)  # type: ignore[arg-type]  # asked only where somebody orders
        space = self.spaces[order_address(step)]
        left = list(items)
        while player not in self.state.left:
            open_ = [one for one in left if self._passes(step, *one, locals_)]
            if len(open_) < (1 if step.optional else 2):
                break
            shown = tuple(item for _, item in open_)
            pending = Question(space.decision, player, (("items", shown),))
            choice, arguments = space.decode((yield OpenQuestion(pending, order_codes(space, shown), locals_)))
            with self._watched(space.decision, choice.address, locals_):
                if choice.id == PASSING:
                    return
                if choice.id == REST:
                    yield from self._turns(step, tuple(left), gone, locals_)
                    return
                chosen = next(one for one in open_ if one[1] == arguments[0])
                left.remove(chosen)
                yield from self._turn(step, *chosen, locals_)
        if not step.optional:
            yield from self._turns(step, tuple(left), gone, locals_)

    # Decisions.

    def _choose(self, step: Choose, locals_: Locals) -> Flow:
        decision = self.rules.decisions[step.decision]
        given = self._named(decision.parameters, step.arguments, locals_)
        if step.by is not None:
            given["player"] = self._value(step.by, locals_)
        yield from self._ask(step, decision, given, locals_, Uses())

    def _ask(self, step: Choose, decision: DecisionDef, given: Locals, locals_: Locals, uses: Uses) -> Flow:
        """Ask until an answer ends the decision, or none is left."""
        player = None if step.by is None else given["player"]
        told = [parameter.name for parameter in decision.parameters]
        shown = tuple((name, given[name]) for name in told if not isinstance(given[name], PlaceRef))
        around = locals_ if decision.inline else {}
        while player not in self.state.left and not (decision.optional and uses.are_up(decision)):
            names = {**around, **given}
            pending = Question(decision.address, player or 0, shown)
            code = yield from self._answer(decision, pending, names, step.by, uses.closed)
            if self.observer is not None and (code is None or code == _UNASKED):
                self.observer.on_skip(decision.address, names)
            if code is None:
                yield from self._otherwise(decision, names, {*given}, around)
            if code is None or code == _UNASKED:
                return
            choice, arguments = self.spaces[decision.address].decode(code)
            if choice.option is None:
                with self._watched(decision.address, choice.address, names):
                    return
            again = yield from self._take(decision.address, choice.option, names, arguments, {*given}, around)
            if again is None:
                return
            uses.count(choice.option, again)

    def _answer(
        self, decision: DecisionDef, pending: Question, names: Locals, by: Expression | None, closed: frozenset[str]
    ) -> Generator[OpenQuestion, int, int | None]:
        """Ask, and return the code of the answer; nothing if there is no legal one. What can only pass is not asked."""
        space = self.spaces[decision.address]
        codes = legal_codes(self.evaluator, space, names, closed)
        if not codes:
            return None
        if codes == (space.passing,) and not decision.always_asked:
            return _UNASKED
        if by is None:
            return codes[self.changes.roll(len(codes))]
        return (yield OpenQuestion(pending, codes, names, closed))

    def _otherwise(self, decision: DecisionDef, names: Locals, fixed: set[str], around: Locals) -> Flow:
        if not decision.says_otherwise:
            with self.changes.caused_by(Cause(decision.address)):
                self.changes.note(("stuck", decision.address))
        elif decision.inline:
            try:
                yield from self._steps(decision.otherwise, names)
            finally:
                keep_names(around, names, fixed)
        else:
            yield from self._body(self._steps(decision.otherwise, names), Cause(decision.address))

    def _take(
        self, decision: str, option: Option, names: Locals, arguments: tuple[Any, ...], fixed: set[str], around: Locals
    ) -> Generator[OpenQuestion, int, int | None]:
        """Do the steps of an option and return how often more it may be chosen; nothing if it ends the decision."""
        inner = bound(self.evaluator, option, names, arguments)
        holder = holder_of(self.evaluator, option, inner) or Holder()
        cause = cause_of_effect(option.address, option.scope)
        with self.changes.caused_by(cause):
            self._count(option.limit, inner.get("player"), holder)
        try:
            with self._watched(decision, option.address, inner):
                yield from self._body(self._steps(option.body, inner), cause)
        finally:
            keep_names(around, inner, fixed | {parameter.name for parameter in (*option.parameters, *option.given)})
        return None if option.again is None else self._value(option.again, inner)

    @contextmanager
    def _watched(self, decision: str, option: str, names: Locals) -> Iterator[None]:
        """Tell whoever looks on that the steps of an answer begin, and when they are done or left."""
        if self.observer is None:
            yield
            return
        self.observer.on_option(decision, option)
        try:
            yield
        except (Stopped, Ended):
            self.observer.after_option(decision, option, names)
            raise
        self.observer.after_option(decision, option, names)

    def _count(self, limit: Limit | None, player: int | None, holder: Holder) -> None:
        for _, counter, _ in limit.periods if limit is not None else ():
            at = counter_at(self.tables, limit, counter, player, holder)
            self.changes.count(counter, at)

    # What others do about it.

    def _happen(self, step: Happen, locals_: Locals) -> Flow:
        event = self.rules.events[step.event]
        names = self._named(event.parameters, step.arguments, locals_)
        self.changes.note(("happen", step.event, tuple(names.values())))
        reactions = self.rules.reactions.get(step.event, ())
        held = [one for one in reactions if has_owners(self.tables, one.scope)]
        order = self.evaluator.order()
        for reaction in reactions:
            if reaction not in held:
                yield from self._react(reaction, None, names)
        for seat in (*order, *self.evaluator.sides()):
            for reaction in held:
                if not reaction.scope.owner or names["player"] == seat:
                    yield from self._react(reaction, seat, names)
        if self.observer is not None:
            self.observer.on_event(step.event, names)

    def _react(self, reaction: Reaction, seat: int | None, names: Locals) -> Flow:
        """Let a reaction happen once for each copy that is held when its turn comes."""
        owners = None if seat is None else (seat,)
        for holder in holders(self.tables, self.state, reaction.scope, owners):
            inner = {**names, **holder.names}
            for _ in range(holder.copies):
                holds = reaction.condition is None or self._value(reaction.condition, inner)
                if holds and within_limit(self.evaluator, reaction.limit, inner, holder):
                    cause = Cause(reaction.address, reaction.scope.kind, holder.member)
                    with self.changes.caused_by(cause):
                        self._count(reaction.limit, names.get("player"), holder)
                    yield from self._body(self._steps(reaction.body, dict(inner)), cause)

    def _move(self, step: Move, locals_: Locals) -> Flow:
        moved = self.changes.move(step, locals_)
        if step.left is not None:
            left = self.evaluator.place(step.left, locals_)
            moved = [evolve(one, source=(left.field, left.of(one.piece.owner))) for one in moved]
        if not step.aside:
            yield from self._enter_leave(moved)

    def _draw(self, step: Draw, locals_: Locals) -> Flow:
        yield from self._enter_leave(self.changes.draw(step, locals_))

    def _enter_leave(self, moved: list[Moved]) -> Flow:
        """Do what is to be done when pieces leave and enter fields: first all that left, then all that entered."""
        for entering in (False, True):
            for one in moved:
                yield from self._enter_or_leave(one, entering=entering)

    def _enter_or_leave(self, moved: Moved, *, entering: bool) -> Flow:
        name, at = moved.target if entering else moved.source
        field = self.rules.fields[name]
        member = moved.piece.member
        kind = "player" if field.holds == "player" else kind_of(field.type)
        for enter_leave in self.rules.enter_leave_effects.get(name, ()):
            if enter_leave.entering != entering or enter_leave.scope.kind not in (None, field.holds):
                continue
            names: Locals = {**self.tables.names_at(name, at), str(field.holds): member, kind: member}
            if field.tells_owner:
                names["owner" if self.rules.sides_owning(str(field.holds)) else "player"] = moved.piece.owner
            if enter_leave.scope.kind is not None:
                if member not in enter_leave.scope.members:
                    continue
                names["self"] = member
            if enter_leave.condition is None or self._value(enter_leave.condition, names):
                cause = cause_of_effect(enter_leave.address, enter_leave.scope)
                yield from self._body(self._steps(enter_leave.body, names), cause)


def cause_of_hook(hook: Hook, member: int) -> Cause:
    """Return the body that a member has in a hook."""
    return Cause(hook.name, hook.name.partition(".")[0], member)


def cause_of_effect(address: str, scope: EffectScope | None) -> Cause:
    """Return the body of what a member or all of a kind carry."""
    if scope is None or scope.kind is None:
        return Cause(address)
    return Cause(address, scope.kind, scope.members[0] if len(scope.members) == 1 else None)


def try_out(tables: Tables, state: PlainState, steps: Steps, names: Locals) -> None:
    """Do steps that ask nobody to a state that is nobody's."""
    executor = Executor(StateChanges(tables, state), {})
    for _ in executor.body(steps, names):
        raise AssertionError("what is tried out asks nobody")


def keep_names(around: Locals, inner: Locals, fixed: set[str]) -> None:
    """Let the names of the body around an inline decision keep what its steps made of them."""
    around.update({name: inner[name] for name in around if name not in fixed})


def order_codes(space: ActionSpace, items: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the legal answers when items are put in order: each item once, the rest, and perhaps to pass."""
    first, *others = space.choices
    return (*sorted({space.encode(first, (item,)) for item in items}), *(choice.offset for choice in others))
