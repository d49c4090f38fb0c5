"""Nests whose arrays lie in memory MARS by MARS.

Guarantees: tiles read and write the same values as before, through local arrays.

Imports: `language`, `model`, `presburger`, `rewriting.changes`, `rewriting.code`, `rewriting.communication`,
`rewriting.ground`, `rewriting.nests`, `symbolic`.
"""
