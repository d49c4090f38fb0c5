"""The changes of one pass: made through builders, claimed, and compared with the program before.

Guarantees: a program whose comparison does not succeed is left as it was, and that is told.

Imports: `diagnostics`, `equivalence`, `facts`, `frontend`, `language`, `model`, `passes`, `presburger`,
`rewriting.code`, `rewriting.ground`, `symbolic`.
"""
