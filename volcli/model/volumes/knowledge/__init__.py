"""What is known of elements: kinds of numbers, structural zeros, sparsity regions.

Guarantees: a region is called zero only if each of its elements is zero in every execution.

Over 300 lines: `sparsity.py` (one class, `ElementFlow`).

Imports: `language`, `model.values`, `model.volumes.contents`, `model.volumes.domains`,
`model.volumes.relations`, `presburger`.
"""
