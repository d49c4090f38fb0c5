"""Operations of single elements: of numbers in tensors, terms and poison; operands, constants, accesses.

Imports: `diagnostics`, `execution.demand`, `execution.memory`, `execution.numbers`, `execution.outcomes`,
`execution.table`, `language`.
"""
