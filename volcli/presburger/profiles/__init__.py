"""How the live points of a nest vary along its loops, and their partition into boxes.

Guarantees: the boxes of a partition are disjoint and contain every live point.

Imports: `language`, `presburger.expressions`, `presburger.measures`, `presburger.sets`.
"""
