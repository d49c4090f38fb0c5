"""What was found, for people and for programs: tables, JSON.

Imports: `diagnostics`, `facts`, `frontend`, `language`, `loading`, `model`, `passes`, `presburger`.
"""
