"""Files, positions in them, and what we have to say about them.

`disk` (files and folders), `shipped` (those that come with the package), `files` (a file as a source), `spans` (places
in sources), `diagnostics` (a problem at a place), `rendering` (problems as text), `wording` (words they share).
"""
