"""Which accesses depend on which, at which loop, with which distances.

Guarantees: independence is proved; a dependence that is called certain has a witness; every other answer is
unknown or says "at most".

Imports: `language`, `model.memory.accesses`, `model.memory.buffers`, `model.stated_effects`, `model.values`,
`presburger`.
"""
