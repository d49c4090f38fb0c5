"""Footprints: the elements that a tile reads, and the tiles that share them.

Guarantees: footprints are exact for whole tiles, whose origin and sizes are parameters.

Imports: `language`, `model.function`, `model.mars.tilings`, `model.memory`, `presburger`.
"""
