"""What a shell completes: names of passes and questions, and what a program in the call's files has.

Guarantees: no program is parsed, and neither xDSL nor isl imported for what is in a text.

Imports: `diagnostics`, `facts`, `passes`.
"""
