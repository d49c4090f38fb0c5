"""Access relations: from the iterations of the loops around an access to the elements that it reads or
writes.

Guarantees: a relation contains every pair that occurs; an exact one contains no other pair.

Over 300 lines: `delinearisation.py` (one class, `Delinearisation`), `instances.py` (one class, `Instances`,
and the relations that it makes).

Imports: `language`, `model.memory.boxes`, `model.memory.buffers`, `model.memory.domains`, `model.values`,
`presburger`, `symbolic`.
"""
