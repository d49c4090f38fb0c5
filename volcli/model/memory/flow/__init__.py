"""Value-based flow: which write a read gets its value from, what nothing wrote, what nobody reads.

Over 300 lines: `last_writers.py` (one class, `Writes`), `solver.py` (one class, `FlowSolver`, and the
accesses that it solves for).

Imports: `language`, `model.memory.accesses`, `model.memory.boxes`, `model.memory.buffers`,
`model.memory.dependences`, `model.memory.loops`, `model.memory.occurrence`, `model.stated_effects`,
`model.symbols`, `model.values`, `presburger`.
"""
