"""Elements of memory on demand: a walk back from each to the iteration that wrote it last.

Knows: what dialects state of operations that repeat, choose, read and write (`walked`), which iterations of
a loop may write an element (`narrowing`), and what is defined in each (`total`). Guarantees: an element is
what the whole execution would leave there; what cannot be walked back is refused.

Imports: `execution.demand`, `execution.elements`, `execution.memory`, `execution.numbers`,
`execution.outcomes`, `execution.runs`, `execution.table`, `execution.tensors`, `language`.
"""
