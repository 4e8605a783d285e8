"""What must hold of a whole ruleset once names and types are known.

`analyses` runs them all, each after those it needs; `bounds` says how much of everything is allowed.
Before play: `constants` computes what no play can change, `sizes` how many there can be of everything, `setup` checks
what is fixed when a game is made. `clauses` and `overlaps` look at declarations alone.
In play: `calls` tells who calls whom, and `driver` walks through all bodies in that order. On it stand
`missing_fields`, `interval_analysis` (with `interval_expressions`) for numbers, `secrecy` (with `knowledge`) and
`hidden_pieces` for secrets. `work` adds up `costs`, and `decisions` looks at what is asked.
"""
