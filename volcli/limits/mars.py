"""Limits of what relates tiles (MARS)."""

from __future__ import annotations

from volcli.limits.limit import CHOSEN, OVER_APPROXIMATED, UNKNOWN, Limit

RESIDUES = Limit(1024, "residues that are told apart", OVER_APPROXIMATED, CHOSEN)
ORDERED_SETS = Limit(
    12, "sets whose shortest order is found; more are ordered by a heuristic", OVER_APPROXIMATED, CHOSEN
)
COMPARED_POINTS = Limit(40_000, "elements of tiles that are compared one by one", OVER_APPROXIMATED, CHOSEN)
KINDS_OF_TILES = Limit(16, "kinds of tiles", OVER_APPROXIMATED, CHOSEN)
COMPARED_OPERATIONS = Limit(
    10_000_000, "isl operations to enumerate these elements", OVER_APPROXIMATED, CHOSEN
)
SETS_OF_A_TILE = Limit(64, "sets of one tile", UNKNOWN, CHOSEN, "a tile has more than {} sets")
