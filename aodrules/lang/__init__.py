"""The vocabulary of the rules language: types, typed expressions, the one table of operators and builtins."""
