"""The deeds of bgref-rogue: one module a subject, each with its own DEEDS {name: class}.

A deed is a class on base.Rogue that says `fault`, `rule` and `does`, and overrides what it does.
A module may have add_options(parser) and prepare(options), which the program calls before the deed.
"""
