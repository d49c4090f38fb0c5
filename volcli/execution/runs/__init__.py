"""Executions: a function with its inputs, small instances of it, and what is recorded of a run.

Imports: `diagnostics`, `execution.code`, `execution.demand`, `execution.elements`, `execution.memory`,
`execution.numbers`, `execution.outcomes`, `execution.tensors`.
"""
