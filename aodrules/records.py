"""Saved games opened and lines of play replayed."""

from __future__ import annotations

from pathlib import Path

from aodrules.arguments import check_one_of, check_path, check_type
from aodrules.compose.library import is_path, is_shipped_name, parse_rules_word
from aodrules.errors import ActionError, ArgumentError, NotationError, RulesError
from aodrules.game import Game
from aodrules.play.record_text import Record, parse_record
from aodrules.play.rules_context import ENGINES
from aodrules.play.saves import LARGEST, Save, parse_save
from aodrules.rulebook import Rules, load, rules_of_save
from aodrules.source.disk import read_plain, why_unreadable
from aodrules.source.wording import printable, quote


def open_game(text_or_path: str | Path, *, rules: Rules | None = None, engine: str = "compiled") -> Game:
    """Return the game that a save holds, at the very decision it was saved at.

    The actions are played again and the result is compared with the state in the save.

    Args:
        text_or_path: The text of a save, or the path of a file that holds one.
        rules: The rules it was made with, where they are at hand; else they are made from what the save holds.
        engine: What plays it.

    Raises:
        NotationError: The text is no save, was made with other rules, or does not fit together.
        RulesError: Its rules cannot be loaded any more.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push("take low_heap 1")
        >>> aodrules.open_game(game.save()).state == game.state
        True
    """
    check_one_of("engine", engine, ENGINES)
    if rules is not None:
        check_type("`rules`", rules, Rules)
    save = parse_save(read_text(text_or_path))
    game = _begin_game(rules or rules_of_save(save), save, engine)
    for number, action in enumerate(save.actions, 1):
        _push_action(game, number, action)
    if game.state.plain() != save.state:
        raise NotationError("the state in the save is not the one its actions lead to")
    return game


def replay(
    record: str | Path, *, rules: Rules | None = None, allow_paths: bool = False, engine: str = "compiled"
) -> Game:
    """Return the game that a record tells, played to its last line.

    Args:
        record: The text of a record, or the path of a file that holds one.
        rules: The rules to replay it with; those it names if not given.
        allow_paths: Whether the record may name files or folders here. If not, it can name only what ships with the
            package; so leave it out for records of others.
        engine: What plays it.

    Raises:
        NotationError: A line cannot be understood or the end is missing, or the rules are not those it was made with.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push("take low_heap 1")
        >>> aodrules.replay(game.record()).answered
        1
    """
    check_one_of("engine", engine, ENGINES)
    if rules is not None:
        check_type("`rules`", rules, Rules)
    found = parse_record(read_text(record))
    if rules is None:
        rules = _load_named_rules(found.rules, allow_paths=allow_paths)
    game = _begin_game(rules, found, engine)
    for number, move in enumerate(found.moves, 1):
        if game.decision is not None and game.decision.player != move.player:
            raise NotationError(f"action {number}: `{game.decision.player}` decides, not {quote(move.player)}")
        _push_action(game, number, move.text)
    if found.result not in (None, game.result):
        raise NotationError(f"the record says {quote(found.result)}, and its actions lead to `{game.result}`")
    _keep_notes(game, found)
    return game


def _keep_notes(game: Game, found: Record) -> None:
    """Let a game know what its record says beside the actions."""
    try:
        game.set_head(names=found.names or None, date=found.date)
        for place, text in found.comments.items():
            game.comment(text, place)
    except ArgumentError as cause:
        raise NotationError(str(cause)) from None


def _begin_game(rules: Rules, found: Save | Record, engine: str) -> Game:
    """Begin a game as it was begun; what was made with other rules is refused."""
    if rules.fingerprint != found.fingerprint:
        raise NotationError(
            f"the game was made with other rules: it needs the fingerprint {quote(found.fingerprint)}, "
            f"and `{rules.edition or rules.name}` as it is now has `{rules.fingerprint}`"
        )
    try:
        return rules.new_game(players=found.players, seed=found.seed, settings=found.settings, engine=engine)
    except ValueError as cause:
        raise NotationError(f"the game cannot be begun: {cause}") from None


def _push_action(game: Game, number: int, action: str) -> None:
    try:
        game.push(action)
    except ActionError as cause:
        raise NotationError(f"action {number}: {cause}") from cause


def _load_named_rules(word: str, *, allow_paths: bool) -> Rules:
    """Return the rules that a record names. What is wrong with them is not told: it could show the text of any file."""
    selection = parse_rules_word(word)
    if not allow_paths and (not is_shipped_name(selection.base) or any(map(is_path, selection.variants))):
        raise NotationError(
            f"the record names {quote(word)}, which does not ship with the package; "
            "give the rules, or allow paths if you trust the record"
        )
    try:
        return load(selection.base, selection.variants)
    except RulesError:
        raise NotationError(f"the rules {quote(word)} that the record names cannot be loaded") from None


def read_text(text_or_path: str | Path) -> str:
    """Return a text, or what the file holds that it names. A text has an end of line, a path never."""
    check_path("a saved game or a record", text_or_path)
    if isinstance(text_or_path, str) and "\n" in text_or_path:
        return text_or_path
    try:
        return read_plain(Path(text_or_path), LARGEST).decode("utf-8")
    except (OSError, ValueError) as cause:
        if isinstance(cause, FileNotFoundError):
            raise NotationError(f"there is no file `{printable(Path(text_or_path).as_posix())}`") from None
        why = "its name or text is not UTF-8" if isinstance(cause, UnicodeError) else why_unreadable(cause)
        raise NotationError(f"{quote(text_or_path)} is neither a readable file nor a text of ours: {why}") from None
