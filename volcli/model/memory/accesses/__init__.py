"""Access relations: from the iterations of the loops around an access to the elements that it reads or
writes.

Guarantees: a relation contains every pair that occurs; an exact one contains no other pair.

Imports: `language`, `model.memory.boxes`, `model.memory.buffers`, `model.memory.domains`, `model.values`,
`presburger`, `symbolic`.
"""
