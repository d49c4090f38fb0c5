"""Relations between points, up to an offset: exact or not, and why; equal ones have one key.

Guarantees: a relation that is not exact holds more pairs than there are, never fewer; two relations with one
key hold the same pairs but for their offsets.

Imports: `language`, `presburger.measures`, `presburger.sets`.
"""
