"""Compose documents into one ruleset: the game, then its edition, then variants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from aodrules.compose import problems
from aodrules.compose.addresses import TreePlace, all_steps, step_holders
from aodrules.compose.conditional_parts import drop_empty_rows, drop_unmet_parts
from aodrules.compose.declarations import iter_declarations, merge_documents
from aodrules.compose.layers import apply_layer
from aodrules.compose.ordering import edit_sets_of
from aodrules.compose.ruleset import OriginEntry, Ruleset, fingerprint
from aodrules.compose.sections import spread_document
from aodrules.compose.selection import Selected, head_of, select
from aodrules.compose.words import add_words, words_for
from aodrules.source.diagnostics import Report
from aodrules.syntax.documents import Document
from aodrules.syntax.tree import Mapping, Scalar, at


def compose(documents: Sequence[Document], edition: str | None, variants: Sequence[str], report: Report) -> Ruleset:
    """Return the ruleset of a game, an edition and variants; problems are reported, and what can be made is made.

    Documents that neither belong to the game nor are brought into use by the edition and the variants are left aside.
    """
    plain = tuple(sorted((each for each in documents if _is_plain(each)), key=lambda each: each.source.path))
    worded = sorted((each for each in documents if each.words_for is not None), key=lambda each: each.source.path)
    declared = (spread_document(each.declarations, report) for each in plain if each.declarations is not None)
    root = merge_documents(declared, report)
    name = _name_of_game(root, plain)
    origins = [OriginEntry(".".join(parts), name, "game", "declare", span) for parts, span in iter_declarations(root)]
    selected = select(documents, edition, variants, report)
    active = selected.names | {name}
    for layer in selected.layers:
        units = [unit for document in layer for unit in edit_sets_of(document, active)]
        root, more = apply_layer(root, units, report)
        root = add_words(root, [head_of(document).name.text for document in layer], worded, report)
        origins += more
    root = drop_empty_rows(drop_unmet_parts(root, active))
    _check_steps(root, report)
    words = words_for(sorted(selected.names), worded)
    return _ruleset(name, root, (*plain, *words), selected, origins)


def _is_plain(document: Document) -> bool:
    return document.head is None and document.words_for is None


def _ruleset(
    name: str, root: Mapping, plain: tuple[Document, ...], selected: Selected, origins: Iterable[OriginEntry]
) -> Ruleset:
    heads = selected.heads
    edition = [head.name.text for head in heads if head.kind == "edition"]
    return Ruleset(
        name,
        root,
        edition[-1] if edition else None,
        tuple(sorted(head.name.text for head in heads if head.kind == "variant")),
        (*plain, *selected.documents),
        frozenset(clause.text for head in heads for clause in head.overrides),
        tuple(origins),
        {
            **{each.source: name for each in plain},
            **{each.source: head_of(each).name.text for each in selected.documents},
        },
        frozenset(head.name.text for head in heads if head.house),
        fingerprint(root),
    )


def _name_of_game(root: Mapping, documents: Sequence[Document]) -> str:
    """Return what `game.id` says, else the name of the game's one file or of the folder its files share."""
    said = at(root, "game", "id")
    if isinstance(said, Scalar):
        return said.text
    paths = [PurePosixPath(each.source.path) for each in documents if each.language is None]
    if len(paths) < 2:
        return paths[0].stem if paths else ""
    shared = next((parent for parent in paths[0].parents if all(path.is_relative_to(parent) for path in paths)), None)
    return (shared.name if shared is not None else "") or "game"


def _check_steps(root: Mapping, report: Report) -> None:
    """Report steps that bear one name in one verb, hook or option."""
    for place in step_holders(TreePlace(root)):
        first: dict[str, TreePlace] = {}
        for step in all_steps(place):
            if not (isinstance(step.node, Mapping) and "step" in step.node):
                continue
            same = first.setdefault(step.address, step)
            if same is not step:
                report.add(problems.duplicate_declaration(step.address, step.span, same.span))
