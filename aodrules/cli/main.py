"""The command `aodrules` and its exit codes: 0 fine, 1 problems in the rules, 2 wrong usage, 3 our own bug."""

from __future__ import annotations

import ast
import gc
import os
import sys
import warnings
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import click

from aodrules.cache.store import VARIABLE
from aodrules.cli.output import echo, internal, show_report
from aodrules.errors import AodrulesError, CacheWarning, InternalError, RulesError
from aodrules.source.disk import why_unreadable
from aodrules.source.wording import quote

# The module of each command and the function in it.
_PLACES = {
    "balance": ("simulate", "balance"),
    "check": ("check", "check"),
    "clauses": ("test", "clauses"),
    "compile": ("explain", "compile_"),
    "demo": ("demo", "demo"),
    "diff": ("diff", "diff"),
    "explain": ("explain", "explain"),
    "fmt": ("fmt", "fmt"),
    "list": ("list", "list_"),
    "mutate": ("test", "mutate"),
    "new": ("new", "new"),
    "picture": ("picture", "picture"),
    "play": ("play", "play"),
    "rulebook": ("new", "rulebook"),
    "schema": ("new", "schema"),
    "serve": ("serve", "serve"),
    "simulate": ("simulate", "simulate"),
    "test": ("test", "test"),
    "types": ("types", "types"),
    "words": ("words", "words"),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used, and not when they are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """Return the names of the commands."""
        return list(_PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as click calls it
        """Return a command, if there is one of that name."""
        if cmd_name not in _PLACES:
            return None
        module, function = _PLACES[cmd_name]
        command: click.Command = getattr(import_module(f"aodrules.cli.{module}"), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        # As short help it is told in full; the help of a command would be cut off.
        listed = [click.Command(name, short_help=_first_line(*place)) for name, place in _PLACES.items()]
        click.Group(commands=listed).format_commands(ctx, formatter)


def _first_line(module: str, function: str) -> str:
    """Return the first line of a command's help, read from its source: to import all commands takes too long."""
    source = Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
    defined = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    return (ast.get_docstring(defined[function]) or "").partition("\n")[0]


FINE, PROBLEMS, USAGE, BUG = range(4)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="aodrules", message="%(prog)s %(version)s")
def cli() -> None:
    """Write, check, explain, test and play the rules of board games.

    RULES is always one word: a game or edition, and the variants played with it, by name or by path, joined by `+`.

    Example: aodrules check nim --play 10
    """


def main() -> None:
    """Run the command line and leave with its exit code."""
    # Rules are large trees without cycles, and commands are short: looking for cycles would take a quarter of them.
    gc.set_threshold(100_000, 20, 20)
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads has seen enough, as `head` does; Python would still try to write the rest when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = PROBLEMS
    sys.exit(code)


def _show_warning(message: Warning | str, category: type[Warning], *_place: Any) -> None:
    """Tell a warning in one line; where in our code it was made is no matter for whoever meets it."""
    echo(f"aodrules: warning: {message}", err=True)
    if issubclass(category, CacheWarning):
        # The processes that a command starts would each say it again.
        os.environ[VARIABLE] = ""


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code."""
    try:
        result = cli.main(arguments, prog_name="aodrules", standalone_mode=False)
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.Abort:
        echo("stopped", err=True)
        return PROBLEMS
    except click.ClickException as wrong:
        told = StringIO()
        wrong.show(told)
        echo(told.getvalue(), err=True, nl=False)
        return USAGE
    except RulesError as wrong:
        show_report(wrong.report, "text")
        return PROBLEMS
    except InternalError as bug:
        return internal(bug, arguments)
    except AodrulesError as wrong:
        echo(f"aodrules: {wrong}", err=True)
        return USAGE
    except BrokenPipeError:
        raise
    except OSError as wrong:
        return _unusable(wrong, arguments)
    except Exception as bug:  # noqa: BLE001 - whatever it is, it is ours
        return internal(bug, arguments)
    return result if isinstance(result, int) else FINE


def _unusable(wrong: OSError, arguments: list[str]) -> int:
    """Say of a file or folder that it cannot be read or written; what has no name was not named by the user."""
    if wrong.filename is None:
        return internal(wrong, arguments)
    echo(f"aodrules: {quote(os.fsdecode(wrong.filename))} cannot be used: {why_unreadable(wrong)}", err=True)
    return USAGE
