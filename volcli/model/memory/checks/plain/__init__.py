"""Accesses that are in bounds by plain integer arithmetic, without sets.

Guarantees: "inside" is proved; whatever is not decided here goes on to the sets of `checks.accesses`.

Imports: `language`, `model.memory.boxes`, `model.memory.buffers`, `model.memory.checks.answers`,
`model.memory.checks.stated`, `model.memory.dependences`, `model.memory.occurrence`, `model.values`,
`presburger`.
"""
