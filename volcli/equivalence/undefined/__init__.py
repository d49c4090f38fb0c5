"""Undefined behaviour that AFTER has and BEFORE does not: accesses, divisions, lifetimes.

Guarantees: a new undefined behaviour is "different" only with arguments for which BEFORE is defined.

Imports: `equivalence.backward`, `equivalence.comparing`, `equivalence.paths`, `facts`, `language`, `model`,
`presburger`.
"""

from volcli.equivalence.undefined.meaning import ENDS, Meaning

__all__ = ["ENDS", "Meaning"]
