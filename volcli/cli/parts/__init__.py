"""What commands are made of: options, diagnostics on stderr, results in files, and exit codes.

Imports: `api`, `diagnostics`, `frontend`, `gate`, `loading`, `passes`, `report`.
"""
