"""Ways into the flow of a game: through which verbs, loops, hooks and answers one comes to a named step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from attrs import define, field, frozen

from aodrules.check.checked import CheckedRules, Option, Reaction
from aodrules.check.steps import AnyStep, Call, Choose, For, Happen, If, Repeat, RunHook, Step, Steps, While

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
    for verb in (rules.game.begin, rules.game.play):
        if verb is not None:
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
