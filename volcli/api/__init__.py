"""volcli from Python: a program, its functions, and typed answers to questions about them."""
