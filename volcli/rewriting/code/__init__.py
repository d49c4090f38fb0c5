"""From index expressions, slices and plans to operations.

Guarantees: an emitted operation computes exactly the expression, wherever the expression is defined.

Imports: `language`, `rewriting.ground`, `symbolic`.
"""
