"""The reference engine: plays checked rules as they are written. It is the meaning of the language.

To be read in this order: `setup` (the start), `evaluation` (expressions), `options` (what is legal), `state_changes`,
`places` and `moves` (what steps do), `executor` (the flow of a game), `interpreter` (a running game).
The others are asked by these: `tables`, `holders`, `best_sets`. `entry` is needed by scenarios alone.
"""
