"""One finding, the comments that speak of findings, and what was analysed of a chunk.

Guarantees: everything is plain data that can be sent to another process and compared.

Imports: `diagnostics`, `facts`, `frontend`, `language`, `model`, `passes`.
"""
