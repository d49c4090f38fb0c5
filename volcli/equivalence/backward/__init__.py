"""From the results of a function back to its inputs, one operation or one loop at a time.

Guarantees: the paths found are all paths; a loop that cannot be followed exactly makes its results unknown.

Over 300 lines: `backward.py` (one class, `Backward`).

Imports: `equivalence.paths`, `equivalence.places`, `equivalence.results`, `language`, `model`, `presburger`.
"""
