"""Facts compared with executions: `--confirm` samples small instances of each function.

A bound holds of what the value was each time that it was computed, a last writer is the one that wrote, an
element that is stated to be zero is 0. What an execution contradicts is an internal error, and no fact: one
of the two engines is wrong. What rests on more than the function's text is not compared: on what callers
pass, or on assumptions that an execution does not fulfil.

One file for each kind of fact; `facts.py` lists them.

Imports: `api.execution`, `diagnostics`, `execution`, `facts`, `frontend`, `language`, `model`, `passes`,
`presburger`.
"""
