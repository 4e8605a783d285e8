"""The types of a whole plan, found by running it over types instead of values until nothing changes any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check.checked import CheckedRules
from aodrules.compiler.blocks.liveness import live_in_variables
from aodrules.compiler.formulas import (
    Bind,
    CallPure,
    CellRead,
    Constant,
    Formula,
    Literal,
    Memoized,
    Op,
    Reduce,
    Select,
    TableRead,
    Variable,
)
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
    Goto,
    IfLogging,
    Labelled,
    Statement,
    Statements,
    Switch,
    WhileLoop,
    WriteLog,
)
from aodrules.compiler.place_layout import PlaceLayout
from aodrules.compiler.plan import Plan
from aodrules.compiler.runtime.compiled import SCORING
from aodrules.compiler.types.cell_types import bounds_of_lets, cell_types, declared_types, field_ranges
from aodrules.compiler.types.loop_growth import growth_of, most_turns
from aodrules.compiler.types.plan_type import (
    FLAG,
    NEVER,
    NONE,
    TEXT,
    WORD,
    BagType,
    ListType,
    NeverType,
    NumberType,
    PlaceType,
    PlanType,
    SetType,
    TupleType,
    exactly,
    is_bag_number,
    join_types,
    narrow_number,
    nullable,
)
from aodrules.compiler.types.type_facts import NOTHING_KNOWN, Refinement, TypeFacts, join_facts, widen_facts
from aodrules.compiler.types.type_rules import (
    FUNCTIONS,
    OPERATORS,
    item_of,
    like,
    list_of,
    number_of,
    reduce_type,
)
from aodrules.compiler.visit import form
from aodrules.errors import InternalError
from aodrules.lang import interval
from aodrules.lang.interval import Interval
from aodrules.source.spans import Span

MOST_ROUNDS = 3
"""How often a loop is run before what still grows is taken to be without bound."""
MOST_WIDENED = 100
"""How often a loop is run at most; each time something has got another bound, or none."""
CODES = "legal codes"
"""The name of the list that is being made; no variable has a space in its name."""
Once: TypeAlias = Callable[[TypeFacts], "TypeFacts | None"]
_Edges: TypeAlias = "dict[int, dict[int, TypeFacts | None]]"
"""By block, and by the block one comes from: what is known on that way."""


@frozen(eq=False, repr=False)
class PlanTypes:
    """The types of everything in a plan."""

    cells: tuple[PlanType, ...]
    """Of every cell; of frames while they are needed, else there is 0."""
    variables: Mapping[str, PlanType]
    results: Mapping[str, PlanType]
    """Of the functions, by name; what lists codes gives a list."""
    formulas: Mapping[Formula, PlanType]
    """Of every formula that can be computed; of one that stands at several places, all it can be there."""
    given: Mapping[tuple[object, str], PlanType]
    """Of what a node gives a variable, or (then without a name) a cell."""

    def of(self, formula: Formula) -> PlanType:
        """Return the type of a formula; `never` of one that nothing comes to."""
        return self.formulas.get(formula, NEVER)


def infer_types(plan: Plan, rules: CheckedRules) -> PlanTypes:
    """Return the types of a plan of these rules; a mistake of ours if there is none for something."""
    declared = declared_types(rules, plan.players)
    live = live_in_variables(plan.graph, plan.decision_points)
    lets = bounds_of_lets(declared)
    inference = _TypeInference(plan, cell_types(plan, declared), field_ranges(plan), live, lets)
    found = inference.record = _Record(is_strict=True)
    inference.run_scoring(declared.seat)
    inference.run_blocks()
    frames = [found.variables.get(name, NEVER) for name in sorted(plan.frames.cells, key=plan.frames.cells.get)]  # type: ignore[arg-type]
    ways_back = [NumberType(0, len(plan.graph.blocks) - 1)] * len(plan.frames.returns)
    cells = (*inference.cells, *frames, *ways_back)
    return PlanTypes(cells, found.variables, found.results, found.formulas, found.given)


def constant_type(value: Constant) -> PlanType:
    """Return the type of what is known beforehand."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return FLAG
    if isinstance(value, int):
        return exactly(value) if abs(value).bit_length() < WORD else SetType(value.bit_length())
    if isinstance(value, str):
        return TEXT
    if isinstance(value, PlaceLayout):
        return PlaceType(value)
    items = tuple(map(constant_type, value))
    if all(one is None or type(one) is int for one in value):
        return ListType(join_types(*items), len(items))
    return TupleType(items)


@define(eq=False)
class _Record:
    """What was found while nothing changed any more."""

    variables: dict[str, PlanType] = field(factory=dict)
    results: dict[str, PlanType] = field(factory=dict)
    formulas: dict[Formula, PlanType] = field(factory=dict)
    given: dict[tuple[object, str], PlanType] = field(factory=dict)
    called: dict[tuple[object, ...], PlanType | None] = field(factory=dict)
    """What functions and procedures gave for arguments of some types."""
    is_strict: bool = False
    """Whether what leads out of its cells or table is refused: while types are still guessed it may."""


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
    _let_names: dict[str, NumberType] = field(factory=dict)
    record: _Record | None = None
    """Where what is found is kept, if it is."""
    _called: dict[tuple[object, ...], PlanType | None] = field(factory=dict)
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

    # Formulas.

    def formula(self, formula: Formula, facts: TypeFacts, like_bag: BagType | None = None) -> PlanType:
        """Return the type of a formula; what goes with a bag is packed like it."""
        found = self._formula(formula, facts, like_bag)
        if like_bag is not None:
            found = like(found, like_bag)
        if self.record is not None:
            formulas = self.record.formulas
            formulas[formula] = join_types(formulas.get(formula, NEVER), found)
        return found

    def _type_quietly(self, formula: Formula, facts: TypeFacts) -> PlanType:
        with _Recording(self, None):
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
        return self._packed(formula, facts, like_bag)

    def _packed(self, formula: Formula, facts: TypeFacts, like_bag: BagType | None) -> PlanType:
        """Return the type of a formula that is packed as it is asked for."""
        match formula:
            case Literal(_, value):
                is_bag = like_bag is not None and type(value) is int and is_bag_number(like_bag, value)
                return like_bag.holding(value) if is_bag else constant_type(value)  # type: ignore[union-attr,arg-type]
            case TableRead():
                return self._table_read(formula, facts, like_bag)
            case Select(_, condition, then, otherwise):
                self._condition(condition, facts)
                ways = ((then, True), (otherwise, False))
                reached = [(one, self._assume(condition, facts, holds=holds)) for one, holds in ways]
                return join_types(*(self.formula(one, way, like_bag) for one, way in reached if way is not None))
            case Bind(_, name, value, body):
                return self.formula(
                    body, facts.bind(name, self._give(formula, name, self.formula(value, facts))), like_bag
                )
        raise InternalError(f"there is no type for {type(formula).__name__}")

    def _give(self, node: object, name: str, of: PlanType) -> PlanType:
        """Return the type of a variable, or without a name of a cell, that a node gives a value."""
        of = self._bound(name, of) if name else of
        if self.record is not None:
            self.record.given[node, name] = join_types(self.record.given.get((node, name), NEVER), of)
        return of

    def _bound(self, name: str, of: PlanType) -> PlanType:
        """Return the type of a variable that gets a value."""
        if name in self._let_names:
            of = narrow_number(of, self._let_names[name])
        if self.record is not None:
            self.record.variables[name] = join_types(self.record.variables.get(name, NEVER), of)
        return of

    def _condition(self, condition: Formula, facts: TypeFacts) -> None:
        if self.formula(condition, facts) not in {FLAG, NEVER}:
            raise InternalError(f"expected a flag at {condition.span}, found {self.formula(condition, facts)}")

    def _assume(self, condition: Formula, facts: TypeFacts, *, holds: bool) -> TypeFacts | None:
        return self._refinement.assume(condition, facts, holds=holds)

    def reached_cells(self, base: int, index: Formula | None, facts: TypeFacts) -> range:
        """Return the cells that can be meant."""
        of = exactly(0) if index is None else number_of(self.formula(index, facts))
        return self._places(of, base, self.fields[base], f"cell {base}")

    def _places(self, index: NumberType, base: int, within: range, what: str) -> range:
        """Return the places that an index means, which must be there; while numbers are still without bound, all."""
        low = within.start if index.low is None else base + index.low
        high = within.stop - 1 if index.high is None else base + index.high
        is_known = index.low is not None and index.high is not None
        is_strict = self.record is not None and self.record.is_strict
        if is_strict and not (is_known and within.start <= low <= high < within.stop):
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
        if like_bag is not None:
            return join_types(*(like_bag.holding(one) for one in entries if isinstance(one, int)))
        return join_types(*dict.fromkeys(map(constant_type, entries)))

    def _operation(self, formula: Op, facts: TypeFacts, like_bag: BagType | None) -> PlanType:
        sign, operands = formula.operator, formula.operands
        if sign in {"and", "or"}:
            return self._connected(formula, facts)
        # Numbers that are known are packed like the bag they stand beside, so that is looked at first.
        types = {one: self.formula(one, facts) for one in operands if not _is_known_amount(one)}
        bag = next((one for one in types.values() if isinstance(one, BagType)), like_bag)
        packed = bag if sign in {"+", "-", "*", "&", "|"} else None
        types |= {one: self.formula(one, facts, packed) for one in operands if one not in types}
        if sign == "item":
            index = operands[1].value if isinstance(operands[1], Literal) else None
            return item_of(types[operands[0]], index if isinstance(index, int) else None)
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
            for name, of in zip(self.plan.functions[call.function].parameters, arguments, strict=True):
                self._give(call, name, of)
            return self.call_function(call.function, arguments)
        if call.function not in FUNCTIONS:
            raise InternalError(f"there is no type for what `{call.function}` gives")
        return FUNCTIONS[call.function](*arguments)

    def call_function(self, name: str, arguments: tuple[PlanType, ...]) -> PlanType:
        """Return the type of what a function of the plan gives for arguments of some types."""
        key, called = (name, arguments), self._called if self.record is None else self.record.called
        if key not in called:
            function = self.plan.functions[name]
            facts = self._parameters(function.parameters, arguments)
            if function.lists:
                facts = facts.assign(CODES, ListType(NEVER, 0))
            end = self.run(function.body, facts)
            found: PlanType = NEVER
            if end is not None:
                found = (
                    _distinct_codes(end.names[CODES]) if function.result is None else self.formula(function.result, end)
                )
            called[key] = found
            if self.record is not None:
                self.record.results[name] = join_types(self.record.results.get(name, NEVER), found)
        return called[key] or NEVER

    def _parameters(self, names: tuple[str, ...], arguments: tuple[PlanType, ...]) -> TypeFacts:
        given = zip(names, arguments, strict=True)
        return TypeFacts({name: self._bound(name, of) for name, of in given}, {})

    def _reduce(self, fold: Reduce, facts: TypeFacts) -> PlanType:
        capacities: list[int] = []
        way: TypeFacts | None = facts
        last: PlanType = NEVER
        for loop in fold.loops:
            if way is None:
                break
            items = list_of(self.formula(loop.items, way))
            capacities.append(items.capacity)
            if not items.capacity or isinstance(items.item, NeverType):
                way = None
                break
            way = way.bind(loop.name, self._give(loop, loop.name, items.item))
            for condition in loop.conditions:
                if way is not None:
                    self._condition(condition, way)
                    way = self._assume(condition, way, holds=True)
            last = NEVER if way is None else way.names[loop.name]
        item = NEVER if way is None else self.formula(fold.item, way)
        return reduce_type(
            fold.gives, item, last, [*capacities, *([0] if way is None else [])], skips_none=fold.skips_none
        )

    # Statements.

    def run(self, statements: Statements, facts: TypeFacts | None) -> TypeFacts | None:
        """Return what is known after statements; nothing where they are never left."""
        for statement in statements:
            if facts is None:
                return None
            facts = self._statement(statement, facts)
        return facts

    def _statement(self, statement: Statement, facts: TypeFacts) -> TypeFacts | None:
        if type(statement) not in self._runners:
            raise InternalError(f"{type(statement).__name__} is cut into blocks")
        return self._runners[type(statement)](statement, facts)

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
        ways = [facts]
        for number, body in switch.cases:
            test = Op(switch.span, "==", (switch.subject, Literal(switch.span, number)))
            end = self.run(body, self._assume(test, facts, holds=True))
            ways += [] if end is None else [end]
        return join_facts(*ways)

    def _call_runtime(self, call: CallRuntime, facts: TypeFacts) -> TypeFacts | None:
        arguments = tuple(self.formula(one, facts) for one in call.arguments)
        if call.planned:
            for name, of in zip(self.plan.procedures[call.function].parameters, arguments, strict=True):
                self._give(call, name, of)
            return facts.without_reads() if self._comes_back(call.function, arguments) else None
        facts = facts.without_reads()
        if call.result is None:
            return facts
        return facts.assign(call.result, self._give(call, call.result, self._runtime_result(call.function, arguments)))

    def _comes_back(self, name: str, arguments: tuple[PlanType, ...]) -> bool:
        key, called = (name, arguments), self._called if self.record is None else self.record.called
        if key not in called:
            procedure = self.plan.procedures[name]
            end = self.run(procedure.body, self._parameters(procedure.parameters, arguments))
            called[key] = None if end is None else NONE
        return called[key] is not None

    def _runtime_result(self, function: str, arguments: tuple[PlanType, ...]) -> PlanType:
        if function == "roll_item":
            return nullable(list_of(arguments[0]).item)
        if function == "move_some":
            return self._moved(arguments[3], arguments[2])
        if function in {"draw_chance", "draw_top"}:
            return self._moved(arguments[2], arguments[1])
        if function == "draw_pieces":
            return self._moved(arguments[3], arguments[2])
        if function == "move_all":
            return self._moved(arguments[2], None)
        raise InternalError(f"there is no type for what `{function}` gives")

    def _moved(self, source: PlanType, count: PlanType | None) -> PlanType:
        """Return the type of pieces that were moved: of each its member and its owner."""
        assert isinstance(source, TupleType)
        place, cell, _ = source.items
        assert isinstance(place, PlaceType)
        ground, first = place.ground, number_of(cell)
        assert first.low is not None
        assert first.high is not None
        owners = range(ground.players) if ground.stride else (0,)
        cells = range(first.low, first.high + 1)
        capacity = sum(max(_pieces_in(self.cells[one + ground.stride * owner]) for one in cells) for owner in owners)
        most = None if count is None else number_of(count).high
        owner = (
            nullable(NumberType(0, ground.players - 1)) if ground.owner_coded or ground.owner_dimension >= 0 else NONE
        )
        piece = TupleType((NumberType(0, ground.members - 1), owner))
        return ListType(piece, capacity if most is None else min(capacity, max(most, 0)))

    # Loops.

    def _for_each(self, loop: ForEach, facts: TypeFacts) -> TypeFacts | None:
        items = list_of(self.formula(loop.items, facts))
        if not items.capacity or isinstance(items.item, NeverType):
            return facts

        def once(head: TypeFacts) -> TypeFacts | None:
            return self.run(loop.body, head.assign(loop.name, self._give(loop, loop.name, items.item)))

        return self._repeat(facts, once, loop.body, items.capacity)

    def _while(self, loop: WhileLoop, facts: TypeFacts) -> TypeFacts | None:
        def once(head: TypeFacts) -> TypeFacts | None:
            self._condition(loop.condition, head)
            return self.run(loop.body, self._assume(loop.condition, head, holds=True))

        head = self._repeat(facts, once, loop.body, most_turns(loop, facts))
        return self._assume(loop.condition, head, holds=False)

    def _repeat(self, facts: TypeFacts, once: Once, body: Statements, times: int | None) -> TypeFacts:
        """Return what is known at the start of every turn of a loop, and after the last."""
        listed = facts.names.get(CODES)
        start = facts.assign(CODES, ListType(NEVER, 0)) if listed is not None else facts.without_reads()
        outer = {label: [*ways] for label, ways in self._left.items()}

        def turn(head: TypeFacts) -> TypeFacts | None:
            self._left = {label: [*ways] for label, ways in outer.items()}
            return once(head if listed is None else head.assign(CODES, ListType(NEVER, 0)))

        with _Recording(self, None):
            head = self._stable(start, turn)
            head = self._bounded(head, start, turn, body, times)
        end = turn(head)
        if listed is not None:
            more = None if end is None else end.names[CODES]
            head = head.assign(CODES, _repeat_codes(listed, more, times))
        return head.without_reads()

    def _widen(self, before: TypeFacts, after: TypeFacts) -> TypeFacts:
        wide = widen_facts(before, after, self._refinement.bounds)
        known = {
            name: narrow_number(wide.names[name], of) for name, of in self._let_names.items() if name in wide.names
        }
        return TypeFacts({**wide.names, **known}, wide.reads)

    def _stable(self, start: TypeFacts, turn: Once) -> TypeFacts:
        """Return what holds at the start of every turn: guessed from a few, and then made as narrow as it can be."""
        head = start
        for number in range(MOST_WIDENED):
            new = join_facts(start, head, turn(head))
            assert new is not None
            new = new.without_reads()
            if new.is_same(head):
                break
            head = new if number < MOST_ROUNDS else self._widen(head, new)
        else:
            raise InternalError("the types of a loop do not come to rest")
        for _ in range(2):
            narrower = join_facts(start, turn(head))
            assert narrower is not None
            head = narrower.without_reads()
        return head

    def _bounded(self, head: TypeFacts, start: TypeFacts, turn: Once, body: Statements, times: int | None) -> TypeFacts:
        """Return what is known of a loop with bounds for what only grows, by so much in each of so many turns."""
        names = [name for name, of in head.names.items() if isinstance(of, NumberType) and None in {of.low, of.high}]
        if times is None or not names:
            return head
        apart = _Record()
        with _Recording(self, apart):
            turn(head)
        for name in names:
            first = start.names.get(name)
            growth = growth_of(name, body, apart.formulas)
            if growth is not None and isinstance(first, NumberType):
                sums = interval.plus(Interval(first.low, first.high), interval.repeated(growth, times))
                head = head.assign(name, NumberType(sums.low, sums.high))
        return head

    # Blocks.

    def run_blocks(self) -> None:
        """Run all blocks from the first one on."""
        with _Recording(self, None):
            entries = self._settle(self._narrow(self._ascend()))
        for number, facts in entries.items():
            for following, way in self._ways(number, facts).items():
                if not _covers(entries[following], way):
                    raise InternalError(f"the types at the start of block {following} do not hold")

    def _ascend(self) -> _Edges:
        """Return what is known on every way between blocks, with numbers that grow in circles without bound."""
        edges: _Edges = {self.plan.graph.first: {-1: NOTHING_KNOWN}}
        entries: dict[int, TypeFacts] = {self.plan.graph.first: NOTHING_KNOWN}
        visits = Counter[int]()
        waiting = {self.plan.graph.first}
        while waiting:
            number = min(waiting)
            waiting.remove(number)
            visits[number] += 1
            for following, way in self._ways(number, entries[number]).items():
                edges.setdefault(following, {})[number] = way
                before = entries.get(following)
                new = join_facts(before, way)
                assert new is not None
                if before is not None and following <= number and visits[following] > MOST_ROUNDS:
                    new = self._widen(before, new)
                if before is None or not new.is_same(before):
                    entries[following] = new
                    waiting.add(following)
        return edges

    def _narrow(self, edges: _Edges) -> dict[int, TypeFacts]:
        """Return what is known at the start of every block, as narrow as some more rounds make it."""
        for _ in range(MOST_ROUNDS):
            for number in sorted(edges):
                entry = join_facts(*edges[number].values())
                ways = {} if entry is None else self._ways(number, entry)
                for following, into in edges.items():
                    if number in into:
                        into[number] = ways.get(following)
        joined = ((number, join_facts(*edges[number].values())) for number in sorted(edges))
        return {number: facts for number, facts in joined if facts is not None}

    def _settle(self, entries: dict[int, TypeFacts]) -> dict[int, TypeFacts]:
        """Return what holds at the start of every block: where narrowing went too far, it is taken back."""
        for _ in range(MOST_WIDENED):
            is_settled = True
            for number in sorted(entries):
                for following, way in self._ways(number, entries[number]).items():
                    before = entries.get(following)
                    if before is None or not _covers(before, way):
                        entries[following] = join_facts(before, way) or way
                        is_settled = False
            if is_settled:
                return entries
        raise InternalError("the types of blocks do not come to rest")

    def _ways(self, number: int, facts: TypeFacts) -> dict[int, TypeFacts]:
        """Return the blocks to which a block can go on, with what is known at the start of each."""
        found: dict[int, TypeFacts] = {}
        for following, way in self._block(self.plan.graph.blocks[number], facts):
            if way is not None:
                kept = {name: of for name, of in way.names.items() if name in self.live[following]}
                joined = join_facts(found.get(following), TypeFacts(kept, way.reads))
                found |= {} if joined is None else {following: joined}
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
                    test = Op(block.exit.span, "==", (subject, Literal(block.exit.span, number)))
                    yield following, self._assume(test, end, holds=True)
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
            self.call_function(name, tuple(facts.names[one] for one in given))
        codes = list_of(self.formula(wait.codes, facts))
        return facts.assign(wait.code, self._give(wait, wait.code, codes.item)).without_reads()

    def run_scoring(self, seat: PlanType) -> None:
        """Run the functions that a host calls."""
        for name in SCORING:
            self.call_function(name, (seat,))


class _Recording:
    """While it lasts, what is found is kept in another record, or not at all."""

    def __init__(self, inference: _TypeInference, record: _Record | None) -> None:
        self._inference, self._record, self._before = inference, record, inference.record

    def __enter__(self) -> None:
        self._inference.record = self._record

    def __exit__(self, *_: object) -> None:
        self._inference.record = self._before


def _is_known_amount(formula: Formula) -> bool:
    """Whether a formula is a number out of the plan itself, which may stand for pieces in a bag."""
    match formula:
        case Literal() | TableRead():
            return True
        case Op(_, "*", (_, amount)) | Op(_, "<<", (amount, _)):
            return _is_known_amount(amount)
    return False


def _covers(known: TypeFacts, way: TypeFacts) -> bool:
    joined = join_facts(known, way)
    return joined is not None and joined.names == known.names


def _pieces_in(of: PlanType) -> int:
    """Return how many pieces can lie in a cell."""
    if isinstance(of, BagType):
        return sum(of.counts)
    return of.capacity if isinstance(of, ListType) else 1


def _with_codes(facts: TypeFacts, item: PlanType, many: int) -> TypeFacts:
    codes = list_of(facts.names[CODES])
    return TypeFacts({**facts.names, CODES: ListType(join_types(codes.item, item), codes.capacity + many)}, facts.reads)


def _repeat_codes(before: PlanType, turn: PlanType | None, times: int | None) -> PlanType:
    """Return a list of codes after so many turns that each add some."""
    first = list_of(before)
    if turn is None:
        return first
    more = list_of(turn)
    if more.capacity and times is None:
        raise InternalError("nothing bounds how many codes are listed")
    return ListType(join_types(first.item, more.item), first.capacity + more.capacity * (times or 0))


def _distinct_codes(codes: PlanType) -> PlanType:
    """Return a list of codes, each of which is there once."""
    return FUNCTIONS["distinct"](codes)


def _codes_by_key(options: tuple[Any, ...]) -> tuple[PlanType, int]:
    """Return the type of the codes that can belong to a key, and how many there are."""
    found: list[int] = []
    for first, _, parameters in options:
        codes = [first]
        for values in parameters:
            codes = [code + more for code in codes for more, _ in values]
        found += codes
    return join_types(*map(exactly, found)), len(found)
