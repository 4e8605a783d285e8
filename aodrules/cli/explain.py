"""`aodrules explain`: where a node comes from and what becomes of it, or what a diagnostic means."""

from __future__ import annotations

import click

from aodrules.authoring.addresses import enclosing_address, nearest_address
from aodrules.cli.arguments import rules_of
from aodrules.cli.output import echo
from aodrules.play.explanations import error_page, error_pages
from aodrules.source.suggestions import did_you_mean


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
