"""The types of a whole plan, found by running it over types instead of values until nothing changes any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from attrs import define, evolve, field, frozen

from aodrules.check.checked import CheckedRules
from aodrules.compiler.blocks.liveness import live_in_variables
from aodrules.compiler.formulas import (
    Bind,
    CallPure,
    CellRead,
    ComputedOnce,
    Constant,
    Formula,
    Generator,
    Literal,
    Memoized,
    Op,
    Reduce,
    Select,
    TableRead,
    Variable,
)
from aodrules.compiler.layout import PlaceLayout
from aodrules.compiler.nodes import (
    AppendByKey,
    AppendCode,
    Assign,
    AwaitAnswer,
    Block,
    Branch,
    Break,
    CallBlock,
    CallRuntime,
    CellWrite,
    CondJump,
    Dispatch,
    Finish,
    ForEach,
    Function,
    Goto,
    IfLogging,
    Labelled,
    Procedure,
    Statements,
    Switch,
    WhileLoop,
    WriteLog,
)
from aodrules.compiler.plan import GAME_END, Plan
from aodrules.compiler.runtime.compiled import SCORING
from aodrules.compiler.types.cell_types import DeclaredTypes, bounds_of_lets, cell_types, declared_types, field_ranges
from aodrules.compiler.types.plan_type import (
    EMPTY_LIST,
    FLAG,
    NEVER,
    NONE,
    TEXT,
    WORD,
    BagType,
    ListType,
    NumberType,
    PlaceType,
    PlanType,
    SetType,
    TupleType,
    exactly,
    join_types,
    narrow_number,
    nullable,
)
from aodrules.compiler.types.type_facts import NOTHING_KNOWN, Refinement, TypeFacts, join_facts, solve, widen_facts
from aodrules.compiler.types.type_rules import FUNCTIONS, OPERATORS, like, list_of, number_of, reduce_type
from aodrules.compiler.visit import assigned_in, form
from aodrules.errors import InternalError
from aodrules.lang import interval
from aodrules.source.spans import Span

CODES = "legal codes"
"""The name of the list that is being made; no variable has a space in its name."""
_MOVED = {"move_some": (3, 2), "move_all": (2, None), "draw_pieces": (3, 2), "draw_chance": (2, 1), "draw_top": (2, 1)}
"""By function that moves pieces: which of its arguments is the place they come from, and which says how many."""
Key = TypeVar("Key")
_Turn: TypeAlias = Callable[[TypeFacts], "TypeFacts | None"]
"""One turn of a loop: from what is known at its start to what is known at its end."""


@frozen(eq=False, repr=False)
class PlanTypes:
    """The types of everything in a plan."""

    cells: tuple[PlanType, ...] = ()
    """Of every cell; of frames while they are needed, else there is 0."""
    variables: dict[str, PlanType] = field(factory=dict)
    results: dict[str, PlanType] = field(factory=dict)
    """Of the functions, by name; what lists codes gives a list."""
    formulas: dict[Formula, PlanType] = field(factory=dict)
    """Of every formula that can be computed; of one that stands at several places, all it can be there."""
    given: dict[tuple[object, str], PlanType] = field(factory=dict)
    """Of what a node gives a variable, or (then without a name) a cell."""

    def of(self, formula: Formula) -> PlanType:
        """Return the type of a formula; `never` of one that nothing comes to."""
        return self.formulas.get(formula, NEVER)


def infer_types(plan: Plan, rules: CheckedRules) -> PlanTypes:
    """Return the types of a plan of these rules; a mistake of ours if there is none for something."""
    declared = declared_types(rules, plan.players)
    live = live_in_variables(plan.graph, plan.decision_points)
    cells, fields = cell_types(plan, declared), field_ranges(plan)
    inference = _TypeInference(plan, cells, fields, live, bounds_of_lets(declared), declared)
    for name in SCORING:
        inference.call(None, plan.functions[name], (declared.seat,))
    inference.run_blocks()
    if GAME_END in plan.procedures:
        inference.call(None, plan.procedures[GAME_END], ())
    found = inference.found
    frames = [found.variables.get(name, NEVER) for name in sorted(plan.frames.cells, key=plan.frames.cells.__getitem__)]
    for function in plan.functions.values():
        kept = None if function.kept is None else plan.layout.kept[function.kept]
        if kept is not None and not kept.members:
            of = found.results.get(function.name, NEVER)
            inference.cells[kept.results : kept.results + kept.ways] = [of] * kept.ways
    ways_back = [NumberType(0, len(plan.graph.blocks) - 1)] * len(plan.frames.returns)
    return evolve(found, cells=(*inference.cells, *frames, *ways_back))


def constant_type(value: Constant, like_bag: BagType | None = None) -> PlanType:
    """Return the type of what is known beforehand; what goes with a bag is packed like it."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return FLAG
    if isinstance(value, int):
        if like_bag is not None and like_bag.can_hold(value):
            return like_bag.holding(value)
        return exactly(value) if abs(value).bit_length() < WORD else SetType(value.bit_length())
    if isinstance(value, str):
        return TEXT
    if isinstance(value, PlaceLayout):
        return PlaceType(value)
    items = tuple(map(constant_type, value))
    if all(one is None or type(one) is int for one in value):
        return ListType(join_types(*items), len(items))
    return TupleType(items)


@define(eq=False, repr=False)
class _TypeInference:
    """Runs a plan over types."""

    plan: Plan
    cells: list[PlanType]
    fields: list[range]
    """By cell: the cells of its field."""
    live: Mapping[int, frozenset[str]]
    """By block: the variables that are needed at its start."""
    lets: Mapping[Span, NumberType]
    """By the place of a `let` whose name is changed later: what the checker found it can be."""
    declared: DeclaredTypes
    found: PlanTypes = field(factory=PlanTypes)
    """What was found while nothing changed any more."""
    _is_quiet: bool = False
    """Whether types are still guessed: then nothing is kept, and what leads out of its cells is not refused."""
    _let_names: dict[str, NumberType] = field(factory=dict)
    _called: dict[tuple[object, ...], PlanType | None] = field(factory=dict)
    """What functions and procedures gave for arguments of some types."""
    _left: dict[str, list[TypeFacts]] = field(factory=dict)
    """By label: what is known where a body is left."""
    _refinement: Refinement = field(init=False)
    _runners: dict[type, Callable[[Any, TypeFacts], TypeFacts | None]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._refinement = Refinement(self._type_quietly)
        self._runners = {
            Assign: self._assign,
            CellWrite: self._cell_write,
            WriteLog: self._write_log,
            # What is done for the log alone is read for the log alone.
            IfLogging: lambda logged, facts: self.run(logged.body, facts),
            CallRuntime: self._call_runtime,
            Branch: self._branch,
            Switch: self._switch,
            ForEach: self._for_each,
            WhileLoop: self._while,
            Labelled: self._labelled,
            Break: self._break,
            AppendCode: lambda append, facts: _with_codes(facts, self.formula(append.code, facts), 1),
            AppendByKey: self._append_by_key,
            Finish: lambda _finish, _facts: None,
        }

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        """Keep nothing of what is found while this lasts."""
        before, self._is_quiet = self._is_quiet, True
        try:
            yield
        finally:
            self._is_quiet = before

    def _keep(self, types: dict[Key, PlanType], key: Key, of: PlanType) -> PlanType:
        if not self._is_quiet:
            types[key] = join_types(types.get(key, NEVER), of)
        return of

    # Formulas.

    def formula(self, formula: Formula, facts: TypeFacts, like_bag: BagType | None = None) -> PlanType:
        """Return the type of a formula; what goes with a bag is packed like it."""
        found = self._formula(formula, facts, like_bag)
        return self._keep(self.found.formulas, formula, found if like_bag is None else like(found, like_bag))

    def _type_quietly(self, formula: Formula, facts: TypeFacts) -> PlanType:
        with self._quietly():
            return self.formula(formula, facts)

    def _formula(self, formula: Formula, facts: TypeFacts, like_bag: BagType | None) -> PlanType:
        match formula:
            case Variable(_, name):
                if name not in facts.names:
                    raise InternalError(f"nothing gives `{name}` a value before {formula.span}")
                return facts.names[name]
            case CellRead():
                return self._cell_read(formula, facts)
            case Op():
                return self._operation(formula, facts, like_bag)
            case CallPure():
                return self._call_pure(formula, facts)
            case Reduce():
                return self._reduce(formula, facts)
            case Memoized(_, key, value):
                self.formula(key, facts)
                return self.formula(value, facts)
            case ComputedOnce(_, _, value):
                return self.formula(value, facts)
        return self._packed(formula, facts, like_bag)

    def _packed(self, formula: Formula, facts: TypeFacts, like_bag: BagType | None) -> PlanType:
        """Return the type of a formula that is packed as it is asked for."""
        match formula:
            case Literal(_, value):
                return constant_type(value, like_bag)
            case TableRead():
                return self._table_read(formula, facts, like_bag)
            case Select(_, condition, then, otherwise):
                self._condition(condition, facts)
                ways = ((then, True), (otherwise, False))
                reached = [(one, self._assume(condition, facts, holds=holds)) for one, holds in ways]
                return join_types(*(self.formula(one, way, like_bag) for one, way in reached if way is not None))
            case Bind(_, name, value, body):
                of = self._give(formula, name, self.formula(value, facts))
                return self.formula(body, facts.bind(name, of), like_bag)
        raise InternalError(f"there is no type for {type(formula).__name__}")

    def _give(self, node: object | None, name: str, of: PlanType) -> PlanType:
        """Return the type of a variable, or without a name of a cell, that a node or a host gives a value."""
        if name in self._let_names:
            of = narrow_number(of, self._let_names[name].interval)
        if name:
            self._keep(self.found.variables, name, of)
        return of if node is None else self._keep(self.found.given, (node, name), of)

    def _condition(self, condition: Formula, facts: TypeFacts) -> None:
        found = self.formula(condition, facts)
        if found is not FLAG and found is not NEVER:
            raise InternalError(f"expected a flag at {condition.span}, found {found}")

    def _assume(self, condition: Formula, facts: TypeFacts, *, holds: bool) -> TypeFacts | None:
        return self._refinement.assume(condition, facts, holds=holds)

    def _assume_number(self, subject: Formula, number: int, facts: TypeFacts) -> TypeFacts | None:
        return self._assume(Op(subject.span, "==", (subject, Literal(subject.span, number))), facts, holds=True)

    def reached_cells(self, base: int, index: Formula | None, facts: TypeFacts) -> range:
        """Return the cells that can be meant."""
        of = exactly(0) if index is None else number_of(self.formula(index, facts))
        return self._places(of, base, self.fields[base], f"cell {base}")

    def _places(self, index: NumberType, base: int, within: range, what: str) -> range:
        """Return the places that an index means, which must be there; while numbers are still without bound, all."""
        low = within.start if index.low is None else base + index.low
        high = within.stop - 1 if index.high is None else base + index.high
        is_known = index.low is not None and index.high is not None
        if not self._is_quiet and not (is_known and within.start <= low <= high < within.stop):
            raise InternalError(f"{index} leads out of {what}")
        return range(max(low, within.start), min(high, within.stop - 1) + 1)

    def _cell_read(self, read: CellRead, facts: TypeFacts) -> PlanType:
        reached = self.reached_cells(read.base, read.index, facts)
        if facts.reads and (known := facts.reads.get(form(read))) is not None:
            return known
        return join_types(*dict.fromkeys(self.cells[reached.start : reached.stop]))

    def _table_read(self, read: TableRead, facts: TypeFacts, like_bag: BagType | None) -> PlanType:
        index = number_of(self.formula(read.index, facts))
        places = self._places(index, 0, range(len(read.table)), f"the table at {read.span}")
        entries = read.table[places.start : places.stop]
        return join_types(*dict.fromkeys(constant_type(one, like_bag) for one in entries))

    def _operation(self, formula: Op, facts: TypeFacts, like_bag: BagType | None) -> PlanType:
        sign, operands = formula.operator, formula.operands
        if sign in {"and", "or"}:
            return self._connected(formula, facts)
        # Numbers that are known are packed like the bag they stand beside, so that is looked at first.
        types = {one: self.formula(one, facts) for one in operands if not _is_known_amount(one)}
        bag = next((one for one in types.values() if isinstance(one, BagType)), like_bag)
        packed = bag if sign in {"+", "-", "*", "&", "|"} else None
        types |= {one: self.formula(one, facts, packed) for one in operands if one not in types}
        if like_bag is not None and sign == "<<":
            return evolve(like_bag, counts=(1,) * len(like_bag.counts))
        return OPERATORS[sign](*(types[one] for one in operands))

    def _connected(self, formula: Op, facts: TypeFacts) -> PlanType:
        way: TypeFacts | None = facts
        for operand in formula.operands:
            if way is not None:
                self._condition(operand, way)
                way = self._assume(operand, way, holds=formula.operator == "and")
        return FLAG

    def _call_pure(self, call: CallPure, facts: TypeFacts) -> PlanType:
        arguments = tuple(self.formula(one, facts) for one in call.arguments)
        if call.planned:
            return self.call(call, self.plan.functions[call.function], arguments) or NEVER
        if call.function not in FUNCTIONS:
            raise InternalError(f"there is no type for what `{call.function}` gives")
        return FUNCTIONS[call.function](*arguments)

    def call(
        self, node: object | None, called: Function | Procedure, arguments: tuple[PlanType, ...]
    ) -> PlanType | None:
        """Return the type of what a function, or a procedure, of the plan gives; nothing if it never comes back."""
        given = zip(called.parameters, arguments, strict=True)
        facts = TypeFacts({name: self._give(node, name, of) for name, of in given}, {})
        key = (self._is_quiet, called, arguments)
        if key not in self._called:
            self._called[key] = self._run_called(called, facts)
        return self._called[key]

    def _run_called(self, called: Function | Procedure, facts: TypeFacts) -> PlanType | None:
        if isinstance(called, Procedure):
            return None if self.run(called.body, facts) is None else NONE
        end = self.run(called.body, facts.bind(CODES, EMPTY_LIST) if called.lists else facts)
        if end is None:
            return None
        found = FUNCTIONS["distinct"](end.names[CODES]) if called.result is None else self.formula(called.result, end)
        return self._keep(self.found.results, called.name, found)

    def _reduce(self, fold: Reduce, facts: TypeFacts) -> PlanType:
        turns = 1
        last: PlanType = NEVER
        for loop in fold.loops:
            items = list_of(self.formula(loop.items, facts))
            inside = self._enter(loop, items, facts)
            if inside is None:
                return reduce_type(fold.gives, NEVER, NEVER, 0)
            facts, turns, last = inside, turns * items.capacity, inside.names[loop.name]
        return reduce_type(fold.gives, self.formula(fold.item, facts), last, turns)

    def _enter(self, loop: Generator, items: ListType, facts: TypeFacts) -> TypeFacts | None:
        """Return what is known of an item that counts; nothing where there is none."""
        if not items.capacity or items.item is NEVER:
            return None
        way: TypeFacts | None = facts.bind(loop.name, self._give(loop, loop.name, items.item))
        for condition in loop.conditions:
            if way is not None:
                self._condition(condition, way)
                way = self._assume(condition, way, holds=True)
        return way

    # Statements.

    def run(self, statements: Statements, facts: TypeFacts | None) -> TypeFacts | None:
        """Return what is known after statements; nothing where they are never left."""
        for statement in statements:
            if facts is None:
                return None
            if type(statement) not in self._runners:
                raise InternalError(f"{type(statement).__name__} is cut into blocks")
            facts = self._runners[type(statement)](statement, facts)
        return facts

    def _assign(self, assign: Assign, facts: TypeFacts) -> TypeFacts:
        if assign.span in self.lets:
            self._let_names[assign.name] = self.lets[assign.span]
        return facts.assign(assign.name, self._give(assign, assign.name, self.formula(assign.value, facts)))

    def _write_log(self, entry: WriteLog, facts: TypeFacts) -> TypeFacts:
        for part in entry.parts:
            self.formula(part, facts)
        return facts

    def _branch(self, branch: Branch, facts: TypeFacts) -> TypeFacts | None:
        self._condition(branch.condition, facts)
        then = self.run(branch.then, self._assume(branch.condition, facts, holds=True))
        return join_facts(then, self.run(branch.otherwise, self._assume(branch.condition, facts, holds=False)))

    def _labelled(self, labelled: Labelled, facts: TypeFacts) -> TypeFacts | None:
        end = self.run(labelled.body, facts)
        return join_facts(end, *self._left.pop(labelled.label, []))

    def _break(self, way_out: Break, facts: TypeFacts) -> None:
        self._left.setdefault(way_out.label, []).append(facts)

    def _append_by_key(self, append: AppendByKey, facts: TypeFacts) -> TypeFacts:
        self.formula(append.key, facts)
        return _with_codes(facts, *_codes_by_key(append.options))

    def _cell_write(self, write: CellWrite, facts: TypeFacts) -> TypeFacts:
        reached = self.reached_cells(write.base, write.index, facts)
        held = self.cells[reached.start]
        self._give(write, "", self.formula(write.value, facts, held if isinstance(held, BagType) else None))
        return facts.without_reads()

    def _switch(self, switch: Switch, facts: TypeFacts) -> TypeFacts | None:
        self.formula(switch.subject, facts)
        cases = ((self._assume_number(switch.subject, number, facts), body) for number, body in switch.cases)
        return join_facts(facts, *(self.run(body, way) for way, body in cases))

    def _call_runtime(self, call: CallRuntime, facts: TypeFacts) -> TypeFacts | None:
        arguments = tuple(self.formula(one, facts) for one in call.arguments)
        if call.planned:
            comes_back = self.call(call, self.plan.procedures[call.function], arguments) is not None
            return facts.without_reads() if comes_back else None
        facts = facts.without_reads()
        if call.result is None:
            return facts
        return facts.assign(call.result, self._give(call, call.result, self._runtime_result(call.function, arguments)))

    def _runtime_result(self, function: str, arguments: tuple[PlanType, ...]) -> PlanType:
        if function == "roll_item":
            return nullable(list_of(arguments[0]).item)
        if function not in _MOVED:
            raise InternalError(f"there is no type for what `{function}` gives")
        source, count = _MOVED[function]
        return self._moved(arguments[source], None if count is None else number_of(arguments[count]).high)

    def _moved(self, source: PlanType, most: int | None) -> PlanType:
        """Return the type of pieces that were moved: of each its member and its owner."""
        assert isinstance(source, TupleType)
        place, cell, _ = source.items
        assert isinstance(place, PlaceType)
        layout, first = place.layout, number_of(cell)
        assert first.low is not None
        assert first.high is not None
        owners = range(layout.shape[layout.owner_dimension]) if layout.stride else (0,)
        cells = range(first.low, first.high + 1)
        capacity = sum(max(_pieces_in(self.cells[one + layout.stride * owner]) for one in cells) for owner in owners)
        has_owner = layout.owner_coded or layout.owner_dimension >= 0 or layout.is_stock
        owner = nullable(self.declared.owner_in(layout.name)) if has_owner else NONE
        piece = TupleType((NumberType(0, layout.members - 1), owner))
        return ListType(piece, capacity if most is None else min(capacity, max(most, 0)))

    # Loops.

    def _for_each(self, loop: ForEach, facts: TypeFacts) -> TypeFacts | None:
        items = list_of(self.formula(loop.items, facts))
        if not items.capacity or items.item is NEVER:
            return facts

        def turn(head: TypeFacts) -> TypeFacts | None:
            return self.run(loop.body, head.assign(loop.name, self._give(loop, loop.name, items.item)))

        return self._repeat(facts, turn, loop.body, items.capacity)

    def _while(self, loop: WhileLoop, facts: TypeFacts) -> TypeFacts | None:
        def turn(head: TypeFacts) -> TypeFacts | None:
            self._condition(loop.condition, head)
            return self.run(loop.body, self._assume(loop.condition, head, holds=True))

        return self._assume(loop.condition, self._repeat(facts, turn), holds=False)

    def _repeat(self, facts: TypeFacts, turn: _Turn, counting: Statements = (), times: int | None = None) -> TypeFacts:
        """Return what is known at the start of every turn of a loop, and after the last."""
        listed = facts.names.get(CODES)
        start = facts.without_reads() if listed is None else facts.assign(CODES, EMPTY_LIST)
        outer = {label: [*ways] for label, ways in self._left.items()}

        def turn_anew(head: TypeFacts) -> TypeFacts | None:
            self._left = {label: [*ways] for label, ways in outer.items()}
            return turn(head if listed is None else head.assign(CODES, EMPTY_LIST))

        def ways(number: int, head: TypeFacts) -> dict[int, TypeFacts]:
            end = turn_anew(head)
            return {} if end is None else {number: end.without_reads()}

        with self._quietly():
            head = solve(0, start, ways, self._widen)[0]
        head = head if times is None else _bound_counters(head, start, counting, times)
        end = turn_anew(head)
        if listed is not None:
            head = head.assign(CODES, _repeat_codes(listed, None if end is None else end.names[CODES], times))
        return head.without_reads()

    def _widen(self, before: TypeFacts, after: TypeFacts) -> TypeFacts:
        wide = widen_facts(before, after, self._refinement.bounds)
        lets = {name: of for name, of in self._let_names.items() if name in wide.names}
        known = {name: narrow_number(wide.names[name], of.interval) for name, of in lets.items()}
        return TypeFacts({**wide.names, **known}, wide.reads)

    # Blocks.

    def run_blocks(self) -> None:
        """Run all blocks from the first one on."""
        with self._quietly():
            entries = solve(self.plan.graph.first, NOTHING_KNOWN, self._ways, self._widen)
        for number, facts in entries.items():
            for following, way in self._ways(number, facts).items():
                if not entries[following].covers(way):
                    raise InternalError(f"the types at the start of block {following} do not hold")

    def _ways(self, number: int, facts: TypeFacts) -> dict[int, TypeFacts]:
        """Return the blocks to which a block can go on, with what is known at the start of each."""
        found: dict[int, TypeFacts] = {}
        for following, way in self._block(self.plan.graph.blocks[number], facts):
            if way is not None:
                kept = {name: of for name, of in way.names.items() if name in self.live[following]}
                found[following] = join_facts(found.get(following), TypeFacts(kept, way.reads)) or way
        return found

    def _block(self, block: Block, facts: TypeFacts) -> Iterator[tuple[int, TypeFacts | None]]:
        """Return the blocks that follow one, each with what is known at its start."""
        end = self.run(block.body, facts)
        if end is None:
            return
        match block.exit:
            case Goto(_, following):
                yield following, end
            case CondJump(_, condition, then, otherwise):
                self._condition(condition, end)
                yield then, self._assume(condition, end, holds=True)
                yield otherwise, self._assume(condition, end, holds=False)
            case Dispatch(_, subject, cases, default):
                self.formula(subject, end)
                for number, following in cases:
                    yield following, self._assume_number(subject, number, end)
                yield default, end
            case CallBlock(_, _, following, arguments, back):
                given = {name: self._give(block.exit, name, self.formula(one, end)) for name, one in arguments}
                yield following, TypeFacts(given, {})
                yield back, end.without_reads()
            case AwaitAnswer():
                yield block.exit.block, self._await(block.exit, end)

    def _await(self, wait: AwaitAnswer, facts: TypeFacts) -> TypeFacts:
        point = self.plan.decision_points[wait.point]
        self.formula(point.player, facts)
        for told in [*(one for _, one in point.arguments), *(one for _, one, _ in point.around)]:
            self.formula(told, facts)
        for name, given in ((point.legal, point.inputs), (f"shown_{point.number}", point.shown)):
            self.call(None, self.plan.functions[name], tuple(facts.names[one] for one in given))
        codes = list_of(self.formula(wait.codes, facts))
        return facts.assign(wait.code, self._give(wait, wait.code, codes.item)).without_reads()


def _is_known_amount(formula: Formula) -> bool:
    """Whether a formula is a number out of the plan itself, which may stand for pieces in a bag."""
    match formula:
        case Literal() | TableRead():
            return True
        case Op(_, "*", (_, amount)) | Op(_, "<<", (amount, _)):
            return _is_known_amount(amount)
    return False


def _pieces_in(of: PlanType) -> int:
    """Return how many pieces can lie in a cell."""
    if isinstance(of, BagType):
        return sum(of.counts)
    return of.capacity if isinstance(of, ListType) else 1


def _with_codes(facts: TypeFacts, item: PlanType, many: int) -> TypeFacts:
    codes = list_of(facts.names[CODES])
    return facts.bind(CODES, ListType(join_types(codes.item, item), codes.capacity + many))


def _repeat_codes(before: PlanType, turn: PlanType | None, times: int | None) -> PlanType:
    """Return a list of codes after so many turns that each add some."""
    first = list_of(before)
    if turn is None:
        return first
    more = list_of(turn)
    if more.capacity and times is None:
        raise InternalError("nothing bounds how many codes are listed")
    return ListType(join_types(first.item, more.item), first.capacity + more.capacity * (times or 0))


def _bound_counters(head: TypeFacts, start: TypeFacts, body: Statements, times: int) -> TypeFacts:
    """Return what is known of a loop of so many turns, with bounds for variables to which each only adds a number."""
    for place, statement in enumerate(body):
        match statement:
            case Assign(_, name, Op(_, "+", (Variable(_, before), Literal(_, int(more))))) if name == before:
                first = start.names.get(name)
                is_counter = name not in assigned_in((*body[:place], *body[place + 1 :]))
                if is_counter and isinstance(first, NumberType):
                    added = interval.repeated(interval.exactly(more), times)
                    bounds = interval.plus(first.interval, added)
                    head = head.bind(name, narrow_number(head.names[name], bounds))
    return head


def _codes_by_key(options: tuple[Any, ...]) -> tuple[PlanType, int]:
    """Return the type of the codes that can belong to a key, and how many there are."""
    found: list[int] = []
    for first, _, parameters in options:
        codes = [first]
        for values in parameters:
            codes = [code + more for code in codes for more, _ in values]
        found += codes
    return join_types(*map(exactly, found)), len(found)
