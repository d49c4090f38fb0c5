"""MARS: a footprint partitioned by its consumers, and how the sets lie in memory.

Guarantees: the sets are disjoint, and each is atomic: a consumer reads all of it or none of it.

Imports: `language`, `model.function`, `model.mars.footprints`, `model.mars.tilings`, `model.memory`,
`presburger`.
"""
