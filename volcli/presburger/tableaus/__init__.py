"""Integer polyhedra as matrices, and the exact elimination of columns.

Guarantees: an elimination that is called exact gains no integer point and loses none (Omega test, Pugh 1991).

Imports: `presburger.limits`, `presburger.sets`.
"""
