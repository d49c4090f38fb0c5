"""Commands that print what there is: codes, dialects, examples, passes, schemas.

Imports: `cli.completion`, `cli.parts`, `diagnostics`, `loading`, `passes`, `report`, `runtime`.
"""
