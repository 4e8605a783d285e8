"""From YAML text to documents: strict YAML with spans, checked by JSON Schema."""
