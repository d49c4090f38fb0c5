"""Relations that count paths: from each point to the elements it is computed from, and in how many ways.

Guarantees: the ends of paths are elements of inputs, constants, or "unknown"; no path is lost.

Imports: `language`, `model`, `presburger`.
"""
