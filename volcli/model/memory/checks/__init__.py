"""What may go wrong: accesses outside of their memref, races of unordered iterations, calls.

`stated` holds what accesses state; `plain` decides the easy ones in integers, `accesses` the others by sets.
`races` and `calls` look at pairs of iterations, and at what callers pass; `answers` has what all of them say.

Guarantees: an error comes with arguments for which it happens; "in bounds" and "race-free" are proved.

Imports: no other room.
"""
