"""The vocabulary of bounds: variables, ranges, sets with their exactness, assumptions, and the fixpoint
solver.

Guarantees: a `ConstraintSet` contains every value that can occur; where it is exact, it contains no other
one. Nothing here knows the definitions of a function.

Imports: `diagnostics`, `language`, `model.stated_effects`, `model.symbols`, `presburger`, `symbolic`.
"""
