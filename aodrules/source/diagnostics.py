"""What we say about a document: one value per problem, collected in a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from attrs import define, evolve, field, frozen

from aodrules.source.spans import Span

_MOST_PLACES = 3
"""How many further places of the same problem are named."""


@frozen
class Label:
    """A place with a few words about it."""

    span: Span
    text: str = ""


@frozen
class Fix:
    """A certain cure: put `replacement` in place of the text at `span`."""

    span: Span
    replacement: str


@frozen
class Note:
    """A fact that helps to understand, with the place that shows it if there is one."""

    text: str
    span: Span | None = None


@frozen
class Diagnostic:
    """One problem: what is wrong, where, and at most one proposed cure.

    Examples:
        >>> import aodrules
        >>> try:
        ...     aodrules.load("nim", variants=["misery"])
        ... except aodrules.RulesError as wrong:
        ...     problem = wrong.report.errors[0]
        >>> problem.severity, problem.code, problem.message
        ('error', 'unknown-variant', 'there is no variant `misery`')
    """

    severity: str
    """`error` stops the ruleset from loading, `warning` does not."""
    code: str
    """What sort of problem it is; each has a page."""
    message: str
    """What is wrong, in a sentence."""
    primary: Label
    """The smallest place that is wrong."""
    secondary: tuple[Label, ...] = ()
    """Other places that have to do with it."""
    help: str | None = None
    """What to do, where that is sure."""
    notes: tuple[Note, ...] = ()
    """What else helps to understand it."""
    fix: Fix | None = None
    """The edit that mends it, where there is only one."""
    missing: str | None = None
    """The name that is not there: problems that miss the same name are one mistake."""
    repeats: tuple[Diagnostic, ...] = ()
    """The same mistake at other places, told with this one."""

    @property
    def path(self) -> str:
        """The file the problem is in."""
        return self.primary.span.path

    @property
    def line(self) -> int:
        """The line the problem starts on, counted from 1."""
        return self.primary.span.line

    @property
    def column(self) -> int:
        """The column the problem starts at, counted from 1."""
        return self.primary.span.column

    @property
    def sort_key(self) -> tuple[object, ...]:
        """A key that sorts problems by file, place and code."""
        return (*self.primary.span.sort_key, self.code, self.message)


def _diagnostic(  # noqa: PLR0913 - the parts of a problem
    severity: str,
    code: str,
    message: str,
    *,
    at: Span,
    label: str = "",
    also: Iterable[Label] = (),
    help: str | None = None,  # noqa: A002 - the word of the style guide
    notes: Iterable[Note] = (),
    fix: Fix | None = None,
) -> Diagnostic:
    return Diagnostic(severity, code, message, Label(at, label), tuple(also), help, tuple(notes), fix)


error = partial(_diagnostic, "error")
"""Return a problem that stops the ruleset from loading."""
warning = partial(_diagnostic, "warning")
"""Return a problem worth acting on that does not stop the ruleset from loading."""


@define
class Report:
    """All problems found in one run, in the order they were found.

    Examples:
        >>> import aodrules
        >>> try:
        ...     aodrules.load("nim", variants=["misery"])
        ... except aodrules.RulesError as wrong:
        ...     report = wrong.report
        >>> report.has_errors, len(report.errors)
        (True, 1)
    """

    diagnostics: list[Diagnostic] = field(factory=list)
    """All that was found."""
    # A set beside the list, because a hostile document can hold tens of thousands of mistakes.
    _seen: set[Diagnostic] = field(factory=set, init=False, repr=False, eq=False)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a problem, unless the very same one was added before."""
        if diagnostic not in self._seen:
            self._seen.add(diagnostic)
            self.diagnostics.append(diagnostic)

    def gather_repeats(self) -> None:
        """Tell problems that miss the same name once, at the first place."""
        groups: dict[str | int, list[Diagnostic]] = {}
        for number, each in enumerate(self.diagnostics):
            groups.setdefault(number if each.missing is None else each.missing, []).append(each)
        self.diagnostics = [_gather(each) for each in groups.values()]

    @property
    def errors(self) -> list[Diagnostic]:
        """The problems that stop the ruleset from loading."""
        return [each for each in self.diagnostics if each.severity == "error"]

    @property
    def has_errors(self) -> bool:
        """Whether anything was found that stops the ruleset from loading."""
        return any(each.severity == "error" for each in self.diagnostics)

    def __iter__(self) -> Iterator[Diagnostic]:
        """Iterate over the problems, sorted by file, line and column."""
        return iter(sorted(self.diagnostics, key=lambda each: each.sort_key))

    def __len__(self) -> int:
        return len(self.diagnostics)


def _gather(same: list[Diagnostic]) -> Diagnostic:
    """Return the first of some problems, with the others told in a note."""
    first, *others = sorted(same, key=lambda each: each.sort_key)
    if not others:
        return first
    places = ", ".join(str(each.primary.span) for each in others[:_MOST_PLACES])
    more = f" and {len(others) - _MOST_PLACES} more" if len(others) > _MOST_PLACES else ""
    note = Note(f"it is the same at {places}{more}")
    return evolve(first, notes=(*first.notes, note), repeats=(*first.repeats, *others))
