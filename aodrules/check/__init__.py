"""From a ruleset to checked rules: nothing unknown, nothing ill-typed, nothing that could fail.

`from_ruleset` is the pass. First `resolve` gives names a meaning and expressions a type, then `analyse` looks at the
whole. What comes out is in `checked` and `steps`, with the expressions of `lang`; `visit` walks through it,
and `for_players` gives what holds for one number of players.
Messages are in `problems` and `analysis_problems`. `context` is what the checker knows on its way, `digraph` is for
graphs of calls.
"""
