"""What stands between the engines and people: names instead of numbers, secrets kept, scores told.

Loading: `pipeline` runs the stages, `rules_context` keeps what they made, `settings` says how a game is begun, and
`garbage` is looked for seldom meanwhile.
Names: `ids` (numbers of the engines to ids of the rules and back), `labels` (ids to words of a language), `texts` (the
words themselves, by Fluent), `lookup` (all of them, by address).
A running game: `actions`, `history`, `outline` and `plain_states` (what is read where), `states`, `views`, `beliefs`,
`scores`, `saves`, `boards` (positions in words).
What waits: `surroundings` (where it is asked), `choices` (an answer part by part), `reason`, `values` (to be shown).
Back and forth: `going_back` (who must agree), `leaving`, `record_text` and `record_notes` (lines of play as text).
What happened: `event_types`, `events`, `game_log`.
The engines: `engines`, `comparison`. About the rules: `components`, `explanations`, `authoring_schema`, `titles` (what
they are called), `chapters` (the order of a rulebook).
"""
