"""When memory ends: what is freed, and what still uses it; stack memory that leaves its function.

Over 300 lines: `lifetimes.py` (one class, `Lifetimes`).

Imports: `language`, `model.memory.buffers`, `model.memory.dependences`, `model.memory.occurrence`,
`model.stated_effects`, `model.symbols`, `presburger`.
"""
