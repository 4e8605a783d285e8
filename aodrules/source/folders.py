"""Files found in folders, and how their paths are shown; nothing is read here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from aodrules.source.plain_files import is_folder

SUFFIXES = (".yaml", ".yml")
# Where Python keeps what it compiled: no folder of an author.
_COMPILED = "__pycache__"


def yaml_files(folder: Path) -> list[Path]:
    """Return the YAML files under a folder, sorted by their path; hidden ones are left out."""
    return [Path(entry.path) for entry in yaml_entries(folder)]


def yaml_entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return the entries of the YAML files under a folder, in the same order: they know the state of a file cheaply."""
    return sorted(entries(folder, SUFFIXES), key=lambda entry: entry.path.replace(os.sep, "/"))


def links_out_of(folder: Path) -> list[Path]:
    """Return the YAML files under a folder that are links to files elsewhere."""
    links = [entry.path for entry in yaml_entries(folder) if entry.is_symlink()]
    whole = Path(os.path.realpath(folder))
    return [Path(link) for link in links if not Path(os.path.realpath(link)).is_relative_to(whole)]


def entries(folder: str | Path, suffixes: tuple[str, ...]) -> Iterator[os.DirEntry[str]]:
    """Iterate over the entries of the files under a folder whose names end so; hidden ones are left out.

    Links to folders are not followed. Pipes and links to nothing are among them: reading them tells what is wrong.
    """
    left = [folder]  # a list, because folders can lie in each other deeper than calls can
    while left:
        for entry in _inside(left.pop()):
            if entry.name.startswith(".") or entry.name == _COMPILED:
                continue
            if entry.is_dir(follow_symlinks=False):
                left.append(entry.path)
            elif entry.name.endswith(suffixes) and not (entry.is_symlink() and is_folder(entry.path)):
                yield entry


def _inside(folder: str | Path) -> list[os.DirEntry[str]]:
    try:
        return list(os.scandir(folder))
    except (OSError, ValueError):
        return []  # what is no folder, or not ours to read, holds nothing


def shown_path(path: Path) -> str:
    """Return a path as people see it: relative to where they stand where that is shorter, with forward slashes."""
    absolute = path.absolute()
    here = Path.cwd()
    shown = (absolute.relative_to(here) if absolute.is_relative_to(here) else path).as_posix()
    if shown.isprintable():
        return shown
    # A name on the disk is any bytes; what is shown can also be written down.
    from aodrules.source.wording import harmless  # lazy: a load from the cache meets no such names

    return " ".join(harmless(shown).split("\n"))
