"""Generated Python in the words of the rules, so that an author can follow what a program does.

    S[29 + player_4] & 786432               player.cards[player_4] has queen
    S[29 + player_4] >> 5 & 31              player.cards[player_4][king]
    S[40 + pile_2 * 3 + player_4] += 1      pile.held[pile_2, player_4] += {ace: 1}
    turns_left_1 = S[14]                    turns_left_1 = frame.turns_left_1

This is for reading: what runs are the same statements with numbers. What cannot be named stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard

from attrs import evolve, field, frozen

from aodrules.check.analyse.constants import ConstantEvaluator
from aodrules.check.checked import CheckedRules
from aodrules.check.visit import walk_parts
from aodrules.compiler.codegen.module import Generated
from aodrules.compiler.codegen.writer import STATE
from aodrules.compiler.formulas import CallPure, Constant, Variable
from aodrules.compiler.layout import FIRST_FIELD, SITE, STEP, BagShape, FieldCells
from aodrules.compiler.nodes import Assign, CallBlock, CallRuntime
from aodrules.compiler.place_layout import PlaceLayout
from aodrules.compiler.plan import Plan
from aodrules.compiler.visit import walk
from aodrules.lang.expressions import Local
from aodrules.lang.types import Bag, Maybe, Member, Type
from aodrules.source.spans import Span

MACHINE = ("question", "player", "random", "over", "step", "left")
"""What the first cells are called, in their order."""
FEW = 6
"""Of more items than this only the first three are shown."""

Kinds: TypeAlias = "dict[str, str]"
"""By variable: the family of the members it stands for."""
Terms: TypeAlias = "list[tuple[int, ast.expr]]"
"""A sum: what is added, and how many times."""


@frozen(eq=False)
class BlockLabel:
    """What the function of a block is called, and what it is for."""

    name: str
    says: str


@frozen(eq=False)
class ReadableCell:
    """What a cell is called."""

    text: str
    cells: FieldCells | None = None
    """The field it belongs to, if it belongs to one."""
    number: int | None = None
    """Which cell it is, if it belongs to none."""


@frozen(eq=False)
class Legend:
    """What the numbers in generated code stand for."""

    rules: CheckedRules
    plan: Plan
    constants: Mapping[str, Constant]
    blocks: Mapping[int, BlockLabel]
    kinds: Kinds
    parameters: Mapping[str, tuple[str, ...]]
    """By function: what it is given."""
    attributes: Mapping[str, tuple[str, ...]]
    """By constant: the attributes whose values it lists, member by member."""
    bags: dict[str, str] = field(factory=dict)
    """By variable that holds a bag: the family of its pieces."""
    counts: set[str] = field(factory=set)
    """The variables that are numbers of pieces."""
    tables: dict[str, str | None] = field(factory=dict)
    """By constant: the family of the members that are looked up in it, if they are of one."""
    _fields: dict[int, tuple[FieldCells, bool]] = field(init=False)
    """By cell: its field, and whether the cell holds what is known about it."""
    _frames: dict[int, str] = field(init=False)
    _shapes: dict[str, BagShape] = field(init=False)
    """By family: how bags are packed."""

    @_fields.default
    def _cells_of_fields(self) -> dict[int, tuple[FieldCells, bool]]:
        found: dict[int, tuple[FieldCells, bool]] = {}
        for cells in self.plan.layout.fields.values():
            for number in range(cells.size):
                found[cells.base + number] = cells, False
                if cells.knowledge is not None:
                    found[cells.knowledge + number] = cells, True
        return found

    @_frames.default
    def _cells_of_frames(self) -> dict[int, str]:
        frames = self.plan.frames
        variables = {cell: f"frame.{name}" for name, cell in frames.cells.items()}
        return variables | {cell: f"frame.return_from_{name}" for name, cell in frames.returns.items()}

    @_shapes.default
    def _shapes_of_bags(self) -> dict[str, BagShape]:
        found = {}
        for cells in self.plan.layout.fields.values():
            if isinstance(cells.field.type, Bag) and cells.bag is not None:
                found[self._family(cells.field.type.kind)] = cells.bag
        return found

    def inside(self, function: ast.FunctionDef) -> Legend:
        """Return a legend that also knows the temporaries of one function that only repeat a variable."""
        kinds = {
            node.targets[0].id: self.kinds[node.value.id]
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Name)
            and _is_temporary(node.targets[0].id)
            and node.value.id in self.kinds
        }
        return evolve(self, kinds={**self.kinds, **kinds}) if kinds else self

    # Members.

    def _family(self, kind: str) -> str:
        return self.rules.kinds[kind].family

    def members(self, kind: str) -> tuple[str, ...]:
        """Return the names of the members of a kind's family."""
        return self.rules.family(kind).members

    def member(self, kind: str, number: int) -> str:
        """Return the name of a member."""
        members = self.members(kind)
        return members[number] if 0 <= number < len(members) else str(number)

    def kind_of(self, node: ast.expr) -> str | None:
        """Return the family of the members that an expression stands for, if it stands for members."""
        if isinstance(node, ast.Name):
            return self.kinds.get(node.id)
        cell = self.state_cell(node)
        if cell is not None and cell.number is not None:
            return self.kinds.get(cell.text.removeprefix("frame."))
        kind = _member_kind(cell.cells.field.type) if cell is not None and cell.cells is not None else None
        return None if kind is None else self._family(kind)

    def as_member(self, kind: str | None, node: ast.expr) -> ast.expr:
        """Return an expression that stands for members of a family: numbers by their names."""
        number = _number(node)
        if kind is not None and number is not None:
            return _text(self.member(kind, number))
        if kind is not None and isinstance(node, ast.Tuple):
            return ast.Tuple([self.as_member(kind, one) for one in node.elts], ast.Load())
        return self.expression(node)

    # Cells.

    def state_cell(self, node: ast.expr) -> ReadableCell | None:
        """Return the cell that an expression reads, if it reads one that has a name."""
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == STATE:
            return self.cell(node.slice)
        return None

    def cell(self, number: ast.expr) -> ReadableCell | None:
        """Return what the cell of a number is called; nothing if the number does not begin with a constant."""
        terms, fixed = _linear(number)
        if not terms and fixed < FIRST_FIELD:
            return ReadableCell(f"machine.{MACHINE[fixed]}", number=fixed)
        if not terms and fixed in self._frames:
            return ReadableCell(self._frames[fixed], number=fixed)
        base = _first_number(number)
        if base is None or base not in self._fields:
            return None
        cells, is_knowledge = self._fields[base]
        first = cells.knowledge if is_knowledge and cells.knowledge is not None else cells.base
        text = cells.name + self._indices(cells, terms, fixed - first)
        return ReadableCell(f"known({text})") if is_knowledge else ReadableCell(text, cells)

    def _indices(self, cells: FieldCells, terms: Terms, offset: int) -> str:
        """Return the indices of a cell of a field as they stand in brackets, one for each dimension."""
        parts = []
        for dimension, stride, size in zip(cells.field.dimensions, cells.strides, cells.shape, strict=True):
            here = [(factor // stride, term) for factor, term in terms if factor % stride == 0 and size > 1]
            terms = [(factor, term) for factor, term in terms if factor % stride or size == 1]
            fixed, offset = divmod(offset, stride)
            if not here and isinstance(dimension, Member):
                parts.append(self.member(dimension.kind, fixed))
            else:
                parts.append(self._sum(here, fixed))
        parts += [self._sum(terms, 0)] if terms else []
        return f"[{', '.join(parts)}]" if parts else ""

    def _sum(self, terms: Terms, fixed: int) -> str:
        texts = [("" if factor == 1 else f"{factor} * ") + self.text(term) for factor, term in terms]
        return " + ".join(texts + ([str(fixed)] if fixed or not texts else []))

    # Bags.

    def shape(self, kind: str) -> BagShape:
        """Return how a bag of some kind is packed."""
        return self._shapes[self._family(kind)]

    def bag_kind(self, node: ast.expr) -> str | None:
        """Return the family of the pieces in the bag that an expression stands for, if it stands for a bag."""
        if isinstance(node, ast.Name):
            return self.bags.get(node.id)
        if _is_operation(node, ast.BitAnd) and _number(node.right) is not None:
            kind = self.bag_kind(node.left)
            return None if kind is None or _number(node.right) == self.shape(kind).mask else kind
        cell = self.state_cell(node)
        held = None if cell is None or cell.cells is None else cell.cells.field.type
        return self._family(held.kind) if isinstance(held, Bag) else None

    def members_in(self, kind: str, bits: int) -> list[str]:
        """Return the members whose counts some bits of a bag touch."""
        return [name for name, count in zip(self.members(kind), self.shape(kind).unpack(bits), strict=True) if count]

    def member_at(self, kind: str, shift: ast.expr) -> str | None:
        """Return the member whose count begins at a bit of a bag."""
        width = self.shape(kind).width
        terms, fixed = _linear(shift)
        if not terms:
            return self.member(kind, fixed // width)
        return self.text(terms[0][1]) if fixed == 0 and len(terms) == 1 and terms[0][0] == width else None

    def contents(self, kind: str, node: ast.expr) -> ast.expr:
        """Return a number that is added to a bag as what it adds: `{member: count}`."""
        shape = self.shape(kind)
        number = _number(node)
        if number is not None:
            counts = zip(self.members(kind), shape.unpack(number), strict=True)
            return _text(f"{{{', '.join(f'{name}: {count}' for name, count in counts if count)}}}")
        units = tuple(1 << shape.width * number for number in range(shape.members))
        count, unit = (node.left, node.right) if _is_operation(node, ast.Mult) else (ast.Constant(1), node)
        member = None
        if isinstance(unit, ast.Subscript) and isinstance(unit.value, ast.Name):
            member = self.text(unit.slice) if self.constants.get(unit.value.id) == units else None
        elif _number(unit) in units:
            member = self.members(kind)[units.index(_number(unit) or 0)]
        elif isinstance(node, ast.Name) and node.id in self.counts:
            count, member = node, self.members(kind)[0]
        return self.expression(node) if member is None else _text(f"{{{member}: {self.text(count)}}}")

    # Expressions.

    def text(self, node: ast.expr) -> str:
        """Return an expression in the words of the rules, as text."""
        return ast.unparse(self.expression(node))

    def expression(self, node: ast.expr) -> ast.expr:
        """Return an expression in the words of the rules."""
        name = _NAMERS.get(type(node))
        named = name(self, node) if name is not None else None
        if named is not None:
            return named
        parts: dict[str, Any] = {
            name: [self._part(one) for one in value] if isinstance(value, list) else self._part(value)
            for name, value in ast.iter_fields(node)
        }
        return type(node)(**parts)

    def _part(self, part: Any) -> Any:
        return self.expression(part) if isinstance(part, ast.expr) else part

    def test(self, node: ast.expr) -> ast.expr:
        """Return an expression of which only the truth matters in the words of the rules."""
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self.test(one) for one in node.values])
        if _is_operation(node, ast.BitAnd):
            kind, bits = self.bag_kind(node.left), _number(node.right)
            if kind is not None and bits is not None:
                members = self.members_in(kind, bits)
                wanted = members[0] if len(members) == 1 else f"any of {{{', '.join(members)}}}"
                return _text(f"{self.text(node.left)} has {wanted}")
        return self.expression(node)

    def items(self, target: ast.expr, node: ast.expr) -> ast.expr:
        """Return what a loop runs over."""
        kind = self.kind_of(target)
        value: Any = self.constants.get(node.id) if isinstance(node, ast.Name) else _plain_items(node)
        if not isinstance(value, tuple) or not all(type(one) is int for one in value):
            return self.expression(node)
        if kind is None:
            return _text(self.constant(value))
        if value == tuple(range(len(self.members(kind)))):
            return _text(f"every {kind}")
        return _text(f"({_shorten([self.member(kind, one) for one in value])})")

    # Constants and blocks.

    def label(self, function: str) -> BlockLabel | None:
        """Return what a function is for, if it is that of a block."""
        number = _block_number(function)
        return None if number is None else self.blocks.get(number)

    def block_name(self, number: int) -> str:
        """Return the name of the function of a block."""
        return self.blocks[number].name if number in self.blocks else f"block_{number}"

    def place(self, layout: PlaceLayout, number: ast.expr, index: ast.expr) -> str:
        """Return a place of pieces: its field, and which piece."""
        cell = self.cell(number)
        text = layout.name if cell is None else cell.text
        is_whole = isinstance(index, ast.Constant) and index.value is None
        return text if is_whole else f"{text} at {self.text(index)}"

    def constant(self, value: Any) -> str:
        """Return the value of a constant: a place by its field, of many items the first few."""
        if isinstance(value, PlaceLayout):
            return value.name
        if not isinstance(value, tuple):
            return repr(value)
        if _is_place(value):
            return self.place(value[0], ast.Constant(value[1]), ast.Constant(value[2]))
        if len(value) > FEW and type(value[0]) is int and value == tuple(range(value[0], value[0] + len(value))):
            return f"range({value[0]}, {value[0] + len(value)})"
        items = _shorten([self.constant(one) for one in value])
        return f"({items},)" if len(value) == 1 else f"({items})"

    def table(self, name: str) -> str:
        """Return what a constant is: by member where members are looked up in it, and of flags who has it."""
        value, kind = self.constants[name], self.tables.get(name)
        if kind is None or not isinstance(value, tuple) or len(value) != len(self.members(kind)):
            return self.constant(value)
        entries = zip(self.members(kind), value, strict=True)
        if all(isinstance(one, bool) for one in value):
            return f"{{{', '.join(member for member, one in entries if one)}}}"
        return f"{{{_shorten([f'{member}: {self.constant(one)}' for member, one in entries])}}}"


# How each kind of expression is named; nothing is returned where it stays and only its parts are.


def _name_subscript(legend: Legend, node: ast.Subscript) -> ast.expr | None:
    if not isinstance(node.value, ast.Name):
        return None
    if node.value.id == STATE:
        cell = legend.cell(node.slice)
        return None if cell is None else _text(cell.text)
    kind = legend.kind_of(node.slice)
    attributes = [name for name in legend.attributes.get(node.value.id, ()) if name.partition(".")[0] == kind]
    return _text(f"{attributes[0]}[{legend.text(node.slice)}]") if len(attributes) == 1 else None


def _name_operation(legend: Legend, node: ast.BinOp) -> ast.expr | None:
    """Name what is read from a bag: how many there are of a member, or of all, or a part of it."""
    bag = node.left.left if _is_operation(node.left, ast.RShift) else node.left
    kind, number = legend.bag_kind(bag), _number(node.right)
    if kind is None or number is None:
        return None
    text, is_mask = legend.text(bag), number == legend.shape(kind).mask
    if isinstance(node.op, ast.Mod):
        return _text(f"size({text})") if is_mask else None
    if not isinstance(node.op, ast.BitAnd):
        return None
    if _is_operation(node.left, ast.RShift):
        member = legend.member_at(kind, node.left.right)
        return _text(f"{text}[{member}]") if is_mask and member is not None else None
    members = legend.members_in(kind, number)
    if is_mask:
        return _text(f"{text}[{members[0]}]")
    others = [name for name in legend.members(kind) if name not in members]
    if len(others) < len(members):
        return _text(f"{text} without {{{', '.join(others)}}}")
    return _text(f"{text} with only {{{', '.join(members)}}}")


def _name_not(legend: Legend, node: ast.UnaryOp) -> ast.expr | None:
    return ast.UnaryOp(node.op, legend.test(node.operand)) if isinstance(node.op, ast.Not) else None


def _name_choice(legend: Legend, node: ast.IfExp) -> ast.expr:
    return ast.IfExp(legend.test(node.test), legend.expression(node.body), legend.expression(node.orelse))


def _name_comparison(legend: Legend, node: ast.Compare) -> ast.expr | None:
    left, sign, right = node.left, node.ops[0], node.comparators[0]
    is_zero_test = _number(right) == 0 and isinstance(sign, ast.Eq | ast.NotEq)
    if is_zero_test and _is_operation(left, ast.BitAnd) and legend.bag_kind(left.left) is not None:
        test = legend.test(left)
        return test if isinstance(sign, ast.NotEq) else ast.UnaryOp(ast.Not(), test)
    kind = legend.kind_of(left) or legend.kind_of(right)
    if kind is None:
        return None
    return ast.Compare(legend.as_member(kind, left), [sign], [legend.as_member(kind, right)])


def _name_call(legend: Legend, node: ast.Call) -> ast.expr | None:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in _OF_BAGS and legend.bag_kind(node.args[0]) is not None:
        return ast.Call(_text(_OF_BAGS[name]), [legend.expression(node.args[0])], [])
    if name == "reset_cells":
        # Where the cells of the field are, and how many, is said by its name.
        return ast.Call(node.func, [legend.expression(one) for one in (*node.args[:3], node.args[-1])], [])
    parameters = legend.parameters.get(name)
    if parameters is None:
        return None
    given = [legend.as_member(legend.kinds.get(to), one) for to, one in zip(parameters, node.args, strict=True)]
    return ast.Call(legend.expression(node.func), given, [])


def _name_name(legend: Legend, node: ast.Name) -> ast.expr | None:
    number = _block_number(node.id)
    if number is not None:
        return _text(legend.block_name(number))
    value = legend.constants.get(node.id)
    return _text(legend.constant(value)) if isinstance(value, PlaceLayout) or _is_place(value) else None


def _name_tuple(legend: Legend, node: ast.Tuple) -> ast.expr | None:
    if len(node.elts) == 3 and isinstance(node.elts[0], ast.Name):
        layout = legend.constants.get(node.elts[0].id)
        if isinstance(layout, PlaceLayout):
            return _text(legend.place(layout, node.elts[1], node.elts[2]))
    return None


_NAMERS: dict[type, Callable[[Legend, Any], ast.expr | None]] = {
    ast.Subscript: _name_subscript,
    ast.BinOp: _name_operation,
    ast.UnaryOp: _name_not,
    ast.IfExp: _name_choice,
    ast.Compare: _name_comparison,
    ast.Call: _name_call,
    ast.Name: _name_name,
    ast.Tuple: _name_tuple,
}
_OF_BAGS = {"bag_size": "size", "bag_items": "items", "bag_members": "members"}
"""What is asked about bags, in words of the rules: how they are packed is not said."""


# Statements.


def readable_statement(legend: Legend, statement: ast.stmt, function: str) -> ast.stmt:
    """Return a statement in the words of the rules; the statements inside it are left as they are."""
    number = _block_number(function)
    match statement:
        case ast.If() | ast.While():
            return type(statement)(legend.test(statement.test), statement.body, statement.orelse)
        case ast.For():
            items = legend.items(statement.target, statement.iter)
            return ast.For(statement.target, items, statement.body, statement.orelse)
        case ast.Assign():
            targets = [legend.expression(target) for target in statement.targets]
            return ast.Assign(targets, _name_assigned(legend, statement.targets[0], statement.value), lineno=1)
        case ast.AugAssign():
            kind = legend.bag_kind(statement.target)
            change = legend.expression(statement.value) if kind is None else legend.contents(kind, statement.value)
            return ast.AugAssign(legend.expression(statement.target), statement.op, change)  # type: ignore[arg-type]
        case ast.Return(value=ast.Constant(value=int() as following)) if number is not None:
            return ast.Return(_text(legend.block_name(following)))
        case ast.Return(value=ast.expr() as value):
            return ast.Return(legend.expression(value))
        case ast.Expr():
            return ast.Expr(legend.expression(statement.value))
        case ast.FunctionDef() if number is not None:
            return ast.FunctionDef(legend.block_name(number), statement.args, statement.body, [], lineno=1)
    return statement


def _name_assigned(legend: Legend, target: ast.expr, value: ast.expr) -> ast.expr:
    """Return what is assigned: a number by what it stands for, where the target tells."""
    cell, number = legend.state_cell(target), _number(value)
    if cell is None or number is None:
        return legend.as_member(legend.kind_of(target), value)
    if cell.number == SITE:
        return _text(legend.plan.sites[number].decision)
    if cell.number == STEP:
        return _text(legend.plan.layout.steps[number - 1] if number else "none")
    if number and cell.number in legend.plan.frames.returns.values():
        return _text(legend.block_name(number))
    if number == 0 and cell.number is not None:
        return value  # What is no longer needed is 0, whatever it was.
    if legend.bag_kind(target) is not None and number == 0:
        return _text("{}")
    return legend.as_member(legend.kind_of(target), value)


def _block_number(name: str) -> int | None:
    """Return of which block a name is that of the function."""
    head, _, number = name.partition("_")
    return int(number) if head == "block" and number.isdigit() else None


# How a legend is made.


def legend_of(rules: CheckedRules, plan: Plan, generated: Generated, blocks: Mapping[int, BlockLabel]) -> Legend:
    """Return what the numbers in the generated code of a plan stand for."""
    parameters = {name: tuple(one.arg for one in tree.args.args) for name, _, tree in generated.functions}
    kinds = _kinds_of_variables(rules, plan)
    _add_kinds_of_self(kinds, plan)
    attributes = _attribute_tables(rules, plan, generated.constants)
    legend = Legend(rules, plan, generated.constants, blocks, kinds, parameters, attributes)
    _add_bags(legend, generated)
    _add_tables(legend, generated)
    return legend


def _kinds_of_variables(rules: CheckedRules, plan: Plan) -> Kinds:
    """Return the variables that stand for members: where one stands, the rules have a name of that type."""
    names: dict[tuple[Span, str], str] = {}
    for part in walk_parts(rules):
        if isinstance(part, Local):
            kind = _member_kind(part.type)
            if kind is not None:
                names[part.span, part.name] = rules.kinds[kind].family
    kinds: Kinds = {}
    for variable in _variables(plan):
        stem = variable.name.rpartition("_")[0]
        if (variable.span, stem) in names:
            kinds[variable.name] = names[variable.span, stem]
    return kinds


def _variables(plan: Plan) -> Iterator[Variable]:
    return (node for root in _roots(plan) for node in walk(root) if isinstance(node, Variable))


def _roots(plan: Plan) -> list[object]:
    return [*plan.functions.values(), *plan.procedures.values(), *plan.graph.blocks.values()]


def _add_kinds_of_self(kinds: Kinds, plan: Plan) -> None:
    """Add of which family `self` is in a body: that of what the body is called with."""
    for name, value in (given for root in _roots(plan) for node in walk(root) for given in _given(node, plan)):
        if name.startswith("self_") and isinstance(value, Variable) and value.name in kinds:
            kinds.setdefault(name, kinds[value.name])


def _given(node: object, plan: Plan) -> Iterable[tuple[str, object]]:
    """Return which variables get which values where something is called."""
    if isinstance(node, CallBlock):
        return node.arguments
    if isinstance(node, CallRuntime | CallPure) and node.planned:
        body = plan.procedures.get(node.function) or plan.functions[node.function]
        return zip(body.parameters, node.arguments, strict=True)
    return [(node.name, node.value)] if isinstance(node, Assign) else []


def _attribute_tables(rules: CheckedRules, plan: Plan, constants: Mapping[str, Constant]) -> dict[str, tuple[str, ...]]:
    """Return which attributes each constant lists."""
    known = ConstantEvaluator(rules, plan.players, bounded=False)
    tables: dict[str, list[str]] = {}
    for name, attribute in rules.attributes.items():
        if not attribute.per:
            values = tuple(known.attribute(name, member, 0) for member in range(len(attribute.values)))
            tables.setdefault(repr(values), []).append(name)
    return {name: tuple(tables.get(repr(value), ())) for name, value in constants.items()}


def _add_bags(legend: Legend, generated: Generated) -> None:
    """Add the variables that are only ever given bags, and those that are given the smaller of two numbers."""
    values: dict[str, list[ast.expr]] = {}
    for _, _, tree in generated.functions:
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                values.setdefault(node.targets[0].id, []).append(node.value)
    for name, assigned in values.items():
        kinds = {legend.bag_kind(value) for value in assigned if not _is_own_frame(legend, name, value)}
        kind = kinds.pop() if len(kinds) == 1 else None
        if kind is not None and not _is_temporary(name):
            legend.bags[name] = kind
        if all(isinstance(one, ast.Call) and getattr(one.func, "id", "") == "min" for one in assigned):
            legend.counts.add(name)


def _add_tables(legend: Legend, generated: Generated) -> None:
    """Add which members are looked up in which constants."""
    for _, _, tree in generated.functions:
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
                kind = legend.kind_of(node.slice)
                if legend.tables.setdefault(node.value.id, kind) != kind:
                    legend.tables[node.value.id] = None


def _is_own_frame(legend: Legend, name: str, value: ast.expr) -> bool:
    """Whether a variable is only loaded from where it was stored."""
    cell = legend.state_cell(value)
    return cell is not None and cell.number is not None and cell.number == legend.plan.frames.cells.get(name)


def _member_kind(type_: Type) -> str | None:
    inner = type_.of if isinstance(type_, Maybe) else type_
    return inner.kind if isinstance(inner, Member) else None


# Syntax trees.


def _text(text: str) -> ast.expr:
    """Return words that are printed as they are."""
    return ast.Name(text)


def _number(node: ast.expr) -> int | None:
    """Return the number that stands in the code."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _is_operation(node: Any, operator: type[ast.operator]) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, operator)


def _is_temporary(name: str) -> bool:
    """Whether a local was made while code was written: it means something else in another function."""
    return name[:1] == "t" and name[1:].isdigit()


def _is_place(value: Any) -> bool:
    """Whether a constant is a place of pieces: its layout, its cell and an index."""
    return isinstance(value, tuple) and len(value) == 3 and isinstance(value[0], PlaceLayout) and type(value[1]) is int


def _plain_items(node: ast.expr) -> tuple[Any, ...] | None:
    """Return the items of a tuple that stands in the code."""
    return tuple(getattr(one, "value", None) for one in node.elts) if isinstance(node, ast.Tuple) else None


def _first_number(node: ast.expr) -> int | None:
    """Return the number that a sum begins with."""
    while isinstance(node, ast.BinOp):
        node = node.left
    return _number(node)


def _linear(node: ast.expr, factor: int = 1) -> tuple[Terms, int]:
    """Return a sum as terms and a constant: `163 + (x * 4 + y)` is 4 times x, once y, and 163."""
    number = _number(node)
    if number is not None:
        return [], factor * number
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        sign = 1 if isinstance(node.op, ast.Add) else -1
        (left, one), (right, two) = _linear(node.left, factor), _linear(node.right, sign * factor)
        return left + right, one + two
    times = _number(node.right) if _is_operation(node, ast.Mult) else None
    if times is not None and isinstance(node, ast.BinOp):
        return _linear(node.left, factor * times)
    return [(factor, node)], 0


def _shorten(items: Sequence[str]) -> str:
    return ", ".join(items if len(items) <= FEW else [*items[:3], f"... {len(items)} items"])
