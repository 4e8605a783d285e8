"""Names and types: from the declarations of a ruleset to typed expressions and steps."""
