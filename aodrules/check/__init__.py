"""From a ruleset to checked rules: nothing unknown, nothing ill-typed, nothing that could fail."""
