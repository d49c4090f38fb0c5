"""What holds at a place of the program: branches taken, inductions, assertions and demands of what ran
before.

Guarantees: whenever an execution reaches the place, the condition holds.

Over 300 lines: `completed_events.py` (one class, `History`), `contexts.py` (one class, `Contexts`).

Imports: `language`, `model.symbols`, `model.values.elimination`, `model.values.outline`,
`model.values.terms`, `presburger`.
"""
