"""Every bound of the analyses: what rules may need at most, and how far an analysis looks before it gives up.

What rules may need is promised in `docs/reference/language/bounds.md`. How far an analysis looks is our own matter: to
look further costs time, to give up earlier refuses rules that are right.
"""

from __future__ import annotations

# What rules may need.

MOST_WORK = 80_000_000
"""Operations between two decisions."""
MOST_IN_ALL = 150_000_000_000
"""Operations of a whole game."""
MOST_BEFORE = 10**6
"""Operations of what a field starts with: they are done while the rules are compiled, and are slow."""
MOST_ROUNDS = 50_000
"""Rounds of all attributes together, which are computed while the rules are checked; what needs more is unsure."""
MOST_DECISIONS = 5_000_000
"""Decisions of a game."""
MOST_INSTANCES = 100_000
"""Ways to fill in an option: all of them are looked at whenever it is offered."""
MOST_PIECES = 10_000
"""Pieces of a kind."""
MOST_MEMBERS = 1000
"""Members of a kind: counts of so many are still one number that Python writes as text."""
MOST_CELLS = 10**5
"""Cells of all fields."""
MOST_KEPT = 5_000
"""Ways to fill in a kept value: there are two cells for each."""
MOST_DEPTH = 160
"""Calls within calls and what is nested in them; the interpreter takes up to five of Python's thousand frames each."""
MOST_DIFFERENT = 400
"""Pieces among which sets of different ones are looked for: each is found inside another search, and Python nests a
thousand."""

# How far an analysis looks.

MOST_ITEMS = 20_000
"""Comprehensions with more items than this are not computed beforehand."""
DEEPEST = 120
"""How deep in expressions we may be to follow one more attribute or value: Python nests a thousand calls, of which each
level takes several. The shipped rules come to nine."""
MOST_CONTEXTS = 20
"""How many different calls of a value are looked at one by one, the rest together. The shipped rules come to four."""
MOST_CASES = 16
"""How many cases of a name are told apart by tests in a body; with more the tests count as if all could hold."""
MOST_SPLITS = 2
"""How many names inside each other are told apart into cases: the cases of each multiply."""
WORTH_A_LOOK = 100
"""What takes fewer rounds and asks nobody is not looked at again for the arguments of one call."""
MOST_GUESSES = 4
"""How often the interval of a changed name is guessed before it is taken to be without bound. In the shipped rules the
second guess holds."""
MOST_PASSES = 4
"""How often a body is read until it is clear who knows the names it changes: each pass can only take knowers away."""
MOST_REMEMBERED = 5_000
"""Results of searches for the best sets that an engine remembers; then it forgets them all and begins anew."""
MOST_COUNTED = 10**6
"""Steps of a search for the best sets that are counted closely, in a fraction of a second; more are estimated."""
MOST_VALUES = 20
"""How many values inside each other are looked through for the cause of a problem."""
