"""Volumes: element maps, structural zeros, boundaries and regions of tensors (IMPACT 2023).

`domains` and `relations` have what operations state, `knowledge` what follows of elements, `maps` their
composition along a program.

Guarantees: a map contains each dependence, and a region is called zero only if it is zero in every execution.

Imports: no other room.
"""
