"""What is true of a program: each room answers one kind of question, up to whole functions.

`values` bounds numbers, `memory` relates accesses, `volumes` relates elements of tensors, `mars` relates
tiles. `function` holds these for one function, and makes each when it is asked for.

Guarantees: an answer contains what happens in every execution; where it is not exact, it says so and why.

Over 300 lines: `function.py` (one class, what the analyses of one function share).

Imports: `language`, `model.memory`, `model.structured`, `model.values`, `model.volumes`, `presburger`.
"""
