"""Slices of tensors and buffers: whether two overlap, and whether they are the same.

Guarantees: an answer has three values; nested slices are compared in the coordinates of the tensor that all
are slices of.

Imports: `language`, `model.values.contexts`, `model.values.store`, `model.values.terms`, `presburger`.
"""
