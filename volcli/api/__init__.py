"""volcli from Python: a program, its functions, and typed answers to questions about them.

Imports: `diagnostics`, `equivalence`, `execution`, `facts`, `frontend`, `language`, `model`, `passes`,
`presburger`, `report`, `rewriting`.
"""
