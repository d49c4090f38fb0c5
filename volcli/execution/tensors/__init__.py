"""Operations of whole tensors and vectors: structured ones, moves, folds, slices, reshapes and lanes.

Guarantees: an element of a result is computed from the same numbers in the same order as in the loops that
the operation is lowered to.

Over 300 lines: `structured.py` (one class, `StructuredLoops`).

Imports: `diagnostics`, `execution.code`, `execution.demand`, `execution.elements`, `execution.memory`,
`execution.numbers`, `execution.outcomes`, `execution.table`.
"""
