"""What stands between the engines and people: names instead of numbers, secrets kept, scores told.

Loading: `pipeline` runs the stages, `rules_context` keeps what they made, `settings` says how a game is begun.
Names: `ids` (numbers of the engines to ids of the rules and back), `labels` (ids to words of a language).
A running game: `actions`, `history`, `states`, `views`, `beliefs`, `scores`, `saves`.
What happened: `event_types`, `events`, `game_log`.
The engines: `engines`, `comparison`. About the rules: `components`, `explanations`, `authoring_schema`.
"""
