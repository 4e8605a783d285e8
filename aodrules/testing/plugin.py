"""The pytest plugin: collects scenarios and properties from any YAML file that holds some. No Python is needed.

A file says with which rules: by `rules` of a scenario, by being a variant of a game or a part of one, or else by the
option `--aodrules-rules` or the setting `aodrules_rules`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aodrules.source.disk import read_plain

_HOLDS = re.compile(r"^[\"']?(?:scenario|property)[\"']?[ \t]*:", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("aodrules", "scenarios and properties of board games")
    group.addoption("--aodrules-rules", metavar="RULES", help="the rules of YAML files that do not name theirs")
    group.addoption("--aodrules-games", type=int, metavar="N", help="in how many games each property is tested")
    parser.addini("aodrules_rules", "the rules of YAML files that do not name theirs")
    parser.addini("aodrules_games", "in how many games each property is tested")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a YAML file if it holds scenarios or properties."""
    if file_path.suffix not in (".yaml", ".yml") or _HOLDS.search(_text(file_path)) is None:
        return None
    # Lazy: a run of pytest without such files should not be slower for this plugin.
    from aodrules.testing.items import StatementFile

    return StatementFile.from_parent(parent, path=file_path)


def _text(path: Path) -> str:
    try:
        return read_plain(path).decode("utf-8")
    except (OSError, ValueError):
        return ""
