"""From YAML text to documents: strict YAML with spans, checked by JSON Schema.

`from_source` is the pass; what comes out is in `documents`, with the nodes of `tree`. On the way there, `yaml_reader`
makes a tree of a text (`yaml_errors` says what went wrong there, `scalars` what a word means), and `schema_check` says
what `validation` by the schemas has found. Messages are in `problems`.
"""
