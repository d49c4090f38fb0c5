"""Limits of what relates tiles (MARS)."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, UNKNOWN, Limit

RESIDUES = Limit(1024, "residues that are told apart", OVER_APPROXIMATED)
ORDERED_SETS = Limit(
    12, "sets whose shortest order is found; more are ordered by a heuristic", OVER_APPROXIMATED
)
COMPARED_POINTS = Limit(40_000, "elements of tiles that are compared one by one", OVER_APPROXIMATED)
KINDS_OF_TILES = Limit(16, "kinds of tiles", OVER_APPROXIMATED)
COMPARED_OPERATIONS = Limit(10_000_000, "isl operations to enumerate these elements", OVER_APPROXIMATED)
SETS_OF_A_TILE = Limit(64, "sets of one tile", UNKNOWN, said="a tile has more than {} sets")
BURSTS = Limit(40_000, "bursts of one tile that are gone through one by one", UNKNOWN)
