"""From checked rules to a plan: every look-up done, the state laid out.

`from_checked` begins and says what lowers which expression and step. All share the `planner` (facts, names, what has
been planned) and hand on a `scope` (what names stand for). `expressions` (with `builder` for builtins) and `values`
give formulas; `bodies`, `loops`, `calls`, `moves` and `decisions` give statements, with `options` (which answers are
legal) and `holders` (who holds an effect). `causes` marks whose body notes something,
`inlining` decides what is written in place, `start_cells` how games begin.
"""
