"""What was loaded before, kept in the user's cache folder."""
