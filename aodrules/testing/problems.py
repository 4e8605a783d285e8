"""Every message about scenarios and properties that names and types alone do not give: one function per code."""

from __future__ import annotations

from collections.abc import Sequence

from aodrules.source.diagnostics import Diagnostic, Fix, Label, error
from aodrules.source.spans import Span
from aodrules.source.wording import quote


def wrong_content(place: str, expected: str, found: str, at: Span) -> Diagnostic:
    """A field is said to hold something that it cannot hold."""
    return error(
        "wrong-content",
        f"{quote(place)} holds {expected}, not {quote(found)}",
        at=at,
        label=f"not {expected}",
        help=f"write {expected}",
    )


def unbalanced_pieces(piece: str, missing: int, at: Span, where: str | None) -> Diagnostic:
    """A position needs pieces that are not in the supply, or leaves some without a place."""
    many = f"{abs(missing)} {piece}"
    if missing < 0:
        return error(
            "unbalanced-pieces", f"there is no place left for {quote(many)}", at=at, label="they were here before"
        )
    return error(
        "unbalanced-pieces",
        f"there are not enough pieces: {quote(many)} cannot come from the supply",
        at=at,
        label="too many",
        help=f"say what is left in {quote(where)}, where one lies" if where else "name fewer, as many as there are",
    )


def position_cycle(circle: Sequence[tuple[str, Span]]) -> Diagnostic:
    """Positions build on each other in a circle: each is called so, and names the next there."""
    names, spans = [name for name, _ in circle], [span for _, span in circle]
    links = [f"{quote(one)} builds on {quote(names[(index + 1) % len(names)])}" for index, one in enumerate(names)]
    return error(
        "position-cycle",
        f"these positions form a circle: {', '.join(links)}",
        at=spans[0],
        label=links[0],
        also=[Label(span, link) for span, link in zip(spans[1:], links[1:], strict=True)],
    )


def unreachable_step(step: str, at: Span, help_: str | None = None) -> Diagnostic:
    """A step is to be entered, and the flow of the game does not lead to it that way."""
    return error(
        "unreachable-step", f"no way through the game leads to {quote(step)} like this", at=at, label="here", help=help_
    )


def wrong_action(text: str, at: Span, why: str, meant: str | None = None) -> Diagnostic:
    """A text is no action of any decision; another one may be meant."""
    return error(
        "wrong-action",
        f"{quote(text)} is no action: {why}",
        at=at,
        label="not an action",
        help=None if meant is None else f"did you mean {quote(meant)}?",
        fix=None if meant is None else Fix(at, meant),
    )
