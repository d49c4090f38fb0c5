"""Domains of tensors and what the user states of their elements.

Guarantees: "everything" and "nothing" are exact and need no isl call.

Imports: `diagnostics`, `language`, `model.symbols`, `model.values`, `presburger`.
"""
