"""What accesses, slices and views state of indices, and which indices lie outside.

Guarantees: the outside of an access contains every index that leaves its buffer.

Imports: `language`, `model.memory.accesses`, `model.memory.buffers`, `model.memory.dependences`,
`model.memory.domains`, `presburger`.
"""
