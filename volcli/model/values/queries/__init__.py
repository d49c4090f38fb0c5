"""The set of a query: the numbers that an expression can be at a place, over the variables that are kept.

Guarantees: the set contains each of these numbers; it is exact only if every number in it occurs.

Over 300 lines: `queries.py` (one class, `Queries`).

Imports: `language`, `model.values.contexts`, `model.values.definitions`, `model.values.elimination`,
`model.values.terms`, `presburger`.
"""
