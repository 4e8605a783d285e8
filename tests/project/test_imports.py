"""Imports go downward only, and the stages meet only through their values."""

from __future__ import annotations

import ast
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project.modules import Import, Module, imports, modules, words

STAGES = ("syntax", "compose", "check")
ENGINES = ("interpreter", "compiler")
PUBLIC = ("", "rulebook", "game", "records", "reasons", "games", "exchange", "svg", "bots")
TOOLS = ("testing", "simulate")

# Lower levels first. `errors` is a leaf that all but `source` may use. Parts of one level do not know each other:
# neither engine imports the other, nor one tool another.
LEVELS: dict[str, int] = {
    name: level
    for level, names in enumerate(
        [
            ("source",),
            ("errors",),
            ("arguments", "pages"),
            ("lang",),
            *((stage,) for stage in STAGES),
            ("facts",),
            ENGINES,
            ("cache",),
            ("play",),
            ("picture",),
            PUBLIC,
            TOOLS,
            ("authoring", "terminal", "rpc"),
            ("cli",),
            ("__main__",),
        ]
    )
    for name in names
}
# All that both engines import, beside the tables of builtins. A mistake in it is not noticed by comparing the engines:
# their page says for each why that is safe.
SHARED_BY_ENGINES = {
    "check.for_players",
    "check.checked",
    "check.steps",
    "check.visit",
    "facts.chance",
    "facts.state",
    "facts.state_shape",
    "lang.expressions",
    "lang.operators",
    "lang.types",
    "source.spans",
}
# A load from the cache goes through these, and must not wait for what it does not use. So they import it where they use
# it, and above that for the type checker only: such imports too go downward and make no cycles.
LAZY = {"aodrules", "aodrules.game", "aodrules.rulebook", "aodrules.play.rules_context"}
# Rules make games, and a game tells the rules that it is played by, each importing the other where it is asked to.
MUTUAL = ("aodrules.game", "aodrules.rulebook")
# Only these may need an optional extra.
WITH_EXTRAS = ("testing", "simulate", "rpc")


def part(name: str) -> str:
    """Return the folder or top module that a module of the package belongs to; empty for the package itself."""
    return [*name.split("."), ""][1]


@cache
def package() -> dict[str, Module]:
    return {module.name: module for module in modules("aodrules")}


def inner_imports(module: Module) -> list[Import]:
    known = frozenset(package())
    return [found for found in imports(module, known) if found.module.split(".")[0] == "aodrules"]


def is_downward(importer: str, imported: str) -> bool:
    above, below = part(importer), part(imported)
    return above == below or LEVELS[below] < LEVELS[above] or (above in PUBLIC and below in PUBLIC)


def is_pass_of_another_stage(importer: str, imported: str) -> bool:
    """Tell whether a stage imports another stage's pass, by its module or through its folder's `__init__`."""
    stages = (*STAGES, *ENGINES)
    if part(importer) not in stages or part(imported) not in stages or part(importer) == part(imported):
        return False
    return imported == f"aodrules.{part(imported)}" or imported.rsplit(".", maxsplit=1)[-1].startswith("from_")


def test_every_part_of_the_package_has_its_level() -> None:
    assert {part(name) for name in package()} <= LEVELS.keys()


def test_imports_go_downward_only() -> None:
    wrong = [
        f"{module.shown}:{found.line}: {module.name} imports {found.module}"
        for module in package().values()
        for found in inner_imports(module)
        if not is_downward(module.name, found.module)
    ]
    assert wrong == []


def test_no_stage_imports_the_pass_of_another() -> None:
    wrong = [
        f"{module.shown}:{found.line}: {module.name} imports {found.module}"
        for module in package().values()
        for found in inner_imports(module)
        if is_pass_of_another_stage(module.name, found.module)
    ]
    assert wrong == []


def imported_by(engine: str) -> set[str]:
    """Return what an engine imports of the rest of the package."""
    found = (each.module for m in package().values() if part(m.name) == engine for each in inner_imports(m))
    return {name.removeprefix("aodrules.") for name in found if part(name) != engine}


def test_the_engines_share_what_their_page_says() -> None:
    shared = {name for name in imported_by("interpreter") & imported_by("compiler") if "." in name}
    builtins = {name for name in shared if name.startswith("lang.builtins.")}
    assert shared - builtins == SHARED_BY_ENGINES
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "engines.md").read_text(encoding="utf-8")
    rows = page.split("## What they share")[1]
    missing = [name for name in SHARED_BY_ENGINES if f"`{name.replace('.', '/')}.py`" not in rows]
    assert missing == []
    assert "`lang/builtins/`" in rows


def test_no_modules_import_each_other() -> None:
    graph = {name: {found.module for found in inner_imports(module)} for name, module in package().items()}
    graph[MUTUAL[0]].remove(MUTUAL[1])
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        raise AssertionError(" imports ".join(reversed(cycle.args[1]))) from None


def test_imports_for_the_type_checker_only_are_on_the_way_of_a_cached_load() -> None:
    found = {m.name for m in package().values() if any(word == "TYPE_CHECKING" for _, word in words(m))}
    assert found == LAZY


def test_imports_are_absolute() -> None:
    wrong = [
        f"{module.shown}:{node.lineno}"
        for module in package().values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert wrong == []


def test_only_declared_dependencies_are_imported() -> None:
    distributions = packages_distributions()
    wrong = []
    for module in package().values():
        allowed = declared(with_extras=part(module.name) in WITH_EXTRAS)
        for found in imports(module, frozenset()):
            top = found.module.split(".")[0]
            if top == "aodrules" or top in sys.stdlib_module_names:
                continue
            if not {canonicalize_name(name) for name in distributions.get(top, [top])} & allowed:
                wrong.append(f"{module.shown}:{found.line}: {top}")
    assert wrong == []


@cache
def declared(*, with_extras: bool) -> frozenset[str]:
    """Return the distributions that the package says it needs."""
    needed = [Requirement(line) for line in requires("aodrules") or []]
    return frozenset(
        canonicalize_name(one.name)
        for one in needed
        if with_extras or one.marker is None or one.marker.evaluate({"extra": ""})
    )


def test_the_rules_about_imports_can_fail() -> None:
    assert not is_downward("aodrules.source.spans", "aodrules.errors")
    assert not is_downward("aodrules.errors", "aodrules.lang.types")
    assert not is_downward("aodrules.lang.types", "aodrules.syntax.tree")
    assert not is_downward("aodrules.simulate.runs", "aodrules.testing.scenarios")
    assert not is_downward("aodrules.compiler.nodes", "aodrules")
    assert not is_downward("aodrules.compiler.nodes", "aodrules.interpreter.evaluation")
    assert not is_downward("aodrules.interpreter.evaluation", "aodrules.compiler.nodes")
    assert not is_downward("aodrules.facts.state_shape", "aodrules.compiler.layout")
    assert is_downward("aodrules", "aodrules.cli.main") is False
    assert is_downward("aodrules.game", "aodrules.records")
    assert is_downward("aodrules.check.from_ruleset", "aodrules.errors")
    assert is_pass_of_another_stage("aodrules.check.context", "aodrules.compose.from_documents")
    assert is_pass_of_another_stage("aodrules.check.context", "aodrules.compose")
    assert not is_pass_of_another_stage("aodrules.check.context", "aodrules.compose.ruleset")
    assert not is_pass_of_another_stage("aodrules.rulebook", "aodrules.compose.from_documents")
