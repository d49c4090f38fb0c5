"""Numbers of a set: counts, hulls, least and greatest coordinates, points.

Guarantees: counts and extremes are exact, or None.

Imports: `language`, `presburger.limits`, `presburger.sets`.
"""
