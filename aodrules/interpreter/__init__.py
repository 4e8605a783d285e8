"""The reference engine: plays checked rules as they are written. It is the meaning of the language."""
