"""Everything this stage can say about documents that do not go together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Mapping as AbstractMapping

from aodrules.compose.edits import Edit
from aodrules.source.diagnostics import Diagnostic, Fix, Label, Note, error
from aodrules.source.shipped import is_shipped
from aodrules.source.spans import Span
from aodrules.source.wording import count, did_you_mean, nearest, quote, quotes
from aodrules.syntax.documents import Head
from aodrules.syntax.tree import Node, Scalar, items_of
from aodrules.syntax.tree import Sequence as Items

RULES_WORD = "rules"
"""The path of the word by which a ruleset is asked for: it lies in no file."""
_VERBS = {
    "declare": ("declares", "declared", "declare"),
    "add": ("adds", "added", "add"),
    "effect": ("adds", "added", "add"),
    "change": ("changes", "changed", "change"),
    "remove": ("removes", "removed", "remove"),
    "insert": ("puts steps at", "touched", "put steps at"),
    "move": ("moves", "moved", "move"),
}
_NOW, _DONE, _BARE = ({action: forms[index] for action, forms in _VERBS.items()} for index in range(3))


def duplicate_declaration(address: str, again: Span, first: Span, *, is_edit: bool = False) -> Diagnostic:
    """The same address is declared twice, or added where it exists."""
    return error(
        "duplicate-declaration",
        f"{quote(address)} is added, but it exists already" if is_edit else f"{quote(address)} is declared twice",
        at=again,
        label="added here" if is_edit else "declared again",
        also=[Label(first, "declared here" if is_edit else "declared here first")],
        help="to give it another body, write it under `change`" if is_edit else None,
    )


def duplicate_document(first: Scalar, second: Scalar, edition: str | None) -> Diagnostic:
    """Two documents bear one name and both could be meant."""
    fitting = "" if edition is None else f" and both fit the edition {quote(edition)}"
    return error(
        "duplicate-document",
        f"two documents bear the name {quote(first.text)}{fitting}",
        at=second.span,
        label="the same name",
        also=[Label(first.span, "named here first")],
        help="give one of them another name, or give both `editions` that have nothing in common",
    )


def unknown_target(
    where: str,
    name: str,
    at: Span,
    known: AbstractMapping[str, Span],
    action: str,
    moved: tuple[str, Span] | None = None,
    parts: Sequence[str] = (),
) -> Diagnostic:
    """An edit names something that does not exist, or (`moved`) that is somewhere else.

    Where a member has no such part, `parts` are those it can have.
    """
    near, notes = nearest(name, known), []
    cure: str | None
    if moved is not None:
        near, there = moved
        cure = f"the step of that name is {quote(near)}" if where else f"did you mean {quote(near)}?"
        notes = [Note("it stands here", there)]
    elif near is not None:
        cure = f"did you mean {quote(near)}?"
        notes = [Note(f"{quote(near)} is declared here", known[near])]
    elif parts and name not in parts:
        cure = f"it can have {quotes(parts, 'and')}"
    else:
        cure = "what does not exist yet is written under `add`" if action == "change" else None
    return error(
        "unknown-target",
        f"{quote(where)} has no {quote(name)}" if where else f"there is no {quote(name)} in the game",
        at=at,
        label="not declared",
        help=cure,
        notes=notes,
        fix=None if near is None else Fix(at, near),
    )


def conflicting_changes(first: Edit, second: Edit) -> Diagnostic:
    """Two edits touch one thing and nothing says which of them comes last."""
    if first.document == second.document:
        return _conflict_in_one_document(first, second)
    # It is told where it can be settled: nobody edits what ships with the package.
    if is_shipped(first.span.path) and not is_shipped(second.span.path):
        first, second = second, first
    return error(
        "conflicting-changes",
        _two_documents(first, second),
        at=first.span,
        label=f"{_DONE[first.action]} by {quote(first.document)}",
        also=[Label(second.span, f"and {_DONE[second.action]} by {quote(second.document)}")],
        help=f"if {quote(first.document)} should win, give it `after: [{second.document}]`",
        notes=[Note("the order in which variants are named never settles a conflict")],
    )


def _two_documents(first: Edit, second: Edit) -> str:
    kinds = f"two {first.kind}s" if first.kind == second.kind else f"a {first.kind} and a {second.kind}"
    if first.address == second.address and _BARE[first.action] == _BARE[second.action]:
        return f"{kinds} {_BARE[first.action]} {quote(first.address)} and neither is said to come last"
    return (
        f"{quote(first.document)} {_NOW[first.action]} {quote(first.address)} and {quote(second.document)} "
        f"{_NOW[second.action]} {quote(second.address)}, and neither is said to come last"
    )


def _conflict_in_one_document(first: Edit, second: Edit) -> Diagnostic:
    one, other = (f"{_NOW[each.action]} {quote(each.address)}" for each in (first, second))
    return error(
        "conflicting-changes",
        f"{quote(first.document)} {one} and also {other}",
        at=first.span,
        label=f"{_DONE[first.action]} here",
        also=[Label(second.span, f"and {_DONE[second.action]} here")],
        help="say both in one of them",
    )


def change_without_effect(message: str, at: Span, label: str, also: Iterable[Label] = ()) -> Diagnostic:
    """An edit leaves everything as it was."""
    return error("change-without-effect", message, at=at, label=label, also=also, help="leave it out")


def unknown_variant(
    kind: str, name: str, at: Span, known: Sequence[str], wanted_by: str | None = None, found: str | None = None
) -> Diagnostic:
    """A variant, module or edition is named that does not exist, or is something else."""
    by = "" if wanted_by is None else f", which {quote(wanted_by)} names"
    near = nearest(name, known)
    return error(
        "unknown-variant",
        f"there is no {kind} {quote(name)}{by}" if found is None else f"expected a {kind}, found {found}",
        at=at,
        label="not found" if found is None else "",
        help=did_you_mean(name, known),
        fix=None if near is None or wanted_by is None else Fix(at, near),
    )


def wrong_edition(head: Head, edition: str | None, at: Span) -> Diagnostic:
    """A variant is used with an edition it is not made for."""
    fitting = quotes((each.text for each in head.editions), "or")
    found = "no edition" if edition is None else quote(edition)
    cure = f"name another edition, or put {found} among its `editions`" if edition else f"name {fitting} first"
    meant = next((each for each in head.editions if edition is not None and nearest(each.text, [edition])), None)
    return error(
        "wrong-edition",
        f"the {head.kind} {quote(head.name.text)} is for {fitting}, found {found}",
        at=at,
        label=f"not for {found}" if edition is not None else "an edition is needed",
        also=[Label(head.editions[0].span, "said here")],
        help=f"did you mean {found}?" if meant else cure,
        fix=None if meant is None else Fix(meant.span, str(edition)),
    )


def several_editions(first: str, second: str, at: Span) -> Diagnostic:
    """Two editions are named for one ruleset."""
    return error(
        "several-editions",
        f"{quote(first)} and {quote(second)} are both editions, and a ruleset has one",
        at=at,
        label="a second edition",
    )


def variant_cycle(names: Sequence[str], spans: Sequence[Span], relation: str) -> Diagnostic:
    """Documents come after each other in a circle."""
    links = [f"{quote(one)} {relation} {quote(names[(index + 1) % len(names)])}" for index, one in enumerate(names)]
    return error(
        "variant-cycle",
        f"these documents form a circle: {', '.join(links)}",
        at=spans[0],
        label=links[0],
        also=[Label(span, link) for span, link in zip(spans[1:], links[1:], strict=True)],
    )


def missing_requirement(head: Head, required: Scalar) -> Diagnostic:
    """A variant requires another one that is not there."""
    return error(
        "missing-requirement",
        f"the {head.kind} {quote(head.name.text)} requires {quote(required.text)}, which is not in use",
        at=required.span,
        label="not in use",
        help=f"name it too: `+{required.text}`",
    )


def conflicting_variants(head: Head, other: Scalar, at: Span) -> Diagnostic:
    """Two variants are named together of which one says that they do not go together."""
    return error(
        "conflicting-variants",
        f"the {head.kind} {quote(head.name.text)} does not go together with {quote(other.text)}",
        at=at,
        label="said here",
        also=[Label(other.span, "in use")],
        help="leave one of them out",
    )


def undecidable_condition(at: Span, found: str) -> Diagnostic:
    """The condition of a removal is more than a comparison of attributes with constants."""
    return error(
        "undecidable-condition",
        f"expected comparisons of attributes with constants, found {found}",
        at=at,
        label="cannot be decided before the game",
        help="compare attributes: `price > 3 and not rare`, or list the addresses",
    )


def misplaced_steps(address: str, where: str, at: Span, *, is_list: bool = False) -> Diagnostic:
    """Steps are put where no steps can stand; where it is `moved`, no step, and `itself`, into the step that moves."""
    message, label, helped = f"{quote(address)} holds no steps", "no place for steps", None
    if where in ("before", "after"):
        message = f"{quote(address)} is not a step, so nothing can stand {where} it"
    elif where == "moved":
        message, label = f"{quote(address)} is not a step, so it cannot be moved", "not a step"
    elif where == "itself":
        message, label = f"{quote(address)} cannot be moved beside itself or into itself", "moves along with it"
    elif is_list:
        message, label = f"{quote(address)} holds steps, which are not added", ""
        helped = f"put steps in with `insert: [{{last: {address.removesuffix('.do')}, do: [...]}}]`"
    return error("misplaced-steps", message, at=at, label=label, help=helped)


def wrong_row(member: str, row: Node, columns: Items | None) -> Diagnostic:
    """A member is written as a row that does not fit the columns beside it, or where there are none."""
    cells = len(items_of(row))
    if columns is None:
        return error(
            "wrong-row",
            f"{quote(member)} is a row, and no columns are given",
            at=row.span,
            label="which attributes?",
            help=f"name its attributes, or give `columns: [...]` once beside {quote(member)}",
        )
    return error(
        "wrong-row",
        f"{quote(member)} has {count(cells, 'cell')} for {count(len(columns), 'column')}",
        at=row.span,
        label=count(cells, "cell"),
        also=[Label(columns.span, count(len(columns), "column"))],
        help="a member that has fewer or other attributes is written as a mapping",
    )


def unknown_game(
    name: str, at: Span, known: Iterable[str] = (), found: str | None = None, help_: str | None = None
) -> Diagnostic:
    """The rules named are neither a game nor an edition nor a path of one."""
    names = sorted(known)
    near = nearest(name, names)
    return error(
        "unknown-game",
        f"there is no game or edition {quote(name)}"
        if found is None
        else f"expected a game or an edition, found {found}",
        at=at,
        label="not found" if found is None else "",
        help=did_you_mean(name, names) or help_,
        fix=None if near is None or at.path == RULES_WORD else Fix(at, near),
        notes=[Note(f"there are {quotes(names)}")] if names else [],
    )


def edition_without_game(name: Scalar) -> Diagnostic:
    """An edition is given by its path and does not say which game it is an edition of."""
    return error(
        "edition-without-game",
        f"the edition {quote(name.text)} does not say which game it belongs to",
        at=name.span,
        label="an edition of what",
        help="give it `game: NAME`, or name the game first and the edition behind it",
    )
