"""The same questions where numbers are products of values: polynomial conditions instead of integer sets.

Guarantees: an answer found here only tightens one of the other rooms; it is asked for only where a product
occurs.

Imports: `language`, `model.values.contexts`, `model.values.elimination`, `model.values.queries`,
`model.values.terms`, `presburger`, `symbolic`.
"""
