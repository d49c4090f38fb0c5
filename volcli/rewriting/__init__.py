"""The one way to change a program: what is put in, its names and source places, and what must be true then.

| module        | what                                                                           |
|---------------|--------------------------------------------------------------------------------|
| `changes`     | what one pass changes: builders, replacements, claims, and the end             |
| `checking`    | the text is the program, nothing in it is invalid, and what was claimed holds  |
| `elements`    | results are computed from the same elements as before                          |
| `builder`     | operations at a place, with names and source places                            |
| `materialize` | expressions as operations of affine or arith                                   |
| `slices`      | slices, also matched ones, as operations of tensor                             |
| `sharing`     | what was made twice is computed once                                           |
| `discovery`   | the order of operands, and which values may be used where                      |
| `choice`      | which of the bounds of a value is written                                      |
| `asking`      | signs and orders where an operation stands                                     |
| `padding`     | allocations of a constant size                                                 |
| `tensors`     | tensors that are padded, filled, or have dimensions of size 1                  |
| `scope`       | where parts are computed: what is known there, and numbers as operations       |
| `boxes`       | structured operations on a box of their loop points                            |
| `slice_of`    | parts of values, made where the elements come from                             |
| `live_boxes`  | boxes of loop points without reductions over structural zeros                  |
| `tile_boxes`  | the tiles of a value, in boxes of which each has one piece of code             |
| `joined_boxes` | boxes of tiles that may as well have the same code                           |
| `tile_loops`  | loops over the tiles of a box                                                  |
| `tiling`      | a value computed tile by tile                                                  |
| `tiled_bands` | bands of loops as systems, and the loops over tiles of symbolic sizes          |
| `symbolic_tiles` | these loops in the place of the band                                        |

A pass makes `Changes` of its unit, asks them for a builder, replaces and claims, and finishes. The room
itself makes operations of arith, affine, tensor and memref; which operations of a program are allocations,
ask for sizes, free memory or can lose their order, their dialects say.
"""
