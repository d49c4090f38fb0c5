"""Integer sets and relations: from index expressions to isl, with names, shared and coalesced.

Guarantees: a set has exactly the points of its expressions; the positions of isl's dimensions are known here
only.

Over 300 lines: `build.py` (one function for each kind of set).

Imports: `language`, `presburger.limits`.
"""
