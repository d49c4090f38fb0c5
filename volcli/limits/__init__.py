"""The limits of volcli, one row each, in a file for each area: `from volcli.limits import values as limits`.

A limit bounds what work may cost, or how much is looked at, listed or kept. Its row has its number, what that
counts, what becomes of an answer beyond it, and where the number was measured. A limit is that number: code
compares with `limits.PIECES`. `table` has all of them by name (`values.pieces`), for docs/limits.md and for
`volcli explain`; `widths` has the numbers that are no choice: those of 64 and 32 bits.

Guarantees: no other room has an integer constant that is a limit (tests/test_limits.py).

Imports: no other room.
"""
