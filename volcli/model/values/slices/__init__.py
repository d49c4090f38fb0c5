"""Slices of tensors and buffers: whether two overlap, and whether they are the same.

Guarantees: an answer has three values; nested slices are compared in the coordinates of the tensor that all
are slices of.

Over 300 lines: `slices.py` (slices, and pairs of them).

Imports: `language`, `model.values.contexts`, `model.values.store`, `model.values.terms`, `presburger`.
"""
