"""Structured operations in parts: on boxes, on slices, tile by tile.

Guarantees: each element is computed from the same points in the same order, but for points that contribute
nothing.

Over 300 lines: `slice_of.py` (one class, `SliceOf`).

Imports: `frontend`, `language`, `model`, `presburger`, `rewriting.changes`, `rewriting.code`,
`rewriting.ground`.
"""
