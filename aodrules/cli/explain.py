"""`aodrules explain` and `compile`: where a node comes from, the Python it becomes, and what a diagnostic means."""

from __future__ import annotations

import click

from aodrules.cli.arguments import check_players, rules_of
from aodrules.cli.output import echo
from aodrules.compose.addresses import enclosing_address, nearest_address
from aodrules.play.explanations import error_page, error_pages, format_python
from aodrules.source.wording import count, did_you_mean


@click.command()
@click.argument("subject", metavar="ADDRESS|CODE")
@click.option("--rules", "word", metavar="RULES", help="The rules an address belongs to.")
@click.option("--players", type=click.IntRange(min=1), help="For how many players the Python is shown.")
@click.option("--raw", is_flag=True, help="Show the nodes of the plan, and the Python exactly as it runs.")
def explain(subject: str, word: str | None, players: int | None, raw: bool) -> None:
    """Explain a node of some rules by its address, or a diagnostic by its code.

    A node is shown as it is written, layer by layer with who set it where; with what its kind supplies; as it is
    composed, with what modifies it; and as the Python that runs it, with fields, members and variables by name.

    Example: aodrules explain decision.take --rules nim

    Example: aodrules explain unknown-key
    """
    if word is None:
        page = error_page(subject)
        if page is None:
            more = did_you_mean(subject, error_pages()) or "for an address, say which rules with --rules"
            raise click.UsageError(f"there is no diagnostic `{subject}`; {more}")
        echo(page.rstrip())
        return
    rules = rules_of(word)
    text = rules.explain(subject, players, raw=raw)
    if text is None:
        root = rules.book.ruleset.root
        near, around = nearest_address(root, subject), enclosing_address(root, subject)
        more = f"; there is `{around}`" if around else ""
        more = f"; did you mean `{near}`?" if near else more
        raise click.UsageError(f"`{word}` has no `{subject}`{more}")
    echo(text)


@click.command("compile")
@click.argument("word", metavar="RULES")
@click.option("--show", is_flag=True, help="Print the Python, with fields, members and variables by name.")
@click.option("--raw", is_flag=True, help="Print the Python exactly as it runs.")
@click.option("--players", type=click.IntRange(min=1), help="For how many players; the fewest if not given.")
@click.option("--log/--no-log", default=True, show_default=True, help="Whether the code notes events.")
def compile_(word: str, show: bool, raw: bool, players: int | None, log: bool) -> None:
    """Compile rules to Python.

    What `--show` prints is for reading: `player.cards[player_9] has queen` stands for a test of bits. What `--raw`
    prints is what Python runs.

    Example: aodrules compile nim --show
    """
    rules = rules_of(word)
    check_players(rules, players)
    many = players or rules.players[0]
    text = format_python(rules.book, many, log=log, raw=raw or not show)
    if show or raw:
        echo(text, nl=False)
        return
    lines = text.splitlines()
    functions = sum(line.startswith("def ") for line in lines)
    echo(f"{word}: {count(functions, 'function')}, {count(len(lines), 'line')} for {count(many, 'player')}")
