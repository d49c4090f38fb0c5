"""Limits of what relates tiles (MARS)."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, SLOWER, UNKNOWN, Limit

RESIDUES = Limit(1024, "residues that are told apart", OVER_APPROXIMATED)
ORDERED_SETS = Limit(
    12, "sets whose shortest order is found; more are ordered by a heuristic", OVER_APPROXIMATED
)
PERMUTED_SETS = Limit(
    7,
    "sets that are tried in all orders, where bursts move whole blocks of bytes",
    OVER_APPROXIMATED,
)
COMPARED_POINTS = Limit(40_000, "elements of tiles that are compared one by one", OVER_APPROXIMATED)
KINDS_OF_TILES = Limit(16, "kinds of tiles", OVER_APPROXIMATED)
COMPARED_OPERATIONS = Limit(1_000_000, "isl operations to enumerate these elements", OVER_APPROXIMATED)
SHAPES_OF_TILES = Limit(
    8, "kinds of tiles by the forms of their sets, and not by sizes alone", OVER_APPROXIMATED
)
OTHER_TILES = Limit(
    4, "tiles at the ends of loops for each one that is answered for; classes are looked for beyond", SLOWER
)
STEPS_OF_TILES = Limit(4, "tiles that are followed from one to the next that needs it", UNKNOWN)
BURSTS = Limit(40_000, "bursts of one tile that are gone through one by one", UNKNOWN)
