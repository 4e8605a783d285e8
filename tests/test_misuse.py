"""Every public function and method, given what it is not made for.

What comes out is one of our errors, or a `TypeError` that we raised ourselves with a sentence, and everything is as it
was before. The calls are listed by what they are for; that none is missing is a test of its own.
"""

from __future__ import annotations

import copy
import inspect
import pickle
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import UnionType
from typing import Any

import pytest

import aodrules
import aodrules.testing
from aodrules.arguments import format_argument
from tests.playing import finished_game, rules_of

LONG = "a" * 5000
TEXTS = [
    "",
    " ",
    "\0",
    "a\nb",
    "\x1b[31m",
    "\u202e",
    "\ud800",
    LONG,
    "..",
    "....",
    "٣",
    "9" * 5000,
    "+",
    "a+b",
    "{}\n",
    "%s{}",
]
NUMBERS = [-1, -(10**9), 10**9, 10**40, -(10**40), 10**5000]
OTHERS = [None, True, 1.5, float("nan"), b"bytes", [], [None], {}, {"a": 1}, (1, 2), object(), len, aodrules]
WRONG: list[Any] = [*TEXTS, *NUMBERS, *OTHERS]


def nim() -> aodrules.Game:
    return rules_of("nim.yaml").new_game(players=2, seed=1)


class Case:
    """A call with one argument left open, and what must not change by it."""

    def __init__(self, call: Callable[[Any], object], *watched: Callable[[], object]) -> None:
        self.call = call
        self.watched = watched


def cases() -> Iterator[tuple[str, Case]]:
    """Iterate over every parameter that could be given wrongly, by its name."""
    yield from _loading()
    yield from _playing(nim())
    yield from _looking(nim())
    yield from _catalogue()
    yield from _texts()
    yield from _testing()


def _unless_none(wrong: Any) -> Any:
    """Return what is wrong where nothing is allowed too."""
    return 0 if wrong is None else wrong


def _catalogue() -> Iterator[tuple[str, Case]]:
    game = aodrules.catalogue()["aod"]
    entry, ruling = game.find("sweden"), game.rulings["rice"]
    yield "CatalogueGame.text.language", Case(game.text)
    yield "CatalogueGame.find.id_", Case(game.find)
    yield "CatalogueGame.find.edition", Case(lambda wrong: game.find("sweden", _unless_none(wrong)))
    yield "CatalogueGame.players.edition", Case(lambda wrong: game.players(_unless_none(wrong)))
    yield "CatalogueGame.seats.edition", Case(lambda wrong: game.seats(_unless_none(wrong)))
    yield "CatalogueEntry.text.language", Case(entry.text)
    yield "CatalogueEntry.because.language", Case(entry.because)
    yield "CatalogueRuling.text.language", Case(ruling.text)
    yield "CatalogueRuling.because.language", Case(ruling.because)
    yield "CatalogueRuling.reading.id_", Case(ruling.reading)
    yield "CatalogueRuling.reading.language", Case(lambda wrong: ruling.reading("three", wrong))


def _texts() -> Iterator[tuple[str, Case]]:
    rules = rules_of("nim.yaml")
    yield "Rules.text.address", Case(rules.text)
    yield "Rules.text.language", Case(lambda wrong: rules.text("decision.take", wrong))
    yield (
        "Rules.text.arguments",
        Case(lambda wrong: rules.text("decision.take", **{f"not {format_argument(wrong)}": wrong})),
    )


def _loading() -> Iterator[tuple[str, Case]]:
    game, rules, caravan = nim(), rules_of("nim.yaml"), rules_of("caravan")
    save, record = game.save(), game.record()
    file = "tests/games/nim.yaml"
    yield "load.base", Case(lambda wrong: aodrules.load("" if wrong == ".." else wrong))  # a folder of anything
    yield "load.variants", Case(lambda wrong: aodrules.load(file, wrong))
    yield "load.variants", Case(lambda wrong: aodrules.load(file, [wrong]))
    yield "open_game.text_or_path", Case(aodrules.open_game)
    yield (
        "open_game.text_or_path",
        Case(lambda wrong: aodrules.open_game(Path(wrong) if isinstance(wrong, str) else wrong)),
    )
    yield "open_game.rules", Case(lambda wrong: aodrules.open_game(save, rules=_unless_none(wrong)))
    yield "open_game.engine", Case(lambda wrong: aodrules.open_game(save, engine=wrong))
    yield "replay.record", Case(aodrules.replay)
    yield "replay.rules", Case(lambda wrong: aodrules.replay(record, rules=wrong))
    yield "replay.engine", Case(lambda wrong: aodrules.replay(record, rules=rules, engine=wrong))

    yield "Rules.origin.address", Case(rules.origin)
    yield "Rules.explain.address", Case(rules.explain)
    yield "Rules.explain.players", Case(lambda wrong: rules.explain("verb.take_turns", wrong))
    yield "Rules.new_game.players", Case(rules.new_game)
    yield "Rules.new_game.players", Case(lambda wrong: rules.new_game([wrong, "first"]))
    yield "Rules.new_game.seed", Case(lambda wrong: rules.new_game(2, wrong).record())
    yield "Rules.new_game.settings", Case(lambda wrong: rules.new_game(2, 1, wrong))
    yield "Rules.new_game.settings", Case(lambda wrong: rules.new_game(2, 1, {wrong: 1} if wrong.__hash__ else None))
    yield "Rules.new_game.settings", Case(lambda wrong: caravan.new_game(2, 1, {"guide": wrong}))
    yield "Setting.text.language", Case(caravan.settings["guide"].text)
    yield "Rules.title.language", Case(rules.title)
    yield "Rules.new_game.engine", Case(lambda wrong: rules.new_game(2, engine=wrong))


def _playing(game: aodrules.Game) -> Iterator[tuple[str, Case]]:
    over = finished_game("nim.yaml", 1)
    unchanged = (game.save, game.record, lambda: list(game.codes), lambda: game.view("first").plain())
    still_over = (over.view("first").plain, lambda: over.over)
    yield "Game.push.action", Case(game.push, *unchanged)
    yield "Game.push.action", Case(over.push, *still_over)
    yield "Game.why_not.action", Case(game.why_not, *unchanged)
    yield "Game.why_not.action", Case(over.why_not, *still_over)
    yield "View.why_not.action", Case(lambda wrong: game.view("second").why_not(wrong), *unchanged)
    yield "View.why_not.language", Case(lambda wrong: game.view("second").why_not("take low_heap 5", wrong))
    yield "Game.why_not.language", Case(lambda wrong: game.why_not("take low_heap 5", wrong))
    yield "Game.sample.player", Case(lambda wrong: game.sample(wrong, 1), *unchanged)
    yield "Game.sample.seed", Case(lambda wrong: game.sample("first", wrong), *unchanged)
    yield "Game.dealer.player", Case(game.dealer, *unchanged)
    yield "Game.save.notes", Case(game.save, *unchanged)
    yield "Game.save.notes", Case(lambda wrong: game.save({"a": wrong}), *unchanged)
    yield "Game.view.seat", Case(game.view)
    yield "Game.learned.seat", Case(game.learned)
    yield "Game.log.seat", Case(game.log)
    yield "Game.log.since", Case(lambda wrong: game.log("first", wrong))
    yield "Game.log.noise", Case(lambda wrong: game.log(noise=wrong))
    yield "Game.log.secrets", Case(lambda wrong: game.log(secrets=wrong))
    yield "Game.learned.since", Case(lambda wrong: game.learned("first", wrong))
    yield "Game.value.name", Case(game.value)
    yield "Game.value.arguments", Case(lambda wrong: game.value("total", player=wrong))
    yield (
        "Game.value.arguments",
        Case(lambda wrong: game.value("total", **{wrong if isinstance(wrong, str) else "x": 1})),
    )
    yield "View.value.name", Case(game.view("first").value)
    yield "View.value.arguments", Case(lambda wrong: game.view("first").value("total", player=wrong))
    yield from _back_and_forth(game, unchanged)


def _back_and_forth(game: aodrules.Game, unchanged: tuple[Callable[[], object], ...]) -> Iterator[tuple[str, Case]]:
    played = nim()
    played.push(played.codes[0])
    needs, choices = played.undo_needs("first"), game.choices
    assert needs is not None
    assert choices is not None
    candidate = choices.candidates[0]
    yield "Game.undo_needs.seat", Case(game.undo_needs, *unchanged)
    yield "Game.undo.seat", Case(game.undo, *unchanged)
    yield "Game.undo.agreed", Case(lambda wrong: played.undo("first", wrong), played.record)
    yield "Game.undo.agreed", Case(lambda wrong: played.undo("first", [wrong]), played.record)
    yield "Game.goto.number", Case(lambda wrong: game.goto(1 if wrong == 0 else wrong), *unchanged)
    yield "Game.leaving.seat", Case(game.leaving, *unchanged)
    yield "Game.branch.seat", Case(game.branch, *unchanged)
    yield "Game.branch.seed", Case(lambda wrong: game.branch("first", seed=wrong), *unchanged)
    yield "Game.what_if.seat", Case(lambda wrong: game.what_if(wrong, 0), *unchanged)
    yield "Game.what_if.action", Case(lambda wrong: game.what_if("first", wrong), *unchanged)
    yield "Game.what_if.seed", Case(lambda wrong: game.what_if("first", game.codes[0], seed=wrong), *unchanged)
    yield "Game.comment.text", Case(lambda wrong: nim().comment(wrong))
    yield "Game.comment.after", Case(lambda wrong: game.comment("said", wrong if wrong is not None else 1), *unchanged)
    yield "Game.set_head.names", Case(lambda wrong: nim().set_head(names=wrong))
    yield "Game.set_head.names", Case(lambda wrong: nim().set_head(names={"first": wrong}))
    yield "Game.set_head.date", Case(lambda wrong: game.set_head(date=wrong), *unchanged)
    yield "UndoNeeds.text.language", Case(needs.text)
    standing, line = game.ranking[0], game.scores["first"].lines[0]
    yield "Standing.text.language", Case(standing.text)
    yield "Standing.because.language", Case(standing.because)
    yield "ScoreLine.text.language", Case(line.text)
    yield "Share.text.language", Case(aodrules.Share("value.points.won", 1).text)
    yield "Choices.pick.value", Case(choices.pick, *unchanged)
    yield "Choices.narrow.parts", Case(lambda wrong: choices.narrow(count=wrong))
    yield "Choices.narrow.parts", Case(lambda wrong: choices.narrow(**{wrong if isinstance(wrong, str) else "x": 1}))
    yield "Candidate.label.language", Case(candidate.label)
    yield "Candidate.reasons.language", Case(candidate.reasons)


def _looking(game: aodrules.Game) -> Iterator[tuple[str, Case]]:
    decision, group = game.decision, game.log()[0]
    assert decision is not None
    yield "Action.label.language", Case(game.actions[0].label)
    yield "Decision.text.language", Case(decision.text)
    yield "StepEvent.text.language", Case(aodrules.StepEvent(step="a").text)
    yield "LogGroup.title.language", Case(group.title)
    yield "LogTurn.label.language", Case(group.turns[0].label)
    yield "Surroundings.text.language", Case(decision.around.text)
    yield "Around.text.language", Case(decision.around[0].text)
    yield "State.__getitem__.path", Case(lambda wrong: game.state[wrong])
    yield "State.__contains__.name", Case(lambda wrong: wrong in game.state)
    yield "State.players", Case(lambda wrong: game.state.players[wrong])
    yield "State.cell.path", Case(game.state.cell)
    yield "View.inside.path", Case(game.view("first").inside)


def _testing() -> Iterator[tuple[str, Case]]:
    rules = rules_of("nim.yaml")
    suite = aodrules.testing.read_suite(rules)

    def play(players: Any, seed: Any, temper: Any) -> object:
        return aodrules.testing.play(rules.book, aodrules.testing.Line(players, seed, temper), most=1)

    yield "testing.read_suite.rules", Case(aodrules.testing.read_suite)
    yield "testing.read_suite.paths", Case(lambda wrong: aodrules.testing.read_suite(rules, [wrong or "no.yaml"]))
    yield "testing.run_suite.suite", Case(aodrules.testing.run_suite)
    yield (
        "testing.run_suite.games",
        Case(lambda wrong: aodrules.testing.run_suite(suite, games=-2 if wrong == 10**9 else wrong)),
    )
    yield "testing.run_suite.seed", Case(lambda wrong: aodrules.testing.run_suite(suite, seed=wrong))
    yield "testing.format_results.results", Case(aodrules.testing.format_results)
    yield "to_json.value", Case(aodrules.to_json)
    yield "to_plain.value", Case(aodrules.to_plain)
    yield "from_json.text", Case(lambda wrong: aodrules.from_json(wrong, aodrules.Action))
    yield "from_json.of", Case(lambda wrong: aodrules.from_json("3", wrong))
    yield "testing.to_json.results", Case(aodrules.testing.to_json)
    yield "testing.to_junit.results", Case(aodrules.testing.to_junit)
    yield "testing.play.book", Case(lambda wrong: aodrules.testing.play(wrong, aodrules.testing.Line(2, 1)))
    yield "testing.play.line", Case(lambda wrong: aodrules.testing.play(rules.book, wrong))
    yield "testing.play.line", Case(lambda wrong: play(wrong, 1, "even"))
    yield "testing.play.line", Case(lambda wrong: play(2, wrong, "even"))
    yield "testing.play.line", Case(lambda wrong: play(2, 1, wrong))


def is_ours(error: Exception) -> bool:
    """Whether an error is one of our own, or a `TypeError` that we raised, with a sentence fit for a terminal."""
    if isinstance(error, aodrules.AodrulesError):
        is_known = not isinstance(error, aodrules.InternalError)
    else:
        last = traceback.extract_tb(error.__traceback__)[-1]
        is_known = isinstance(error, TypeError) and "aodrules" in last.filename and "raise TypeError" in str(last.line)
    text = str(error).replace("\n", " ")
    return is_known and bool(text.strip()) and text.isprintable() and len(text) < 2000


@pytest.mark.slow
def test_what_is_given_wrongly_is_refused_in_a_sentence_and_changes_nothing() -> None:
    bad = []
    for name, case in cases():
        before = [watch() for watch in case.watched]
        for number, wrong in enumerate(WRONG):
            try:
                case.call(wrong)
            except Exception as error:  # noqa: BLE001 - which one it is, is the question
                if not is_ours(error):
                    bad.append(f"{name} given `WRONG[{number}]`: {error!r:.200}")
        if [watch() for watch in case.watched] != before:
            bad.append(f"{name} changed something")
    assert bad == []


def test_no_parameter_of_the_public_surface_is_left_out() -> None:
    public = {name: getattr(aodrules, name) for name in aodrules.__all__}
    public |= {f"testing.{name}": getattr(aodrules.testing, name) for name in aodrules.testing.__all__}
    known = {parameter for name, value in public.items() for parameter in parameters(name, value)}
    assert known - {name for name, _ in cases()} == TAKEN_AS_THEY_ARE


def parameters(name: str, value: Any) -> Iterator[str]:
    """Iterate over the parameters of a function, or of the public methods of a class that is no error."""
    if isinstance(value, UnionType):
        return  # its members have names of their own
    if not inspect.isclass(value):
        yield from (f"{name}.{parameter}" for parameter in inspect.signature(value).parameters)
    elif not issubclass(value, Exception):
        for method, function in vars(value).items():
            if inspect.isfunction(function) and not method.startswith("_"):
                yield from (f"{name}.{method}.{each}" for each in list(inspect.signature(function).parameters)[1:])


TAKEN_AS_THEY_ARE = {
    "load.cache",  # true or not, like the next
    "replay.allow_paths",
    "Rules.explain.raw",
    "Rules.new_game.undo",
    "Rules.new_game.log",
    "Game.why_not.detail",
    "testing.run_suite.both_engines",
    "testing.format_results.verbose",
    "Text.form.case",  # a text is made of whatever is put into it
    "Text.form.count",
    "Text.fill.arguments",
    "Report.add.diagnostic",  # who writes a report of their own knows what is in it, as with the functions below
    "testing.read_suite.wanted",
    "testing.run_suite.progress",
    "testing.play.properties",
    "testing.play.choose",
    "testing.play.most",
    "testing.play.onlookers",
    "testing.play.entry",
}


def test_a_copy_made_by_python_is_a_game_of_its_own() -> None:
    for copied in (copy.copy, copy.deepcopy):
        game = nim()
        before = game.state.plain()
        other = copied(game)
        other.push("take tall_heap 5")
        assert game.state.plain() == before
        assert game.codes != other.codes
        game.push("take tall_heap 4")
        assert aodrules.open_game(game.save()).state == game.state


def test_rules_are_their_own_copy() -> None:
    rules = rules_of("nim.yaml")
    assert copy.copy(rules) is rules
    assert copy.deepcopy(rules) is rules


@pytest.mark.parametrize("make", [nim, lambda: rules_of("nim.yaml")], ids=["game", "rules"])
def test_what_cannot_be_pickled_says_what_to_do_instead(make: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match="cannot be pickled; "):
        pickle.dumps(make())


def test_what_a_game_hands_out_can_be_pickled() -> None:
    game = nim()
    game.push(game.actions[0])
    needs = game.undo_needs("first")
    for value in (game.actions[0], game.events, game.ranking, game.scores, needs, game.why_not("take low_heap 5")):
        assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("seed", [0, -1, -(2**63), 2**63, 2**64 - 1])
def test_every_seed_that_is_taken_can_be_written_down_and_read_back(seed: int) -> None:
    game = rules_of("harbour").new_game(2, seed)
    assert aodrules.open_game(game.save()).seed == seed
    assert aodrules.replay(game.record(), rules=rules_of("harbour")).state == game.state


@pytest.mark.parametrize("seed", [-(2**63) - 1, 2**64, 10**40])
def test_a_seed_has_at_most_64_bits(seed: int) -> None:
    with pytest.raises(aodrules.ArgumentError, match="a seed is a whole number from "):
        rules_of("nim.yaml").new_game(2, seed)


def test_a_number_that_is_no_plain_one_is_taken_as_one() -> None:
    class Number(int):
        pass

    game = rules_of("nim.yaml").new_game(Number(2), Number(7))
    assert type(game.seed) is int
    game.push(Number(game.codes[0]))
    assert type(game.record()) is str


def test_a_state_is_a_mapping_of_its_names() -> None:
    view = nim().view("first")
    assert list(view) == list(view.keys()) == list(dict(view))
    assert len(view) == len(dict(view))
    assert "heaps" in view
    assert "nothing" not in view
    assert dict(view)["last_taker"] is None


def test_variants_may_follow_a_name_as_on_the_command_line() -> None:
    rules = aodrules.load("empires", ["builders", "scouting"])
    for other in (
        aodrules.load("empires+builders+scouting"),
        aodrules.load("empires + scouting", "builders"),
        aodrules.load("empires", "builders+scouting"),
    ):
        assert (other.variants, other.fingerprint) == (rules.variants, rules.fingerprint)
    assert aodrules.load("empires", "builders").variants == ("builders",)


def test_a_file_with_a_plus_in_its_name_stays_whole(tmp_path: Path) -> None:
    file = tmp_path / "a+b.yaml"
    file.write_text(Path("tests/games/nim.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    assert aodrules.load(file).name == aodrules.load(str(file)).name == "a+b"
