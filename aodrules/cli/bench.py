"""`aodrules bench`: how fast the engines are, beside others on the same machine."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import click
from attrs import evolve
from rich.progress import Progress
from rich.table import Table

from aodrules.simulate.bench import Subject, rates, usual_subject
from aodrules.simulate.bench_growth import growth
from aodrules.simulate.bench_loads import loads
from aodrules.simulate.rivals import rivals, versions
from aodrules.simulate.targets import Target, targets
from aodrules.simulate.timing import Figure, Measure, interleaved
from aodrules.source.wording import count
from aodrules.terminal.console import text_console


@click.command()
@click.argument("word", metavar="[RULES]", required=False)
@click.option("--beside", multiple=True, help="Other rules to measure in the same run.")
@click.option("--players", type=click.IntRange(min=1), default=4, show_default=True, help="How many play.")
@click.option("--double", metavar="KIND", help="Also measure with twice as many members of this kind.")
@click.option(
    "--rounds", type=click.IntRange(min=1), default=7, show_default=True, help="How many times to measure everything."
)
@click.option(
    "--seconds", type=float, default=0.4, show_default=True, help="How much processor time each rate gets in a round."
)
@click.option("--node", type=click.Path(path_type=Path), help="The folder of the script that plays in Node.")
@click.option("--only-rates", is_flag=True, help="Leave out loading and growth.")
def bench(
    word: str | None,
    beside: tuple[str, ...],
    players: int,
    double: str | None,
    rounds: int,
    seconds: float,
    *,
    node: Path | None,
    only_rates: bool,
) -> int:
    """Measure how fast random games are played, beside other engines in the same run.

    Without RULES, those that ship with the package are measured. Engines that are not installed are named as missing.

    Example: aodrules bench harbour --rounds 1 --seconds 0.01 --only-rates
    """
    subject = Subject(word, beside, players, double) if word else _usual(beside)
    others, missing = rivals(seconds, node)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measures = [*rates(subject, seconds, folder), *others]
        if not only_rates:
            measures += [*loads(subject.words, folder), *growth(subject, folder)]
        figures = _measured(measures, rounds)
    console = text_console(width=120)
    console.print(_figures_table(subject, figures, rounds, versions(node)))
    for one in missing:
        console.print(f"missing: {one.name}: {one.because}")
    console.print(_targets_table(targets(subject, figures)))
    return 0


def _usual(beside: tuple[str, ...]) -> Subject:
    usual = usual_subject()
    return evolve(usual, beside=(*usual.beside, *beside))


def _measured(measures: Sequence[Measure], rounds: int) -> Mapping[str, Figure]:
    found: Mapping[str, Figure] = {}
    with Progress(console=text_console(stderr=True), transient=True) as progress:
        bar = progress.add_task("rounds", total=rounds)
        for figures in interleaved(measures, rounds):
            found = figures
            progress.advance(bar)
    return found


def _figures_table(subject: Subject, figures: Mapping[str, Figure], rounds: int, others: Mapping[str, str]) -> Table:
    how = f"{count(subject.players, 'player')}, {count(rounds, 'round')}"
    table = Table(title=f"{subject.rules}, {how}", title_justify="left")
    for column in ("what", "median", "least", "most"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for figure in figures.values():
        shown = (figure.median, min(figure.values), max(figure.values))
        table.add_row(figure.name, *(_number(value, figure.unit) for value in shown))
    used = {"Python": platform.python_version(), "aodrules": version("aodrules"), **others}
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
