"""The wheel works on its own: built, installed outside the checkout with nothing but its dependencies, and played."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.project.modules import CHECKOUT

pytestmark = pytest.mark.slow

PLAY = """
import sys
import aodrules

rules = aodrules.load(sys.argv[1])
game = rules.new_game(players=2, seed=1)
while not game.over:
    game.push(game.actions[0])
print(aodrules.__file__)
print(game.ranking)
"""

LOOK = """
from aodrules.source.shipped import shipped

for folder in ("schemas", "content", "variants", "games"):
    print(shipped(folder))
"""

# What is installed comes first, so that only the pages and what runs them are those of the checkout.
SCRIPTS = """
import runpy
import sys

import aodrules

sys.path.append(sys.argv[1])
print(aodrules.__file__)
runpy.run_module("tests.docs.scripts", run_name="__main__")
"""


def run(*command: str | Path, cwd: Path) -> str:
    environment = {**os.environ, "COLUMNS": "100"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def dependencies(name: str, found: dict[str, Distribution] | None = None) -> dict[str, Distribution]:
    """Return what a distribution needs at run time, and what that needs, all as installed here."""
    found = {} if found is None else found
    for line in distribution(name).requires or []:
        needed = Requirement(line)
        if needed.name not in found and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
            found[needed.name] = distribution(needed.name)
            dependencies(needed.name, found)
    return found


def link(installed: Distribution, site: Path) -> None:
    """Make an installed distribution visible in another environment, so that no network is needed."""
    tops = {file.parts[0] for file in installed.files or []} - {"..", "__pycache__"}
    for top in tops:
        if not (site / top).exists():  # Some distributions share a folder.
            (site / top).symlink_to(Path(str(installed.locate_file(top))))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder, CHECKOUT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment that holds the wheel and what the wheel says it needs."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    fresh = folder / "bin" / "python"
    site = Path(run(fresh, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    for installed in dependencies("aodrules").values():
        link(installed, site)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", fresh)
    run(*pip, "install", "--no-index", wheel, cwd=folder)
    return fresh


def test_the_wheel_ships_the_data_and_the_type_marker(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    shipped = {
        f"aodrules/_data/{path.relative_to(CHECKOUT).as_posix()}"
        for folder in ("schemas", "content", "variants")
        for path in (CHECKOUT / folder).rglob("*")
        if path.suffix in {".json", ".yaml"}
    }
    assert shipped <= inside
    assert {f"aodrules/words/{language}.yaml" for language in ("en", "pl", "ru")} <= inside
    assert "aodrules/py.typed" in inside
    assert not [name for name in inside if name.startswith(("tests/", "benchmarks/"))]


def test_an_installed_wheel_finds_its_data(python: Path, tmp_path: Path) -> None:
    found = [Path(line) for line in run(python, "-I", "-c", LOOK, cwd=tmp_path).splitlines()]

    assert [path.name for path in found] == ["schemas", "content", "variants", "games"]
    assert all(path.is_relative_to(python.parents[1].resolve()) for path in found)


def test_nim_can_be_played_from_an_installed_wheel(python: Path, tmp_path: Path) -> None:
    where, ranking = run(python, "-I", "-c", PLAY, "nim", cwd=tmp_path).splitlines()

    assert not Path(where).is_relative_to(CHECKOUT)
    assert ranking


def test_an_installed_wheel_has_its_command(python: Path, tmp_path: Path) -> None:
    assert "check" in run(python.with_name("aodrules"), "--help", cwd=tmp_path)


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.soak), 8])
def test_pages_and_examples_of_help_run_from_an_installed_wheel(every: int, python: Path, tmp_path: Path) -> None:
    where, *failed = run(python, "-I", "-c", SCRIPTS, CHECKOUT, str(every), cwd=tmp_path).splitlines()

    assert not Path(where).is_relative_to(CHECKOUT)
    assert failed == []
