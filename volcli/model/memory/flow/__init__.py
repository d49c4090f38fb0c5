"""Value-based flow: which write a read gets its value from, uninitialized reads, and dead stores.

Over 300 lines: `last_writers.py` (one question about reads and the writes before them, group by group).

Imports: `language`, `model.memory.accesses`, `model.memory.boxes`, `model.memory.buffers`,
`model.memory.dependences`, `model.memory.loops`, `model.memory.occurrence`, `model.stated_effects`,
`model.symbols`, `model.values`, `presburger`.
"""
