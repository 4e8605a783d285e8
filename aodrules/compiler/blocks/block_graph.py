"""The blocks as a graph: empty ones left out, single ways joined, and which blocks are entered from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from attrs import evolve, field, frozen

from aodrules.compiler.nodes import AwaitAnswer, Block, CallBlock, CondJump, Dispatch, Exit, Goto, Literal


@frozen(eq=False)
class BlockGraph:
    """Blocks and where they are entered: roots are functions, the others are written inside their one predecessor."""

    blocks: dict[int, Block]
    first: int
    roots: tuple[int, ...]
    answers: dict[int, int]
    """For each block that goes on after an answer: the site."""
    codes: dict[int, str]
    """For each block that goes on after an answer: the variable that keeps its code."""
    _root_numbers: frozenset[int] = field(init=False)

    @_root_numbers.default
    def _numbers_of_roots(self) -> frozenset[int]:
        return frozenset(self.roots)

    def is_root(self, number: int) -> bool:
        """Whether a block is a function of its own."""
        return number in self._root_numbers


def successors(exit_: Exit) -> tuple[int, ...]:
    """Return the blocks that a block can go on with at once."""
    if isinstance(exit_, Goto | AwaitAnswer):
        return (exit_.block,)
    if isinstance(exit_, CondJump):
        return exit_.then, exit_.otherwise
    if isinstance(exit_, Dispatch):
        return (*(block for _, block in exit_.cases), exit_.default)
    if isinstance(exit_, CallBlock):
        return exit_.block, exit_.back
    return ()


def simplify(blocks: dict[int, Block], first: int) -> BlockGraph:
    """Return the graph of blocks that can be reached, with as few of them as possible."""
    blocks = {number: evolve(block, exit=_decided(block.exit)) for number, block in blocks.items()}
    blocks, first = _without_empty(blocks, first)
    blocks = _joined(blocks, first)
    order = list(_reached(blocks, first))
    numbers = {old: new for new, old in enumerate(order)}
    renumbered = {
        numbers[old]: evolve(blocks[old], number=numbers[old], exit=_mapped(blocks[old].exit, numbers)) for old in order
    }
    waits = [block.exit for block in renumbered.values() if isinstance(block.exit, AwaitAnswer)]
    answers = {wait.block: wait.site for wait in waits}
    codes = {wait.block: wait.code for wait in reversed(waits)}
    return BlockGraph(renumbered, numbers[first], _roots(renumbered, numbers[first]), answers, codes)


def _without_empty(blocks: dict[int, Block], first: int) -> tuple[dict[int, Block], int]:
    """Let every way lead past blocks that do nothing; what follows a question is entered from nowhere else."""
    past: dict[int, int] = {}
    for number in blocks:
        here, seen = number, {number}
        block = blocks[here]
        while isinstance(block.exit, Goto) and not block.body and block.exit.block not in seen:
            here = block.exit.block
            seen.add(here)
            block = blocks[here]
        past[number] = here
    kept = dict(blocks)
    for number, block in blocks.items():
        exit_ = _mapped(block.exit, past)
        if isinstance(exit_, AwaitAnswer):
            answer = len(kept)
            kept[answer] = Block(answer, block.procedure, (), Goto(exit_.span, exit_.block))
            exit_ = evolve(exit_, block=answer)
        kept[number] = evolve(block, exit=exit_)
    return kept, past[first]


def _decided(exit_: Exit) -> Exit:
    """Return a fork whose condition is known as the way it takes."""
    if isinstance(exit_, CondJump) and isinstance(exit_.condition, Literal):
        return Goto(exit_.span, exit_.then if exit_.condition.value else exit_.otherwise)
    return exit_


def _mapped(exit_: Exit, numbers: dict[int, int]) -> Exit:
    if isinstance(exit_, Goto | AwaitAnswer):
        return evolve(exit_, block=numbers.get(exit_.block, exit_.block))
    if isinstance(exit_, CondJump):
        return evolve(exit_, then=numbers[exit_.then], otherwise=numbers[exit_.otherwise])
    if isinstance(exit_, Dispatch):
        cases = tuple((value, numbers[block]) for value, block in exit_.cases)
        return evolve(exit_, cases=cases, default=numbers[exit_.default])
    if isinstance(exit_, CallBlock):
        return evolve(exit_, block=numbers[exit_.block], back=numbers[exit_.back])
    return exit_


def _joined(blocks: dict[int, Block], first: int) -> dict[int, Block]:
    """Join each block with its only successor where that has no other predecessor."""
    blocks = {number: blocks[number] for number in _reached(blocks, first)}
    entered = _entered(blocks, first)
    for number in list(blocks):
        if number in blocks:
            joined = [blocks[number]]
            while isinstance(way := joined[-1].exit, Goto) and entered[way.block] == 1 and way.block != number:
                joined.append(blocks.pop(way.block))
            if len(joined) > 1:
                body = tuple(chain.from_iterable(block.body for block in joined))
                blocks[number] = evolve(joined[0], body=body, exit=joined[-1].exit)
    return blocks


def _entered(blocks: dict[int, Block], first: int) -> Counter[int]:
    """Return how often each block is entered; entries from outside count twice, so that they stay on their own."""
    counts = Counter[int]({first: 2})
    for block in blocks.values():
        weight = 2 if isinstance(block.exit, AwaitAnswer | CallBlock) else 1
        for number in successors(block.exit):
            counts[number] += weight
    return counts


def _roots(blocks: dict[int, Block], first: int) -> tuple[int, ...]:
    entered = _entered(blocks, first)
    return tuple(sorted(number for number in blocks if entered[number] != 1))


def _reached(blocks: dict[int, Block], first: int) -> Iterator[int]:
    seen = {first}
    waiting = [first]
    while waiting:
        number = waiting.pop()
        yield number
        for following in reversed(successors(blocks[number].exit)):
            if following not in seen:
                seen.add(following)
                waiting.append(following)
