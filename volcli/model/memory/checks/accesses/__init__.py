"""Whether each access, slice and view stays inside its buffer or tensor.

Guarantees: "out of bounds" comes with arguments and an iteration that an execution reaches.

Imports: `language`, `model.memory.buffers`, `model.memory.checks.answers`, `model.memory.checks.plain`,
`model.memory.checks.stated`, `model.memory.dependences`, `model.memory.domains`, `model.memory.occurrence`,
`presburger`.
"""
