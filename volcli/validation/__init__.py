"""Pipelines of passes, validated: a tool prints the program after each pass, and each step is compared.

Guarantees: what is said of a step is what `volcli diff` says of the two programs; a tool that fails costs
what comes after it, and nothing that was compared before.

Imports: `api`, `diagnostics`, `facts`, `frontend`, `gate`, `loading`.
"""
