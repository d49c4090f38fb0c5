"""Constants, shapes and types below operations: each text is read once, large constants are kept as text.

Guarantees: a constant that is kept as text has the same elements as one that is read.

Imports: `diagnostics`, `frontend.parse.affine`, `frontend.text`, `language`.
"""
