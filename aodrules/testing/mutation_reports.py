"""What came of mutants, as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from aodrules.source.wording import count, join
from aodrules.testing.mutants import Mutant
from aodrules.testing.mutation import Mutation
from aodrules.testing.sampling import MutationScore


def format_mutation(found: Mutation, *, verbose: bool = False) -> str:
    """Return the score by document and by clause and every survivor as text."""
    lines = [*_table("document", found.by_document()), ""]
    clauses = found.by_clause()
    if set(clauses) != {""}:
        shown = clauses if verbose else {name: one for name, one in clauses.items() if one.noticed < one.tried}
        lines += [*_table("clause", shown), ""]
    lines += [f"survived {_told(found, mutant)}" for mutant in found.survivors]
    for mutant in found.wrongly_excluded:
        lines.append(f"excluded, and noticed by {found.verdicts[mutant.id].by}: {_told(found, mutant)}")
    return "\n".join([*lines, mutation_summary(found)]) + "\n"


def mutation_summary(found: Mutation) -> str:
    """Return one line that says it all."""
    all_ = len(found.laboratory.mutants)
    excluded = sum(one.fate == "excluded" for one in found.verdicts.values())
    parts = [f"{found.plan.rules}: {count(all_, 'mutant')}, {len(found.tried)} tried"]
    if excluded:
        parts.append(f"{excluded} excluded with a reason")
    return f"{', '.join(parts)}: noticed {found.score}"


def _table(title: str, scores: dict[str, MutationScore]) -> Iterator[str]:
    width = max([len(title), *(len(name or "none") for name in scores)])
    yield f"{title:<{width}}  noticed"
    for name, one in scores.items():
        share = f"{one.share:>6.1%}" if one.tried else "     -"
        yield f"{name or 'none':<{width}}  {share} {one.noticed:>4} of {one.tried}"


def _told(found: Mutation, mutant: Mutant) -> str:
    clauses = found.laboratory.clauses_of(mutant)
    return f"{mutant}{f' [{join(clauses)}]' if clauses else ''}"


def mutation_json(found: Mutation) -> str:
    """Return everything as JSON."""
    plain = {
        "rules": found.plan.rules,
        "mutants": len(found.laboratory.mutants),
        "tried": len(found.tried),
        "score": {"share": found.score.share, "low": found.score.low, "high": found.score.high},
        "results": [
            {
                "id": one.id,
                "kind": one.kind,
                "path": one.span.path,
                "line": one.span.line,
                "clauses": list(found.laboratory.clauses_of(one)),
                "fate": found.verdicts[one.id].fate,
                "by": found.verdicts[one.id].by,
            }
            for one in found.tried
        ],
    }
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"
