"""Actions as numbers: the codes of every decision, and what each means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from attrs import field, frozen

from aodrules.check.checked import CheckedRules, DecisionDef, Option, Parameter
from aodrules.check.steps import For
from aodrules.check.visit import all_bodies, walk_steps
from aodrules.facts.state_shape import StateShape
from aodrules.lang.types import Flag, Number, Type, item_of

PASSING = "pass"
NEXT = "next"
REST = "rest"


@frozen(eq=False)
class Choice:
    """An option of a decision, with the codes that belong to it.

    `option` is the checked option; there is none for `pass` and for `next` and `rest` of an ordered loop.
    """

    id: str
    address: str
    offset: int
    sizes: tuple[int, ...]
    lows: tuple[int, ...]
    types: tuple[Type, ...]
    option: Option | None = None
    codes: int = field()

    @codes.default
    def _count(self) -> int:
        return prod(self.sizes)


@frozen(eq=False)
class ActionSpace:
    """All actions of one decision as codes from 0 up to but not including `size`."""

    decision: str
    """The address of the decision."""
    choices: tuple[Choice, ...]
    """In the order of their codes."""
    optional: bool

    @property
    def size(self) -> int:
        """How many codes there are."""
        return sum(choice.codes for choice in self.choices)

    @property
    def passing(self) -> int | None:
        """The code of `pass`, where one may pass."""
        return self.choices[-1].offset if self.optional else None

    def choice(self, name: str) -> Choice:
        """Return a choice by its address."""
        return next(choice for choice in self.choices if choice.address == name)

    def encode(self, choice: int | Choice, arguments: Sequence[int] = ()) -> int:
        """Return the code of a choice (or the number of one) with its arguments."""
        chosen = self.choices[choice] if isinstance(choice, int) else choice
        code = 0
        for argument, low, size in zip(arguments, chosen.lows, chosen.sizes, strict=True):
            code = code * size + (argument - low)
        return chosen.offset + code

    def decode(self, code: int) -> tuple[Choice, tuple[int, ...]]:
        """Return the choice that a code means and its arguments."""
        chosen = next(choice for choice in reversed(self.choices) if choice.offset <= code)
        code -= chosen.offset
        arguments = []
        for type_, low, size in reversed([*zip(chosen.types, chosen.lows, chosen.sizes, strict=True)]):
            code, digit = divmod(code, size)
            arguments.append(bool(digit) if isinstance(type_, Flag) else low + digit)
        return chosen, tuple(reversed(arguments))


def action_spaces(shape: StateShape) -> dict[str, ActionSpace]:
    """Return the codes of every decision of the rules, those of ordered loops included, by address."""
    spaces = {address: _of_decision(shape, one) for address, one in shape.rules.decisions.items()}
    for loop in ordered_loops(shape.rules):
        space = _of_loop(shape, loop)
        spaces[space.decision] = space
    return spaces


def order_address(loop: For) -> str:
    """Return the address of the decision that puts the items of a loop in order."""
    return f"{loop.address}.order"


def _of_decision(shape: StateShape, decision: DecisionDef) -> ActionSpace:
    choices: list[Choice] = []
    offset = 0
    for option in decision.options:
        choice = _of_option(shape, option, offset)
        choices.append(choice)
        offset += choice.codes
    if decision.optional:
        choices.append(_single(PASSING, decision.address, offset))
    return ActionSpace(decision.address, tuple(choices), decision.optional)


def _of_option(shape: StateShape, option: Option, offset: int) -> Choice:
    parameters = option.parameters
    return Choice(
        option.id,
        option.address,
        offset,
        tuple(parameter_size(shape, one) for one in parameters),
        tuple(one.low if isinstance(one.type, Number) else 0 for one in parameters),
        tuple(one.type for one in parameters),
        option,
    )


def parameter_size(shape: StateShape, parameter: Parameter) -> int:
    """Return how many values a parameter of an option can have."""
    return parameter.size if isinstance(parameter.type, Number) else shape.size_of(parameter.type)


def _of_loop(shape: StateShape, loop: For) -> ActionSpace:
    address = order_address(loop)
    item = item_of(loop.items.type)
    low = item.low or 0 if isinstance(item, Number) else 0
    first = Choice(NEXT, f"{address}.{NEXT}", 0, (shape.size_of(item),), (low,), (item,))
    choices = [first, _single(REST, address, first.codes)]
    if loop.optional:
        choices.append(_single(PASSING, address, first.codes + 1))
    return ActionSpace(address, tuple(choices), loop.optional)


def _single(name: str, decision: str, offset: int) -> Choice:
    return Choice(name, f"{decision}.{name}", offset, (), (), ())


def ordered_loops(rules: CheckedRules) -> Iterator[For]:
    """Return every loop whose items a player puts in order."""
    return (
        step
        for body in all_bodies(rules)
        for step in walk_steps(body)
        if isinstance(step, For) and step.ordered_by is not None
    )
