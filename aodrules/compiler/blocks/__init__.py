"""From statements that ask to blocks between questions, and which variables outlast a block."""
