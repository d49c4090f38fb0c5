"""A function as compiled code: its operations, regions and loops, and loops that never end.

Guarantees: operations run in the program's order, iterations of a parallel loop in any; each step is counted.

Over 300 lines: `code.py` (one writer of code, and what that code calls).

Imports: `execution.elements`, `execution.memory`, `execution.numbers`, `execution.outcomes`,
`execution.table`, `language`.
"""
