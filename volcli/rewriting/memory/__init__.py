"""Allocations: of constant size, and out of loops.

Guarantees: each access reaches the element that it reached before, and no live buffer is shared by two
iterations.

Imports: `diagnostics`, `language`, `model`, `rewriting.changes`, `rewriting.code`, `rewriting.ground`.
"""
