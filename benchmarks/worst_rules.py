"""`python -m benchmarks.worst_rules`: how long the worst rules take that still load, and how much memory.

Each shape is a way to do as much as the bounds allow, and grows with one number. The largest that loads is played on
the compiled engine, with a log, and the slowest decision is measured, in a process of its own. Then the dearest shapes
are done again and again until the bound of a whole game is reached; of such a game a part is played, and it is told
how long all of it takes. `python -m benchmarks.worst_rules whole SECONDS` shows only these.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from time import process_time

import click
from attrs import frozen

from aodrules import load
from aodrules.check.analyse.bounds import MOST_DECISIONS, MOST_IN_ALL
from aodrules.check.analyse.calls import call_graph
from aodrules.check.analyse.costs import Cost
from aodrules.check.analyse.interval_analysis import ranges
from aodrules.check.analyse.work import WorkAnalysis
from aodrules.check.checked import CheckedRules
from aodrules.check.from_ruleset import check
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compose.from_documents import compose
from aodrules.play.engines import program_of
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read as read_source

FRAME = """
game: {{players: 2, seats: [one, two], play: go}}
kinds:
  card: {{plural: cards, attributes: {{rank: number}}, pieces: {{count: 2}}}}
state:
  table:
    n:    number 0..1000000
    m:    number 0..1000000
    box:  {{is: bag of card, start: all}}
    tray: bag of card
    deck: {{is: list of card, secret: content}}
    pile: list of card
    seen: set of hex
    far:  set of hex
card: {{{cards}}}
grid:
  hex: {{plural: hexes, cells: hexagons, columns: 30, rows: 30, odd_rows: right}}
decision:
  nod: {{options: {{nod: {{do: []}}}}}}
{more}
verb:
  go:
    do:
      - {{move: all, from: box, to: pile}}
      - {{choose: nod, by: first(seats)}}
      - repeat: {times}
        do:
          - work
          - {{choose: nod, by: first(seats)}}
  work:
    do:
{steps}
{verbs}
"""
FEW, MANY = 60, 900
"""How many cards there are, where a shape is not about their number and where it is."""


@frozen
class Shape:
    """Rules that do as much as they may, by one number."""

    name: str
    steps: Callable[[int], str]
    more: str = ""
    verbs: str = ""
    cards: int = FEW

    def text(self, size: int, times: int = 1) -> str:
        """Return the rules of a size, in which the work is done so many times."""
        cards = ", ".join(f"c{number}: {{rank: {number * 7 % 31}}}" for number in range(self.cards))
        steps = "\n".join(f"      {line}" for line in self.steps(size).splitlines())
        return FRAME.format(cards=cards, steps=steps, times=times, more=self.more, verbs=self.verbs)


def often(*steps: str) -> Callable[[int], str]:
    """Return the shape of a loop around some steps."""
    return lambda size: f"- {{repeat: {size}, do: [{', '.join(steps)}]}}"


def _doubling(call: str, last: str) -> str:
    lines = [f"  v{number}: " + call.replace("NEXT", f"v{number + 1}") for number in range(8)]
    return "\n".join([*lines, f"  v8: {last}"])


ADD = "{add: 1, to: n, up_to: true}, {take: 1, from: m, up_to: true}"
LONG = " + ".join(f"(n + {number}) % 7 * (m - {number})" for number in range(1, 12))
GEMS = """
sets: {{rings: {{wild_per_set: 1, shapes: [{shapes}]}}}}
"""


def asked(where: str) -> Callable[[int], str]:
    """Return the shape of a question with options of ten thousand ways each."""
    option = f"{{for: {{a: 0..99, b: 0..99}}, where: ['{where}'], do: []}}"
    head = "- choose: point\n  by: first(seats)\n  options:\n"
    return lambda size: head + "\n".join(f"    p{number}: {option}" for number in range(size))


def listed(where: str) -> Callable[[int], str]:
    """Return the shape of a question with one option of so many ways, ten for each."""
    option = "{{for: {{a: 0..{size}, b: 0..9}}, where: ['{where}'], do: []}}"
    head = "- choose: point\n  by: first(seats)\n  options:\n    point: "
    return lambda size: head + option.format(size=size, where=where)


def moved(what: str, source: str, target: str) -> str:
    """Return a step that moves pieces."""
    return f"{{move: {what}, from: {source}, to: {target}}}"


def read(formula: str) -> str:
    """Return a step that needs what a formula gives."""
    return f"{{set: m, to: 'min(9, max(0, {formula}))'}}"


VALUES = "value:\n" + _doubling("{is: NEXT() + NEXT()}", "{is: n + m}")
NEW, FAR = "{set: seen, to: 'set(h for h in hexes if h not in seen)'}", "{set: far, to: 'seen | far'}"
REACH = "size(reach(hexes.a1, n % 50, set(h for h in hexes)))"
RANKS = read("sum(c.rank for c in tray)")
EQUALS = "{size: 2, alike: true, worth: 2}, {size: 3, alike: true, worth: 5}"
OTHERS = "{size: 2, alike: true, worth: 2}, {size: 3, different: true, worth: 5}"
TAKEN = moved("c1", "pile", "tray")
SHAPES = (
    Shape("an empty loop", often()),
    Shape("numbers that are set", often(*[ADD] * 20)),
    Shape("numbers that change", often("{set: n, to: 'max(0, 1 - n)'}")),
    Shape("things that happen", often("happen: rain"), "event: {rain: {}}"),
    Shape("steps with a name", often("{step: deed, do: []}")),
    Shape("loops that end at a bound", often("{while: n == 0, at_most: 1, do: []}")),
    Shape("a secret that is told", often("{reveal: 'len(deck)', as: x}")),
    Shape("a long formula", often(read(LONG))),
    Shape("a sum over numbers", lambda size: f"- {read(f'sum(a * b for a in range({size}) for b in range(100))')}"),
    Shape(
        "values that call twice", often(read("v0()")), "value:\n" + _doubling("{is: NEXT() + NEXT()}", "{is: n + m}")
    ),
    Shape("verbs that call twice", often("v0"), verbs=_doubling("{do: [NEXT, NEXT]}", f"{{do: [{ADD}]}}")),
    Shape("a piece between bags", often(TAKEN, moved("c1", "tray", "box"), moved("c1", "box", "pile"))),
    Shape(
        "a piece between lists",
        often(moved("c7", "pile", "deck"), moved("c7", "deck", "pile")),
        cards=MANY,
    ),
    Shape(
        "the first of a list",
        often(moved("all", "'pile[0]'", "deck"), "{draw: 1, from: deck, to: pile}"),
        cards=MANY,
    ),
    Shape(
        "all pieces of a list",
        often(moved("all", "pile", "deck"), moved("all", "deck", "pile")),
        cards=300,
    ),
    Shape("all pieces of a bag", often(moved("all", "pile", "box"), moved("all", "box", "pile")), cards=300),
    Shape("pieces by chance", often(moved("all", "pile", "box"), "{draw: 200, from: box, to: pile}"), cards=300),
    Shape("a shuffled list", often("{shuffle: pile}"), cards=MANY),
    Shape("a sorted list", often("{sort: pile, by: card.rank}"), cards=MANY),
    Shape("a search in a list", often("{if: c899 in pile, then: [{set: n, to: 1}]}"), cards=MANY),
    Shape("a place in a list", often(read("index(pile, c899)")), cards=MANY),
    Shape("a count in a bag", often(TAKEN, read("tray[c899] + box[c0]")), cards=MANY),
    Shape(
        "all of a bag",
        often(moved("all", "pile", "tray"), RANKS, moved("c1", "tray", "box")),
        cards=MANY,
    ),
    Shape("the size of a bag", often(read("size(tray) + size(box)")), cards=MANY),
    Shape("an order of cards", often(read("len(ranked(c.rank for c in cards))"))),
    Shape("places of cards", often(read("len(places(c.rank for c in cards))"))),
    Shape(
        "sets of hexes",
        often(NEW, FAR),
    ),
    Shape(
        "ways over a map",
        often(read(REACH), "{add: 1, to: n, up_to: true}"),
    ),
    Shape("options with tests", asked("a * b % 7 == n % 7")),
    Shape("options without tests", asked("n == 0")),
    Shape("ways with tests", listed("sum(a * b % k for k in range(1, 9)) % 7 == n % 7")),
    Shape("ways without tests", listed("n == 0")),
    Shape("sets of equals", often(TAKEN, read("sets_worth(rings, tray, n % 3)")), GEMS.format(shapes=EQUALS), cards=30),
    Shape("sets of others", often(TAKEN, read("sets_worth(rings, tray, n % 3)")), GEMS.format(shapes=OTHERS), cards=6),
    Shape("answers by chance", often("{choose: nod, by: chance}")),
    Shape("rolls of dice", often("{roll: cards, as: x}", read("x.rank"))),
)


SHAPE = {shape.name: shape for shape in SHAPES}
DEAREST = (
    "numbers that change",
    "a secret that is told",
    "things that happen",
    "the size of a bag",
    "a sum over numbers",
)
"""Shapes of which the longest game is played for a while: those that take most for an operation."""


def rules_of(text: str) -> tuple[CheckedRules, list[str]]:
    """Return the rules a text declares, and what is wrong with them."""
    report = Report()
    document = read_source(Source("worst.yaml", text), report)
    rules = check(compose([document] if document else [], None, [], report), report)
    return rules, [f"{each.code}: {each.message} ({each.primary.span})" for each in report if each.severity == "error"]


def largest(shape: Shape) -> tuple[int, CheckedRules]:
    """Return the largest size of a shape that loads."""
    low, high, found = 0, 1, None
    while low + 1 < high or found is None or high <= 2 * low:
        rules, problems = rules_of(shape.text(high))
        if not problems:
            low, found, high = high, rules, 2 * high
            continue
        if not all(each.startswith("too-") for each in problems):
            raise SystemExit(f"{shape.name}: {problems}")
        if high - low <= max(1, low // 16):
            break
        high = (low + high) // 2 if high > low + 1 else high
    assert found is not None, shape.name
    return low, found


def cost_of(rules: CheckedRules) -> Cost:
    """Return what a game of some rules may cost."""
    graph = call_graph(rules, Report())
    analysis = WorkAnalysis(rules, graph, ranges(rules, graph, Report()))
    analysis.added_up()
    return analysis.whole_game


def whole_game_of(shape: Shape, size: int) -> tuple[int, CheckedRules]:
    """Return how often a shape of a size may be done in one game, and the rules that do it so often."""
    once, twice = (cost_of(rules_of(shape.text(size, times))[0]).most_in_all.number for times in (1, 2))
    times = 1 + (MOST_IN_ALL - once) // (twice - once)
    rules, problems = rules_of(shape.text(size, times))
    assert not problems, problems
    return times, rules


def played(rules: CheckedRules, seconds: float) -> Iterator[float]:
    """Play a game for so many seconds of the processor, or to its end, and give the seconds of each answer."""
    game = Compiled.new_game(program_of(rules, 2, log=True), 1)
    left = seconds
    while game.codes and left > 0:
        start = process_time()
        game.apply(game.codes[0])
        took = process_time() - start
        left -= took
        yield took


def slowest(rules: CheckedRules) -> float:
    """Return how long the slowest decision of a game takes, in seconds of the processor."""
    program = program_of(rules, 2, log=True)
    times = []
    start = process_time()
    game = Compiled.new_game(program, 1)
    times.append(process_time() - start)
    while game.codes:
        start = process_time()
        game.apply(game.codes[0])
        times.append(process_time() - start)
    return max(times)


def _row(name: str, size: int, operations: int, seconds: float) -> str:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return f"{name:28} {size:10,} {operations:15,} {seconds:8.2f} {seconds / operations * 1e9:8.1f} {memory:8,}"


def show_decision(name: str) -> None:
    """Show the slowest decision of the largest rules of a shape."""
    shape = SHAPE[name]
    size, rules = largest(shape)
    click.echo(_row(shape.name, size, cost_of(rules).most.number, slowest(rules)))


def show_whole_game(name: str, seconds: float) -> None:
    """Show how long the longest game of a shape takes, by all answers of its first seconds and by the first of them."""
    shape = SHAPE[name]
    times, rules = whole_game_of(shape, largest(shape)[0])
    took = list(played(rules, seconds))[1:]  # Before the first answer nothing is done.
    first = took[: max(1, len(took) // 4)]
    whole, expected = (sum(part) / len(part) * times for part in (took, first))
    click.echo(_row(f"{shape.name} *", times, cost_of(rules).most_in_all.number, whole))
    click.echo(f"    {len(took):,} times in {sum(took):.0f} s; by the first quarter it would take {expected:,.0f} s")


LONG_GAME = """
game: {{players: 2, seats: [one, two], play: go}}
kinds:
  card: {{plural: cards, pieces: {{count: 1}}}}
card: {{{cards}}}
state:
  table: {{n: number 0..9, box: {{is: bag of card, start: all}}, marks: flag per card per card}}
decision:
  nod:
    options:
      nod:  {{do: [{{add: 1, to: n, up_to: true}}]}}
      mark: {{for: [card], do: [{{set: "marks[card][card]", to: true}}]}}
verb:
  go: {{do: [{{repeat: {decisions}, do: [{{choose: nod, by: first(seats)}}]}}]}}
"""


def show_long_game(cards: int, answers: int = 2_000) -> None:
    """Show how long a game takes that asks as often as it may, with undo and log, by some of its answers."""
    names = ", ".join(f"c{number}: {{}}" for number in range(cards))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "long"
        folder.mkdir()
        (folder / "game.yaml").write_text(LONG_GAME.format(cards=names, decisions=MOST_DECISIONS), encoding="utf-8")
        rules = load(folder)
        most = cost_of(check(rules.book.ruleset, Report())).most_in_all.number
        game = rules.new_game(players=2, seed=1)
        start = process_time()
        for number in range(answers):
            game.push(game.codes[number % len(game.codes)])
        took = (process_time() - start) / answers * MOST_DECISIONS
    click.echo(_row(f"a long game, {cards**2:,} cells", MOST_DECISIONS, most, took))


def alone(show: Callable[..., None], *arguments: object) -> None:
    """Show something from a process of its own, so that the memory is its own too."""
    process = get_context("spawn").Process(target=show, args=arguments)
    process.start()
    process.join()


def main(*wanted: str) -> None:
    """Show a table of shapes, and the longest games."""
    click.echo(f"{'shape':28} {'size':>10} {'operations':>15} {'seconds':>8} {'ns each':>8} {'MiB':>8}")
    whole = wanted[:1] == ("whole",)
    for shape in () if whole else SHAPES:
        if not wanted or any(each in shape.name for each in wanted):
            alone(show_decision, shape.name)
    for cards in (3, 100, 300) if not wanted or "long" in wanted else ():
        alone(show_long_game, cards)
    for name in DEAREST if whole or not wanted else ():
        alone(show_whole_game, name, float(wanted[1]) if wanted[1:] else 60.0)


if __name__ == "__main__":
    main(*sys.argv[1:])
