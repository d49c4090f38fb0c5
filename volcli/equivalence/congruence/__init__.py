"""Programs that do the same things in the same order on the same numbers, whatever these are.

Guarantees: nothing is assumed of aliases, sizes, bounds, data or foreign operations; "congruent" is a proof.

Imports: `equivalence.results`, `equivalence.terms`, `language`, `model`.
"""
