"""Simplify the graph of basic blocks, and find which blocks are entered from outside.

    before                                  after
    0: a              goto 1                0: a; b      if x then 1 else 2
    1: b              goto 2                1: c         goto 2
    2:                if x then 3 else 4    2: d         end
    3: c              goto 4
    4:                goto 5
    5: d              end

Here 0 is entered from outside and 2 from two blocks: both are entry blocks, and each becomes a function.
1 has one predecessor and is written inside the function of 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from attrs import evolve, field, frozen

from aodrules.compiler.formulas import Literal
from aodrules.compiler.nodes import AwaitAnswer, Block, CallBlock, CondJump, Dispatch, Exit, Goto


@frozen(eq=False)
class BlockGraph:
    """The basic blocks of a game: the entry blocks become functions, the others stand inside their one predecessor."""

    blocks: dict[int, Block]
    first: int
    entries: tuple[int, ...]
    answers: dict[int, int]
    """For each block that goes on after an answer: the site."""
    codes: dict[int, str]
    """For each block that goes on after an answer: the variable that keeps its code."""
    _entry_numbers: frozenset[int] = field(init=False)

    @_entry_numbers.default
    def _numbers_of_entries(self) -> frozenset[int]:
        return frozenset(self.entries)

    def is_entry(self, number: int) -> bool:
        """Whether a block is a function of its own."""
        return number in self._entry_numbers


def successors(block: Block) -> tuple[int, ...]:
    """Return the blocks that a block can go on with."""
    exit_ = block.exit
    if isinstance(exit_, Goto | AwaitAnswer):
        return (exit_.block,)
    if isinstance(exit_, CondJump):
        return exit_.then, exit_.otherwise
    if isinstance(exit_, Dispatch):
        return (*(block for _, block in exit_.cases), exit_.default)
    if isinstance(exit_, CallBlock):
        return exit_.block, exit_.back
    return ()


def local_successors(block: Block) -> tuple[int, ...]:
    """Return the blocks that a block can go on with before anybody is asked and without a call."""
    return () if isinstance(block.exit, AwaitAnswer | CallBlock) else successors(block)


def simplify(blocks: dict[int, Block], first: int) -> BlockGraph:
    """Return the graph of the blocks that can be reached, with as few of them as possible."""
    blocks = {number: evolve(block, exit=_decide(block.exit)) for number, block in blocks.items()}
    blocks, first = _skip_empty_blocks(blocks, first)
    blocks = _merge_straight_lines(blocks, first)
    order = list(_reachable(blocks, first))
    numbers = {old: new for new, old in enumerate(order)}
    renumbered = {
        numbers[old]: evolve(blocks[old], number=numbers[old], exit=_retarget(blocks[old].exit, numbers))
        for old in order
    }
    waits = [block.exit for block in renumbered.values() if isinstance(block.exit, AwaitAnswer)]
    answers = {wait.block: wait.point for wait in waits}
    codes = {wait.block: wait.code for wait in reversed(waits)}
    return BlockGraph(renumbered, numbers[first], _entry_blocks(renumbered, numbers[first]), answers, codes)


def _decide(exit_: Exit) -> Exit:
    """Return a jump whose condition is known as the way it takes."""
    if isinstance(exit_, CondJump) and isinstance(exit_.condition, Literal):
        return Goto(exit_.span, exit_.then if exit_.condition.value else exit_.otherwise)
    return exit_


def _skip_empty_blocks(blocks: dict[int, Block], first: int) -> tuple[dict[int, Block], int]:
    """Let every exit lead past blocks that do nothing; what follows a question is entered from nowhere else."""
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
    calls: dict[int, object] = {}
    for number, block in blocks.items():
        exit_ = _retarget(block.exit, past)
        if isinstance(exit_, CallBlock) and calls.setdefault(exit_.back, exit_.within) is not exit_.within:
            # Calls in different surroundings come back to different blocks, by which they are told apart.
            back = len(kept)
            kept[back] = Block(back, block.procedure, (), Goto(exit_.span, exit_.back))
            exit_ = evolve(exit_, back=back)
        elif isinstance(exit_, AwaitAnswer):
            answer = len(kept)
            kept[answer] = Block(answer, block.procedure, (), Goto(exit_.span, exit_.block))
            exit_ = evolve(exit_, block=answer)
        kept[number] = evolve(block, exit=exit_)
    return kept, past[first]


def _retarget(exit_: Exit, numbers: dict[int, int]) -> Exit:
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


def _merge_straight_lines(blocks: dict[int, Block], first: int) -> dict[int, Block]:
    """Merge each block with its only successor where that has no other predecessor."""
    blocks = {number: blocks[number] for number in _reachable(blocks, first)}
    predecessors = _count_predecessors(blocks, first)
    for number in list(blocks):
        if number in blocks:
            line = [blocks[number]]
            while isinstance(way := line[-1].exit, Goto) and predecessors[way.block] == 1 and way.block != number:
                line.append(blocks.pop(way.block))
            if len(line) > 1:
                body = tuple(chain.from_iterable(block.body for block in line))
                blocks[number] = evolve(line[0], body=body, exit=line[-1].exit)
    return blocks


def _count_predecessors(blocks: dict[int, Block], first: int) -> Counter[int]:
    """Return how many predecessors each block has; a way in from outside counts as two, so that it stays apart."""
    counts = Counter[int]({first: 2})
    for block in blocks.values():
        is_local = not isinstance(block.exit, AwaitAnswer | CallBlock)
        for number in successors(block):
            counts[number] += 1 if is_local else 2
    return counts


def _entry_blocks(blocks: dict[int, Block], first: int) -> tuple[int, ...]:
    predecessors = _count_predecessors(blocks, first)
    return tuple(sorted(number for number in blocks if predecessors[number] != 1))


def _reachable(blocks: dict[int, Block], first: int) -> Iterator[int]:
    """Iterate over the blocks that can be reached, depth first."""
    seen = {first}
    waiting = [first]
    while waiting:
        number = waiting.pop()
        yield number
        for successor in reversed(successors(blocks[number])):
            if successor not in seen:
                seen.add(successor)
                waiting.append(successor)
