"""Limits of rewritten programs, and of their comparison with what they were."""

from __future__ import annotations

from volcli.limits.limit import CLAMPED, LEFT, SLOWER, UNCHECKED, Limit

COMPARED_OPERANDS = Limit(4, "operands of an extremum that are compared with each other", SLOWER)
BOUND_DEPTH = Limit(64, "operations in a row that become a bound", LEFT)
BOUND_LEAVES = Limit(16, "values of a bound", LEFT)
CHECKED_DEPTH = Limit(
    5,
    "loops of a nest that is compared with the original: isl needs too long for more",
    UNCHECKED,
    measured="deep-nests-in-a-process",
)
TILE_SIZE_BITS = Limit(60, "bits of a product of tile sizes and values of the program", CLAMPED)
PROCESSORS = Limit(2**30, "processors: their number times a block has 64 bits", CLAMPED)
COMPARED_DEPTH = Limit(
    5,
    "loops of relations that are compared in this process: more have been seen to end isl",
    SLOWER,
    measured="deep-nests-in-a-process",
)
TILE_EFFORT = Limit(4_000_000, "coefficients to know the tiles of one nest", UNCHECKED)
TILE_LOOPS = Limit(24, "loops of a tiled nest", UNCHECKED)
INNER_SIZES = Limit(3, "factors of the end of a loop that may be the inner size of a nest", UNCHECKED)
NESTED_LOOPS = Limit(24, "loops over positions that become nests to be compared", UNCHECKED)
CHECK_OPERATIONS = Limit(
    200_000,
    "isl operations for the comparison of one output: about a tenth of a second",
    UNCHECKED,
    measured="rewrites-end-with-a-comparison",
    said="more than {} integer set operations",
)
CHECKED_OPERATIONS = Limit(
    2_000,
    "operations of a function that is compared with the original",
    UNCHECKED,
    said="the function has more than {} operations",
)
TRANSFER = Limit(2**30, "elements of one transfer", CLAMPED)
