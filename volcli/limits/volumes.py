"""Limits of what relates elements of tensors."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, SLOWER, TEXT, UNKNOWN, Limit

COMPARED_REMAINDERS = Limit(4, "parts taken before that are compared with one more, one by one", SLOWER)
LITERAL_ELEMENTS = Limit(
    4096, "elements of a constant that is looked at element by element", OVER_APPROXIMATED
)
LITERAL_RUNS = Limit(256, "runs of equal elements of a constant", OVER_APPROXIMATED)
LITERAL_SETS = Limit(16, "boxes of equal elements of a constant", OVER_APPROXIMATED)
PHASES = Limit(64, "residues by which regions are told apart", OVER_APPROXIMATED)
PIECES = Limit(8, "pieces of a region", OVER_APPROXIMATED)
RECURSIVE_BODY = Limit(64, "operations of a body that is followed by recursion, which is cheaper", SLOWER)
DEAR_BOUNDARIES = Limit(
    500_000,
    "isl operations for the boundaries of sets with large numbers or many divisions",
    UNKNOWN,
    measured="steps-have-prices",
)
DEAR_COUNT = Limit(
    100_000,
    "isl operations for how many elements a set with large numbers or many divisions has, as a formula",
    TEXT,
    measured="steps-have-prices",
)
EARLIER_SLICES = Limit(32, "slices of one tensor that are looked back at", OVER_APPROXIMATED)
EARLIER_OPERATIONS = Limit(
    500, "operations before a value that are looked at, for each value", OVER_APPROXIMATED
)
MAPPED_VOLUMES = Limit(
    1_000, "volumes of an element map", UNKNOWN, said="more than {} volumes that it depends on"
)
UNREAD_CHAIN = Limit(50, "operations that move elements, in a row", OVER_APPROXIMATED)
WINDOW_PERIODS = Limit(
    4096, "residues of indices, times reads, by which receptive fields are told apart", OVER_APPROXIMATED
)
MEMORY_OPERATIONS = Limit(
    1_000_000,
    "operations of isl for what one buffer contains, and for each write it is computed from",
    UNKNOWN,
)
CHAIN_OPERATIONS = Limit(
    150_000,
    "operations of isl for writes that are computed from one another in a circle",
    OVER_APPROXIMATED,
    measured="writes-that-lead-to-each-other",
)
CLOSURE_OPERATIONS = Limit(
    100_000,
    "operations of isl for the transitive closure of such writes, by the number of their loops",
    OVER_APPROXIMATED,
    measured="writes-that-lead-to-each-other",
)
CHAIN_STEPS = Limit(
    100_000, "operations of isl for steps from such writes to earlier ones", OVER_APPROXIMATED
)
CHAINED_CONSTRAINTS = Limit(
    50,
    "constraints of a piece of what such steps lead to",
    OVER_APPROXIMATED,
    measured="writes-that-lead-to-each-other",
)
LEFT_PARTS = Limit(4, "parts of what such writes are computed from at most", OVER_APPROXIMATED)
CHAINED_PIECES = Limit(
    40, "pieces of what writes that are computed from one another depend on", OVER_APPROXIMATED
)
DIVIDED_CHAINS = Limit(
    10, "times as much that an operation on a chain of writes with divisions costs", UNKNOWN
)
CHAINED_WRITES = Limit(
    32, "writes that are computed from one another, where no closed form is exact", OVER_APPROXIMATED
)
TOLD_APART_OPERATIONS = Limit(
    100_000, "operations of isl to find the last value whose elements boundaries tell apart", TEXT
)
