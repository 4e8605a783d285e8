"""What generated code calls, and the machine that runs it.

`compiled` is the game; `namespace` lists all that generated code can see: `values` (pure functions), `memo` (those that
remember, with `sets_worth`), `moves` and `steps` (what changes the state). `determinization` deals hidden pieces anew.
"""
