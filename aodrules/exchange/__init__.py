"""What programs send each other: public values as JSON, its schema, and types for other languages.

`values` writes and reads, `value_schema` makes the schema of all values from their classes, `rules_schema` that of the
values in games of some rules, and `typescript` makes types of either.
"""
