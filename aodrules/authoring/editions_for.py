"""Which rules a file is about: a variant on its own is played with the editions it is made for."""

from __future__ import annotations

from pathlib import Path

from aodrules.compose import problems
from aodrules.compose.library import (
    Selection,
    example_games,
    format_rules_word,
    is_known_game,
    is_path,
    parse_rules_word,
    shipped_games,
    shipped_shelf,
)
from aodrules.source.diagnostics import Report
from aodrules.source.files import read_file
from aodrules.source.plain_files import is_file
from aodrules.syntax.documents import Head
from aodrules.syntax.from_source import read


def bases_of(game: str) -> list[str]:
    """Return what a shipped game can be played as: its editions, or itself if it has none."""
    editions = shipped_shelf(game).names("edition") if game in shipped_games() else []
    return editions or [game]


def editions_asked(word: str) -> list[str]:
    """Return the editions of a shipped game that is named alone; none for other words."""
    asked = parse_rules_word(word)
    editions = bases_of(asked.base) if asked.base in shipped_games() else []
    is_alone = editions != [asked.base] and not set(editions) & set(asked.variants)
    return editions if is_alone else []


def words_of(word: str) -> list[str]:
    """Return the rules that a word asks for; a variant alone asks for every edition that it is made for.

    A variant is named by its file, or by its name if it ships with the package.
    A file that cannot be read, or that says too little about itself, is left as it stands.
    """
    asked = parse_rules_word(word)
    if editions_asked(word):
        return [format_rules_word(Selection(base, asked.variants)) for base in editions_asked(word)]
    found = [each for head in _variants_at(asked.base) for each in _selections(head, asked)]
    return [format_rules_word(each) for each in found] or [word]


def _variants_at(base: str) -> list[Head]:
    """Return the heads of the variant in a file, or of those that ship under a name; one may be for each edition."""
    shelves = [] if is_path(base) else [shipped_shelf(game) for game in shipped_games()]
    paths = [Path(base)] if is_path(base) else [path for shelf in shelves for path in shelf.paths("variant", base)]
    heads = (head_at(path) for path in paths)
    return [head for head in heads if head is not None and head.kind == "variant" and head.game is not None]


def _selections(head: Head, asked: Selection) -> list[Selection]:
    """Return a variant with each edition that it is made for, or only with those that are named beside it."""
    assert head.game is not None  # only such are looked at
    made_for = [each.text for each in head.editions] or bases_of(head.game.text)
    named = [each for each in made_for if each in asked.variants]
    others = [each for each in asked.variants if each not in named]
    needed = [each.text for each in head.requires if each.text not in others]
    more = (*needed, *others, asked.base)
    if head.editions and head.game.text not in shipped_games():
        # The editions of a small game bear names only within it.
        return [Selection(head.game.text, (edition, *more)) for edition in named or made_for]
    return [Selection(base, more) for base in named or made_for]


def misnamed(word: str) -> Report:
    """Return what is wrong with the game and the editions that a variant's file alone says it is made for."""
    report, asked = Report(), parse_rules_word(word)
    head = head_at(Path(asked.base)) if is_path(asked.base) else None
    if head is None or head.kind != "variant" or head.game is None:
        return report
    game = head.game.text
    if not is_known_game(game):
        report.add(problems.unknown_game(game, head.game.span, [*shipped_games(), *example_games()]))
        return report
    known = shipped_shelf(game).names("edition")
    for each in head.editions:
        if each.text not in known:
            report.add(problems.unknown_variant("edition", each.text, each.span, known, head.name.text))
    return report


def head_at(path: Path) -> Head | None:
    """Return the head of the document in a file, if there is such a file and it has one."""
    if not is_file(path):
        return None
    report = Report()
    source = read_file(path, report)
    document = None if source is None else read(source, report)
    return None if document is None else document.head
