"""The reference interpreter: functions of MLIR executed on numbers and on terms, as a second opinion.

It states what each operation computes at concrete sizes and index values, and shares nothing with the engines
that state relations: `volcli run` executes with it, and tests compare the two.

Knows: values, memory with its lifetimes, parallel loops and their races, terms, and the table that dialects
fill with how their operations execute. Guarantees: undefined behaviour stops an execution at its operation;
what has no execution stops it too, and is never taken for nothing.

Imports: `language`.
"""
