"""Which body each entry of the log comes from: the innermost one, told alike by both engines."""

from __future__ import annotations

import ast

from aodrules.compiler.codegen.module import generate
from aodrules.compiler.codegen.writer import LOG
from aodrules.compiler.compile import compile_plan
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.passes import PASSES
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.facts.state import Cause, LogNote
from aodrules.interpreter.interpreter import Interpreter
from tests.engines.playing import answer, game_of, rules_of

GAME = """
    kinds:
      tile:
        plural: tiles
        pieces: {count: 1}
        hooks:
          own: {effects: true, in: player.yard, scope: owner}
          morning: {do: [{add: 1, to: first(players).dawn}]}
        effects:
          arrives: {entering: player.yard, do: [{add: 1, to: player.arrived}]}
    tile:
      arch: {own: {paid: {upon: earned, limit: {game: 2}, do: [{add: 1, to: owner.bonus}]}}}
      barn: {morning: [{earn: 2}, {add: 5, to: first(players).dawn}]}
      cell: {own: {sell: {offer: act, limit: {game: 1}, again: 1, do: [{add: 9, to: owner.cash}]}}}
    event: {earned: {given: {player: player}}}
    state:
      table:  {shop: {is: bag of tile, start: all}, day: {is: number 0..9, resets: today}}
      player: {yard: bag of tile, cash: number 0..99, bonus: number 0..99, dawn: number 0..99, arrived: number 0..99}
    verb:
      earn:
        main: {amount: number 0..9}
        do: [{add: amount, to: first(players).cash}, {happen: earned, player: first(players)}]
      main:
        do:
          - {for: tile, in: tiles, do: [{move: tile, from: shop, to: first(players).yard}]}
          - {for: tile, in: tiles, do: [{run: tile.morning}]}
          - repeat: 2
            do:
              - {step: today, do: [{add: 1, to: day}, {choose: act, by: first(players)}, {earn: 1}]}
          - {choose: nothing, by: first(players)}
          - {choose: end, by: first(players)}
    decision:
      act: {options: {relax: {do: [{add: 3, to: first(players).cash}, {earn: 1}]}}}
      nothing: {options: {never: {where: [1 > 2], do: []}}, otherwise: [{add: 7, to: first(players).cash}]}
      end: {options: {go: {do: []}}}
    """

MAIN, EARN = Cause("verb.main"), Cause("verb.earn")
ARRIVES = Cause("kinds.tile.effects.arrives", "tile")
ARCH, BARN = Cause("tile.arch.own.paid", "tile", 0), Cause("tile.morning", "tile", 1)
SELL, REST = Cause("tile.cell.own.sell", "tile", 2), Cause("decision.act.options.relax")


def caused(game: Interpreter) -> list[tuple[str, Cause | None]]:
    """Return what happened: of each entry what it is about, and its cause."""
    found = zip(game.happenings, game.causes, strict=True)
    return [(str(entry[1]) if len(entry) > 1 else entry[0], cause) for entry, cause in found]


def test_the_innermost_body_is_the_cause() -> None:
    game = game_of(GAME)
    assert caused(game)[:4] == [
        ("tile", MAIN),
        ("player.arrived", ARRIVES),
        ("tile", MAIN),
        ("player.arrived", ARRIVES),
    ]
    assert caused(game)[6:] == [
        ("player.dawn", Cause("tile.morning", "tile", 0)),
        ("player.cash", EARN),
        ("earned", EARN),
        ("tile.arch.own.paid.limit.game", ARCH),
        ("player.bonus", ARCH),
        ("player.dawn", BARN),
        ("player.dawn", Cause("tile.morning", "tile", 2)),
        ("verb.main.today", MAIN),
        ("table.day", MAIN),
    ]


def test_after_a_question_the_cause_is_the_body_that_asked() -> None:
    game = game_of(GAME)
    answer(game, "sell")
    assert caused(game) == [("tile.cell.own.sell.limit.game", SELL), ("player.cash", SELL)]
    answer(game, "relax")
    assert caused(game) == [
        ("player.cash", REST),
        ("player.cash", EARN),
        ("earned", EARN),
        ("tile.arch.own.paid.limit.game", ARCH),
        ("player.bonus", ARCH),
        ("player.cash", EARN),
        ("earned", EARN),
        ("verb.main.today", MAIN),
        ("table.day", MAIN),
        ("table.day", MAIN),
    ]


def test_what_is_done_otherwise_is_the_decisions_and_the_end_is_nobodys() -> None:
    game = game_of(GAME)
    answer(game, "relax")
    answer(game, "relax")
    assert caused(game)[-1] == ("player.cash", Cause("decision.nothing"))
    answer(game, "go")
    assert caused(game) == [("over", None)]


def test_without_any_pass_the_causes_are_the_same() -> None:
    rules = rules_of(GAME)
    game, bare = (
        Interpreter(rules, 2, 1),
        Compiled.new_game(compile_plan(plan(rules, 2, without=frozenset(PASSES)), log=True), 1),
    )
    while True:
        assert bare.causes == game.causes != ()
        if not game.codes:
            break
        bare.apply(game.codes[-1])
        game.apply(game.codes[-1])


def test_copies_and_games_taken_back_have_their_causes() -> None:
    game = game_of(GAME).twins[0]  # type: ignore[attr-defined]  # both engines play it
    kept, before = game.keep(), game.causes
    copy = game.copy()
    game.apply(game.codes[0])
    assert copy.causes == before != game.causes
    game.go_back(kept)
    assert game.causes == before


def test_code_without_a_log_knows_no_causes() -> None:
    planned = plan(rules_of(GAME), 2)
    logged, bare = (generate(planned, log=log).constants.values() for log in (True, False))
    assert any(isinstance(value, LogNote) for value in logged)
    assert not any(isinstance(value, Cause | LogNote) for value in bare)


def test_an_entry_is_written_with_its_cause_in_one_call() -> None:
    generated = generate(plan(rules_of(GAME), 2), log=True)
    calls = [one for _, _, tree in generated.functions for one in ast.walk(tree) if isinstance(one, ast.Call)]
    given = [one.args[0] for one in calls if isinstance(one.func, ast.Name) and one.func.id == LOG]
    entries = [one.elts[0] for one in given if isinstance(one, ast.Tuple)]
    assert len(entries) > 10
    assert {type(generated.constants[ast.unparse(what)]) for what in entries} == {LogNote}
    # What stands alone is the cause of what a function of the runtime notes.
    alone = [generated.constants[one.id] for one in given if isinstance(one, ast.Name)]
    assert {type(one) for one in alone} == {Cause}
    assert len(alone) + len(entries) == len(given)
