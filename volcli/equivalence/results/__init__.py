"""What the elements of one operation's result are computed from, by the case of the operation.

Guarantees: laws (`x - x` is 0) are applied only where they hold for all numbers of the type.

Imports: `equivalence.paths`, `equivalence.places`, `equivalence.terms`, `language`, `model`, `presburger`.
"""
