"""Functions that enumerate what processors send to each other.

Guarantees: the functions list each element that is sent exactly once, for any size of the blocks.

Imports: `language`, `model`, `presburger`, `rewriting.changes`, `rewriting.code`, `rewriting.ground`,
`symbolic`.
"""
