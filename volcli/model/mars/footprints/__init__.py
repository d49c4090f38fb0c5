"""Footprints: the elements that a tile reads, and the tiles that share them.

Guarantees: footprints are exact for whole tiles, whose origin and sizes are parameters.

Over 300 lines: `dataflow.py` (one construction, in the order of its steps).

Imports: `language`, `model.function`, `model.mars.tilings`, `model.memory`, `presburger`.
"""
