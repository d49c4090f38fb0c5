"""Why a bound holds: the constraints on it, and those that it needs; the writer of tableaus.

Guarantees: an explanation never changes an answer, and what it shows implies the bound.

Imports: `language`, `model.values.contexts`, `model.values.elimination`, `model.values.terms`, `presburger`,
`symbolic`.
"""
