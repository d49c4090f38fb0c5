"""Fixes: what to edit in the text so that a finding is gone, and whether the program stays equal.

A proposal is made of places in the text (`written`), by code (`proposals`). It is made by whoever proves
(`proving`) that the program with it refines the one without it, and is refused otherwise.

Guarantees: an edit changes the tokens that it is about, and nothing else but the space that they leave.

Imports: `api`, `diagnostics`, `equivalence`, `facts`, `frontend`, `gate.findings`, `language`, `loading`,
`model`, `passes`, `presburger`.
"""
