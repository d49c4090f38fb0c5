"""Proofs that elements of two functions are equal, by induction along the steps back.

Guarantees: a proof is finite and rests on equal operations with equal attributes.

Imports: `equivalence.backward`, `equivalence.paths`, `equivalence.results`, `equivalence.terms`, `language`,
`model`, `presburger`.
"""
