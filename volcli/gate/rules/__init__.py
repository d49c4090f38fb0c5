"""The rules: one file for each kind of finding. `table.py` lists them.

Imports: `api`, `diagnostics`, `execution`, `facts`, `frontend`, `gate.findings`, `gate.records`, `language`,
`model`, `passes`.
"""
