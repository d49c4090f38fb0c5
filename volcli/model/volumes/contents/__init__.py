"""What memory contains: which elements of arguments, constants and tensors it is computed from.

Guarantees: an answer is exact or says why it is not; where data decide what is written, there is none.

Imports: `language`, `model.memory`, `model.stated_effects`, `model.symbols`, `model.values`,
`model.volumes.relations`, `presburger`.
"""
