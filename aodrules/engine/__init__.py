"""The two engines: the interpreter, which is the meaning of the language, and generated Python, which is its speed."""
