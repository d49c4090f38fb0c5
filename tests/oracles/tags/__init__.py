"""Random programs on tensors whose elements carry tags: the input elements that they are computed from.

Masks, constants, captured values, quantised elements and windows, said in operations of arith, tensor,
linalg, stablehlo and tosa. Each program runs in plain Python. An element that moves when an input element is
changed depends on it, so that the map has that pair; a map that calls itself exact has no pair that is not
among the tags; an element that is called zero is 0 in every run.
"""
