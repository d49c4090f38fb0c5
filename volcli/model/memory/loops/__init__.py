"""What loops carry, and which rewrites of loops keep every dependence.

Guarantees: a loop is called parallel, and a rewrite legal, only where no dependence is left that it would
break.

Imports: `language`, `model.memory.accesses`, `model.memory.buffers`, `model.memory.dependences`,
`model.memory.occurrence`, `model.stated_effects`, `presburger`.
"""
