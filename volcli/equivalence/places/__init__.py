"""Which points and elements an operation of a compared function reads and writes.

Guarantees: relations are exact, or the comparison is unknown.

Imports: `equivalence.paths`, `language`, `model`, `presburger`.
"""
