"""What generated code calls, and the machine that runs it."""
