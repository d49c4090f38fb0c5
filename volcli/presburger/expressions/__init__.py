"""From isl's sets back to index expressions, conditions and slices.

Guarantees: an expression read back has the value of the set at every point, or there is none.

Imports: `language`, `presburger.limits`, `presburger.measures`, `presburger.sets`.
"""
