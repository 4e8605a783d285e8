"""Enter a game at any named step, through whatever verbs, loops, hooks and answers lead to it.

On the way in only the `set` and `let` steps before it are done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check.checked import CheckedRules, Option, Reaction
from aodrules.check.steps import (
    AddTo,
    AnyStep,
    Call,
    Choose,
    Draw,
    For,
    Happen,
    If,
    Let,
    Move,
    Repeat,
    Roll,
    RunHook,
    SetTo,
    Step,
    Steps,
    While,
)
from aodrules.facts.action_codes import ActionSpace
from aodrules.facts.state import Cause, PlainState, UnderWay
from aodrules.interpreter.executor import (
    Ended,
    Executor,
    Flow,
    Items,
    Observer,
    Uses,
    cause_of_effect,
    cause_of_hook,
    keep_names,
)
from aodrules.interpreter.holders import Holder, holders
from aodrules.interpreter.options import Locals, free_names, whole_domain
from aodrules.interpreter.setup import starting_state
from aodrules.interpreter.state_changes import StateChanges
from aodrules.interpreter.tables import Tables
from aodrules.lang.types import NUMBER, Maybe, Member, Piece, Type, item_of

Inside: TypeAlias = "str | int | Option | Reaction | None"
"""What is entered of a step: a branch, a member's body, an answer, a reaction; nothing to tell where there is one."""
Wanted: TypeAlias = Callable[[AnyStep], bool]


@frozen(eq=False)
class Link:
    """One list of steps on the way in, and which of its steps is entered."""

    steps: Steps
    index: int
    inside: Inside = None

    @property
    def step(self) -> AnyStep:
        """The step that is entered."""
        return self.steps[self.index]


@frozen(eq=False)
class EntryPath:
    """A way into the flow: the verb in which it begins, and link by link what encloses the step."""

    verb: str
    links: tuple[Link, ...] = ()

    @property
    def target(self) -> AnyStep | None:
        """The step it leads to; none for the beginning of the verb."""
        return self.links[-1].step if self.links else None

    def loops(self) -> dict[str, For]:
        """Return the loops around the step by the name of what they run over."""
        return {link.step.name: link.step for link in self.links[:-1] if isinstance(link.step, For)}

    def options(self) -> tuple[Option, ...]:
        """Return the answers whose steps enclose the step."""
        return tuple(link.inside for link in self.links if isinstance(link.inside, Option))

    def members(self) -> dict[str, int]:
        """Return which member each name must be, so that the hooks on the way are those of the step."""
        return {
            link.step.subject.name: link.inside
            for link in self.links
            if isinstance(link.step, RunHook) and isinstance(link.inside, int) and hasattr(link.step.subject, "name")
        }


def entry_paths_to(rules: CheckedRules, wanted: Wanted) -> Iterator[EntryPath]:
    """Iterate over the ways to steps of one sort, in the order in which the game is written down."""
    finder = _EntryPathFinder(rules, wanted)
    for verb in rules.game.verbs:
        for links in finder.ways(rules.verbs[verb].body):
            yield EntryPath(verb, links)


def is_step(address: str) -> Wanted:
    """Return a test for the step with an address."""
    return lambda step: isinstance(step, Step) and step.address == address


def is_call(verb: str) -> Wanted:
    """Return a test for a step that only does a verb."""
    return lambda step: isinstance(step, Call) and step.verb == verb


@define(eq=False)
class _EntryPathFinder:
    """Looks for steps, each list of steps at most once."""

    rules: CheckedRules
    wanted: Wanted
    _known: dict[int, bool] = field(factory=dict)

    def ways(self, steps: Steps) -> Iterator[tuple[Link, ...]]:
        for index, step in enumerate(steps):
            if self.wanted(step):
                yield (Link(steps, index),)
            for inside, inner in insides(self.rules, step):
                if self._leads(inner):
                    yield from ((Link(steps, index, inside), *links) for links in self.ways(inner))

    def _leads(self, steps: Steps) -> bool:
        known = self._known.get(id(steps))
        if known is None:
            known = self._known[id(steps)] = any(
                self.wanted(step) or any(self._leads(inner) for _, inner in insides(self.rules, step)) for step in steps
            )
        return known


def insides(rules: CheckedRules, step: AnyStep) -> Iterator[tuple[Inside, Steps]]:
    """Iterate over the lists of steps that a step may lead into."""
    if isinstance(step, If):
        yield "then", step.then
        yield "otherwise", step.otherwise
    elif isinstance(step, For | Repeat | While | Step):
        yield None, step.body
    elif isinstance(step, Call):
        yield None, rules.verbs[step.verb].body
    elif isinstance(step, RunHook):
        yield from rules.hooks[step.hook].bodies.items()
    elif isinstance(step, Choose):
        decision = rules.decisions[step.decision]
        yield from ((option, option.body) for option in decision.options)
        yield "otherwise", decision.otherwise
    elif isinstance(step, Happen):
        yield from ((reaction, reaction.body) for reaction in rules.reactions.get(step.event, ()))


def result_type(rules: CheckedRules, step: Move | Draw | AddTo | Roll) -> Type:
    """Return the type of what a step names with `as`."""
    if isinstance(step, Roll):
        return item_of(step.items.type)
    if isinstance(step, Move) and step.result_is_piece:
        pieces = None if step.kind == "player" else rules.family(step.kind).pieces
        return Maybe(Piece(step.kind) if pieces is not None and pieces.owned else Member(step.kind))
    return NUMBER


class NoEntryError(Exception):
    """A step cannot be entered as asked: a loop around it has no such item."""


@frozen(eq=False)
class Passed:
    """One link on the way in: the names made before the step that was entered, and how it was entered."""

    link: Link
    lets: tuple[tuple[str, Type, Any], ...] = ()
    """Names, their types and what they stand for."""
    fixed: Any = None
    """Of a loop its items and which of them, of a repetition how often, of an answer or reaction its names."""


@frozen(eq=False)
class EntryPoint:
    """Where a game is entered: the way, the items of the loops around it, and the state."""

    way: EntryPath
    state: PlainState
    """What the game begins with."""
    names: dict[tuple[int, str], Any]
    """The items of loops and the arguments of answers around the step; the first of each that is not named.

    Each has the list of steps on the way that knows it, counted from outside."""
    settle: Callable[[PlainState], None] = lambda _: None
    """Puts back what is given, after each `set` on the way in."""
    arrived: Callable[[tuple[Passed, ...], PlainState], None] = lambda *_: None
    """Is told, when the step is about to be done, how it was entered and the state."""


def state_after_setup(
    tables: Tables, spaces: dict[str, ActionSpace], seed: int, on_answer: Callable[[str], None] = lambda _: None
) -> PlainState:
    """Return the state when the set-up is done; who may pass does, and others give the first possible answer.

    `on_answer` is told each decision in which nobody could pass.
    """
    changes = StateChanges(tables, starting_state(tables, seed))
    flow = Executor(changes, spaces).set_up()
    try:
        question = next(flow)
        while True:
            passing = spaces[question.pending.decision].passing
            if passing not in question.codes:
                on_answer(question.pending.decision)
            question = flow.send(passing if passing in question.codes else question.codes[0])
    except (StopIteration, Ended):
        return changes.state


class EntryRunner(Executor):
    """Plays a game from a step on."""

    def __init__(
        self, changes: StateChanges, spaces: dict[str, ActionSpace], entry: EntryPoint, observer: Observer | None = None
    ) -> None:
        super().__init__(changes, spaces, observer)
        self._entry = entry
        self._trail: list[Passed] = []
        self._ways_in: dict[type, Callable[[Any, Link, Sequence[Link], Locals], Flow]] = {
            If: self._into_branch,
            For: self._into_loop,
            Repeat: self._into_repeat,
            While: self._into_while,
            Call: self._into_call,
            Step: self._into_step,
            RunHook: self._into_hook,
            Choose: self._into_choice,
            Happen: self._into_reaction,
        }

    def game(self) -> Flow:
        """Play from the step to the end of the game."""
        frame, way = self.rules.game, self._entry.way
        try:
            yield from self._body(self._first(way), Cause(self.rules.verbs[way.verb].address))
            if way.verb == frame.begin and way.verb != frame.play:
                yield from self._verbs(frame.play)
        except Ended:
            pass
        yield from self._finish(None if way.verb == frame.end else frame.end)

    def _first(self, way: EntryPath) -> Flow:
        if way.links:
            yield from self._enter(way.links, {})
        else:
            self._arrive()
            yield from self._steps(self.rules.verbs[way.verb].body, {})

    def _arrive(self) -> None:
        """Let what is given hold; what was done on the way is no part of the game."""
        self._entry.settle(self.state)
        self._entry.arrived(tuple(self._trail), self.state)
        self.changes.forget_log()

    def _enter(self, links: Sequence[Link], locals_: Locals) -> Flow:
        """Go in through the first link and do what follows it."""
        link, *inner = links
        lets = self._prepare(link.steps[: link.index], locals_)
        self._trail.append(Passed(link, tuple((name, type_, locals_[name]) for name, type_ in lets.items())))
        if inner:
            yield from self._ways_in[type(link.step)](link.step, link, inner, locals_)
        else:
            yield from self._begin(link.step, locals_)
        yield from self._steps(link.steps[link.index + 1 :], locals_)

    def _prepare(self, steps: Steps, locals_: Locals) -> dict[str, Type]:
        """Do the `set` and `let` steps before the one that is entered, and return the names they make."""
        lets: dict[str, Type] = {}
        for step in steps:
            if isinstance(step, SetTo | Let) and free_names(step.value) <= locals_.keys():
                self.changes.make(step, locals_)
                self._entry.settle(self.state)
                if isinstance(step, Let):
                    lets[step.name] = step.value.type
            elif isinstance(step, Move | Draw | AddTo | Roll) and step.result is not None:
                locals_[step.result], lets[step.result] = self._result_of_nothing(step, locals_)
        return lets

    def _fix(self, fixed: Any) -> None:
        """Note how the last link was entered."""
        self._trail[-1] = evolve(self._trail[-1], fixed=fixed)

    def _result_of_nothing(self, step: Move | Draw | AddTo | Roll, locals_: Locals) -> tuple[Any, Type]:
        """Return what a step that is not done would have named, and its type."""
        type_ = result_type(self.rules, step)
        if isinstance(step, Roll):
            return next(iter(self.evaluator.items(step.items, locals_)), None), type_
        return (None if isinstance(type_, Maybe) else 0), type_

    def _begin(self, step: AnyStep, locals_: Locals) -> Flow:
        if not isinstance(step, Step):
            self._arrive()
            yield from self._steps((step,), locals_)
            return
        around = self._open(step)
        self.changes.reset(step)
        self._arrive()
        self.changes.note(("step", step.address))
        yield from self._inside_step(step, around, self._steps(step.body, locals_))

    def _open(self, step: Step) -> str | None:
        around, self.state.step = self.state.step, step.address
        return around

    # One way into each step that encloses others.

    def _into_branch(self, _step: If, _link: Link, inner: Sequence[Link], locals_: Locals) -> Flow:
        yield from self._enter(inner, locals_)

    def _into_step(self, step: Step, _link: Link, inner: Sequence[Link], locals_: Locals) -> Flow:
        yield from self._inside_step(step, self._open(step), self._enter(inner, locals_))

    def _into_repeat(self, step: Repeat, _link: Link, inner: Sequence[Link], locals_: Locals) -> Flow:
        count = self._value(step.count, locals_)
        self._fix(count)
        with self._inside(UnderWay("repeat", step.address, turn=1)):
            yield from self._enter(inner, locals_)
        for turn in range(2, count + 1):
            with self._inside(UnderWay("repeat", step.address, turn=turn)):
                yield from self._steps(step.body, locals_)

    def _into_while(self, step: While, _link: Link, inner: Sequence[Link], locals_: Locals) -> Flow:
        # What this round has used up before it is entered is not known: it counts as if that was one.
        most = self._value(step.at_most, locals_) + step.uses_up
        self._fix(most)
        yield from self._enter(inner, locals_)
        yield from self._rounds(step, self._rounds_left(step, most, locals_), locals_)

    def _into_call(self, step: Call, _link: Link, inner: Sequence[Link], locals_: Locals) -> Flow:
        verb = self.rules.verbs[step.verb]
        names = self._named(verb.parameters, step.arguments, locals_)
        yield from self._body(self._enter(inner, names), Cause(verb.address))

    def _into_hook(self, step: RunHook, link: Link, inner: Sequence[Link], locals_: Locals) -> Flow:
        hook = self.rules.hooks[step.hook]
        assert isinstance(link.inside, int)  # a hook is entered in the body of a member
        names = {"self": link.inside, **self._named(hook.parameters, step.arguments, locals_)}
        yield from self._body(self._enter(inner, names), cause_of_hook(hook, link.inside))

    def _into_loop(self, step: For, _link: Link, inner: Sequence[Link], locals_: Locals) -> Flow:
        items: Items = tuple(enumerate(self.evaluator.items(step.items, locals_)))
        gone = frozenset(self.state.left)
        chosen = self._chosen(step, items, locals_)
        self._fix((tuple(item for _, item in items), chosen[0]))
        locals_.update(self._loop_names(step, *chosen))
        with self._inside(self._turn_of(step, *chosen)):
            yield from self._enter(inner, locals_)
        rest = [one for one in items if one[0] != chosen[0]] if step.ordered_by else items[chosen[0] + 1 :]
        yield from self._run_over(step, tuple(rest), gone, locals_)

    def _chosen(self, step: For, items: Items, locals_: Locals) -> tuple[int, Any]:
        """Return the item for which a loop is entered: the one asked for, else the first that may have its turn."""
        named = self._named_on_way(step.name)
        wanted = self._entry.way.members().get(step.name) if named is None else named
        fitting = [one for one in items if wanted is None or one[1] == wanted]
        if not fitting:
            raise NoEntryError(step.name)
        turns = (one for one in fitting if self._passes(step, *one, locals_))
        return next(turns, fitting[0]) if named is None else fitting[0]

    def _named_on_way(self, name: str) -> Any:
        """Return what is asked for under a name that the link entered last makes; nothing if nothing is."""
        return self._entry.names.get((len(self._trail), name))

    def _into_choice(self, step: Choose, link: Link, inner: Sequence[Link], locals_: Locals) -> Flow:
        decision, option = self.rules.decisions[step.decision], link.inside
        around = locals_ if decision.inline else {}
        given = self._named(decision.parameters, step.arguments, locals_)
        if step.by is not None:
            given["player"] = self._value(step.by, locals_)
        names = {**around, **given}
        arguments = self._arguments(option, names) if isinstance(option, Option) else {}
        if isinstance(option, Option):
            self._fix(arguments)
            names.update(arguments)
        cause = Cause(decision.address)
        if isinstance(option, Option):
            cause = cause_of_effect(option.address, option.scope)
        try:
            yield from self._body(self._enter(inner, names), cause)
        finally:
            keep_names(around, names, {*given, *arguments})
        if isinstance(option, Option) and option.again is not None:
            uses = Uses()
            uses.count(option, self._value(option.again, names))
            yield from self._ask(step, decision, given, locals_, uses)

    def _arguments(self, option: Option, names: Locals) -> Locals:
        """Return the arguments of the answer that is entered: those asked for, else the first there are."""
        found: Locals = {
            one.name: self.evaluator.argument(given, names)
            for one, given in zip(option.given, option.supplied, strict=False)
        }
        for parameter in option.parameters:
            named = self._named_on_way(parameter.name)
            first = next(iter(whole_domain(self.evaluator, parameter)), None)
            found[parameter.name] = first if named is None else named
        held = next(holders(self.tables, self.state, option.scope), Holder()) if option.scope else Holder()
        return {**held.names, **found}

    def _into_reaction(self, step: Happen, link: Link, inner: Sequence[Link], locals_: Locals) -> Flow:
        event = self.rules.events[step.event]
        names = self._named(event.parameters, step.arguments, locals_)
        if isinstance(link.inside, Reaction):
            held = next(holders(self.tables, self.state, link.inside.scope), Holder()).names
            self._fix(held)
            names.update(held)
        cause = None
        if isinstance(link.inside, Reaction):
            cause = Cause(link.inside.address, link.inside.scope.kind, names.get("self"))
        yield from self._body(self._enter(inner, names), cause)
