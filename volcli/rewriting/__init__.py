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
| `hyperplanes` | the functions between whose values tiles lie, as users write them            |
| `loop_trees`  | loops in one another and their statements, as systems                          |
| `legal_tilings` | whether dependences allow tiles along hyperplanes                            |
| `scanned_trees` | the plan of loops over tiles, and over the points of one                     |
| `checked_plans` | whether a plan runs each statement at the points of its system               |
| `index_code`  | polynomials, bounds and conditions as operations of arith                      |
| `tree_code`   | the loops of a plan around the program's statements                            |
| `affine_tree_code` | the same as affine.for, where all bounds are affine                    |
| `widths`      | whether numbers have 64 bits                                                   |
| `symbolic_tiles` | trees of loops in tiles of symbolic sizes                                   |
| `block_distribution` | blocks of a loop's iterations on processors                             |
| `comparing`   | whether two functions compute alike, be there tiles in them or not             |
| `untiling`    | copies of functions without tiles                                              |
| `tile_nests`  | which loops are over tiles, and the bounds of the others without them          |
| `bound_uses`  | loops whose variable is there for bounds only                                  |
| `size_parameters` | parameters for minima and maxima, such as sizes of tiles                   |
| `loop_code`   | loops of scf as operations                                                     |
| `communication` | loops over what such blocks send to each other                               |
| `communication_code` | functions of these loops                                                |

A pass makes `Changes` of its unit, asks them for a builder, replaces and claims, and finishes. The room
itself makes operations of arith, affine, tensor and memref; which operations of a program are allocations,
ask for sizes, free memory or can lose their order, their dialects say.
"""
