"""Exclusions: mutants that nothing could notice, each with the reason why, read from YAML of their own schema."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from os import PathLike
from pathlib import Path

from aodrules.errors import NotationError, RulesError
from aodrules.source.diagnostics import Report
from aodrules.source.files import read_file
from aodrules.source.suggestions import nearest
from aodrules.source.wording import quote
from aodrules.syntax.schema_check import check_shape
from aodrules.syntax.tree import Mapping, Scalar, Sequence
from aodrules.syntax.yaml_reader import read_yaml


def read_exclusions(path: str | PathLike[str]) -> dict[str, str]:
    """Return why some mutants do not count, from a YAML file: a list of `{mutant: ID, reason: WHY}`.

    Raises:
        RulesError: The file is not of this shape.
        NotationError: A mutant is excluded twice.
    """
    report = Report()
    source = read_file(Path(path), report)
    root = None if source is None else read_yaml(source, report)
    if root is not None:
        check_shape(root, "exclusions", report)
    if root is None or report.has_errors:
        raise RulesError(report)
    found: dict[str, str] = {}
    for mutant, reason in _entries(root):
        if mutant.text in found:
            raise NotationError(f"{mutant.span}: {quote(mutant.text)} is excluded twice")
        found[mutant.text] = reason.text
    return found


def _entries(root: Mapping) -> Iterator[tuple[Scalar, Scalar]]:
    items = root.get("exclusions")
    for item in items if isinstance(items, Sequence) else ():
        mutant, reason = (item.get(key) if isinstance(item, Mapping) else None for key in ("mutant", "reason"))
        if isinstance(mutant, Scalar) and isinstance(reason, Scalar):
            yield mutant, reason


def check_known(reasons: Collection[str], mutants: Collection[str]) -> None:
    """See that every exclusion speaks of a mutant that there is.

    Raises:
        NotationError: It does not: the rules were changed since.
    """
    for id_ in reasons:
        if id_ not in mutants:
            near = nearest(id_, mutants)
            hint = f"; did you mean {quote(near)}?" if near else ""
            raise NotationError(f"an exclusion speaks of {quote(id_)}, and there is no such mutant{hint}")
