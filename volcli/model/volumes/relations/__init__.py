"""The relations of an operation: which elements each alternative of a result reads.

Guarantees: the alternatives of a result cover each of its elements once.

Imports: `language`, `model.stated_effects`, `model.values`, `model.volumes.domains`, `presburger`.
"""
