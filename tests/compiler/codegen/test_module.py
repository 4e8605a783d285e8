"""Generated Python: only listed names, the same on every run, with YAML places that Python shows."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import traceback

import pytest

from aodrules.compiler.codegen.module import Generated, generate
from aodrules.compiler.compile import compile_plan
from aodrules.compiler.formulas import Generator
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.plan import Plan
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compiler.runtime.namespace import NAMES
from aodrules.compiler.source_listing import format_listing
from aodrules.compiler.visit import children
from aodrules.source.spans import Span
from tests.engines.handmade import bazaar
from tests.engines.playing import rules_of

TEXT = """
state:
  table: {pile: number 0..9 = 9}
value:
  share: {given: {player: player}, is: pile // 2}
verb:
  main: {do: [{repeat: 3, do: [{choose: pick, by: first(players)}]}]}
decision:
  pick:
    options:
      less: {name: {en: zwölf}, where: [share(player) >= 0], do: [{take: 1, from: pile}]}
"""


@pytest.fixture(scope="module", params=[True, False], ids=["log", "bare"])
def bazaar_code(request: pytest.FixtureRequest) -> tuple[Plan, Generated]:
    planned = plan(bazaar(), 3)
    return planned, generate(planned, log=request.param)


def test_generated_code_uses_only_listed_names(bazaar_code: tuple[Plan, Generated]) -> None:
    _, generated = bazaar_code
    own = {name for name, _, _ in generated.functions} | set(generated.constants) | set(generated.tables)
    for _, _, tree in generated.functions:
        stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        given = {one.arg for one in tree.args.args}
        read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        assert read <= own | set(NAMES) | stored | given
        methods = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert methods <= {"append", "extend", "get"}


def test_generated_code_has_no_comprehensions(bazaar_code: tuple[Plan, Generated]) -> None:
    _, generated = bazaar_code
    for _, _, tree in generated.functions:
        kinds = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda
        assert not any(isinstance(node, kinds) for node in ast.walk(tree))


def test_calls_from_block_to_block_are_three_deep_at_most(bazaar_code: tuple[Plan, Generated]) -> None:
    _, generated = bazaar_code
    blocks = {name: tree for name, _, tree in generated.functions if name.startswith("block_")}
    calls = {
        name: {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in blocks
        }
        for name, tree in blocks.items()
    }
    two_deep = {third for called in calls.values() for second in called for third in calls[second]}
    assert any(calls.values())
    assert not any(calls[name] for name in two_deep)


def test_numbers_are_tried_up_to_the_bound_that_a_condition_names() -> None:
    few = TEXT.replace("less: {", "less: {for: {count: number 0..30}, ").replace("share(player) >= 0", "count <= pile")
    generated = generate(plan(rules_of(few), 2), log=False)
    (listing,) = (ast.unparse(tree) for name, _, tree in generated.functions if name.startswith("legal_"))
    assert "range(0, min(" in listing
    assert "<=" not in listing


def test_whether_something_is_possible_is_known_by_the_first_way_to_do_it() -> None:
    text = """
option: {spend: {for: {n: 1..9}, where: [n <= pile], do: [{take: n, from: pile}]}}
state: {table: {pile: number 0..9 = 9}}
verb: {main: {do: [{choose: pick, by: first(players)}]}}
decision: {pick: {options: {any: {where: [possible(spend)], do: []}, none_of_it: {do: []}}}}
"""
    generated = generate(plan(rules_of(text), 2), log=False)
    (search,) = (tree for name, _, tree in generated.functions if name == "possible_spend")
    found = [node for loop in ast.walk(search) if isinstance(loop, ast.For) for node in ast.walk(loop)]
    assert any(isinstance(node, ast.Return) for node in found)
    assert "append" not in ast.unparse(search)


def test_every_node_of_a_plan_has_a_span(bazaar_code: tuple[Plan, Generated]) -> None:
    planned, _ = bazaar_code
    waiting: list[object] = [*planned.functions.values(), *planned.procedures.values()]
    waiting += [part for block in planned.graph.blocks.values() for part in (*block.body, block.exit)]
    while waiting:
        node = waiting.pop()
        waiting += children(node)
        assert isinstance(node, Generator) or isinstance(getattr(node, "span", None), Span), node


def test_generated_code_is_the_same_under_every_hash_seed() -> None:
    program = (
        "from aodrules.compiler.codegen.module import generate;"
        "from aodrules.compiler.source_listing import format_listing;"
        "from aodrules.compiler.lower.from_checked import plan; from tests.engines.handmade import bazaar;"
        "import hashlib;"
        "text = format_listing(generate(plan(bazaar(), 3), log=True)); print(hashlib.sha256(text.encode()).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_a_failure_in_generated_code_points_into_the_yaml() -> None:
    planned = plan(rules_of(TEXT), 2)
    program = compile_plan(planned, log=False)
    cells = list(program.start)
    cells[planned.layout.fields["table.pile"].base] = "not a number"
    game = Compiled(program, cells)
    with pytest.raises(TypeError) as caught:
        game._go_on(program.blocks[planned.graph.first])
    frames = [frame for frame in traceback.extract_tb(caught.tb) if frame.filename == "test.yaml"]
    source = next(iter(planned.decision_points.values())).span.source
    assert any("pile // 2" in source.line(frame.lineno or 0) for frame in frames)


def test_columns_count_bytes() -> None:
    planned = plan(rules_of(TEXT), 2)
    source = next(iter(planned.decision_points.values())).span.source
    number, line = next((number, line) for number, line in enumerate(source.lines, 1) if "zwölf" in line)
    found = {
        line.encode()[node.col_offset : node.end_col_offset].decode()
        for _, _, tree in generate(planned, log=False).functions
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno == node.end_lineno == number
    }
    assert "take" in found  # it stands behind the letter that takes two bytes


def test_printed_code_names_the_yaml_and_can_be_read_by_python() -> None:
    text = format_listing(generate(plan(rules_of(TEXT), 2), log=True))
    ast.parse(text)
    assert "# test.yaml:" in text
