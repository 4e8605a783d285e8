"""The pages of the documentation that are made from the program, each as a function that returns its text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from aodrules.games import CatalogueEntry, CatalogueGame, CatalogueRuling, catalogue
from aodrules.lang.builtins.entry import Builtin
from aodrules.lang.builtins.table import BUILTINS
from aodrules.lang.operators import OPERATORS
from aodrules.source.wording import count_range
from tests.commands import COMMANDS
from tests.docs.blocks import DOCS, ROOT
from tests.docs.notebooks import cells_of
from tests.docs.python_reference import groups, in_cell, module_groups, testing_groups
from tests.docs.rpc_reference import rpc_parts

_MADE = (
    "<!-- This page is made by `tests/docs/generated.py`; `AODRULES_REWRITE=1 pytest tests/docs` writes it anew. -->"
)


def _table(*rows: tuple[str, ...]) -> str:
    lines = ["| " + " | ".join(in_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]) + "\n"


def _shown(result: object) -> str:
    words = {True: "true", False: "false"}
    return f"`{words[result] if isinstance(result, bool) else result}`"


def _page(title: str, opening: str, *parts: str) -> str:
    return "\n".join([f"# {title}\n", f"{_MADE}\n", f"{opening.strip()}\n", *parts])


# Builtins and operators.


def builtins_page() -> str:
    """Return the page of builtins and operators."""
    rows = [_builtin_row(each) for each in BUILTINS.values()]
    signs = [
        (
            f"`{each.sign or each.name}`",
            each.signature(),
            str(each.gives),
            each.doc,
            f"`{each.example}`",
            _shown(each.result),
        )
        for each in OPERATORS
    ]
    return _page(
        "Builtins and operators",
        """
Every word and sign that computes something, from the tables `aodrules/lang/builtins` and `aodrules/lang/operators.py`.
`T` stands for any type, `K` for a kind; several ways to call a builtin stand under each other.
Each example is run in a small sample game with colours, posts and a grid of cells, and gives what stands beside it.
`players` and `seats` are written without brackets: those still in the game, and everybody who began it.
""",
        "## Builtins\n",
        "A builtin with a star may be written over items: `sum(x.worth for x in things if x.worth > 1)`.\n",
        _table(("builtin", "takes", "gives", "what it is", "example", "result"), *rows),
        "## Operators\n",
        _table(("sign", "takes", "gives", "what it is", "example", "result"), *signs),
    )


def _builtin_row(each: Builtin) -> tuple[str, ...]:
    name = f"`{each.name}`{' ★' if each.over else ''}"
    return name, "<br>".join(each.signatures()), str(each.gives), each.doc, f"`{each.example}`", _shown(each.result)


# Keys, from the schemas.


def keys_page() -> str:
    """Return the page of all keys that the language fixes."""
    parts: list[str] = []
    for title, file, names in _SHAPES:
        definitions = _schema(file)["$defs"]
        parts.append(f"## {title}\n")
        for name, heading in names.items():
            parts += [f"### {heading}\n", *_shape(definitions[name], file)]
    variant = _schema("variant")
    parts += ["## Editions, variants and modules\n", *_shape(variant, "variant")]
    return _page(
        "All keys",
        """
Every key that the language fixes, from the schemas in `schemas/` that check documents.
`name`, `text`, `clauses` and `needs` may stand on any body and are left out of the tables.
A key in bold must be there.
""",
        *parts,
    )


_SHAPES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("The game", "game", {"game": "`game`", "winner": "`game.winner`"}),
    (
        "Components and state",
        "components",
        {
            "kind": "A kind",
            "pieces": "`pieces` of a kind",
            "hook": "A hook of a kind",
            "member": "A member",
            "field": "A field",
            "shape": "A shape of a scoring set",
        },
    ),
    (
        "Values, verbs and events",
        "formulas",
        {"formula": "A value with a formula", "looked_up": "A value with a table", "verb": "A verb", "event": "Event"},
    ),
    (
        "Decisions",
        "decisions",
        {"decision": "A decision", "own_option": "An option", "used_option": "The use of a shared option"},
    ),
    (
        "Steps",
        "steps",
        {
            name: f"`{'step' if name == 'named_step' else name}`"
            for name in (
                "move", "draw", "shuffle", "roll", "sort", "set", "add", "take", "let", "if", "for", "repeat", "while",
                "choose", "happen", "run", "reveal", "named_step", "stop", "leave_game", "end_game",
            )
        },
    ),
    (
        "Effects",
        "effects",
        {
            "modify": "`modify`",
            "own_offer": "`offer`",
            "used_offer": "`offer` with `use`",
            "upon": "`upon`",
            "entering": "`entering`",
            "leaving": "`leaving`",
        },
    ),
    (
        "Pictures",
        "layout",
        {
            "page_part": "`page`",
            "slot_part": "`slot`",
            "group_part": "`group`",
            "place": "A place of a group",
            "inner_slot": "A slot of a group",
            "icon_part": "`icon`",
            "seat_part": "`seat`",
            "colour_part": "`colour`",
            "rect_part": "`rect`",
            "circle_part": "`circle`",
            "path_part": "`path`",
            "words_part": "`words`",
            "omit_part": "`omit`",
        },
    ),
)  # fmt: skip
_ON_ANY_BODY = ("name", "text", "clauses", "needs")


def _schema(name: str) -> dict[str, Any]:
    path = ROOT / "schemas" / f"{name}.schema.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _shape(schema: dict[str, Any], file: str) -> Iterator[str]:
    yield schema["description"].replace(". ", ".\n") + "\n"
    required = schema.get("required", [])
    rows = [
        (f"**`{key}`**" if key in required else f"`{key}`", _words(body, file))
        for key, body in schema["properties"].items()
        if key not in _ON_ANY_BODY
    ]
    if rows:
        yield _table(("key", "what it is"), *rows)


def _words(body: dict[str, Any], file: str) -> str:
    shared = _resolved(body["$ref"], file) if "$ref" in body else {}
    return f"{body.get('title') or shared['title']}. {body.get('description') or shared['description']}"


def _resolved(reference: str, file: str) -> dict[str, Any]:
    other, _, pointer = reference.partition("#/$defs/")
    file = other.removesuffix(".schema.json") or file
    found: dict[str, Any] = _schema(file)["$defs"][pointer]
    return {**_resolved(found["$ref"], file), **found} if "$ref" in found else found


# Python and commands.


def python_page() -> str:
    """Return the page of the Python names."""
    return _page(
        "Python",
        """
What `import aodrules` gives.
These names are public, and nothing else is.
The [how-to pages](../how-to/index.md) show them at work.
""",
        *groups(),
        *module_groups(),
    )


def testing_page() -> str:
    """Return the page of the names for tests."""
    return _page(
        "Testing",
        """
What tests of rules are made of in Python.
Scenarios and properties themselves are YAML: see [Words, clauses, examples](language/statements.md).
How a first one is written stands [here](../how-to/first-scenario.md).
The extra `aodrules[testing]` brings pytest and Hypothesis.
""",
        *testing_groups(),
    )


def notebook_page() -> str:
    """Return the notebook of the tutorial as a page of the site."""
    title, *cells = cells_of(DOCS / "tutorial" / "from-python.ipynb")
    heading, opening = title.source.removeprefix("# ").split("\n", 1)
    shown = [
        f"{cell.source}\n" if cell.cell_type == "markdown" else f"<!-- a program -->\n```python\n{cell.source}\n```\n"
        for cell in cells
    ]
    return _page(heading, f"{opening.strip()}\nHere it is as [a notebook](from-python.ipynb).", *shown)


def commands_page() -> str:
    """Return the page of the command line."""
    return _page(
        "Commands",
        """
Wherever a command takes RULES it takes one word, such as `harbour+dear-timber+./mine.yaml`.
Its first part is a game or edition, the others are variants; each is a name or a path.
Names are those of what ships with the package; a path ends in `.yaml` or holds a slash.

| exit code | means |
|---|---|
| 0 | fine |
| 1 | problems in the rules |
| 2 | wrong usage |
| 3 | a mistake of ours |
""",
        *(part for command in COMMANDS.values() for part in _command(command)),
    )


def _command(command: click.Command) -> Iterator[str]:
    words = [each.make_metavar(click.Context(command)) for each in command.params if isinstance(each, click.Argument)]
    text, *examples = cleandoc(command.help or "").split("Example: ")
    yield f"## `aodrules {command.name}`\n"
    yield "```text\naodrules " + " ".join([str(command.name), *words]) + " [OPTIONS]\n```\n"
    yield text.strip().replace(". ", ".\n") + "\n"
    rows = [
        (f"`{', '.join(each.opts + each.secondary_opts)}`", each.help or "")
        for each in command.params
        if isinstance(each, click.Option)
    ]
    if rows:
        yield _table(("option", "what it does"), *rows)
    yield "```sh\n" + "\n".join(each.strip() for each in examples) + "\n```\n"


def rpc_page() -> str:
    """Return the page of JSON-RPC."""
    return _page(
        "JSON-RPC",
        """
What `aodrules serve --rpc` answers, by [JSON-RPC 2.0](https://www.jsonrpc.org/specification).
How a program uses it stands [here](../how-to/serve-other-programs.md).
`rpc.discover` and `aodrules serve --describe` give all of this as a document of OpenRPC, with JSON Schemas.
""",
        _RPC,
        *rpc_parts(),
    )


_RPC = """## Messages

Over standard input and output each line is a message, in UTF-8; over WebSocket each text is one.
Parameters are given by name.
Batches of at most 100 calls and notifications are understood.
A message has at most as many characters as `--largest` says, and is at most 100 lists and objects deep.
One request is answered after the other, so what takes long, such as the first load of large rules, lets others wait.

## Games and states

A method that is about a game takes `game`, the id of one that is open here, or `state`, one that is kept elsewhere.
A state is a text, the same as a save; it holds all secrets.
Whoever has it is the host of the game: a method that changes the game returns the `state` after it.
Nothing is kept of it that a later result would depend on.

## Roles

A connection has a role in each game that it joins.

| role | how | what it may |
|---|---|---|
| host | opens the game, joins with the `host_key`, or has the `state` | everything, for every seat |
| seat | joins with the key of the seat | what that seat may know, and its answers |
| spectator | joins without a key | what is for everybody |

`seat` says for whom something is told or done.
A seat need not give it, and may give no other.
A host that gives none is told what is for everybody; where something is done, it is done for the seat that is asked.
What `secrets` asks for, and what is for the host alone, is refused to all others.
Nobody but the host is told the seed, a save or a record, not even when the game is over.
"""


def catalogue_page() -> str:
    """Return the list of all that ships."""
    return _page(
        "What ships",
        """
Games, and for each the editions, variants and house rules that it can be played with.
Open questions of its rulebook stand below them, with the answer that is played.
`aodrules list GAME` prints the same, and [`aodrules.catalogue()`](python.md#aodrules.catalogue) gives it to programs.
An edition or variant is loaded with its game: `aodrules.load("harbour+grand")`.
Editions of the large games also stand for themselves: `aodrules.load("empires+builders")`.
""",
        *(part for game in catalogue().values() for part in _catalogue_game(game)),
    )


def _catalogue_game(game: CatalogueGame) -> Iterator[str]:
    yield f"## {game.text()}\n"
    languages = ", ".join(f"`{language}`" for language in game.languages)
    yield f"`{game.id}`, for {count_range(*game.players(), 'player')}; words in {languages}.\n"
    for title, entries in (
        ("Editions", game.editions),
        ("Variants", game.variants),
        ("House rules", game.house_rules),
        ("Other readings", game.other_readings),
    ):
        if entries:
            rows = [(f"`{one.id}`", one.text(), _together(game, one), _why(one)) for one in entries]
            table = [("id", "name", "goes with", "why"), *rows]
            shown = table if any(row[-1] for row in rows) else [row[:-1] for row in table]
            yield f"### {title} of {game.text()}\n\n" + _table(*shown)
    if game.rulings:
        yield f"### Open questions of {game.text()}\n"
        yield _table(("question", "played", "why", "other variants"), *map(_ruling, game.rulings.values()))


def _together(game: CatalogueGame, entry: CatalogueEntry) -> str:
    told = (("for", entry.editions), ("needs", entry.needs), ("not with", entry.conflicts))
    words = [f"{word} {', '.join(f'`{name}`' for name in names)}" for word, names in told if names]
    players = [count_range(*game.players(entry.id), "player")] if entry.kind == "edition" else []
    return "; ".join([*players, *words])


def _why(said: CatalogueEntry | CatalogueRuling) -> str:
    return " ".join((said.because() or "").split())


def _ruling(ruling: CatalogueRuling) -> tuple[str, ...]:
    others = ", ".join(f"`{name}`" for name in ruling.variants)
    return ruling.text(), ruling.reading(ruling.chosen), _why(ruling), others


# Lists of pages.


def errors_page() -> str:
    """Return the list of all codes."""
    rows = [(f"[`{path.stem}`]({path.name})", _opening(path)) for path in _listed("errors")]
    return _page(
        "Errors",
        """
Every message about a rules file has a code, such as `unknown-target`, and every code has a page here.
A page says what the message means and shows a wrong example and a right one.
`aodrules explain CODE` prints the same page.

`error[...]` stops a ruleset from loading, `warning[...]` does not.
All problems of a run are reported together, sorted by file, line and column.
""",
        _table(("code", "what it means"), *rows),
    )


def design_page() -> str:
    """Return the list of all decisions."""
    items = [f"- [{_title(path)}]({path.name})" for path in _listed("design")]
    return _page(
        "Design",
        """
One page for each decision, numbered.
Names in it follow the code; what was decided stays as it was.
A later page may replace an earlier one and says so.
A change to the rules language starts with a page here.

A page says what was to be decided, what was chosen, what else was tried, and what follows.
""",
        "\n".join(items) + "\n",
    )


def _listed(folder: str) -> list[Path]:
    return sorted(path for path in (DOCS / folder).glob("*.md") if path.name != "index.md")


def _title(path: Path) -> str:
    title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    return re.sub(r"^(\d{4})[^\w`]+", r"\1: ", title)


def _opening(path: Path) -> str:
    """Return the first sentence of a page."""
    return path.read_text(encoding="utf-8").split("\n\n")[1].strip().partition("\n")[0]


PAGES: dict[str, Callable[[], str]] = {
    "reference/language/builtins.md": builtins_page,
    "reference/language/keys.md": keys_page,
    "reference/python.md": python_page,
    "tutorial/from-python.md": notebook_page,
    "reference/testing.md": testing_page,
    "reference/commands.md": commands_page,
    "reference/rpc.md": rpc_page,
    "reference/catalogue.md": catalogue_page,
    "errors/index.md": errors_page,
    "design/index.md": design_page,
}
