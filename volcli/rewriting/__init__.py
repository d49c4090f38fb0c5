"""The one way to change a program: what is put in, its names and source places, and what must be true then.

| room            | from below                                                                |
|-----------------|---------------------------------------------------------------------------|
| `ground`        | builders, what is known at a place, the choice of bounds, the final check |
| `code`          | expressions, slices and loops as operations                               |
| `changes`       | what one pass changes, and whether it computes the same                   |
| `nests`         | trees of loops: tiled, scanned in another order, distributed              |
| `bounds`        | bounds and conditions of loops without what has no effect                 |
| `memory`        | allocations of constant size, and out of loops                            |
| `tensors`       | structured operations in parts                                            |
| `communication` | what processors send to each other                                        |
| `mars`          | arrays that lie in memory MARS by MARS                                     |

A pass makes `Changes` of its unit, asks them for a builder, replaces and claims, and finishes. The room
itself makes operations of arith, affine, tensor and memref; which operations of a program are allocations,
ask for sizes, free memory or can lose their order, their dialects say.

Guarantees: a rewritten program is valid, is its own text, and computes the same as before, or is left
unchanged.

Imports: no other room.
"""
