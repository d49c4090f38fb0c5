"""Scalar terms: what an element is computed from, as a term over atoms, and whether two terms are equal.

Guarantees: terms are called equal only if they are for all numbers of their types, where the first is
defined; rules keep IEEE 754 to the sign of zeros and to NaN, whose bits are not compared.

Imports: `language`.
"""
