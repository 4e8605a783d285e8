"""The one table of builtins. An entry says all that the checker, both engines and the reference know of a builtin."""

from __future__ import annotations

from aodrules.lang.builtins import collections, graphs, numbers, players
from aodrules.lang.builtins.entry import Builtin

BUILTINS: dict[str, Builtin] = {
    entry.name: entry for module in (collections, numbers, players, graphs) for entry in module.BUILTINS
}
"""By name, in the order of the reference."""
MEANINGS: dict[str, Builtin] = BUILTINS | {entry.name: entry for entry in (*players.WORDS, *players.UNWRITTEN)}
"""All that `BuiltinCall` can name: builtins, the words `players`, `seats` and `owners`, and what other words mean."""
