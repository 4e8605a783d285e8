from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aodrules
from aodrules.play.saves import parse_save
from tests.playing import ENGINES, GAMES, WORDS, fewer, finished_game, random_game, rules_of

positions = st.tuples(st.sampled_from(WORDS), st.integers(0, 30), st.integers(0, 60))


@fewer
@given(positions, st.sampled_from(ENGINES))
def test_a_saved_game_goes_on_where_it_was(position: tuple[str, int, int], engine: str) -> None:
    game = random_game(*position)
    other = aodrules.open_game(game.save(), engine=engine)
    assert other.save() == game.save()
    assert other.codes == game.codes
    assert other.decision == game.decision
    if not game.over:
        game.push(game.codes[-1])
        other.push(other.codes[-1])
        assert other.save() == game.save()


@given(positions)
def test_a_record_can_be_replayed(position: tuple[str, int, int]) -> None:
    game = random_game(*position)
    other = aodrules.replay(game.record(), rules=rules_of(position[0]))
    assert other.save() == game.save()


def test_a_record_names_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GAMES)
    game = aodrules.load("harbour", ["dear-timber"]).new_game(players=2, seed=7)
    game.push(game.actions[0])
    assert game.record().splitlines()[1] == "rules: harbour+dear-timber"
    assert aodrules.replay(game.record(), allow_paths=True).record() == game.record()


def test_a_save_holds_the_documents_that_were_given_by_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("variant: tall\nhouse: true\nchange: {heap.low_heap.height: 1}\n", encoding="utf-8")
    game = aodrules.load(GAMES / "nim.yaml", [path]).new_game(seed=1)
    game.push("take low_heap 1")
    text = game.save()
    path.unlink()
    assert json.loads(text)["variants"] == ["tall"]
    assert aodrules.open_game(text).save() == text


def test_a_save_keeps_the_notes_of_a_front_end() -> None:
    game = random_game("nim.yaml", 1, 2)
    text = game.save({"bots": "second=greedy"})
    assert parse_save(text).notes == {"bots": "second=greedy"}
    assert aodrules.open_game(text).save() == game.save()
    assert "notes" not in json.loads(game.save())


@pytest.mark.slow
@pytest.mark.parametrize(
    "base, variants",
    [
        (b"edition: mine\ngame: aod\nbased_on: empires\nname: {en: Mine}\n", []),
        ("aoe3-ru", [b"variant: worded\ngame: aod\nhouse: true\nincludes: [empires-words]\n"]),
        ("empires", ["builders", b"variant: mine\ngame: aod\nhouse: true\nrequires: [builders]\n"]),
    ],
)
def test_a_save_of_documents_that_lean_on_what_ships_can_be_opened(
    base: Any, variants: list[Any], tmp_path: Path
) -> None:
    def named(given: str | bytes) -> str | Path:
        path = tmp_path / "mine.yaml"
        return path if isinstance(given, bytes) and path.write_bytes(given) else str(given)

    game = aodrules.load(named(base), [named(each) for each in variants]).new_game(players=2, seed=1)
    (tmp_path / "mine.yaml").unlink()
    assert aodrules.open_game(game.save()).save() == game.save()


def test_a_save_can_be_opened_from_a_file(tmp_path: Path) -> None:
    game = random_game("nim.yaml", 1, 3)
    path = tmp_path / "game.json"
    path.write_text(game.save(), encoding="utf-8")
    assert aodrules.open_game(path).record() == game.record()
    assert aodrules.open_game(str(path)).record() == game.record()


def test_a_save_is_readable() -> None:
    save = json.loads(random_game("nim.yaml", 1, 1).save())
    assert " ".join(save) == ("format game edition variants fingerprint settings seed players actions state documents")
    assert save["players"] == ["first", "second"]
    assert save["state"]["heaps"]["tall_heap"]["lying"] == {"pebble": 5}


def changed(**parts: Any) -> str:
    save = json.loads(random_game("nim.yaml", 1, 2).save())
    return json.dumps({name: value for name, value in (save | parts).items() if value != "left out"}, indent=1)


@pytest.mark.parametrize(
    "text, message",
    [
        ("{\n", "no saved game"),
        ("[]\n[]", "no saved game"),
        ('{"format":\n "other"}', "does not begin with the format"),
        (changed(seed="one"), "seed"),
        (changed(seed="left out"), "seed"),
        (changed(players="red"), "players"),
        (changed(actions=[1]), "actions"),
        (changed(colour="red"), "colour"),
        (changed(fingerprint="0" * 32), "the game was made with other rules"),
        (changed(players=["first", "third"]), "`third` is no seat"),
        (changed(players=["first"]), "is for 2 players, not 1"),
        (changed(settings={"a": 1}), "no setting `a`"),
        (changed(actions=["take low_heap 5"]), "action 1: `take low_heap 5` is not possible now"),
        (changed(actions=["jump"]), "action 1: `jump` is no action here"),
        (changed(actions=[]), "not the one its actions lead to"),
        (changed(actions=["take low_heap 1"] * 40), "action 4"),
    ],
)
def test_a_broken_save_is_refused_with_its_reason(text: str, message: str) -> None:
    with pytest.raises(aodrules.NotationError, match=message):
        aodrules.open_game(text)


def test_a_save_whose_rules_are_wrong_is_refused_like_the_rules() -> None:
    with pytest.raises(aodrules.RulesError):
        aodrules.open_game(changed(documents={"nim.yaml": "game: {players: many}"}))


@pytest.mark.parametrize("game", ["/etc/hosts", "tests/games/nim.yaml", "..", "nim.yaml"])
def test_a_save_cannot_have_a_file_read(game: str) -> None:
    with pytest.raises(aodrules.NotationError, match="does not ship with the package, and its text is not in the save"):
        aodrules.open_game(changed(game=game, documents={}))


def test_a_save_of_a_game_that_does_not_ship_is_refused() -> None:
    with pytest.raises(aodrules.NotationError, match="`no-such-game` does not ship with the package"):
        aodrules.open_game(changed(game="no-such-game", documents={}))


def test_what_is_neither_text_nor_file_is_refused() -> None:
    with pytest.raises(aodrules.NotationError, match=r"there is no file `nowhere\.json`"):
        aodrules.open_game("nowhere.json")
    with pytest.raises(aodrules.NotationError, match="neither a readable file nor a text of ours: it is a folder"):
        aodrules.open_game(".")


RECORD = random_game("nim.yaml", 1, 2).record()


@pytest.mark.parametrize(
    "text, message",
    [
        (RECORD.replace("record 3", "record 1"), "line 1: a record begins with"),
        (RECORD.replace("seed: 1", "seed: one"), "the seed is a number"),
        (RECORD.replace("seed: 1\n", "luck: 1\n"), "line 5: the head of a record has no `luck`"),
        (RECORD.replace("seed: 1\n", "seeds: 1\n"), "has no `seeds`; did you mean `seed`?"),
        (RECORD.replace("seed: 1\n", "seed: 1\nseed: 1\n"), "line 6: `seed` stands twice"),
        (RECORD.replace("seed: 1\n", "\n"), "does not say `seed`"),
        (RECORD.replace("seed: 1\n", "seed\n"), "line 5: expected `name: value`"),
        (RECORD.replace("first: take", "first take"), "line 8: expected `player: action`"),
        (RECORD.replace("first: take", "second: take"), "action 1: `first` decides, not `second`"),
        (RECORD.replace("fingerprint: ", "fingerprint: 0"), "made with other rules"),
        (RECORD.replace("players: first second", "players: first"), "not 1"),
        (RECORD + "# \x1b[2J", "line 11: a record has no control characters"),
    ],
)
def test_a_broken_record_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(aodrules.NotationError, match=message):
        aodrules.replay(text, rules=rules_of("nim.yaml"))


def test_a_record_says_how_long_it_is() -> None:
    assert random_game("nim.yaml", 1, 0).record().endswith("\n\nend after 0 actions: unfinished\n")
    assert random_game("nim.yaml", 1, 1).record().endswith("\nend after 1 action: unfinished\n")


@pytest.mark.parametrize("game", [random_game("nim.yaml", 1, 0), random_game("nim.yaml", 1, 3)])
def test_a_record_that_is_cut_off_anywhere_is_refused(game: aodrules.Game) -> None:
    text = game.record().rstrip("\n")
    assert aodrules.replay(f"{text}\n", rules=rules_of("nim.yaml")).record() == game.record()
    for length in range(len(text)):
        with pytest.raises(aodrules.NotationError):
            aodrules.replay(f"{text[:length]}\n", rules=rules_of("nim.yaml"))


@pytest.mark.parametrize(
    "text, message",
    [
        (
            RECORD.replace("end after 2 actions: unfinished\n", ""),
            "breaks off: expected `end after 2 actions: unfinished`",
        ),
        (
            RECORD.replace("after 2", "after 3"),
            "line 10: expected `end after 2 actions: unfinished`, found `end after 3",
        ),
        (RECORD + RECORD.splitlines()[-2], "line 11: the record goes on after its end"),
        (RECORD + "end after 2 actions", "line 11: the record goes on after its end"),
    ],
)
def test_the_end_of_a_record_must_fit(text: str, message: str) -> None:
    with pytest.raises(aodrules.NotationError, match=message):
        aodrules.replay(text, rules=rules_of("nim.yaml"))


OLDER = RECORD.replace("record 3", "record 2").replace("result: unfinished\n", "").replace(": unfinished", "")


def test_a_record_of_the_form_before_is_still_read() -> None:
    assert "# aodrules record 2\n" in OLDER
    assert "result" not in OLDER
    assert OLDER.endswith("end after 2 actions\n")
    assert aodrules.replay(OLDER, rules=rules_of("nim.yaml")).record() == RECORD


def commented() -> aodrules.Game:
    game = random_game("nim.yaml", 1, 3)
    game.set_head(names={"second": "Bob; {the} builder", "first": "Ann"}, date="2031-05-17")
    game.comment("they sat down", after=0)
    game.comment("good; {very} good", after=1)
    game.comment("two\n\nlines # and a sign")
    return game


def test_a_record_tells_who_played_when_and_what_was_said() -> None:
    lines = commented().record().splitlines()
    assert lines[5:9] == [
        "name first: Ann",
        "name second: Bob; {the} builder",
        "date: 2031-05-17",
        "result: unfinished",
    ]
    assert lines[9:12] == ["", "; they sat down", f"{lines[11].split(' ;')[0]} ; good; {{very}} good"]
    assert lines[-4:] == ["; two", ";", "; lines # and a sign", "end after 3 actions: unfinished"]


@pytest.mark.parametrize("engine", ["compiled", "interpreter"])
def test_replaying_a_record_keeps_its_head_and_comments(engine: str) -> None:
    record = commented().record()
    again = aodrules.replay(record, rules=rules_of("nim.yaml"), engine=engine)
    assert again.record() == record
    assert again.comments == commented().comments


def test_comments_may_stand_in_brackets_and_behind_actions() -> None:
    lines = RECORD.splitlines()
    lines[7] += " {one"
    lines[8:8] = ["two # here", "three}", "; four"]
    again = aodrules.replay("\n".join(lines) + "\n", rules=rules_of("nim.yaml"))
    assert again.comments == {1: "one\ntwo # here\nthree\nfour"}


def test_comments_belong_to_their_line_of_play() -> None:
    game = commented()
    other = game.copy()
    other.comment("", after=0)
    game.pop()
    assert list(game.comments) == [0, 1]
    assert list(other.comments) == [1, 3]
    game.goto(0)
    assert list(game.comments) == [0]
    game.redo()
    assert list(game.comments) == [0, 1]
    game.goto(0)
    game.push(next(code for code in game.codes if code != other._answers[0]))
    assert list(game.comments) == [0]


def test_a_game_that_is_over_says_who_won() -> None:
    game = finished_game("nim.yaml", 2)
    assert game.result in game.record()
    winner = next(one.player for one in game.ranking if one.won)
    assert game.result.startswith(f"{winner} wins (first ")
    assert game.record().splitlines()[-1].endswith(f": {game.result}")
    changed = game.record().replace(f"{winner} wins", "nobody wins")
    with pytest.raises(aodrules.NotationError, match=r"the record says .*, and its actions lead to"):
        aodrules.replay(changed, rules=rules_of("nim.yaml"))


@pytest.mark.parametrize(
    "text, message",
    [
        (RECORD.replace("seed: 1\n", "seed: 1\nname third: Ann\n"), "names `third`, who is not among its players"),
        (RECORD.replace("seed: 1\n", "seed: 1\nname first: \n"), "line 6: expected `name: value`|is no name"),
        (RECORD.replace("seed: 1\n", "seed: 1\ndate: May\n"), "the date is written as in `2031-05-17`, not as `May`"),
        (RECORD.replace("\nend", "\n{ never closed\nend"), "line 10: the comment that begins here has no `}`"),
        (RECORD.replace("\nend", "\n{ one } two\nend"), "line 10: expected the end of the line after `}`, found `two`"),
        (RECORD.replace("\nend", f"\n; {'x' * 2000}\nend"), "a line of a comment has at most 1,000 characters"),
    ],
)
def test_what_a_record_says_beside_its_actions_is_checked(text: str, message: str) -> None:
    with pytest.raises(aodrules.NotationError, match=message):
        aodrules.replay(text, rules=rules_of("nim.yaml"))


@pytest.mark.parametrize(
    "given, message",
    [
        ({"names": {"third": "Ann"}}, "`third` has no seat here; there are `first` and `second`"),
        ({"names": {"first": "a\nb"}}, "the name of a player is a line of text, not `a b`"),
        ({"date": "tomorrow"}, "the date is written as in `2031-05-17`, not as `tomorrow`"),
    ],
)
def test_what_cannot_stand_in_a_head_is_told(given: dict[str, Any], message: str) -> None:
    game = random_game("nim.yaml", 1, 3)
    with pytest.raises(aodrules.ArgumentError) as refused:
        game.set_head(**given)
    assert str(refused.value) == message


def naming(word: str) -> str:
    return RECORD.replace(RECORD.splitlines()[1], f"rules: {word}")


@pytest.mark.parametrize(
    "word", ["secret.txt", "./secret.txt", "secret", "../x/secret", "empires+secret.yaml", "nim+./secret"]
)
def test_a_record_cannot_have_a_file_read(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("secret", "secret.txt", "secret.yaml"):
        Path(name).write_text("password: hunter2\n", encoding="utf-8")
    for allowed in (False, True):
        with pytest.raises(aodrules.NotationError) as told:
            aodrules.replay(naming(word), allow_paths=allowed)
        assert ("does not ship" in str(told.value)) is not allowed
        assert "hunter2" not in str(told.value)
        assert "password" not in str(told.value)


def test_a_record_may_name_what_ships() -> None:
    game = aodrules.load("nim").new_game(seed=4)
    assert aodrules.replay(game.record()).record() == game.record()
    with pytest.raises(aodrules.NotationError, match="made with other rules"):
        aodrules.replay(naming("empires+builders"))


@pytest.mark.slow
def test_a_file_of_its_name_is_not_taken_for_a_game_that_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example, full = (aodrules.load(name).new_game(2, seed=4) for name in ("nim", "empires"))
    monkeypatch.chdir(tmp_path)
    for name in ("nim", "empires", "builders"):
        Path(name).mkdir()
    with pytest.raises(aodrules.NotationError, match="does not ship"):
        aodrules.replay(example.record())
    assert aodrules.replay(full.record()).record() == full.record()
    assert aodrules.open_game(full.save()).save() == full.save()


def test_a_save_is_told_nothing_about_the_files_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").touch()
    told = []
    for name in ("there", "gone"):
        with pytest.raises(aodrules.NotationError) as wrong:
            aodrules.open_game(changed(game=name, documents={}))
        told.append(str(wrong.value).replace(name, "it"))
    assert told[0] == told[1]


PLAY = """
import sys
from tests.playing import finished_game
for word in ("harbour+dear-timber", "caravan"):
    game = finished_game(word, 11)
    print(game.save(), *game.events, *game.ranking, game.view(game.players[0]).plain(), sep="\\n")
"""


@pytest.mark.slow
def test_a_seed_gives_the_same_game_under_every_hash_seed() -> None:
    def play(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", PLAY]
        done = subprocess.run(
            command, cwd=GAMES.parents[1], env=environment, capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert play("0") == play("4242")


@pytest.mark.parametrize("read", [aodrules.open_game, aodrules.replay])
def test_what_is_no_usual_file_is_refused(read: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("link")
    (tmp_path / "bytes").write_bytes(b"\xff\n")
    with (tmp_path / "enormous").open("wb") as stream:
        stream.truncate(1 << 40)
    reasons = {
        "pipe": "it is no plain file",
        "link": "too many levels",
        ".": "it is a folder",
        "bytes": "text is not UTF-8",
        "enormous": "at most 8,388,608 are read",
        "missing": "there is no file",
        "x" * 5000: "name too long",
    }
    for name, reason in reasons.items():
        with pytest.raises(aodrules.NotationError, match=reason):
            read(tmp_path / name)
