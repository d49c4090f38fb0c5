"""volcli from Python: a program, its functions, and typed answers to questions about them.

Over 300 lines: `function.py` (a method for each question), `program.py` (one class, `Program`).

Imports: `diagnostics`, `equivalence`, `execution`, `facts`, `frontend`, `language`, `model`, `passes`,
`presburger`, `report`, `rewriting`, `runtime`, `symbolic`.
"""
