"""Generated code in the words of the rules: every cell is named, and each name is that of the number it stands for."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import product

import pytest
from attrs import evolve

import aodrules
from aodrules.compiler.codegen.module import Generated, generate
from aodrules.compiler.layout import FieldCells
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.plan import Plan
from aodrules.compiler.readable import BlockLabel, Legend, legend_of, readable_statement
from aodrules.compiler.source_listing import constant_lines, excerpt, format_condition, format_listing, lines_of
from aodrules.lang.types import Bag, Member
from aodrules.play.explanations import format_python
from tests.playing import WORDS, rules_of

pytestmark = pytest.mark.slow

SHIPPED = ("empires+builders+national-advantages", "aoe3-pl", "aoe3-ru")
_TEST = re.compile(r"S\[(\d+)[^\[\]]*\] & (\d+)")
_HAS = re.compile(r" has (?:any of \{([^}]*)\}|(\w+))")
_INDEXED = re.compile(r"(?<![\w.])((?:\w+\.)+\w+)\[([^\[\]]*)\]")


@cache
def loaded(word: str) -> aodrules.Rules:
    if word in WORDS:
        return rules_of(word)
    edition, *variants = word.split("+")
    return aodrules.load(edition, variants)


@cache
def listing(word: str) -> tuple[Plan, Generated, Legend]:
    rules = loaded(word)
    planned = plan(rules.book.checked, rules.players[-1])
    generated = generate(planned, log=True)
    return planned, generated, legend_of(rules.book.checked, planned, generated, {})


@cache
def pairs(word: str) -> list[tuple[str, str]]:
    """Return every line of the generated code, as it runs and in words."""
    _, generated, legend = listing(word)
    return [
        (raw.text, named.text)
        for name, _, tree in generated.functions
        for raw, named in zip(lines_of(name, tree), lines_of(name, tree, legend), strict=True)
    ]


def unnumbered(text: str) -> str:
    """Return code with the variables as the rules call them."""
    return re.sub(r"(?<=[a-z])_\d+\b", "", text)


def field_at(planned: Plan, cell: int) -> FieldCells:
    """Return the field that a cell belongs to."""
    (found,) = (one for one in planned.layout.fields.values() if one.base <= cell < one.base + one.size)
    return found


@pytest.mark.parametrize("word", [*WORDS, *SHIPPED])
def test_every_cell_of_a_listing_is_named(word: str) -> None:
    lines = pairs(word)
    assert [text for _, text in lines if "S[" in text] == []
    assert any("S[" in raw for raw, _ in lines)


@pytest.mark.parametrize("word", [*WORDS, *SHIPPED])
def test_what_is_raw_is_what_runs(word: str) -> None:
    _, generated, _ = listing(word)
    for name, _, tree in generated.functions:
        assert "\n".join(line.text for line in lines_of(name, tree)) == ast.unparse(tree)
    ast.parse(format_listing(generated))


@pytest.mark.parametrize("word, least", [("harbour", 40), (SHIPPED[0], 150)])
def test_tests_of_bags_name_the_members_whose_bits_they_test(word: str, least: int) -> None:
    planned, _, legend = listing(word)
    compared = 0
    for raw, text in pairs(word):
        tests, named = _TEST.findall(raw), _HAS.findall(text)
        if raw.count(" & ") != len(tests) or len(named) != len(tests):
            continue  # Some of them are numbers here, or tests of variables.
        for (base, bits), (several, one) in zip(tests, named, strict=True):
            cells = field_at(planned, int(base))
            assert isinstance(cells.field.type, Bag)
            assert cells.bag is not None
            members = legend.rules.family(cells.field.type.kind).members
            ones = [place for place, bit in enumerate(reversed(f"{int(bits):b}")) if bit == "1"]
            wanted = [members[number] for number in sorted({place // cells.bag.width for place in ones})]
            assert (several.split(", ") if several else [one]) == wanted, text
            compared += 1
    assert compared >= least


@pytest.mark.parametrize("word", [*WORDS, *SHIPPED])
def test_a_cell_is_named_by_its_field_and_the_names_of_its_dimensions(word: str) -> None:
    planned, _, legend = listing(word)
    for cells in planned.layout.fields.values():
        names = [
            legend.rules.family(dimension.kind).members if isinstance(dimension, Member) else range(planned.players)
            for dimension in cells.field.dimensions
        ]
        for number, at in enumerate(product(*names)):
            cell = legend.cell(ast.Constant(cells.base + number))
            assert cell is not None
            assert cell.text == cells.name + (f"[{', '.join(map(str, at))}]" if at else "")
            assert cell.cells is cells


@pytest.mark.parametrize("word", ["harbour", "isles", SHIPPED[0]])
def test_a_sum_of_indices_is_taken_apart(word: str) -> None:
    planned, _, legend = listing(word)
    for cells in planned.layout.fields.values():
        wide = [number for number, size in enumerate(cells.shape) if size > 1]
        terms = [f"v{number} * {cells.strides[number]}" for number in wide]
        cell = legend.cell(ast.parse(" + ".join([str(cells.base), *reversed(terms)]), mode="eval").body)
        assert cell is not None
        indices = cell.text.removeprefix(cells.name).strip("[]").split(", ") if cells.shape else []
        assert [indices[number] for number in wide] == [f"v{number}" for number in wide]


@pytest.mark.parametrize("word, least", [("harbour", 30), ("isles", 30), (SHIPPED[0], 120)])
def test_an_index_stands_for_a_member_of_its_dimension(word: str, least: int) -> None:
    planned, _, legend = listing(word)
    compared = 0
    for _, text in pairs(word):
        for name, inside in _INDEXED.findall(text):
            cells = planned.layout.fields.get(name)
            indices = inside.split(", ")
            if cells is None or len(indices) != len(cells.shape):
                continue
            for index, dimension in zip(indices, cells.field.dimensions, strict=True):
                wanted = legend.rules.kinds[dimension.kind].family if isinstance(dimension, Member) else None
                if index in legend.kinds:
                    assert legend.kinds[index] == wanted, text
                    compared += 1
    assert compared >= least


def test_nim_can_be_read() -> None:
    text = unnumbered(format_python(rules_of("nim.yaml").book, 2, log=False))
    text = re.sub(r"block_\d+_", "block_N_", text)
    for line in (
        "    for heap in every heap:",
        "        for count in range(1, min(size(heap.lying[heap]), 5) + 1):",
        "        count = min(heap.height[heap], table.quarry[pebble])",
        "            heap.lying[heap] += {pebble: count}",
        "    if heap.lying[low_heap] or heap.lying[middle_heap] or heap.lying[tall_heap]:",
        "                machine.question = decision.take",
        "    turns_left = frame.turns_left",
        "# tests/games/nim.yaml: after an answer to decision.take",
        "def block_N_after_take(S, code):",
        "            return block_N_take_turns(S)",
    ):
        assert re.search(rf"^{re.escape(line)}( +#.*)?$", text, re.MULTILINE), line


@pytest.mark.parametrize(
    "line",
    [
        "if player.town[player] has pilots:",
        "if quay == customs and len(quay.row[quay]) < 8:",
        "if quay in (exchange, yard)\n",
        "\n            and house.semaphore.own.tip.limit.game[player] < 2\n",
        "if value_may_join(S, player, saltworks):",
        "result = worker.hands[worker]",
        "size(player.town[player]) < 12",
        "knows_at(table.pier, known(table.pier), spot, player)",
        "player.store[player][pepper]",
        "shuffle_list(S, log, table.stack[era])",
        "if self == counting_house:",
        "machine.step = verb.five_rounds.era",
        "items(player.town[player] with only {free_port, inn})",
        "if held has sailor:",
        "player.town[player] += {house: 1}",
        "player.store[player] += {rum: 1}",
        "player.store[player] += {salt: count}",
    ],
)
def test_harbour_can_be_read(line: str) -> None:
    assert any(line in unnumbered(text) for _, text in pairs("harbour"))


def said(word: str, code: str) -> str:
    """Return a statement in the words of a game; `TOWN` stands for the first cell of a field, `INN` for its bits."""
    planned, _, legend = listing(word)
    town = planned.layout.fields["player.town"]
    assert town.bag is not None
    inn = town.bag.mask << town.bag.width * legend.members("house").index("inn")
    code = code.replace("TOWN", str(town.base)).replace("INN", str(inn))
    for name, cell in planned.frames.cells.items():
        code = code.replace(f"FRAME_{unnumbered(name)}]", f"{cell}]")
    return unnumbered(ast.unparse(readable_statement(legend, ast.parse(code).body[0], "value_x")))


@pytest.mark.parametrize(
    "code, words",
    [
        ("x = S[TOWN + player] & INN != 0", "x = player.town[player] has inn"),
        ("x = S[TOWN + player] & INN == 0", "x = not player.town[player] has inn"),
        ("S[TOWN + player + 1] = 0", "player.town[player + 1] = {}"),
        ("S[TOWN] += S[TOWN + 1]", "player.town[0] += player.town[1]"),
        ("x = S[TOWN + player] + 1", "x = player.town[player] + 1"),
        ("x = S[y]", "x = S[y]"),
        ("S[FRAME_worker] = 1", "frame.worker = sailor"),
        ("S[FRAME_worker] = S[FRAME_r] = 0", "frame.worker = frame.r = 0"),
        ("S[4] = 0", "machine.step = none"),
    ],
)
def test_a_statement_is_named_by_what_its_numbers_stand_for(code: str, words: str) -> None:
    assert said("harbour", code) == words


def test_a_variable_that_is_kept_in_a_frame_is_still_a_bag() -> None:
    planned, generated, legend = listing("harbour")
    name, cell = next(iter(planned.frames.cells.items()))
    town = planned.layout.fields["player.town"].base
    tree = ast.parse(f"def f(S):\n    {name} = S[{town}]\n    S[{cell}] = {name}\n    {name} = S[{cell}]").body[0]
    assert isinstance(tree, ast.FunctionDef)
    alone = evolve(generated, functions=(("f", "", tree),))
    assert legend_of(legend.rules, planned, alone, {}).bags == {name: "house"}


def test_attributes_that_list_the_same_are_not_told_apart() -> None:
    _, _, legend = listing("harbour")
    (cost,) = (name for name, attributes in legend.attributes.items() if attributes == ("house.cost",))
    read = ast.parse(f"{cost}[house_4]", mode="eval").body
    assert legend.text(read) == "house.cost[house_4]"
    both = evolve(legend, attributes={cost: ("house.cost", "house.points")})
    assert both.text(read) == f"{cost}[house_4]"


def test_a_legend_says_what_constants_are() -> None:
    _, generated, legend = listing("harbour")
    assert legend.constant(tuple(range(3, 20))) == "range(3, 20)"
    assert legend.constant((9, 1, 9, 1, 9, 1, 9)) == "(9, 1, 9, ... 7 items)"
    assert legend.constant((1, None, "x")) == "(1, None, 'x')"
    (flags,) = (name for name, value in generated.constants.items() if value == (False, *[True] * 5))
    assert constant_lines(generated, legend, [f"    if {flags}[quay_2]:"]) == [
        f"{flags} = {{saltworks, customs, exchange, yard, office}}"
    ]
    assert all("PlaceLayout" not in line for line in constant_lines(generated, legend, generated.constants))


def test_blocks_bear_the_names_they_are_given() -> None:
    planned, generated, _ = listing("nim.yaml")
    labels = {number: BlockLabel(f"part_{number}", f"does {number}") for number in planned.graph.entries}
    text = format_listing(generated, legend_of(rules_of("nim.yaml").book.checked, planned, generated, labels))
    assert "block_" not in text
    assert "# tests/games/nim.yaml: does 0\ndef part_0(S, log):" in text


def test_an_excerpt_shows_the_heads_around_its_lines() -> None:
    tree = ast.parse("def f():\n    if a:\n        b()\n    elif c:\n        d()\n        e()\n    g()").body[0]
    assert isinstance(tree, ast.FunctionDef)
    assert excerpt(lines_of("f", tree), [5]) == [
        "def f():",
        "    if a:",
        "        ...",
        "    elif c:",
        "        e()",
    ]


def test_a_wide_condition_is_broken_up_and_says_the_same() -> None:
    code = "a and (b or c and d) and (e if f else g) and (not h) and (i < 2 or (j and (k or l)))"
    test = ast.parse(code, mode="eval").body
    text = format_condition(test, 20, "        ")
    assert text.split("\n")[:4] == [
        "a",
        "        and (b or (c and d))",
        "        and (e if f else g)",
        "        and not h",
    ]
    assert ast.dump(ast.parse(f"({text})", mode="eval").body) == ast.dump(test)
    assert format_condition(test, None, "") == ast.unparse(test)


def test_listings_in_words_are_not_wider_than_they_must_be() -> None:
    wide = [line for _, text in pairs(SHIPPED[0]) for line in text.split("\n") if line.lstrip().startswith("if ")]
    assert sum(len(line) > 160 for line in wide) < len(wide) / 80
