"""The one name an author may have meant."""

from __future__ import annotations

from collections.abc import Iterable

from aodrules.source.wording import quote


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the one candidate near to a name: at most a third of its length away, and nearer than any other."""
    limit = len(name) // 3
    best: list[str] = []
    for candidate in sorted(set(candidates) - {name}):
        distance = _distance(name.casefold(), candidate.casefold(), limit)
        if distance > limit:
            continue
        if distance < limit:
            best, limit = [], distance
        best.append(candidate)
    return best[0] if len(best) == 1 else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """Return the help that names the one near candidate, if there is one."""
    found = nearest(name, candidates)
    return None if found is None else f"did you mean {quote(found)}?"


def _distance(left: str, right: str, limit: int) -> int:
    """Return how many letters must be changed, added, left out or swapped, or anything above `limit`."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        before, last = row, before
        row = [i]
        for j, other in enumerate(right, 1):
            cost = min(row[-1] + 1, before[j] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]
