"""Saves and records from strangers: whatever stands in them, they open or are refused in a sentence, at once."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import aodrules
from aodrules.play import saves
from aodrules.source.wording import printable
from tests.playing import random_game, rules_of

GAME = random_game("nim.yaml", 1, 2)
SAVE: dict[str, Any] = json.loads(GAME.save({"bots": "second=greedy"}))
RECORD = GAME.record()
ESCAPES = "\x1b]0;title\x07\x1b[2J\u202e"
HOSTILE: list[Any] = [
    None,
    True,
    -1,
    10**40,
    10**4000,
    1.5,
    float("nan"),
    float("-inf"),
    "",
    "ab",
    "\0",
    "\ud800",
    ESCAPES,
    "../../etc/hosts",
    "/etc/hosts",
    "x" * 5000,
    "x\n" * 3000,
    [],
    [[]],
    ["ab", "ab"],
    ["\udfff"],
    [f"v{number}" for number in range(20_000)],
    [None],
    {},
    {"": ""},
    {"a.yaml": None},
    {"a.yaml": "name: \ud800"},
    {ESCAPES: ESCAPES},
    {f"d{number}.yaml": "a: 1" for number in range(20_000)},
]


def refused(text: str) -> str | None:
    """Return why a save is refused; nothing if it opens, and then it is the same game."""
    try:
        game = aodrules.open_game(text)
    except aodrules.InternalError:
        raise
    except aodrules.AodrulesError as wrong:
        return sentence(wrong)
    is_same = game.state == GAME.state
    assert is_same
    return None


def sentence(wrong: aodrules.AodrulesError) -> str:
    """Return what an error says; it can be shown anywhere, and is no longer than it must be."""
    told = str(wrong)
    assert all(line == printable(line) for line in told.split("\n"))
    assert len(told) < (10_000 if isinstance(wrong, aodrules.RulesError) else 500)
    return told


def written(save: dict[str, Any]) -> str:
    return json.dumps(save, indent=1)


@pytest.mark.parametrize("part", SAVE)
@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_a_part_of_another_kind_is_refused(part: str, value: Any) -> None:
    # No chance has a part in this game, its documents are all in the save, and notes are those of a front end.
    is_free = {
        "seed": value == -1,
        "game": value in ("", "ab", "../../etc/hosts", "/etc/hosts"),
        "notes": isinstance(value, dict) and None not in value.values() and ESCAPES not in value,
    }.get(part, False)
    is_same = type(value) is type(SAVE[part]) and value == SAVE[part]
    told = refused(written({**SAVE, part: value}))
    assert (told is None) is (is_free or is_same)


@pytest.mark.parametrize("part", SAVE)
def test_a_part_that_is_missing_is_named(part: str) -> None:
    rest = {name: value for name, value in SAVE.items() if name != part}
    told = refused(written(rest))
    assert (told is None) is (part in ("settings", "notes"))
    assert told is None or f"`{part}`" in told or part == "format"


def test_a_part_that_stands_twice_is_refused() -> None:
    text = written(SAVE).replace('"seed": 1,', '"seed": 1,\n "seed": 1,')
    assert "`seed` stands twice" in str(refused(text))
    assert "`a` stands twice" in str(refused('{"format": "aodrules save 1", "state": {"b": {"a": 1, "a": 1}}}\n'))


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_refused(word: str) -> None:
    assert f"`{word}` in the save is no number" in str(refused(written(SAVE).replace('"seed": 1', f'"seed": {word}')))


@pytest.mark.parametrize("depth", [500, 5_000, 500_000])
def test_a_save_may_not_be_deep(depth: int) -> None:
    assert refused(written(SAVE).replace('"state": {', f'"state": {{"x": {"[" * depth}{"]" * depth},')) is not None
    assert refused("[" * depth + "\n") is not None


def test_a_number_with_many_digits_is_refused() -> None:
    assert refused(written(SAVE).replace('"seed": 1', f'"seed": 1{"0" * 100_000}')) is not None


def test_a_text_that_is_too_long_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saves, "LARGEST", 1000)
    for read in (aodrules.open_game, aodrules.replay):
        with pytest.raises(aodrules.NotationError, match="has at most 1,000 characters, this text has 1,001"):
            read("x" * 1000 + "\n")


def test_documents_are_read_until_one_cannot_be() -> None:
    wrong = {f"{number}.yaml": f"wrong: [{number}" for number in range(100)}
    assert "1 error in 1 file" in str(refused(written({**SAVE, "documents": wrong})))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Iterate over every place in a save, that of the whole left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def mutate(save: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Return a save with something replaced, removed, renamed or doubled in one to three places."""
    changed = copy.deepcopy(save)
    for _ in range(chance.randint(1, 3)):
        *above, key = chance.choice(list(places(changed)))
        inside: Any = changed
        for step in above:
            inside = inside[step]
        how = chance.choice(("replace", "replace", "remove", "rename", "move"))
        if how == "replace":
            inside[key] = copy.deepcopy(chance.choice(HOSTILE))
            continue
        value = inside.pop(key)
        if how == "rename" and isinstance(inside, dict):
            inside[chance.choice((ESCAPES, "", "\ud800", "x" * 5000, key + "x"))] = value
        elif how == "move" and isinstance(inside, list):
            inside.insert(0, value)
    return changed


def test_a_save_that_was_changed_anywhere_opens_as_the_same_game_or_is_refused() -> None:
    told = [refused(written(mutate(SAVE, Random(seed)))) for seed in range(300)]
    assert told.count(None) < 30


def mutated_lines(chance: Random) -> str:
    lines = RECORD.splitlines()
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(lines))
        how = chance.choice(("replace", "remove", "double", "swap", "sign", "cut"))
        if how == "replace":
            lines[place] = lines[place].partition(":")[0] + ": " + str(chance.choice(HOSTILE))[:10_000]
        elif how == "remove" and len(lines) > 1:
            del lines[place]
        elif how == "double":
            lines.insert(place, lines[place])
        elif how == "swap":
            other = chance.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        elif how == "sign":
            at = chance.randrange(len(lines[place]) + 1)
            lines[place] = lines[place][:at] + chance.choice(ESCAPES + "\ud800\0: ") + lines[place][at:]
        else:
            lines[place] = lines[place][: chance.randrange(len(lines[place]) + 1)]
    return "\n".join(lines) + "\n"


def replayed(text: str) -> str | None:
    """Return why a record is refused; nothing if it is played to its end."""
    try:
        again = aodrules.replay(text, rules=rules_of("nim.yaml")).record()
    except aodrules.InternalError:
        raise
    except aodrules.AodrulesError as wrong:
        return sentence(wrong)
    assert again.endswith("\nend after 2 actions: unfinished\n")
    return None


def test_a_record_that_was_changed_anywhere_replays_or_is_refused() -> None:
    told = [replayed(mutated_lines(Random(seed))) for seed in range(300)]
    assert told.count(None) < 60
