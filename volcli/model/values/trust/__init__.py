"""Which assumptions an answer rests on: arithmetic that does not overflow, conditions that the user stated.

Guarantees: without any one of the assumptions that an answer names, the answer is another one; an answer that
names none holds without any.

Over 300 lines: `minimal_assumptions.py` (one class, `Assuming`).

Imports: `language`, `model.symbols`, `model.values.contexts`, `model.values.definitions`,
`model.values.outline`, `model.values.store`, `model.values.terms`, `presburger`.
"""
