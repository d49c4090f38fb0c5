"""Structured operations as loops: the points of an operation one by one, in a copy of its function.

Imports: `language`, `model.inlining`, `model.stated_effects`, `model.structured`.
"""
