"""Text in, text out: reading MLIR with places and names, and writing it back annotated or reprinted.

Imports: `diagnostics`.
"""
