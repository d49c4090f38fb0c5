"""Bounds of index values and of sizes: computed, compared, exact on both sides (EuroLLVM 2024, value bounds).

`definitions` says what each variable is, `elimination` relates few of them to each other, `recurrences` what
goes around loops, `store` answers questions.
"""
