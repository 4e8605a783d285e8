"""Generated Python in the words of the rules, so that an author can follow what a program does.

    S[29 + player_4] & 786432               player.cards[player_4] has queen
    S[29 + player_4] >> 5 & 31              player.cards[player_4][king]
    S[40 + pile_2 * 3 + player_4] += 1      pile.held[pile_2, player_4] += {ace: 1}
    turns_left_1 = S[14]                    turns_left_1 = frame.turns_left_1

This is for reading: what runs are the same statements with numbers. What cannot be named stays as it is.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias, TypeGuard

from attrs import evolve, field, frozen

from aodrules.check.analyse.constants import ConstantEvaluator
from aodrules.check.checked import CheckedRules
from aodrules.check.visit import walk_parts
from aodrules.compiler.codegen.module import Generated
from aodrules.compiler.codegen.quiet_moves import QUIET_MOVES
from aodrules.compiler.codegen.writer import STATE
from aodrules.compiler.formulas import Constant, Variable
from aodrules.compiler.layout import FIRST_FIELD, POINT, STEP, BagShape, FieldCells, PlaceLayout
from aodrules.compiler.plan import Plan
from aodrules.compiler.visit import walk
from aodrules.facts.state import Cause, LogNote
from aodrules.lang.expressions import Local
from aodrules.lang.types import Bag, Member, Type, present
from aodrules.source.spans import Span

MACHINE = ("question", "player", "random", "over", "step", "left")
"""What the first cells are called, in their order."""
FEW = 6
"""Of more items than this only the first three are shown."""
_OF_BAGS = {"bag_size": "size", "bag_items": "items", "bag_members": "members"}
"""What is asked about bags, in words of the rules: how they are packed is not said."""
_OF_METHODS = {"bit_count": "set_size", "count": "count_of"}
"""What is asked about sets and lists by a method of Python."""

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
    variable: str = ""
    """Which variable it keeps, if it is one of a frame."""


@frozen(eq=False)
class Legend:
    """What the numbers in generated code stand for."""

    rules: CheckedRules
    plan: Plan
    constants: Mapping[str, Constant]
    blocks: Mapping[int, BlockLabel]
    kinds: dict[str, str]
    """By variable: the family of the members it stands for."""
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

    @cached_property
    def _cells(self) -> dict[int, ReadableCell]:
        """By number: the cells of the machine and of frames."""
        frames = self.plan.frames
        found = {number: ReadableCell(f"machine.{MACHINE[number]}", number=number) for number in range(FIRST_FIELD)}
        for name, number in frames.cells.items():
            found[number] = ReadableCell(f"frame.{name}", number=number, variable=name)
        for name, number in frames.returns.items():
            found[number] = ReadableCell(f"frame.return_from_{name}", number=number)
        return found

    @cached_property
    def _kept(self) -> dict[int, tuple[str, int]]:
        """By cell of a kept value: what it holds, and where such cells begin."""
        return {
            first + way: (f"{what}.{name}", first)
            for name, kept in self.plan.layout.kept.items()
            for what, first in (("kept", kept.results), ("stale", kept.marks))
            for way in range(kept.ways)
        }

    @cached_property
    def _fields(self) -> dict[int, tuple[FieldCells, int]]:
        """By cell: its field, and where the cells begin that hold it or, for such a cell, what is known about it."""
        return {
            first + number: (cells, first)
            for cells in self.plan.layout.fields.values()
            for first in (cells.base, cells.knowledge)
            if first is not None
            for number in range(cells.size)
        }

    @cached_property
    def _shapes(self) -> dict[str, BagShape]:
        """By family: how bags are packed."""
        bags = ((cells.field.type, cells.bag) for cells in self.plan.layout.fields.values())
        return {self._family(type_.kind): bag for type_, bag in bags if isinstance(type_, Bag) and bag is not None}

    def inside(self, function: ast.FunctionDef) -> Legend:
        """Return a legend that also knows the temporaries of one function that only repeat a variable."""
        kinds = {}
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=[ast.Name(id=name), *_], value=ast.Name(id=repeated)):
                    if _is_temporary(name) and repeated in self.kinds:
                        kinds[name] = self.kinds[repeated]
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
        cell = self.state_cell(node)
        if cell is None or cell.cells is None:
            return self.kinds.get(self.variable(node))
        kind = _member_kind(cell.cells.field.type)
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
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=number) if name == STATE:
                return self.cell(number)
        return None

    def variable(self, node: ast.expr) -> str:
        """Return the variable that an expression is, as a local or kept in a frame; nothing if it is none."""
        if isinstance(node, ast.Name):
            return node.id
        cell = self.state_cell(node)
        return "" if cell is None else cell.variable

    def cell(self, number: ast.expr) -> ReadableCell | None:
        """Return what the cell of a number is called; nothing if the number does not begin with a constant."""
        terms, fixed = _split_sum(number)
        if not terms and fixed in self._cells:
            return self._cells[fixed]
        base = _first_number(number)
        if base in self._kept:
            what, first = self._kept[base]
            return ReadableCell(f"{what}[{self._sum(terms, fixed - first)}]")
        if base is None or base not in self._fields:
            return None
        cells, first = self._fields[base]
        text = cells.name + self._indices(cells, terms, fixed - first)
        return ReadableCell(text, cells) if first == cells.base else ReadableCell(f"known({text})")

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
        match node:
            case ast.Name():
                return self.bags.get(node.id)
            case ast.BinOp(left=bag, op=ast.BitAnd(), right=ast.Constant(value=int() as bits)):
                kind = self.bag_kind(bag)
                return None if kind is None or bits == self.shape(kind).mask else kind
        cell = self.state_cell(node)
        held = None if cell is None or cell.cells is None else cell.cells.field.type
        return self._family(held.kind) if isinstance(held, Bag) else None

    def members_in(self, kind: str, bits: int) -> list[str]:
        """Return the members whose counts some bits of a bag touch."""
        return [name for name, count in zip(self.members(kind), self.shape(kind).unpack(bits), strict=True) if count]

    def bag_part(self, node: ast.BinOp) -> str | None:
        """Return what is read from a bag: how many there are of a member, or of all, or a part of it."""
        bag, shift = (node.left.left, node.left.right) if _is_operation(node.left, ast.RShift) else (node.left, None)
        kind, number = self.bag_kind(bag), _number(node.right)
        if kind is None or number is None:
            return None
        text, is_mask = self.text(bag), number == self.shape(kind).mask
        match node.op:
            case ast.Mod():
                return f"size({text})" if is_mask else None
            case ast.BitAnd() if shift is not None:
                member = self._member_at(kind, shift)
                return f"{text}[{member}]" if is_mask and member is not None else None
            case ast.BitAnd():
                members = self.members_in(kind, number)
                if is_mask:
                    return f"{text}[{members[0]}]"
                others = [name for name in self.members(kind) if name not in members]
                if len(others) < len(members):
                    return f"{text} without {{{', '.join(others)}}}"
                return f"{text} with only {{{', '.join(members)}}}"
        return None

    def _member_at(self, kind: str, shift: ast.expr) -> str | None:
        """Return the member whose count begins at a bit of a bag."""
        width = self.shape(kind).width
        terms, fixed = _split_sum(shift)
        if not terms:
            return self.member(kind, fixed // width)
        return self.text(terms[0][1]) if fixed == 0 and len(terms) == 1 and terms[0][0] == width else None

    def contents(self, kind: str, node: ast.expr) -> ast.expr:
        """Return a number that is added to a bag as what it adds: `{member: count}`."""
        shape, members = self.shape(kind), self.members(kind)
        units = tuple(1 << shape.width * number for number in range(shape.members))
        count, unit = (node.left, node.right) if _is_operation(node, ast.Mult) else (ast.Constant(1), node)
        match unit:
            case ast.Constant(value=int() as number) if unit is node:
                counts = zip(members, shape.unpack(number), strict=True)
                return _text(f"{{{', '.join(f'{name}: {count}' for name, count in counts if count)}}}")
            case ast.Constant(value=int() as number) if number in units:
                return _text(f"{{{members[units.index(number)]}: {self.text(count)}}}")
            case ast.Subscript(value=ast.Name(id=table), slice=member) if self.constants.get(table) == units:
                return _text(f"{{{self.text(member)}: {self.text(count)}}}")
            case ast.Name(id=name) if unit is node and name in self.counts:
                return _text(f"{{{members[0]}: {self.text(node)}}}")
        return self.expression(node)

    # Expressions.

    def text(self, node: ast.expr) -> str:
        """Return an expression in the words of the rules, as text."""
        return ast.unparse(self.expression(node))

    def expression(self, node: ast.expr) -> ast.expr:
        """Return an expression in the words of the rules."""
        match node:
            case ast.UnaryOp(op=ast.Not() as sign, operand=operand):
                return ast.UnaryOp(sign, self.test(operand))
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                return ast.IfExp(self.test(test), self.expression(body), self.expression(otherwise))
            case ast.Compare(left=left, ops=[comparison], comparators=[right]):
                named = self._comparison(left, comparison, right)
            case ast.Call(func=ast.Name(id=name)):
                named = self._call(name, node)
            case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method in _OF_METHODS:
                named = ast.Call(_text(_OF_METHODS[method]), list(map(self.expression, (owner, *node.args))), [])
            case _:
                words = self._words(node)
                named = None if words is None else _text(words)
        return self._with_named_parts(node) if named is None else named

    def _words(self, node: ast.expr) -> str | None:
        """Return what an expression is called as a whole, if it has a name."""
        match node:
            case ast.Name(id=name):
                return self._name(name)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Slice(lower=ast.expr() as first)):
                read = self._read(name, first)
                return None if read is None else f"{read} and those after it"
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                return self._read(name, index)
            case ast.BinOp():
                return self.bag_part(node)
            case ast.Tuple(elts=[ast.Name(id=name), number, index]):
                layout = self.constants.get(name)
                return self.place(layout, number, index) if isinstance(layout, PlaceLayout) else None
        return None

    def _with_named_parts(self, node: ast.expr) -> ast.expr:
        parts: dict[str, Any] = dict(ast.iter_fields(node))
        for name, value in parts.items():
            if isinstance(value, ast.expr):
                parts[name] = self.expression(value)
            elif isinstance(value, list):
                parts[name] = [self.expression(one) if isinstance(one, ast.expr) else one for one in value]
        return type(node)(**parts)

    def _read(self, table: str, index: ast.expr) -> str | None:
        if table == STATE:
            cell = self.cell(index)
            return None if cell is None else cell.text
        kind = self.kind_of(index)
        attributes = [name for name in self.attributes.get(table, ()) if name.partition(".")[0] == kind]
        return f"{attributes[0]}[{self.text(index)}]" if len(attributes) == 1 else None

    def _comparison(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> ast.expr | None:
        is_zero_test = _number(right) == 0 and isinstance(sign, ast.Eq | ast.NotEq)
        has = self._bag_test(left) if is_zero_test else None
        if has is not None:
            return has if isinstance(sign, ast.NotEq) else ast.UnaryOp(ast.Not(), has)
        kind = self.kind_of(left) or self.kind_of(right)
        if kind is None:
            return None
        return ast.Compare(self.as_member(kind, left), [sign], [self.as_member(kind, right)])

    def _call(self, name: str, node: ast.Call) -> ast.expr | None:
        if name in _OF_BAGS and self.bag_kind(node.args[0]) is not None:
            return ast.Call(_text(_OF_BAGS[name]), [self.expression(node.args[0])], [])
        if name == "reset_cells":
            # Where the cells of the field are, and how many, is said by its name.
            return ast.Call(node.func, [self.expression(one) for one in (*node.args[:3], node.args[-1])], [])
        if name in QUIET_MOVES:
            return self._quiet_move(node)
        if name not in self.parameters:
            return None
        given = zip(self.parameters[name], node.args, strict=True)
        return ast.Call(self.expression(node.func), [self.as_member(self.kinds.get(to), one) for to, one in given], [])

    def _quiet_move(self, node: ast.Call) -> ast.expr | None:
        """Return a move without a log, its two cells as places and nothing else of what is fixed about them."""
        match node.args:
            case [state, *others, source, target, ast.Name(id=fixed)]:
                known, nothing = self.constants[fixed], ast.Constant(None)
                assert isinstance(known, tuple)
                ends = zip(known, (source, target), strict=False)
                places = [_text(self.place(of, at, nothing)) for of, at in ends if isinstance(of, PlaceLayout)]
                return ast.Call(node.func, [state, *map(self.expression, others), *places], [])
        return None

    def _name(self, name: str) -> str | None:
        number = _block_number(name)
        if number is not None:
            return self.block_name(number)
        value = self.constants.get(name)
        if isinstance(value, LogNote):
            return repr(value.what)
        return self.constant(value) if isinstance(value, PlaceLayout | Cause) or _is_place(value) else None

    def test(self, node: ast.expr) -> ast.expr:
        """Return an expression of which only the truth matters in the words of the rules."""
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self.test(one) for one in node.values])
        return self._bag_test(node) or self.expression(node)

    def _bag_test(self, node: ast.expr) -> ast.expr | None:
        match node:
            case ast.BinOp(left=bag, op=ast.BitAnd(), right=ast.Constant(value=int() as bits)):
                kind = self.bag_kind(bag)
                members = [] if kind is None else self.members_in(kind, bits)
                wanted = members[0] if len(members) == 1 else f"any of {{{', '.join(members)}}}"
                return None if kind is None else _text(f"{self.text(bag)} has {wanted}")
        return None

    def items(self, target: ast.expr, node: ast.expr) -> ast.expr:
        """Return what a loop runs over."""
        kind = self.kind_of(target)
        value: Any = self.constants.get(node.id) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Tuple):
            value = tuple(_number(one) for one in node.elts)
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
        if isinstance(value, Cause):
            return value.body
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
    if cell.number == POINT:
        return _text(legend.plan.decision_points[number].decision)
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
    head, _, number = name.partition("_")
    return int(number) if head == "block" and number.isdigit() else None


# How a legend is made.


def legend_of(rules: CheckedRules, plan: Plan, generated: Generated, blocks: Mapping[int, BlockLabel]) -> Legend:
    """Return what the numbers in the generated code of a plan stand for."""
    parameters = {name: tuple(one.arg for one in tree.args.args) for name, _, tree in generated.functions}
    kinds = _kinds_of_variables(rules, plan)
    attributes = _attribute_tables(rules, plan, generated.constants)
    legend = Legend(rules, plan, generated.constants, blocks, kinds, parameters, attributes)
    nodes = [node for _, _, tree in generated.functions for node in ast.walk(tree)]
    _add_variables(legend, nodes)
    _add_tables(legend, nodes)
    return legend


def _kinds_of_variables(rules: CheckedRules, plan: Plan) -> dict[str, str]:
    """Return the variables that stand for members: where one stands, the rules have a name of that type."""
    names: dict[tuple[Span, str], str] = {}
    for part in walk_parts(rules):
        if isinstance(part, Local) and (kind := _member_kind(part.type)) is not None:
            names[part.span, part.name] = rules.kinds[kind].family
    kinds = {}
    for root in (*plan.functions.values(), *plan.procedures.values(), *plan.graph.blocks.values()):
        for node in walk(root):
            if isinstance(node, Variable):
                family = names.get((node.span, node.name.rpartition("_")[0]))
                if family is not None:
                    kinds[node.name] = family
    return kinds


def _attribute_tables(rules: CheckedRules, plan: Plan, constants: Mapping[str, Constant]) -> dict[str, tuple[str, ...]]:
    """Return which attributes each constant lists."""
    known = ConstantEvaluator(rules, plan.players, bounded=False)
    tables: dict[str, list[str]] = {}
    for name, attribute in rules.attributes.items():
        if not attribute.per:
            values = tuple(known.attribute(name, member, 0) for member in range(len(attribute.values)))
            tables.setdefault(repr(values), []).append(name)
    return {name: tuple(tables.get(repr(value), ())) for name, value in constants.items()}


def _add_variables(legend: Legend, nodes: Sequence[ast.AST]) -> None:
    """Add what variables are by all that they are given: of which family `self` is, bags, and numbers of pieces."""
    values: defaultdict[str, list[ast.expr]] = defaultdict(list)
    for node in nodes:
        match node:
            case ast.Assign(targets=[target, *_], value=value):
                name = legend.variable(target)
                if name and name != legend.variable(value):
                    values[name].append(value)
            case ast.Call(func=ast.Name(id=function), args=arguments) if function in legend.parameters:
                for name, value in zip(legend.parameters[function], arguments, strict=True):
                    values[name].append(value)
    for name, given in values.items():
        members = [kind for kind in map(legend.kind_of, given) if kind is not None]
        if name.startswith("self_") and members:
            legend.kinds.setdefault(name, members[0])
        pieces = {legend.bag_kind(value) for value in given}
        kind = pieces.pop() if len(pieces) == 1 else None
        if kind is not None and not _is_temporary(name):
            legend.bags[name] = kind
        if all(isinstance(value, ast.Call) and ast.unparse(value.func) == "min" for value in given):
            legend.counts.add(name)


def _add_tables(legend: Legend, nodes: Sequence[ast.AST]) -> None:
    """Add which members are looked up in which constants."""
    for node in nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            kind = legend.kind_of(node.slice)
            if legend.tables.setdefault(node.value.id, kind) != kind:
                legend.tables[node.value.id] = None


def _member_kind(type_: Type) -> str | None:
    inner = present(type_)
    return inner.kind if isinstance(inner, Member) else None


# Syntax trees.


def _text(text: str) -> ast.expr:
    """Return words that are printed as they are."""
    return ast.Name(text)


def _number(node: ast.expr) -> int | None:
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


def _first_number(node: ast.expr) -> int | None:
    while isinstance(node, ast.BinOp):
        node = node.left
    return _number(node)


def _split_sum(node: ast.expr, factor: int = 1) -> tuple[Terms, int]:
    """Return a sum as terms and a constant: `163 + (x * 4 + y)` is 4 times x, once y, and 163."""
    match node:
        case ast.Constant(value=int() as number):
            return [], factor * number
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            terms, fixed = _split_sum(left, factor)
            more, shift = _split_sum(right, factor if isinstance(sign, ast.Add) else -factor)
            return terms + more, fixed + shift
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=int() as times)):
            return _split_sum(left, factor * times)
    return [(factor, node)], 0


def _shorten(items: Sequence[str]) -> str:
    return ", ".join(items if len(items) <= FEW else [*items[:3], f"... {len(items)} items"])
