"""Files found in folders, and how their paths are shown; nothing is read here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

SUFFIXES = (".yaml", ".yml")
# Where Python keeps what it compiled: no folder of an author.
_COMPILED = "__pycache__"


def yaml_files(folder: Path) -> list[Path]:
    """Return the YAML files under a folder, sorted by their path; hidden ones are left out."""
    return [Path(entry.path) for entry in yaml_entries(folder)]


def yaml_entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return the entries of the YAML files under a folder, in the same order: they know the state of a file cheaply."""
    return sorted(entries(folder, SUFFIXES), key=lambda entry: entry.path.replace(os.sep, "/"))


def entries(folder: str | Path, suffixes: tuple[str, ...]) -> Iterator[os.DirEntry[str]]:
    """Iterate over the entries of the files under a folder whose names end so; hidden ones are left out."""
    try:
        found = list(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return  # what is no folder, or not ours to read, holds nothing
    for entry in found:
        if entry.name.startswith(".") or entry.name == _COMPILED:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from entries(entry.path, suffixes)
        elif entry.name.endswith(suffixes) and entry.is_file():
            yield entry


def is_there(text: str) -> bool:
    """Return whether a text is the path of a file or folder. Nothing has no name, or one that no system takes."""
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Return whether a path leads to a folder; one that no system takes does not."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def shown_path(path: Path) -> str:
    """Return a path as people see it: relative to where they stand where that is shorter, with forward slashes."""
    absolute = path.absolute()
    here = Path.cwd()
    return (absolute.relative_to(here) if absolute.is_relative_to(here) else path).as_posix()
