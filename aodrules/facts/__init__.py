"""What both engines build on: the form of states and actions, chance, and facts fixed by the rules."""
