"""What functions need of their arguments, what their callers pass, and whether that suffices.

Guarantees: a precondition that is called weakest is necessary and sufficient; memory is distinct in a callee
only if every call passes distinct memory.

Over 300 lines: `preconditions.py` (one question: what is necessary, and what suffices, for all accesses).

Imports: `language`, `model.memory.accesses`, `model.memory.buffers`, `model.memory.checks.answers`,
`model.memory.dependences`, `model.memory.occurrence`, `model.symbols`, `model.values`, `presburger`.
"""
