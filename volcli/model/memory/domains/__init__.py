"""The iterations in which an operation runs.

Guarantees: a domain contains every iteration that occurs; an exact one contains no other iteration, for any
arguments.

Imports: `language`, `model.memory.boxes`, `model.memory.buffers`, `model.values`, `presburger`.
"""
