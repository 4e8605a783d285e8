"""`aodrules bench`: how fast the engines are, beside others on the same machine."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from aodrules.simulate.bench import Subject, growth, rates, rules_of, size, usual_subject
from aodrules.simulate.bench_loads import Loads, loads
from aodrules.simulate.rivals import rivals, versions
from aodrules.simulate.targets import Target, other_targets, rate_targets
from aodrules.simulate.timing import Figure, Missing, interleaved


@click.command()
@click.argument("word", metavar="[RULES]", required=False)
@click.option("--beside", multiple=True, help="Other rules to measure in the same run.")
@click.option("--players", type=click.IntRange(min=1), default=4, show_default=True, help="How many play.")
@click.option("--double", metavar="KIND", help="Measure also with twice the members of this kind.")
@click.option("--rounds", type=click.IntRange(min=1), default=7, show_default=True, help="How often all is measured.")
@click.option("--seconds", type=float, default=0.4, show_default=True, help="Processor time for each rate and round.")
@click.option("--only-rates", is_flag=True, help="Leave out loading and growth.")
def bench(
    word: str | None,
    beside: tuple[str, ...],
    players: int,
    double: str | None,
    rounds: int,
    seconds: float,
    *,
    only_rates: bool,
) -> int:
    """Measure how fast random games are played, beside other engines in the same run.

    Without RULES those are measured that ship with the package. Engines that are not installed are named as missing.

    Example: aodrules bench tests/games/harbour --rounds 1 --seconds 0.01 --only-rates
    """
    subject = Subject(word, beside, players, double) if word else usual_subject()
    figures, missing = _measured(subject, rounds, seconds)
    console = Console(width=110)
    console.print(_figures_table(subject, figures, rounds))
    for one in missing:
        console.print(f"missing: {one.name}: {one.because}")
    targets = list(rate_targets(figures))
    if not only_rates:
        targets += _others(console, subject, rounds)
    console.print(_targets_table(targets))
    return 0


def _measured(subject: Subject, rounds: int, seconds: float) -> tuple[dict[str, Figure], list[Missing]]:
    others, missing = rivals(seconds)
    found: dict[str, Figure] = {}
    with tempfile.TemporaryDirectory() as folder, Progress(console=Console(stderr=True), transient=True) as progress:
        measures = [*rates(subject, seconds, Path(folder)), *others]
        bar = progress.add_task("rounds", total=rounds)
        for figures in interleaved(measures, rounds):
            found = figures
            progress.advance(bar)
    return found, missing


def _others(console: Console, subject: Subject, rounds: int) -> list[Target]:
    base, *variants = subject.rules.split("+")
    rules = rules_of(subject.rules)
    loading = loads(base, variants, min(rounds, 5))
    console.print(_loads_line(loading))
    return list(other_targets(size(rules, subject.players), loading, growth(rules, subject.players, 20)))


def _loads_line(loading: Loads) -> str:
    grown = ", ".join(f"{times}-fold {seconds:.2f} s" for times, seconds in loading.growth.items())
    chess = "" if loading.chess is None else f", `import chess` and a board {loading.chess * 1e3:.0f} ms"
    return f"load: cold {loading.cold:.2f} s, cached {loading.cached * 1e3:.0f} ms{chess}; with more content {grown}"


def _figures_table(subject: Subject, figures: Mapping[str, Figure], rounds: int) -> Table:
    table = Table(title=f"{subject.rules}, {subject.players} players, {rounds} rounds", title_justify="left")
    for column in ("what", "median", "least", "most"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for figure in figures.values():
        shown = (figure.median, min(figure.values), max(figure.values))
        table.add_row(figure.name, *(_number(value, figure.unit) for value in shown))
    used = {"Python": platform.python_version(), "aodrules": version("aodrules"), **versions()}
    named = ", ".join(f"{name} {number}" for name, number in used.items())
    table.caption = f"{named}; {platform.machine()}; only decisions with a choice are counted"
    return table


def _number(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:,.1f} {unit}"


def _targets_table(targets: Iterable[Target]) -> Table:
    table = Table(title="targets", title_justify="left")
    for column in ("what", "found", "bound", "aim", ""):
        table.add_column(column, justify="left" if column in ("what", "") else "right")
    for target in targets:
        found = "" if target.found is None else f"{target.found:,.2f}{target.unit}"
        bound = f"{'at most' if target.at_most else 'at least'} {target.bound:g}{target.unit}"
        aim = "" if target.aim is None else f"{target.aim:g}{target.unit}"
        style = {"miss": "bold", "not measured": "dim"}.get(target.verdict)
        table.add_row(target.name, found, bound, aim, target.verdict, style=style)
    return table
