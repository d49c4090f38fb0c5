"""Sizes of tensors and buffers as affine forms over named parameters: equalities are solved, conflicts are
told.

Guarantees: equal sizes have one form; sizes with different forms may still be equal.

Over 300 lines: `resolution.py` (one class, `Resolution`).

Imports: `language`, `model.values.contexts`, `model.values.definitions`, `model.values.store`,
`model.values.terms`, `model.values.trust`, `presburger`.
"""
