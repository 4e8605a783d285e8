"""The mutation score of some rules: mutants tried in parallel, resumed where a run was broken off, and counted."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from math import sqrt
from os import PathLike
from pathlib import Path
from typing import Literal

from attrs import asdict, define, evolve, field, frozen

from aodrules.check.steps import AnyStep, Choose, Happen
from aodrules.compose.library import parse_rules_word
from aodrules.errors import NotationError, RulesError
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
from aodrules.play.comparison import ODD
from aodrules.play.pipeline import Loaded
from aodrules.play.rules_context import RulesContext
from aodrules.rulebook import load
from aodrules.source.diagnostics import Report
from aodrules.source.disk import read_plain, why_unreadable
from aodrules.source.files import read_file
from aodrules.source.wording import count, join, nearest, quote
from aodrules.syntax.schema_check import check_shape
from aodrules.syntax.tree import Mapping, Scalar
from aodrules.syntax.tree import Sequence as Items
from aodrules.syntax.yaml_reader import read_yaml
from aodrules.testing.clause_map import Citations
from aodrules.testing.exploring import imagine_lines
from aodrules.testing.mutants import Mutant, Trigger, mutants_of
from aodrules.testing.playing import GameObserver, Line, play
from aodrules.testing.positions import Content
from aodrules.testing.properties import Property
from aodrules.testing.scenario_runner import ScenarioRunner, run_scenario
from aodrules.testing.scenarios import Scenario, ScenarioReader
from aodrules.testing.suites import Suite, read_suite

_NORMAL = 1.96
"""How many standard errors an interval of 95 in a hundred reaches to either side."""


@frozen
class MutationScore:
    """The share of mutants that were noticed, and between which bounds it lies for all of them."""

    noticed: int
    tried: int
    share: float
    low: float
    high: float

    def __str__(self) -> str:
        shown = f"{self.share:.1%} ({self.noticed} of {self.tried}"
        return f"{shown}, interval {self.low:.1%} to {self.high:.1%})" if self.low < self.high else f"{shown})"


def sample(mutants: Sequence[Mutant], size: int, seed: int = 0) -> list[Mutant]:
    """Return so many mutants, of each document and kind in proportion; the same seed draws the same."""
    if size >= len(mutants):
        return list(mutants)
    # The draw is no secret, and must be the same on every machine.
    chance = random.Random(seed)  # noqa: S311
    strata: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in mutants:
        strata.setdefault((mutant.span.path, mutant.kind), []).append(mutant)
    # Every stratum is walked through in random order; taking each `step`-th of all keeps the proportions.
    ordered = [one for key in sorted(strata) for one in chance.sample(strata[key], len(strata[key]))]
    step, start = len(ordered) / size, chance.random()
    chosen = [ordered[min(int((place + start) * step), len(ordered) - 1)] for place in range(size)]
    order = {id(mutant): place for place, mutant in enumerate(mutants)}
    return sorted(dict.fromkeys(chosen), key=lambda mutant: order[id(mutant)])


def score(noticed: int, tried: int, all_: int) -> MutationScore:
    """Return the share of noticed mutants with Wilson's interval, narrower the more of all were tried."""
    if not tried:
        return MutationScore(0, 0, 1.0, 1.0, 1.0)
    share = noticed / tried
    if tried >= all_:
        return MutationScore(noticed, tried, share, share, share)
    z = _NORMAL * sqrt((all_ - tried) / max(all_ - 1, 1))
    middle = (share + z * z / (2 * tried)) / (1 + z * z / tried)
    reach = z * sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried)) / (1 + z * z / tried)
    return MutationScore(noticed, tried, share, max(middle - reach, 0.0), min(middle + reach, 1.0))


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
    for item in items if isinstance(items, Items) else ():
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


Fate = Literal["killed", "survived", "excluded"]
GAMES = 6
LONGEST_GAME = 3000
"""A changed game may not end: after so many actions that counts as noticed."""


@frozen
class Verdict:
    """What became of a mutant."""

    mutant: str
    """Its id."""
    fate: Fate
    by: str = ""
    """The scenario or property that noticed it, or the reason why it is excluded."""


@define(eq=False)
class Coverage(GameObserver):
    """Looks on and keeps what was done, so that only tests that come by a mutant are run for it."""

    triggers: set[Trigger] = field(factory=lambda: {("any", None)})

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on."""
        interpreter.evaluator.on_use = self._note_use

    def _note_use(self, address: str) -> None:
        self.triggers.add(("value", address.removeprefix("value.")))

    def on_step(self, step: AnyStep, _names: Locals) -> None:
        """Keep a step; a question brings its decision along."""
        self.triggers.add(("step", step.span.sort_key))
        if isinstance(step, Choose):
            self.triggers.add(("decision", step.decision))
        elif isinstance(step, Happen):
            self.triggers.add(("event", step.event))


@frozen(eq=False)
class _BaselineRun:
    """A game as it goes by the rules as they are: what it comes by, and what is odd about it even so."""

    line: Line
    triggers: frozenset[Trigger]
    odd: frozenset[tuple[str, str]]


@define(eq=False, slots=False)
class MutationRunner:
    """Rules, their tests, and by which steps, values and decisions each test comes."""

    suite: Suite
    games: int = GAMES
    mutants: list[Mutant] = field(init=False)
    _by_scenario: list[tuple[Scenario, frozenset[Trigger]]] = field(factory=list, init=False)
    _games: list[_BaselineRun] = field(factory=list, init=False)
    _set_up: frozenset[Trigger] = field(default=frozenset(), init=False)
    _citations: Citations = field(init=False)

    def __attrs_post_init__(self) -> None:
        book = self.suite.book
        self.mutants = mutants_of(book.checked)
        self._citations = Citations(book.ruleset)
        self._set_up = self._cover_setup()
        runner = ScenarioRunner(book)
        for scenario in self.suite.scenarios:
            triggers = self._cover_scenario(runner, scenario)
            if triggers is not None:
                self._by_scenario.append((scenario, triggers))
        for line in imagine_lines(book, self.games) if self.suite.properties else ():
            coverage = Coverage()
            played = play(book, line, onlookers=[coverage], most=LONGEST_GAME)
            self._games.append(_BaselineRun(line, frozenset(coverage.triggers), frozenset(played.odd)))

    def _cover_setup(self) -> frozenset[Trigger]:
        """Return what every set-up does, whatever the number of players."""
        book, coverage = self.suite.book, Coverage()
        for players in range(book.checked.game.players[0], book.checked.game.players[1] + 1):
            play(book, Line(players, 0), onlookers=[coverage], most=0)
        return frozenset(coverage.triggers)

    def _cover_scenario(self, runner: ScenarioRunner, scenario: Scenario) -> frozenset[Trigger] | None:
        """Return what a scenario comes by; nothing if it does not pass even without a change."""
        coverage = Coverage()
        if run_scenario(runner, scenario, coverage).status != "passed":
            return None
        is_scored = any(not isinstance(claim, Content) for claim in scenario.then)
        values = {("value", name) for name in runner.book.checked.values if is_scored}
        return self._set_up | coverage.triggers | values

    def clauses_of(self, mutant: Mutant) -> tuple[str, ...]:
        """Return the clauses of the node that a mutant changes."""
        return self._citations.at(mutant.span) or self.suite.book.clauses_at(mutant.address)

    def try_mutant(self, mutant: Mutant) -> Verdict:
        """Return what becomes of a mutant: the tests of its clauses come first, and the first kill stops."""
        changed = mutant.apply(self.suite.book.checked)
        book = RulesContext(self.suite.book.request, Loaded(self.suite.book.ruleset, changed, ()))
        clauses = set(self.clauses_of(mutant))
        scenarios = [one for one, coverage in self._by_scenario if coverage & mutant.triggers]
        scenarios.sort(key=lambda one: not clauses & set(one.clauses))
        by = _find_failing_scenario(book, scenarios) or self._find_broken_property(book, mutant, clauses)
        return Verdict(mutant.id, "killed" if by else "survived", by or "")

    def _find_broken_property(self, book: RulesContext, mutant: Mutant, clauses: set[str]) -> str | None:
        laws = sorted(self.suite.properties, key=lambda law: not clauses & set(law.clauses))
        games = (one for one in self._games if one.triggers & mutant.triggers)
        return next((found for game in games if (found := _breaks(book, game, laws)) is not None), None)


def _find_failing_scenario(book: RulesContext, scenarios: Iterable[Scenario]) -> str | None:
    """Return the first scenario that notices that the rules were changed; not to be playable is noticed too."""
    runner, reader = ScenarioRunner(book), ScenarioReader(book)
    for scenario in scenarios:
        try:
            again = reader.read(scenario.statement, Report())
            is_noticed = again is None or run_scenario(runner, again).status != "passed"
        except Exception:  # noqa: BLE001 - changed rules were not checked: whatever happens, it was noticed
            is_noticed = True
        if is_noticed:
            return f"scenario {scenario.id}"
    return None


def _breaks(book: RulesContext, game: _BaselineRun, laws: Iterable[Property]) -> str | None:
    try:
        played = play(book, game.line, laws, most=LONGEST_GAME)
    except Exception as cause:  # noqa: BLE001 - changed rules were not checked
        return f"a game that cannot be played: {type(cause).__name__}"
    if played.breaches:
        return f"property {played.breaches[0].law.id}"
    for sort, where in sorted(played.odd - game.odd):
        return f"a game: {ODD[sort]} at {where}"
    return None if played.is_over else "a game that does not end"


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

    request: MutationRequest
    runner: MutationRunner
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
        fates = [self.verdicts[mutant.id].fate for mutant in mutants if mutant.id in self.verdicts]
        counted = [fate for fate in fates if fate != "excluded"]
        known = len(self.runner.mutants) - (len(fates) - len(counted))
        is_all = len(self.tried) == len(self.runner.mutants)
        return score(counted.count("killed"), len(counted), len(counted) if is_all else known)

    @property
    def survivors(self) -> list[Mutant]:
        """The mutants that nothing noticed."""
        return [mutant for mutant in self.tried if self.verdicts[mutant.id].fate == "survived"]

    @property
    def wrongly_excluded(self) -> list[Mutant]:
        """The mutants that were noticed although a reason is given why nothing could notice them."""
        excluded = (mutant for mutant in self.tried if mutant.id in self.reasons)
        return [mutant for mutant in excluded if self.verdicts[mutant.id].fate == "killed"]

    def by_document(self) -> dict[str, MutationScore]:
        """Return the score of each document."""
        paths = dict.fromkeys(mutant.span.path for mutant in self.tried)
        return {path: self.score_of([mutant for mutant in self.tried if mutant.span.path == path]) for path in paths}

    def by_clause(self) -> dict[str, MutationScore]:
        """Return the score of each clause; under an empty name what belongs to none."""
        found: dict[str, list[Mutant]] = {}
        for mutant in self.tried:
            for clause in self.runner.clauses_of(mutant) or ("",):
                found.setdefault(clause, []).append(mutant)
        return {clause: self.score_of(found[clause]) for clause in sorted(found)}


def mutate(
    request: MutationRequest,
    *,
    state: Path | None = None,
    reasons: dict[str, str] | None = None,
    begun: Callable[[int], None] = lambda _: None,
    progress: Callable[[], None] = lambda: None,
) -> Mutation:
    """Try the mutants of some rules.

    Args:
        request: What is to be tried.
        state: A file in which verdicts are kept; what is already there is not tried again.
        reasons: Why some mutants that nothing can notice do not count, by their ids.
        begun: Is told how many mutants will be tried.
        progress: Is called after each.

    Raises:
        NotationError: A reason is given for a mutant that there is not.
    """
    runner = _make_runner(request)
    check_known(reasons or {}, {mutant.id for mutant in runner.mutants})
    chosen = runner.mutants if request.sample is None else sample(runner.mutants, request.sample, request.seed)
    mutation = Mutation(request, runner, list(chosen), reasons or {})
    file = _VerdictFile(state, _mark(request, runner))
    known = file.read()
    open_ = [mutant for mutant in chosen if mutant.id not in known]
    begun(len(open_))
    found = [known[mutant.id] for mutant in chosen if mutant.id in known]
    for verdict in _try_mutants(request, runner, open_):
        file.write(verdict)
        found.append(verdict)
        progress()
    for verdict in found:
        is_excluded = verdict.fate == "survived" and verdict.mutant in mutation.reasons
        shown = evolve(verdict, fate="excluded", by=mutation.reasons[verdict.mutant]) if is_excluded else verdict
        mutation.verdicts[verdict.mutant] = shown
    return mutation


def _make_runner(request: MutationRequest) -> MutationRunner:
    selection = parse_rules_word(request.rules)
    suite = read_suite(load(selection.base, selection.variants), request.paths)
    suite.check()
    return MutationRunner(suite, request.games)


def _try_mutants(request: MutationRequest, runner: MutationRunner, mutants: Sequence[Mutant]) -> Iterator[Verdict]:
    """Try mutants one after the other, or several at once in processes of their own."""
    if request.jobs < 2 or len(mutants) < 2:
        yield from (runner.try_mutant(mutant) for mutant in mutants)
        return
    _RUNNERS["here"] = runner
    try:
        with ProcessPoolExecutor(request.jobs, initializer=_start_worker, initargs=(request,)) as pool:
            waiting = [pool.submit(_try_one, mutant.id) for mutant in mutants]
            yield from (each.result() for each in as_completed(waiting))
    finally:
        del _RUNNERS["here"]


_RUNNERS: dict[str, MutationRunner] = {}
"""The runner of a process that tries mutants: one that is forked finds it here, any other makes its own once."""


def _start_worker(request: MutationRequest) -> None:
    if "here" not in _RUNNERS:
        _RUNNERS["here"] = _make_runner(request)


def _try_one(id_: str) -> Verdict:
    runner = _RUNNERS["here"]
    return runner.try_mutant(next(one for one in runner.mutants if one.id == id_))


# What is kept between runs.


def _mark(request: MutationRequest, runner: MutationRunner) -> str:
    """Return a hash of all that verdicts depend on: the rules, their tests and how many games are played."""
    suite = runner.suite
    statements = [one.statement for one in suite.scenarios] + [law.statement for law in suite.properties]
    texts = sorted({one.span.source.text for one in statements})
    parts = [suite.rules.fingerprint, str(request.games), *texts]
    return sha256("\0".join(parts).encode()).hexdigest()[:16]


@frozen(eq=False)
class _VerdictFile:
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


def format_mutation(found: Mutation, *, verbose: bool = False) -> str:
    """Return the score by document and by clause and every survivor as text."""
    lines = [*_table("document", found.by_document()), ""]
    clauses = found.by_clause()
    if set(clauses) != {""}:
        shown = clauses if verbose else {name: one for name, one in clauses.items() if one.noticed < one.tried}
        lines += [*_table("clause", shown), ""]
    lines += [f"survived {_format_mutant(found, mutant)}" for mutant in found.survivors]
    for mutant in found.wrongly_excluded:
        lines.append(f"excluded, and noticed by {found.verdicts[mutant.id].by}: {_format_mutant(found, mutant)}")
    return "\n".join([*lines, mutation_summary(found)]) + "\n"


def mutation_summary(found: Mutation) -> str:
    """Return one line that says it all."""
    all_ = len(found.runner.mutants)
    excluded = sum(one.fate == "excluded" for one in found.verdicts.values())
    parts = [f"{found.request.rules}: {count(all_, 'mutant')}, {len(found.tried)} tried"]
    if excluded:
        parts.append(f"{excluded} excluded with a reason")
    return f"{', '.join(parts)}: noticed {found.score}"


def _table(title: str, scores: dict[str, MutationScore]) -> Iterator[str]:
    width = max([len(title), *(len(name or "none") for name in scores)])
    yield f"{title:<{width}}  noticed"
    for name, one in scores.items():
        share = f"{one.share:>6.1%}" if one.tried else "     -"
        yield f"{name or 'none':<{width}}  {share} {one.noticed:>4} of {one.tried}"


def _format_mutant(found: Mutation, mutant: Mutant) -> str:
    clauses = found.runner.clauses_of(mutant)
    return f"{mutant}{f' [{join(clauses)}]' if clauses else ''}"


def mutation_json(found: Mutation) -> str:
    """Return everything as JSON."""
    plain = {
        "rules": found.request.rules,
        "mutants": len(found.runner.mutants),
        "tried": len(found.tried),
        "score": {"share": found.score.share, "low": found.score.low, "high": found.score.high},
        "results": [
            {
                "id": one.id,
                "kind": one.kind,
                "path": one.span.path,
                "line": one.span.line,
                "clauses": list(found.runner.clauses_of(one)),
                "fate": found.verdicts[one.id].fate,
                "by": found.verdicts[one.id].by,
            }
            for one in found.tried
        ],
    }
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"
