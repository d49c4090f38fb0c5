"""A dependence step by step: the constraint matrices of "MemRef dependence checks in MLIR", and pictures.

Imports: `language`, `model.memory.accesses`, `model.memory.buffers`, `model.memory.dependences`,
`model.values`, `presburger`.
"""
