"""What is answered of an access, and conditions on arguments in words.

Guarantees: an answer is proved, refuted with an example, or unknown.

Imports: `model.memory.accesses`, `model.memory.dependences`, `model.memory.occurrence`, `model.values`,
`presburger`.
"""
