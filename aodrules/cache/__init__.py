"""Rules that were loaded before, kept in the user's cache folder.

`keys` finds which entries are those of some rules, `store` reads and writes them and sees to it that the folder is the
user's own, `pickles` turns values of the stages into bytes and back.
"""
