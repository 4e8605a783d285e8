"""Tools for those who write house rules.

`check_files` (which rules a file is about, what is wrong with them and how it is cured) and `sarif` (to tell that),
`starters` (to begin with), `formatting` (the house form) with `shortening` (into short forms) and `comments`,
`differences` and `disagreements` (between two rulesets), `rule_text` and `text_blocks` (the rules as people read them),
`change_words` (what a variant changes, as they read it).
"""
