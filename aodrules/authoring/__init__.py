"""Tools for those who write house rules.

`check_files` (which rules a file is about and what is wrong with them), `fixes` and `sarif` (what becomes of that),
`starters` and `schemas` (to begin with), `differences` and `disagreements` (between two rulesets), `rule_text` and
`text_blocks` (the rules as people read them), `addresses`.
"""
