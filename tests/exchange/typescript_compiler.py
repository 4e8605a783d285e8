"""The real TypeScript compiler, installed from npm into `.cache/`."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

CHECKOUT = Path(__file__).parents[2]
VERSION = "5.9.3"
FOLDER = CHECKOUT / ".cache" / "typescript"
COMPILER = FOLDER / "node_modules" / ".bin" / "tsc"


def complaints(folder: Path, *names: str) -> str:
    """Return what the compiler, at its strictest, says about some files."""
    command = [str(_installed()), "--strict", "--noEmit", "--noUncheckedIndexedAccess", "--target", "es2022", *names]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300).stdout


def _installed() -> Path:
    """Return the compiler, installed once; where that is not possible say so, and fail where it must be possible."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = FOLDER / f"installed-{VERSION}"
        if not (stamp.exists() and COMPILER.exists()):
            _install()
            stamp.touch()
    return COMPILER


def _install() -> None:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        _missing("node and npm are not installed")
    command = [str(npm), "install", "--prefix", str(FOLDER), "--no-audit", "--no-fund", "--loglevel=error"]
    wanted = f"typescript@{VERSION}"
    try:
        done = subprocess.run([*command, wanted], capture_output=True, text=True, check=False, timeout=90)
    except subprocess.TimeoutExpired:
        _missing("npm did not answer in time")
    if done.returncode:
        _missing(f"npm could not install it: {done.stderr.strip()[-300:]}")


def _missing(why: str) -> NoReturn:
    told = f"the TypeScript compiler cannot be tried: {why}"
    if os.environ.get("CI"):
        pytest.fail(told)
    pytest.skip(told)
