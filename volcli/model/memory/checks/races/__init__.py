"""Whether two unordered iterations access the same element, one of them writing.

Guarantees: a race comes with two iterations that occur in one execution; "race-free" is proved.

Over 300 lines: `races.py` (one class, `Races`).

Imports: `language`, `model.memory.accesses`, `model.memory.buffers`, `model.memory.dependences`,
`model.memory.flow`, `model.memory.loops`, `model.memory.occurrence`, `presburger`.
"""
