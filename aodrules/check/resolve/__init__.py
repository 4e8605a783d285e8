"""Names and types: from the declarations of a ruleset to typed expressions and steps.

Declarations are read by `kinds`, `fields`, `parameters`, `values` and `game_section`, bodies by `bodies`, `decisions`
and `effects`; `choices`, `draws` and `rows` turn some steps into plainer ones. What they hold is checked by
`expressions`, with `checker`, `paths` and `calls` for its parts; `types` says which type fits where.
"""
