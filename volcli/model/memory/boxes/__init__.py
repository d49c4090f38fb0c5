"""Integer points in boxes under linear conditions: counted and solved in plain integers, without isl.

Guarantees: each answer is exact, or None where the premises do not hold.

Imports: `language`, `presburger`.
"""
