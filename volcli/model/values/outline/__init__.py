"""What each operation states on its own: one walk over a function, whatever is asked of it.

Guarantees: an outline depends on the text of the function and of what it calls, never on assumptions; values
with one class of congruence are equal in every execution.

Over 300 lines: `outline.py` (one class, `Outline`).

Imports: `language`, `model.symbols`, `model.values.terms`.
"""
