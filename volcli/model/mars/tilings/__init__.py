"""Tilings by hyperplanes, and the nests that they cut.

Guarantees: tiles are floor(H x / s); two tiles of one class are translates of each other.

Imports: `language`, `model.function`, `model.memory`, `presburger`.
"""
