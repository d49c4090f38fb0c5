"""Memory while a program runs: allocations, views of them, lifetimes and races; the machine that holds it.

Guarantees: an element outside of its view, memory that has ended and two iterations that race are found where
they happen.

Imports: `diagnostics`, `execution.numbers`, `execution.outcomes`, `language`.
"""
