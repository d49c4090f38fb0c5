"""What commands are made of: options, diagnostics on stderr, results in files, and exit codes.

Imports: `api`, `cli.completion`, `diagnostics`, `facts`, `frontend`, `gate`, `loading`, `passes`, `report`,
`runtime`.
"""
