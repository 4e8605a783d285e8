"""What must hold of a whole ruleset once names and types are known."""
