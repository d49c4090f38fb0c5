"""Affine maps and sets: read, normalised, and printed as mlir-opt does.

Guarantees: the printed text is what mlir-opt prints for the same map.

Imports: no other room.
"""
