"""Two versions of a function, executed on the same small inputs: what sets leave unknown is tried.

Knows: the reference interpreter, and what its terms are worth as real numbers. Guarantees: a difference is
one of the values, or of undefined behaviour, in an execution in which the first version is defined; no
difference is a statement about these executions alone, and is never "equal".

Imports: `diagnostics`, `execution`, `language`.
"""
