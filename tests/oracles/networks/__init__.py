"""Random networks, and what each of their elements reaches of the inputs, by enumeration.

Imports: `tests.shared`.
"""
