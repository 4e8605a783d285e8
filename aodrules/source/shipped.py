"""Where the folders that ship with the package lie: the only module that knows a checkout from an install."""

from __future__ import annotations

from pathlib import Path

from aodrules.source.disk import is_there

_PACKAGE = Path(__file__).parent.parent
# A wheel holds the folders inside the package; in a checkout they stand beside it, the pages about errors in `docs/`
# and the small games in `tests/`.
_PLACES = (_PACKAGE / "_data", _PACKAGE.parent, _PACKAGE.parent / "docs", _PACKAGE.parent / "tests")
_FOLDERS = ("schemas", "content", "variants", "errors", "games")


def shipped(folder: str) -> Path:
    """Return where a shipped folder lies, the same way from a checkout and an install.

    Args:
        folder: `schemas`, `content`, `variants`, `errors` or `games`.

    Raises:
        ValueError: No folder of that name is shipped.
        FileNotFoundError: The package is installed without its data.

    Examples:
        >>> shipped("schemas").name
        'schemas'
    """
    if folder not in _FOLDERS:
        raise ValueError(f"`{folder}` is not shipped; shipped are {', '.join(_FOLDERS)}")
    for place in _PLACES:
        if (place / folder).is_dir():
            return place / folder
    raise FileNotFoundError(f"`{folder}` is missing from this installation of aodrules")


def is_shipped(path: str) -> bool:
    """Whether a document ships with the package."""
    absolute = Path(path).absolute()
    return any(absolute.is_relative_to(shipped(folder)) for folder in ("content", "variants"))


def example(name: str) -> Path | None:
    """Return the file or folder of a small game that ships as an example; nothing if there is none of that name."""
    games = shipped("games")
    places = (games / name, games / f"{name}.yaml") if name.isidentifier() else ()
    return next((path for path in places if is_there(path)), None)
