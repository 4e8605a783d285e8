"""From documents to one ruleset: game, edition and variants put together by their edits.

First `library` finds the documents that a word like `game+variant` stands for. Then `from_documents`, the pass:
`sections` (what a document says once for many), `declarations` (the game), `selection` (which editions, modules and
variants), `layers` (one after the other), `conditional_parts` (what falls away at the end); what comes out is a
`ruleset`. In a layer: `ordering` of its units, `edit_resolver` (what each asks for), `edits` (what is done), with
`addresses`, `conditions` of removals, and `citing` of clauses; `words` puts in what a language calls things.
Messages are in `problems`.
"""
