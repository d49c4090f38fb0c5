"""Volume element maps: which elements of the inputs an element depends on.

Guarantees: a map contains every dependence; an exact one contains no other.

Imports: `language`, `model.memory`, `model.values`, `model.volumes.contents`, `model.volumes.knowledge`,
`model.volumes.relations`, `presburger`.
"""
