"""What was found, for people and for programs: tables, JSON.

Imports: `diagnostics`, `facts`, `frontend`, `gate`, `language`, `loading`, `model`, `passes`, `presburger`,
`runtime`, `symbolic`, `validation`.
"""
