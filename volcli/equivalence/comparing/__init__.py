"""The comparison of two functions, output by output, and of the operations they share.

Guarantees: one output that is not decided makes the whole answer unknown, never equal.

Imports: `equivalence.backward`, `equivalence.paths`, `equivalence.places`, `equivalence.proofs`,
`equivalence.results`, `facts`, `language`, `model`, `presburger`.
"""
