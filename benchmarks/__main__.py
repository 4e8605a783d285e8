"""`python -m benchmarks`: how fast the engines are, beside others on the same machine."""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import click
from attrs import evolve
from rich.progress import Progress
from rich.table import Table

from aodrules.errors import AodrulesError
from aodrules.source.wording import count
from aodrules.terminal.console import text_console
from benchmarks.growth import growth_measures
from benchmarks.loads import load_measures
from benchmarks.rates import USUAL, Subject, rate_measures
from benchmarks.rivals import rival_measures, versions
from benchmarks.targets import Target, targets
from benchmarks.timing import Figure, Measure, measure_in_turn


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
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
) -> None:
    """Measure how fast random games are played, beside other engines in the same run.

    Without RULES, those that ship with the package are measured. Engines that are not installed are named as missing.

    Example: python -m benchmarks harbour --rounds 1 --seconds 0.01 --only-rates
    """
    subject = Subject(word, beside, players, double) if word else evolve(USUAL, beside=(*USUAL.beside, *beside))
    others, missing = rival_measures(seconds)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measures = [*rate_measures(subject, seconds, folder), *others]
        if not only_rates:
            measures += [*load_measures(subject.words, folder), *growth_measures(subject, folder)]
        figures = _take_figures(measures, rounds)
    console = text_console(width=120)
    console.print(_figures_table(subject, figures, rounds, versions()))
    for one in missing:
        console.print(f"missing: {one.name}: {one.because}")
    console.print(_targets_table(targets(subject, figures)))


def _take_figures(measures: Sequence[Measure], rounds: int) -> Mapping[str, Figure]:
    found: Mapping[str, Figure] = {}
    with Progress(console=text_console(stderr=True), transient=True) as progress:
        bar = progress.add_task("rounds", total=rounds)
        for figures in measure_in_turn(measures, rounds):
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


if __name__ == "__main__":
    try:
        bench(prog_name="python -m benchmarks")
    except AodrulesError as wrong:
        sys.exit(str(wrong))
