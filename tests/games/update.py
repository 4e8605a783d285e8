"""Write the table of the README anew: `python -m tests.games.update`."""

from __future__ import annotations

from tests.games.constructs import GAMES
from tests.games.test_coverage_of_language import table

MARK = "<!-- made from the games -->\n\n"


def main() -> None:
    path = GAMES / "README.md"
    head = path.read_text(encoding="utf-8").split(MARK)[0]
    path.write_text(head + MARK + table(), encoding="utf-8")


if __name__ == "__main__":
    main()
