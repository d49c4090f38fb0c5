"""Tensors on demand: a graph of what elements are computed from, of which what is asked for is computed.

Guarantees: an element is what the whole tensor would hold there.

Imports: `execution.memory`, `execution.numbers`, `language`.
"""
