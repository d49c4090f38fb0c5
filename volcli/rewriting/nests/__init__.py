"""Loop nests as trees: tiled, scanned in another order, distributed, and written as loops.

Guarantees: a plan runs each statement at exactly the points of its domain, in an order that keeps every
dependence.

Imports: `diagnostics`, `language`, `model`, `rewriting.changes`, `rewriting.code`, `rewriting.ground`,
`symbolic`.
"""
