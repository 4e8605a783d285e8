"""The mutation score of some rules: mutants tried in parallel, resumed where a run was broken off, and counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from pathlib import Path

from attrs import asdict, define, field, frozen

from aodrules.compose.library import parse_rules_word
from aodrules.errors import NotationError
from aodrules.rulebook import Rules, load
from aodrules.source.plain_files import read_plain, why_unreadable
from aodrules.source.wording import quote
from aodrules.testing.exclusions import check_known
from aodrules.testing.mutants import Mutant
from aodrules.testing.mutating import GAMES, MutationRunner, Verdict, with_exclusions
from aodrules.testing.sampling import MutationScore, sample, score
from aodrules.testing.suites import read_suite

Progress = Callable[[], None]
_LARGEST = 256 * 1024 * 1024
"""How many bytes of verdicts are read; each takes about a hundred."""


@frozen
class MutationRequest:
    """What is to be tried: rules by their word, further documents, and how."""

    rules: str
    paths: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0
    games: int = GAMES
    jobs: int = 1


@define(eq=False)
class Mutation:
    """What came of the mutants of some rules."""

    plan: MutationRequest
    laboratory: MutationRunner
    tried: list[Mutant]
    reasons: dict[str, str] = field(factory=dict)
    """Why some mutants do not count."""
    verdicts: dict[str, Verdict] = field(factory=dict)

    @property
    def score(self) -> MutationScore:
        """The share of mutants that were noticed; excluded ones do not count."""
        return self.score_of(self.tried)

    def score_of(self, mutants: Iterable[Mutant]) -> MutationScore:
        """Return the share of some mutants that were noticed."""
        fates = [self.verdicts[one.id].fate for one in mutants if one.id in self.verdicts]
        counted = [fate for fate in fates if fate != "excluded"]
        known = len(self.laboratory.mutants) - (len(fates) - len(counted))
        is_all = len(self.tried) == len(self.laboratory.mutants)
        return score(counted.count("killed"), len(counted), len(counted) if is_all else known)

    @property
    def survivors(self) -> list[Mutant]:
        """The mutants that nothing noticed."""
        return [one for one in self.tried if self.verdicts[one.id].fate == "survived"]

    @property
    def wrongly_excluded(self) -> list[Mutant]:
        """The mutants that were noticed although a reason is given why nothing could notice them."""
        return [one for one in self.tried if one.id in self.reasons and self.verdicts[one.id].fate == "killed"]

    def by_document(self) -> dict[str, MutationScore]:
        """Return the score of each document."""
        paths = dict.fromkeys(one.span.path for one in self.tried)
        return {path: self.score_of([one for one in self.tried if one.span.path == path]) for path in paths}

    def by_clause(self) -> dict[str, MutationScore]:
        """Return the score of each clause; under an empty name what belongs to none."""
        found: dict[str, list[Mutant]] = {}
        for one in self.tried:
            for clause in self.laboratory.clauses_of(one) or ("",):
                found.setdefault(clause, []).append(one)
        return {clause: self.score_of(found[clause]) for clause in sorted(found)}


def mutate(
    plan: MutationRequest,
    *,
    state: Path | None = None,
    reasons: dict[str, str] | None = None,
    begun: Callable[[int], None] = lambda _: None,
    progress: Progress = lambda: None,
) -> Mutation:
    """Try the mutants of some rules.

    Args:
        plan: What is to be tried.
        state: A file in which verdicts are kept; what is already there is not tried again.
        reasons: Why some mutants that nothing can notice do not count, by their ids.
        begun: Is told how many mutants will be tried.
        progress: Is called after each.

    Raises:
        NotationError: A reason is given for a mutant that there is not.
    """
    laboratory = _laboratory(plan)
    check_known(reasons or {}, {one.id for one in laboratory.mutants})
    chosen = laboratory.mutants if plan.sample is None else sample(laboratory.mutants, plan.sample, plan.seed)
    mutation = Mutation(plan, laboratory, list(chosen), reasons or {})
    notebook = _Notebook(state, _mark(plan, laboratory))
    known = notebook.read()
    open_ = [one for one in chosen if one.id not in known]
    begun(len(open_))
    found = [known[one.id] for one in chosen if one.id in known]
    for verdict in _judged(plan, laboratory, open_):
        notebook.write(verdict)
        found.append(verdict)
        progress()
    mutation.verdicts = {one.mutant: one for one in with_exclusions(found, mutation.reasons)}
    return mutation


def _laboratory(plan: MutationRequest) -> MutationRunner:
    suite = read_suite(_rules(plan.rules), plan.paths)
    suite.check()
    return MutationRunner(suite, plan.games)


def _rules(word: str) -> Rules:
    asked = parse_rules_word(word)
    return load(asked.base, asked.variants)


def _judged(plan: MutationRequest, laboratory: MutationRunner, mutants: Sequence[Mutant]) -> Iterator[Verdict]:
    """Try mutants one after the other, or several at once in processes of their own."""
    if plan.jobs < 2 or len(mutants) < 2:
        yield from (laboratory.judge(one) for one in mutants)
        return
    _BENCH["here"] = laboratory
    try:
        with ProcessPoolExecutor(plan.jobs, initializer=_begin, initargs=(plan,)) as pool:
            waiting = [pool.submit(_judge, one.id) for one in mutants]
            yield from (each.result() for each in as_completed(waiting))
    finally:
        del _BENCH["here"]


_BENCH: dict[str, MutationRunner] = {}
"""The laboratory of a process that tries mutants: one that is forked finds it here, any other makes its own once."""


def _begin(plan: MutationRequest) -> None:
    if "here" not in _BENCH:
        _BENCH["here"] = _laboratory(plan)


def _judge(id_: str) -> Verdict:
    laboratory = _BENCH["here"]
    return laboratory.judge(next(one for one in laboratory.mutants if one.id == id_))


# What is kept between runs.


def _mark(plan: MutationRequest, laboratory: MutationRunner) -> str:
    """Return a hash of all that verdicts depend on: the rules, their tests and how many games are played."""
    suite = laboratory.suite
    statements = [one.statement for one in suite.scenarios] + [law.statement for law in suite.properties]
    texts = sorted({one.span.source.text for one in statements})
    parts = [suite.rules.fingerprint, str(plan.games), *texts]
    return sha256("\0".join(parts).encode()).hexdigest()[:16]


@frozen(eq=False)
class _Notebook:
    """A file of verdicts, one on each line; those made with other rules or tests are passed over."""

    path: Path | None
    mark: str

    def read(self) -> dict[str, Verdict]:
        if self.path is None or not self.path.exists():
            return {}
        found = {}
        for line in self._lines(self.path):
            entry = _entry(line)
            if entry.pop("mark", None) == self.mark:
                verdict = Verdict(**entry)  # type: ignore[arg-type]  # our own file
                found[verdict.mutant] = verdict
        return found

    @staticmethod
    def _lines(path: Path) -> list[str]:
        try:
            return read_plain(path, _LARGEST).decode("utf-8").splitlines()
        except (OSError, ValueError) as cause:
            raise NotationError(f"the verdicts in {quote(path)} cannot be read: {why_unreadable(cause)}") from None

    def write(self, verdict: Verdict) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"mark": self.mark, **asdict(verdict)}, ensure_ascii=False) + "\n")


def _entry(line: str) -> dict[str, str]:
    """Return one line of the file; a line that was cut off when a run ended is nothing."""
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    is_ours = isinstance(found, dict) and found.keys() == {"mark", "mutant", "fate", "by"}
    return dict(found) if is_ours else {}
