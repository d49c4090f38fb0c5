"""Limits of what relates elements of tensors."""

from __future__ import annotations

from volcli.limits.limit import CHOSEN, OVER_APPROXIMATED, SLOWER, UNKNOWN, Limit

COMPARED_REMAINDERS = Limit(4, "relations that are subtracted one by one", OVER_APPROXIMATED, CHOSEN)
LITERAL_ELEMENTS = Limit(
    4096, "elements of a constant that is looked at element by element", OVER_APPROXIMATED, CHOSEN
)
LITERAL_RUNS = Limit(256, "runs of equal elements of a constant", OVER_APPROXIMATED, CHOSEN)
LITERAL_SETS = Limit(16, "boxes of equal elements of a constant", OVER_APPROXIMATED, CHOSEN)
PHASES = Limit(64, "residues by which regions are told apart", OVER_APPROXIMATED, CHOSEN)
PIECES = Limit(8, "pieces of a region", OVER_APPROXIMATED, CHOSEN)
RECURSIVE_BODY = Limit(
    64, "operations of a body that is followed by recursion, which is cheaper", SLOWER, CHOSEN
)
EARLIER_SLICES = Limit(32, "slices of one tensor that are looked back at", OVER_APPROXIMATED, CHOSEN)
EARLIER_OPERATIONS = Limit(
    500, "operations before a value that are looked at, for each value", OVER_APPROXIMATED, CHOSEN
)
MAPPED_VOLUMES = Limit(
    1_000, "volumes of an element map", UNKNOWN, CHOSEN, "more than {} volumes that it depends on"
)
UNREAD_CHAIN = Limit(50, "operations that move elements, in a row", OVER_APPROXIMATED, CHOSEN)
