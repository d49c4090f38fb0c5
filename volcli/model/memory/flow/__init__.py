"""Value-based flow: which write a read gets its value from, uninitialized reads, and dead stores.

Imports: `language`, `model.memory.accesses`, `model.memory.boxes`, `model.memory.buffers`,
`model.memory.dependences`, `model.memory.loops`, `model.memory.occurrence`, `model.stated_effects`,
`model.symbols`, `model.values`, `presburger`.
"""
