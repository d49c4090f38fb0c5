"""Arrays that lie in memory MARS by MARS: blocks, and what is moved between them.

Guarantees: each element that a tile reads is in exactly one block, written before it is read.

Over 300 lines: `allocation.py` (one layout, of an array and of all of a nest).

Imports: `language`, `model.function`, `model.mars.footprints`, `model.mars.partition`, `model.mars.tilings`,
`model.memory`, `presburger`.
"""
