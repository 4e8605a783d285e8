"""From documents to one ruleset: game, edition and variants put together by their edits."""
