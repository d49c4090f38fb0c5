"""MARS by enumeration: random programs of loops in tiles, executed with last writers.

Reversed, transposed, constant and diagonal reads, triangles, steps, conditions, several statements, nests and readers,
writes that overwrite, reads before writes; tiles of one to three dimensions, rectangular and skewed, of size 1 and of
sizes that divide nothing. What volcli answers is read from its JSON and compared tile by tile: legality, sets,
consumers, counts, classes up to translation, the sets of each access, bursts. Kernels show what tiles move.
"""
