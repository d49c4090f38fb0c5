"""The definition of each variable: one linear form or set over the variables before it, and its range.

Guarantees: a definition refers to earlier variables only; the range of a variable contains every value that
it takes.

Over 300 lines: `cases.py` (a method for each kind of value), `definitions.py` (one class, `Definitions`).

Imports: `language`, `model.symbols`, `model.values.outline`, `model.values.terms`, `presburger`, `symbolic`.
"""
