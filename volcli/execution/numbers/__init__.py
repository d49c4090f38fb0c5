"""Numbers while a program runs: how types store them, the operations of integers and floats, and terms.

Guarantees: a number is the one that its type's width and rounding make; equal terms are one object.

Imports: `execution.outcomes`, `execution.table`.
"""
