"""What was loaded before, kept in the user's cache folder, and read back from there.

An entry is trusted as Python trusts its own `__pycache__`: because only the user can write to the folder; see
`cache.folder`. Whatever goes wrong here goes wrong in silence.
"""

from __future__ import annotations

import marshal
from pathlib import Path
from typing import Any
from zlib import crc32

from aodrules.cache.folder import read_own, write_own


class Store:
    """The entries of one ruleset: several names under one key."""

    def __init__(self, folder: Path, key: str) -> None:
        self.folder = folder
        self.key = key

    # Values of our stages, and generated code.

    def read(self, name: str) -> Any:
        """Return what was kept under a name; nothing if there is nothing or it is damaged."""
        from aodrules.cache.pickles import from_pickle  # lazy: what is plain needs no more

        content = self._read(name)
        return None if content is None else from_pickle(content)

    def write(self, name: str, value: Any) -> None:
        """Keep something under a name."""
        from aodrules.cache.pickles import to_pickle

        content = to_pickle(value)
        if content is not None:
            self._write(name, content)

    # Plain values: numbers, texts, bytes, and tuples of these. They are read back much faster.

    def read_plain(self, name: str) -> Any:
        """Return the plain value that was kept under a name; nothing if there is nothing or it is damaged."""
        content = self._read(name)
        try:
            # The check on the bytes was passed, and the folder is as safe as that of Python's own code.
            return None if content is None else marshal.loads(content)  # noqa: S302
        except (EOFError, ValueError, TypeError):
            return None

    def write_plain(self, name: str, value: Any) -> None:
        """Keep a plain value under a name."""
        self._write(name, marshal.dumps(value))

    def _read(self, name: str) -> bytes | None:
        try:
            content = read_own(self.folder / f"{self.key}.{name}")
        except (OSError, ValueError):
            return None
        return content[4:] if content is not None and content[:4] == _check(content[4:]) else None

    def _write(self, name: str, content: bytes) -> None:
        try:
            write_own(self.folder / f"{self.key}.{name}", _check(content) + content)
        except OSError:
            return


def _check(content: bytes) -> bytes:
    """Return what an entry begins with, so that damage is seen. It is no signature: the folder is trusted."""
    return crc32(content).to_bytes(4, "big")
