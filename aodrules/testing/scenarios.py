"""Scenarios: a position, what players do and what comes of it, read with every name checked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, reduce
from itertools import islice

from attrs import define, field, frozen

from aodrules.check import analysis_problems
from aodrules.check import problems as check_problems
from aodrules.check.checked import CheckedRules
from aodrules.check.context import Context
from aodrules.check.steps import Call, Step
from aodrules.check.visit import all_bodies, walk_steps
from aodrules.errors import InvalidActionError
from aodrules.facts.action_codes import PASSING, Choice
from aodrules.interpreter.entry.enter_at_step import EntryPath, Wanted, entry_paths_to, is_call, is_step
from aodrules.interpreter.entry.name_bindings import BoundNames, names_on, with_names
from aodrules.lang.interval import Interval
from aodrules.lang.types import Member, Number, Owner, Player, Type, item_type
from aodrules.play.actions import ActionTable
from aodrules.play.ids import IdTable, counters, field_patterns
from aodrules.play.rules_context import RulesContext
from aodrules.play.settings import Misfit, Settings, choice_of
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span
from aodrules.source.wording import count_range, nearest, quotes
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence
from aodrules.testing import problems
from aodrules.testing.expectations import Claim, ExpectationReader
from aodrules.testing.law_values import open_context
from aodrules.testing.positions import Content, ContentReader, lay_over
from aodrules.testing.statements import Statement, positions_in, with_positions

STEP, START = "step", "start"
QUESTION = "question"
"""Stands for the next question, unless a step is called so."""
_MOST_WAYS = 500


@frozen(eq=False)
class Target:
    """A step that a scenario names: a named step, or one that only does a verb."""

    name: str
    wanted: Wanted


@frozen(eq=False)
class Beginning:
    """A way into the flow, and what the names on it stand for that were asked for."""

    way: EntryPath
    names: BoundNames
    before_set_up: bool = False
    """Whether what is given is put into the game before anything was set up."""


@define(eq=False, slots=False)
class Steps:
    """The named steps of rules."""

    rules: CheckedRules

    @cached_property
    def named(self) -> dict[str, Span]:
        """Every named step by its address."""
        steps = (step for body in all_bodies(self.rules) for step in walk_steps(body))
        return {step.address: step.span for step in steps if isinstance(step, Step)}

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs that stand somewhere as a step."""
        steps = (step for body in all_bodies(self.rules) for step in walk_steps(body))
        return frozenset(step.verb for step in steps if isinstance(step, Call))

    @cached_property
    def _ways(self) -> dict[str, list[EntryPath]]:
        return {}

    def ways(self, target: Target) -> list[EntryPath]:
        """Return the ways to a step."""
        if target.name not in self._ways:
            self._ways[target.name] = list(islice(entry_paths_to(self.rules, target.wanted), _MOST_WAYS))
        return self._ways[target.name]

    def has(self, word: str) -> bool:
        """Whether a word names a step, or a verb that stands as one."""
        return word in self.verbs or any(f".{step}".endswith(f".{word}") for step in self.named)

    def find(self, word: Scalar, report: Report, *others: str) -> Target | None:
        """Return the step that a word names; report it if there is none, or several. Others may stand there."""
        found = [step for step in self.named if f".{step}".endswith(f".{word.text}")]
        if len(found) == 1:
            return Target(found[0], is_step(found[0]))
        if found:
            report.add(check_problems.ambiguous_step(word.text, word.span, found, [self.named[step] for step in found]))
        elif word.text in self.verbs:
            return Target(word.text, is_call(word.text))
        else:
            known = {step.rsplit(".", 1)[1] for step in self.named} | self.verbs | set(others)
            report.add(check_problems.unknown_name(word.text, word.span, known, "named step"))
        return None


def read_beginning(node: Node | None, steps: Steps, names: IdTable, report: Report) -> Beginning | None:
    """Return where a scenario begins: at the beginning of play if it does not say."""
    frame = steps.rules.game
    if isinstance(node, Scalar):
        if node.text != START:
            report.add(
                problems.wrong_content("at", f"`{START}`, or a step and the names around it", node.text, node.span)
            )
            return None
        return Beginning(EntryPath(frame.verbs[0]), {}, before_set_up=True)
    if not isinstance(node, Mapping):
        return Beginning(EntryPath(frame.play), {})
    word = node.get(STEP)
    if not isinstance(word, Scalar):
        return None
    if word.text in frame.verbs and word.text not in steps.verbs:
        return Beginning(EntryPath(word.text), {})
    target = steps.find(word, report)
    if target is None:
        return None
    ways, asked = steps.ways(target), [entry for entry in node if entry.name != STEP]
    for way in ways:
        found = _items(way, asked, names)
        if found is not None:
            return Beginning(with_names(steps.rules, way, found), found)
    report.add(_why_no_way(ways, asked, names, word))
    return None


def _why_no_way(ways: list[EntryPath], asked: list[Entry], names: IdTable, word: Scalar) -> Diagnostic:
    """Return what is wrong with the names that are asked for, none of the ways to a step having them all."""
    if not ways:
        return problems.unreachable_step(word.text, word.span)
    types = {name: one.type for way in ways for name, one in names_on(names.tables.rules, way).items()}
    for entry in asked:
        if entry.name not in types:
            return check_problems.unknown_name(entry.name, entry.key.span, types)
    for entry in asked:
        if _item(types[entry.name], entry.value, names) is None:
            return _wrong_item(types[entry.name], entry, names)
    help_ = f"the step is not inside all of {quotes([entry.name for entry in asked])} at once"
    return problems.unreachable_step(word.text, word.span, help_)


def _wrong_item(type_: Type, entry: Entry, names: IdTable) -> Diagnostic:
    item = item_type(type_)
    members = names.tables.rules.kinds[item.kind].members if isinstance(item, Member) else names.owners
    if isinstance(entry.value, Scalar) and isinstance(item, Member | Player | Owner):
        return check_problems.unknown_name(entry.value.text, entry.value.span, members, str(item))
    shown = entry.value.text if isinstance(entry.value, Scalar) else "a group"
    return problems.wrong_content(entry.name, f"a {type_}", shown, entry.value.span)


def _items(way: EntryPath, asked: list[Entry], names: IdTable) -> BoundNames | None:
    """Return what is asked for as values of the engine; nothing if this is not the way."""
    known, members = names_on(names.tables.rules, way), way.members()
    found: BoundNames = {}
    for entry in asked:
        one = known.get(entry.name)
        item = None if one is None else _item(one.type, entry.value, names)
        if one is None or item is None or members.get(entry.name, item) != item:
            return None
        if found.setdefault(one.key, item) != item:
            return None
    return found


def _item(type_: Type, value: Node, names: IdTable) -> int | None:
    words = value.text.split() if isinstance(value, Scalar) else []
    parsed = names.parse(item_type(type_), words)
    if parsed is None or parsed[1] != len(words):
        return None
    is_within = not isinstance(type_, Number) or Interval(type_.low, type_.high).holds(parsed[0])
    return parsed[0] if is_within else None


CLAUSE, REFUSED = "clause", "refused"


@frozen(eq=False)
class ScenarioMove:
    """An action that a seat takes, or that is refused to it for a reason."""

    seat: str
    action: str
    span: Span
    clause: str | None = None
    is_refused: bool = False
    """Whether it must not be possible at that moment."""


@frozen(eq=False)
class Scenario:
    """An example of play, ready to be run."""

    statement: Statement
    seats: tuple[str, ...]
    seed: int
    settings: Settings
    given: tuple[Content, ...]
    beginning: Beginning
    is_placed: bool
    """Whether it says where it begins or what is given; else it is a new game from its first question on."""
    refused: tuple[ScenarioMove, ...]
    when: tuple[ScenarioMove, ...]
    until: Target | None
    then: tuple[Claim, ...]
    until_question: bool = False
    """Whether play goes on to the next question, or to the end of the game, before `then` is read."""

    @property
    def id(self) -> str:
        """What it is called."""
        return self.statement.id

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses it shows."""
        return self.statement.clauses


@define(eq=False)
class ScenarioReader:
    """Reads the scenarios of some rules."""

    book: RulesContext
    steps: Steps = field(init=False)
    _context: Context | None = field(default=None, init=False)
    """What conditions are read in, once a scenario has one."""

    def __attrs_post_init__(self) -> None:
        self.steps = Steps(self.book.checked)

    def read(self, statement: Statement, report: Report) -> Scenario | None:
        """Return a scenario; whatever is not understood is reported, and with errors in the report there is none."""
        statement, mine = with_positions(statement, self.book.ruleset), Report()
        found = self._read(statement, mine) if _is_sound_line(statement, mine) else None
        for problem in mine:
            report.add(statement.with_origin(problem))
        return None if report.has_errors else found

    def read_position(self, statement: Statement, report: Report) -> tuple[Content, ...] | None:
        """Return what a position says by itself; nothing if some of it is not understood, which is reported."""
        if not _is_sound_line(statement, report):
            return None
        game, players = self.book.checked.game, statement.said("players")
        seats = game.seats[: game.players[1]] if players is None else self._seats(players, report)
        if seats is None:
            return None
        names = self.book.actions(seats).names
        given = _contents(statement, names, report)
        read_beginning(statement.said("at"), self.steps, names, report)
        _settings(statement, names, report)
        return None if report.has_errors else given

    def _read(self, statement: Statement, report: Report) -> Scenario | None:
        body = statement.body
        seats = self._seats(statement.said("players"), report)
        if seats is None:
            return None
        action_table = self.book.actions(seats)
        beginning = read_beginning(statement.said("at"), self.steps, action_table.names, report)
        given = _contents(statement, action_table.names, report)
        moves = _MoveReader(self.book, action_table, seats, report)
        refused, when = moves.read(body.get(REFUSED), is_refused=True), moves.read(body.get("when"))
        until, seed = body.get("until"), statement.said("seed")
        to_question = isinstance(until, Scalar) and until.text == QUESTION and not self.steps.has(QUESTION)
        target = self.steps.find(until, report, QUESTION) if isinstance(until, Scalar) and not to_question else None
        then = ExpectationReader(action_table.names, report, self._laws).read(body.get("then"))
        number = seed.value if isinstance(seed, Scalar) and isinstance(seed.value, int) else 0
        is_placed = statement.said("at") is not None or bool(given)
        if beginning is None:
            return None
        settings = _settings(statement, action_table.names, report)
        return Scenario(
            statement, seats, number, settings, given, beginning, is_placed, refused, when, target, then, to_question
        )

    def _laws(self, report: Report) -> Context:
        if self._context is None:
            self._context = open_context(self.book)
        self._context.report = report
        return self._context

    def _seats(self, node: Node | None, report: Report) -> tuple[str, ...] | None:
        """Return who plays: those named, so many, or as few as can."""
        game = self.book.checked.game
        low, high = game.players
        if isinstance(node, Sequence):
            return self._named_seats(node, report)
        number = node.value if isinstance(node, Scalar) else low
        if not isinstance(number, int) or not low <= number <= high:
            at = node.span if node is not None else game.span
            shown = node.text if isinstance(node, Scalar) else ""
            report.add(problems.wrong_content("players", f"a number {low}..{high}", shown, at))
            return None
        return game.seats[:number]

    def _named_seats(self, node: Sequence, report: Report) -> tuple[str, ...] | None:
        game = self.book.checked.game
        low, high = game.players
        words = [item for item in node if isinstance(item, Scalar)]
        for word in words:
            if word.text not in game.seats:
                report.add(check_problems.unknown_name(word.text, word.span, game.seats, "seat"))
                return None
        seats = tuple(dict.fromkeys(word.text for word in words))
        if not low <= len(seats) <= high or len(seats) < len(words):
            shown = ", ".join(word.text for word in words)
            report.add(problems.wrong_content("players", count_range(low, high, "seat"), shown, node.span))
            return None
        return seats


def _is_sound_line(statement: Statement, report: Report) -> bool:
    """Whether all positions that something builds on are there, and none builds on itself; else it is reported."""
    line = statement.line
    name = line[-1].builds_on
    if name is None:
        return True
    if name.text in statement.positions:
        circle = line[line.index(statement.positions[name.text]) :]
        # It is one mistake, whichever of them is read.
        first = min(range(len(circle)), key=lambda place: circle[place].id)
        circle = (*circle[first:], *circle[:first])
        report.add(problems.position_cycle([(each.id, each.builds_on.span) for each in circle if each.builds_on]))
    else:
        report.add(check_problems.unknown_name(name.text, name.span, statement.positions, "position"))
    return False


def _contents(statement: Statement, names: IdTable, report: Report) -> tuple[Content, ...]:
    """Return what lies where: of each cell what is said nearest."""
    reader = ContentReader(names, report)
    layers = [reader.read(each.body.get("given")) for each in reversed(statement.line)]
    return layers[0] if len(layers) == 1 else reduce(lay_over, layers)


def _settings(statement: Statement, names: IdTable, report: Report) -> Settings:
    """Return the facts outside the game that a scenario gives."""
    known, found = names.tables.rules.settings, []
    said = {entry.name: entry for each in reversed(statement.line) for entry in each.body.mapping("settings")}
    for entry in said.values():
        value = entry.value.value if isinstance(entry.value, Scalar) else None
        if entry.name not in known:
            report.add(check_problems.unknown_name(entry.name, entry.key.span, known, "setting"))
            continue
        choice = choice_of(names, known[entry.name], value)
        if isinstance(choice, Misfit):
            report.add(problems.wrong_content(entry.name, choice.expected, choice.found, entry.value.span))
        else:
            found.append((entry.name, choice))
    return tuple(sorted(found, key=lambda each: each[0]))


@define(eq=False)
class _MoveReader:
    """Reads what seats do; each action must be one of some decision."""

    book: RulesContext
    action_table: ActionTable
    seats: tuple[str, ...]
    report: Report

    def read(self, node: Node | None, *, is_refused: bool = False) -> tuple[ScenarioMove, ...]:
        items = node if isinstance(node, Sequence) else ()
        return tuple(move for item in items if isinstance(item, Mapping) for move in self._read_moves(item, is_refused))

    def _read_moves(self, item: Mapping, is_refused: bool) -> list[ScenarioMove]:  # noqa: FBT001 - named by its only caller
        word = item.get(CLAUSE) or item.get(REFUSED)
        clause = word if isinstance(word, Scalar) and not isinstance(word.value, bool) else None
        if clause is not None:
            self._check_clause(clause)
        said = None if clause is None else clause.text
        refusal = is_refused or (isinstance(word, Scalar) and word.value is not False)
        return [
            ScenarioMove(entry.name, str(entry.value.text), entry.value.span, said, refusal)
            for entry in item
            if entry.name not in (CLAUSE, REFUSED) and isinstance(entry.value, Scalar) and self._is_sound(entry)
        ]

    def _check_clause(self, clause: Scalar) -> None:
        declared = self.book.clauses.keys()
        if declared and clause.text not in declared and clause.text not in self.book.checked.texts:
            self.report.add(analysis_problems.unknown_clause(clause.text, clause.span, declared))

    def _is_sound(self, entry: Entry) -> bool:
        if entry.name not in self.seats:
            self.report.add(check_problems.unknown_name(entry.name, entry.key.span, self.seats, "seat"))
            return False
        assert isinstance(entry.value, Scalar)  # the caller saw to it
        why = self._why_no_action(entry.value.text)
        if why is not None:
            self.report.add(self._wrong_action(entry.value, why))
        return why is None

    def _why_no_action(self, text: str) -> str | None:
        """Return why a text is no action of any decision, empty if it begins with no option; nothing if it is one."""
        option, why = _first_word(text), ""
        for decision, space in self.action_table.spaces.items():
            try:
                if self.action_table.codes_for(decision, text):
                    return None
            except InvalidActionError as cause:
                if any(option in (choice.id, choice.address) for choice in space.choices):
                    why = cause.why
        return why

    def _wrong_action(self, word: Scalar, why: str) -> Diagnostic:
        if why:
            return problems.wrong_action(word.text, word.span, why, self._suggest_action(word.text))
        option, start = _first_word(word.text), 1 if word.quoted else 0
        known = {choice.id for space in self.action_table.spaces.values() for choice in space.choices}
        return check_problems.unknown_name(option, word.span.within(start, start + len(option)), known, "option")

    def _suggest_action(self, text: str) -> str | None:
        """Return the action that a text is near to: the same one with the words put right that nothing is called by."""
        kinds = self.action_table.names.tables.rules.kinds.values()
        known = {*self.seats, *(member for kind in kinds for member in kind.members)}
        option, *words = text.split()
        cured = " ".join([option, *(word if word in known else nearest(word, known) or word for word in words)])
        return cured if cured != text and self._why_no_action(cured) is None else None


def _first_word(text: str) -> str:
    return next(iter(text.split()), "")


def format_vocabulary(book: RulesContext) -> str:
    """Return all steps, fields and actions of some rules as text, for who writes scenarios."""
    game = book.checked.game
    action_table = book.actions(game.seats[: game.players[1]])
    parts = {
        f"seats ({game.players[0]} to {game.players[1]} play)": [", ".join(game.seats)],
        "steps for `at` and `until`, and what runs around them": list(_steps(book)),
        "fields for `given` and `then`": list(_fields(action_table.names)),
        "actions for `when` and `refused`, by decision": list(_actions(action_table)),
        "members, by kind": list(_members(action_table.names)),
    }
    positions = list(positions_in(book.ruleset.root))
    if positions:
        parts["positions to build on (`from`)"] = positions
    return "\n".join(line for title, lines in parts.items() for line in (f"{title}:", *(f"  {each}" for each in lines)))


def _steps(book: RulesContext) -> Iterator[str]:
    steps, frame = Steps(book.checked), book.checked.game
    found = {_short(address, list(steps.named)): Target(address, is_step(address)) for address in steps.named}
    found |= {verb: Target(verb, is_call(verb)) for verb in steps.verbs if verb not in found}
    ways = {name: steps.ways(target)[:1] for name, target in found.items()}
    around = {name: [list(names_on(book.checked, way)) for way in each] for name, each in ways.items()}
    around |= {verb: [[]] for verb in frame.verbs}
    for name, known in sorted(around.items()):
        yield from (f"{name} ({', '.join(names)})" if names else name for names in known)


def _short(address: str, others: list[str]) -> str:
    """Return as few of the last words of a step as tell it from all others."""
    parts = address.split(".")
    endings = (".".join(parts[start:]) for start in range(len(parts) - 1, -1, -1))
    return next(each for each in endings if sum(f".{other}".endswith(f".{each}") for other in others) == 1)


def _fields(names: IdTable) -> Iterator[str]:
    counted = counters(names)
    for name, declared in names.tables.rules.fields.items():
        if name not in counted and not declared.is_setting:
            secret = ", secret" if declared.secret else ""
            yield from (f"{pattern}: {declared.type}{secret}" for pattern in field_patterns(names, name))


def _actions(action_table: ActionTable) -> Iterator[str]:
    for space in action_table.spaces.values():
        shown = " | ".join(_action(choice) for choice in space.choices)
        yield f"{space.decision.removeprefix('decision.')}: {shown}"


def _members(names: IdTable) -> Iterator[str]:
    for kind in names.tables.rules.kinds.values():
        members = names.tables.rules.family(kind.name).members
        yield f"{kind.name}: {', '.join(members[place] for place in kind.places)}"


def _action(choice: Choice) -> str:
    if choice.option is None:
        return choice.id if choice.id == PASSING else " ".join((choice.id, *map(_slot, choice.types)))
    return " ".join((choice.id, *(_slot(one.type) for one in choice.option.parameters)))


def _slot(type_: Type) -> str:
    return "SEAT" if isinstance(type_, Player) else str(type_).split()[0].upper()
