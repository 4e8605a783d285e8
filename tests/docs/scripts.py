"""Runs everything on a page that can be run, from top to bottom, in the folder where it stands.

Python is run as it stands or, with `>>>`, compared with what it shows. In blocks of `console` what follows `$` is run
and compared with what stands below it; in blocks of `sh` every `aodrules` command must end well. `...` stands for
anything. The pages of errors show commands that are wrong; they are tried in `tests/diagnostics/`.

As a program it runs every page and every example of a command's help, and needs nothing but the package.
"""

from __future__ import annotations

import doctest
import os
import shlex
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

from aodrules.cli.main import PROBLEMS, cli, run
from tests.commands import COMMANDS
from tests.docs.blocks import Block, blocks_of, pages

RUN = ("python", "console", "sh")
NOT_OURS = ("make", "pip", "git", "python")
SCRIPTS = [
    page for page in pages() if page.parent.name != "errors" and any(block.language in RUN for block in blocks_of(page))
]
_OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run_page(page: Path) -> None:
    """Run what a page shows; whatever does something else is an AssertionError."""
    names: dict[str, Any] = {"__name__": "__page__"}
    for block in blocks_of(page):
        if block.mark.startswith("needs ") and find_spec(block.mark.removeprefix("needs ")) is None:
            continue
        if block.mark.startswith("file "):
            path = Path(block.mark.removeprefix("file "))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "python" and block.mark != "a program":
            _run_python(block, names)
        elif block.mark.startswith("with "):
            _run_with_slip(block)
        elif block.language == "console":
            _run_console(block)
        elif block.language == "sh":
            _run_commands(block)


def _run_python(block: Block, names: dict[str, Any]) -> None:
    if ">>>" not in block.text:
        exec(compile(block.text, block.id, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, block.id, None, block.line)
    said = StringIO()
    runner = doctest.DocTestRunner(optionflags=_OPTIONS, verbose=False)
    failed = runner.run(test, out=said.write, clear_globs=False).failed
    names |= test.globs
    assert not failed, said.getvalue()


def _run_console(block: Block) -> None:
    for part in block.text.split("$ ")[1:]:
        command, _, expected = part.partition("\n")
        code, found = _ran(command)
        is_wrong = "error[" in expected or "FAILED" in expected
        assert code == (PROBLEMS if is_wrong else 0), found
        same = doctest.OutputChecker().check_output(_plain(expected), _plain(found), doctest.ELLIPSIS)
        assert same or not expected.strip(), f"{block.id}: {command}\n{found}"


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


def _run_with_slip(block: Block) -> None:
    """Run a block whose comment says `with FILE: THIS => THAT` while the file holds that instead of this."""
    name, _, change = block.mark.removeprefix("with ").partition(": ")
    old, new = change.split(" => ")
    before = Path(name).read_text(encoding="utf-8")
    assert before.count(old) == 1, block.mark
    Path(name).write_text(before.replace(old, new), encoding="utf-8")
    _run_console(block)
    Path(name).write_text(before, encoding="utf-8")


def _run_commands(block: Block) -> None:
    for line in block.text.splitlines():
        if line.split(" ")[0] not in NOT_OURS:
            code, found = _ran(line)
            assert code == 0, found


def _ran(command: str) -> tuple[int, str]:
    """Return the exit code and the output of a command; it may be sent to a file."""
    program, *arguments = shlex.split(command, comments=True)
    said = StringIO()
    with redirect_stdout(said), _nobody_typing():
        if program == "python":
            exec(
                compile(Path(arguments[0]).read_text(encoding="utf-8"), arguments[0], "exec"), {"__name__": "__main__"}
            )
            return 0, said.getvalue()
        assert program == "aodrules", command
        target = arguments[arguments.index(">") + 1] if ">" in arguments else None
        code = run(arguments[: arguments.index(">")] if target else arguments)
    if target is not None:
        Path(target).write_text(said.getvalue(), encoding="utf-8")
        return code, ""
    sys.stdout.flush()
    return code, said.getvalue()


@contextmanager
def _nobody_typing() -> Iterator[None]:
    before, sys.stdin = sys.stdin, StringIO()
    try:
        yield
    finally:
        sys.stdin = before


def examples() -> Iterator[str]:
    """Iterate over the commands that the help texts give as examples."""
    for command in (cli, *COMMANDS.values()):
        lines = (command.help or "").splitlines()
        yield from (line.partition("Example: ")[2] for line in lines if "Example: " in line)


def run_example(command: str) -> None:
    """Run the example of a command's help."""
    code, found = _ran(command)
    assert code == 0, f"{command}\n{found}"


def _run_all(every: int) -> int:
    """Run each n-th of the pages and examples, each in a folder of its own; return how many failed."""
    failed, home = 0, Path.cwd()
    tasks = [*((run_page, page) for page in SCRIPTS), *((run_example, command) for command in examples())]
    for number, (task, about) in enumerate(tasks[::every]):
        folder = home / str(number)
        folder.mkdir()
        os.chdir(folder)
        said = StringIO()
        try:
            with redirect_stderr(said):
                task(about)  # type: ignore[operator]
        except Exception:  # noqa: BLE001 - whatever it is, the page is wrong
            failed += 1
            sys.stdout.write(f"FAILED {about}\n{said.getvalue()}\n{traceback.format_exc()}\n")
    return failed


if __name__ == "__main__":
    sys.exit(_run_all(int(sys.argv[2])))
