"""Element-wise, reducing and relocating operations on tensors that dialects share.

Guarantees: each statement names every element that a result element is computed from.
"""
