"""The one language in which dialects state their mathematics: all that a dialect may import.

Expressions and conditions, what an operation reads, its loops and its memory, the bodies of structured
operations, and the questions that a dialect answers.

Over 300 lines: `normal_form.py` (expressions and their atoms contain each other), `questions.py` (the list of
all questions).

Imports: `diagnostics`.
"""
