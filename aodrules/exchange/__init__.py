"""What programs send each other: public values as JSON, its schema, and types for other languages.

`values` writes and reads. `value_schema` makes schemas of classes, `public_schema` that of all public values,
`rules_schema` (with `event_schema` and `type_schema`) that of the values in games of some rules, and `typescript` makes
types of either.
"""
