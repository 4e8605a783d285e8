"""Plan checked rules for a number of players: every look-up done, the state laid out, decisions cut into blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from aodrules.check import steps as checked
from aodrules.check.checked import CheckedRules
from aodrules.check.for_players import rules_for
from aodrules.compiler.blocks.block_graph import BlockGraph, simplify
from aodrules.compiler.blocks.control_flow import BlockBuilder
from aodrules.compiler.blocks.liveness import frames_for
from aodrules.compiler.cell_reads import cells_of_fields
from aodrules.compiler.lower import bodies, calls, decisions, expressions, loops, moves
from aodrules.compiler.lower.options import lower_possible
from aodrules.compiler.lower.planner import LowerBindingStep, LowerExpression, LowerStep, Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.lower.start_cells import starting_cells
from aodrules.compiler.lower.values import add_scoring_functions, lower_value_call
from aodrules.compiler.nodes import AwaitAnswer, CallBlock, DecisionPoint, Procedure, Statements, Within
from aodrules.compiler.passes import PASSES
from aodrules.compiler.passes.keep_values import keep_values, read_kept
from aodrules.compiler.passes.known_presence import KnownPresence
from aodrules.compiler.passes.remember_folds import RememberedFolds, remember_folds
from aodrules.compiler.passes.share_formulas import share_formulas
from aodrules.compiler.plan import GAME_END, Plan
from aodrules.compiler.visit import rename_variables
from aodrules.errors import InternalError
from aodrules.lang import expressions as typed

EXPRESSIONS: dict[type, LowerExpression] = {
    typed.Const: expressions.lower_const,
    typed.Local: expressions.lower_local,
    typed.FieldRead: expressions.lower_field_read,
    typed.PlaceRead: expressions.lower_place_read,
    typed.AttributeRead: expressions.lower_attribute_read,
    typed.BagCount: expressions.lower_bag_count,
    typed.ItemAt: expressions.lower_item_at,
    typed.PieceMember: expressions.lower_piece_member,
    typed.PieceOwner: expressions.lower_piece_owner,
    typed.IsKind: expressions.lower_is_kind,
    typed.IfElse: expressions.lower_if_else,
    typed.WhenPresent: expressions.lower_when_present,
    typed.LimitUsed: expressions.lower_limit_used,
    typed.Knows: expressions.lower_knows,
    typed.Operation: expressions.lower_operation,
    typed.Comprehension: expressions.lower_comprehension,
    typed.BuiltinCall: expressions.lower_builtin_call,
    typed.ValueCall: lower_value_call,
    typed.Possible: lower_possible,
    typed.AfterVerb: calls.lower_after_verb,
}
STEPS: dict[type, LowerStep] = {
    checked.Shuffle: moves.lower_shuffle,
    checked.Sort: moves.lower_sort,
    checked.Reveal: moves.lower_reveal,
    checked.LeaveGame: moves.lower_leave_game,
    checked.SetTo: bodies.lower_set,
    checked.If: bodies.lower_if,
    checked.Step: bodies.lower_named_step,
    checked.Stop: bodies.lower_stop,
    checked.EndGame: bodies.lower_end_game,
    checked.For: loops.lower_for,
    checked.Repeat: loops.lower_repeat,
    checked.While: loops.lower_while,
    checked.Choose: decisions.lower_choose,
    checked.Happen: calls.lower_happen,
    checked.RunHook: calls.lower_run_hook,
    checked.Call: calls.lower_call,
}
BINDING_STEPS: dict[type, LowerBindingStep] = {
    checked.Move: moves.lower_move,
    checked.Draw: moves.lower_draw,
    checked.AddTo: bodies.lower_add,
    checked.Roll: bodies.lower_roll,
    checked.Let: bodies.lower_let,
}


def plan(rules: CheckedRules, players: int, *, without: frozenset[str] = frozenset()) -> Plan:
    """Return the plan of a game of so many players; some passes may be left out, which changes nothing that it does."""
    if unknown := without - PASSES.keys():
        raise InternalError(f"there is no pass {', '.join(sorted(unknown))}")
    rules = rules_for(rules, players)
    planner = Planner(rules, players, EXPRESSIONS, STEPS, BINDING_STEPS, without)
    main = Procedure(
        "main", rules.game.span, (), _lower_verbs(planner, rules.game.begin, rules.game.play), deciding=True
    )
    if rules.game.end is not None:
        end = _lower_verbs(planner, rules.game.end)
        planner.procedures[GAME_END] = Procedure(GAME_END, rules.verbs[rules.game.end].span, (), end, deciding=False)
    add_scoring_functions(planner)
    if planner.layout.kept:
        found = keep_values(planner.layout, planner.functions, main, planner.procedures)
        planner.layout, planner.functions, main, planner.procedures = found
    if planner.does("share_formulas"):
        planner.functions = share_formulas(planner.functions)
    if planner.does("remember_folds"):
        main = _remember_folds(planner, main)
    if planner.does("known_presence"):
        main = _change_all(planner, main, KnownPresence().drop_tests)
    if planner.layout.kept:
        layout, functions = planner.layout, planner.functions
        main = _change_all(planner, main, lambda one: read_kept(one, layout, functions))
    builder = BlockBuilder(planner.procedures)
    first = builder.cut(main)
    graph = simplify(builder.blocks, first)
    decision_points = {point.number: _rename(point, builder) for point in planner.decision_points}
    frames = frames_for(graph, decision_points, planner.layout.frames)
    layout = evolve(planner.layout, steps=tuple(planner.steps_seen), size=planner.layout.frames + frames.size)
    plain = {name: one for name, one in planner.procedures.items() if not one.deciding}
    start = (*starting_cells(planner), *[0] * frames.size)
    told = (_find_askers(graph, decision_points), _find_callers(graph))
    return Plan(
        rules.fingerprint, players, layout, planner.functions, plain, graph, decision_points, frames, start, *told
    )


def _find_askers(graph: BlockGraph, points: Mapping[int, DecisionPoint]) -> dict[int, tuple[str, Within]]:
    waits = ((block.procedure, block.exit) for block in graph.blocks.values() if isinstance(block.exit, AwaitAnswer))
    return {wait.point: (procedure, points[wait.point].within) for procedure, wait in waits}


def _find_callers(graph: BlockGraph) -> dict[int, tuple[str, Within]]:
    calls = ((block.procedure, block.exit) for block in graph.blocks.values() if isinstance(block.exit, CallBlock))
    return {call.back: (procedure, call.within) for procedure, call in calls}


def _remember_folds(planner: Planner, main: Procedure) -> Procedure:
    """Let everything that was planned remember what it gathers over one place alone."""
    folds = RememberedFolds(cells_of_fields(planner.layout))
    return _change_all(planner, main, lambda one: remember_folds(one, folds))


def _change_all(planner: Planner, main: Procedure, change: Callable[[Any], Any]) -> Procedure:
    """Change everything that was planned, and return what the game begins with."""
    planner.functions = {name: change(one) for name, one in planner.functions.items()}
    planner.procedures = {name: change(one) for name, one in planner.procedures.items()}
    changed: Procedure = change(main)
    return changed


def _rename(point: DecisionPoint, builder: BlockBuilder) -> DecisionPoint:
    """Return a point with the variables that are there after cutting, and with what is around it then."""
    names, within = builder.names, builder.within.get(point.number, ())
    inputs, shown = (tuple(names.get(name, name) for name in some) for some in (point.inputs, point.shown))
    return evolve(rename_variables(point, names), inputs=inputs, shown=shown, within=within)


def _lower_verbs(planner: Planner, *verbs: str | None) -> Statements:
    """Return the calls of verbs of the frame, one after another."""
    statements: Statements = ()
    for verb in verbs:
        if verb is not None:
            call = checked.Call(planner.rules.game.span, verb, ())
            statements += calls.lower_call(planner, call, LowerScope())
    return statements
