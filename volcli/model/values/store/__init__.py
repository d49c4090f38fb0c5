"""The facade of the room: bounds, comparisons and claims about the index values and sizes of one function.

Guarantees: a comparison is proved, refuted with a witness, or unknown; equal questions have equal answers in
any order.

Imports: `language`, `model.symbols`, `model.values.contexts`, `model.values.definitions`,
`model.values.elimination`, `model.values.outline`, `model.values.products`, `model.values.queries`,
`model.values.terms`, `model.values.why`, `presburger`.
"""
