"""boardgame.io in Node, where both are there: a script plays there and prints its rate."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import partial
from pathlib import Path

from aodrules.simulate.timing import Measure, Missing

BOARDGAME = "boardgame.io"
_SCRIPT = "play.cjs"


def boardgame(folder: Path | None, seconds: float) -> Measure | Missing:
    """Return how boardgame.io is measured, or why it cannot be.

    Args:
        folder: Where the script lies and the package is installed.
        seconds: How much processor time it is given.
    """
    node = shutil.which("node")
    if node is None:
        return Missing(BOARDGAME, "there is no Node on this machine")
    if folder is None:
        return Missing(BOARDGAME, "say with `--node` where its script is; a checkout has it in benchmarks/boardgame")
    if not _package(folder).exists():
        return Missing(BOARDGAME, f"not installed: `npm install --prefix {folder}`")
    return Measure(f"{BOARDGAME}, noughts and crosses", "/s", partial(_rate, node, folder, seconds))


def node_versions(folder: Path | None) -> dict[str, str]:
    """Return the versions of Node and of the package, if both are there."""
    node = shutil.which("node")
    if node is None or folder is None or not _package(folder).exists():
        return {}
    told = subprocess.run([node, "--version"], check=True, capture_output=True, text=True)  # noqa: S603 - found above
    package = json.loads(_package(folder).read_text(encoding="utf-8"))
    return {"Node": told.stdout.strip().removeprefix("v"), BOARDGAME: package["version"]}


def _package(folder: Path) -> Path:
    return folder / "node_modules" / "boardgame.io" / "package.json"


def _rate(node: str, folder: Path, seconds: float) -> float:
    done = subprocess.run(  # noqa: S603 - a program found on the path, and the script the user named
        [node, str(folder / _SCRIPT), str(seconds)], check=True, capture_output=True, text=True
    )
    return float(json.loads(done.stdout)["rate"])
