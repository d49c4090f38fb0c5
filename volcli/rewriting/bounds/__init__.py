"""Bounds and conditions of loops, without what has no effect where they stand.

Guarantees: a bound or condition is removed only if it holds there in every execution.

Imports: `language`, `model`, `rewriting.changes`, `rewriting.ground`, `symbolic`.
"""
