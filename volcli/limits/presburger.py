"""Limits of integer sets: budgets, formulas, counts, profiles of loops."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, SLOWER, TEXT, UNKNOWN, Limit

DEFAULT_OPERATIONS = Limit(
    2_000_000,
    "isl operations of one query: about a second, of small numbers",
    UNKNOWN,
    measured="isl-honours-its-budget",
    said="more than {} integer set operations",
    option="--budget",
)
ANSWER = Limit(
    2,
    "times as many operations as one query, for all queries of one answer",
    OVER_APPROXIMATED,
    measured="one-meter-for-an-answer",
)
FUNCTION = Limit(
    10,
    "times as many operations as one query, for all answers of a pass about one function; then each has few",
    OVER_APPROXIMATED,
    measured="one-meter-for-an-answer",
)
SECTION = Limit(
    500,
    "isl operations that one query costs at least: what is done around it",
    OVER_APPROXIMATED,
    measured="one-meter-for-an-answer",
)
LEAST_COUNT = Limit(
    256, "isl operations that are not told from fewer", SLOWER, measured="one-meter-for-an-answer"
)
LIGHT = Limit(
    250_000, "isl operations of a query in the main process", SLOWER, measured="workers-for-large-work"
)
LAST_OPERATIONS = Limit(10_000, "isl operations of a query after the time limit", UNKNOWN)
DEFAULT_SECONDS = Limit(
    60,
    "seconds of one piece of work in processes that are ended",
    UNKNOWN,
    said="time: more than {} s",
    option="--timeout",
)
STANDSTILL = Limit(60, "seconds in which a process computes nothing", UNKNOWN)
FORM_PIECES = Limit(12, "pieces of a formula that is read from a set", OVER_APPROXIMATED)
FORM_CASES = Limit(6, "cases of a bound for which one formula is not enough", OVER_APPROXIMATED)
CHEAP_PARTS = Limit(4, "parts of a set whose function costs no more than its points", SLOWER)
SAMPLE_POINTS = Limit(12, "points at which candidates are compared", SLOWER)
SLICE_STEPS = Limit(64, "steps of a line whose stride is a parameter", UNKNOWN)
CELLS = Limit(4, "cells for each part of a partition", OVER_APPROXIMATED)
PROFILE_INDICES = Limit(4096, "indices of a loop that is examined index by index", OVER_APPROXIMATED)
PROFILE_RUNS = Limit(64, "runs of indices", OVER_APPROXIMATED)
PERIOD = Limit(8, "period of a loop's profile", OVER_APPROXIMATED)
EDGE_STEPS = Limit(8, "steps of the edges of a loop of unknown length", OVER_APPROXIMATED)
COUNTED_AT_ONCE = Limit(
    1_000, "points that are counted one by one, and not by factors if there are any", SLOWER
)
COUNTED_POINTS = Limit(2_000_000, "points that a count enumerates", UNKNOWN)
HULL_OPERATIONS = Limit(
    50_000,
    "isl operations of a hull, before the plain one is taken",
    OVER_APPROXIMATED,
    measured="isl-honours-its-budget",
)
TRIED_EXTREMES = Limit(64, "numbers beside isl's that are tried for an extremum", OVER_APPROXIMATED)
TRIED_SIZES = Limit(256, "sizes that are tried one by one", UNKNOWN)
FEW_POINTS = Limit(12, "points that are listed one by one", SLOWER)
LISTED_PAIRS = Limit(
    100_000,
    "pairs of a bounded relation that is listed",
    UNKNOWN,
    said="not a bounded relation of at most {} pairs",
)
NEAR_POINTS = Limit(64, "numbers of a line that are tried at once", SLOWER)
LINES_OF_A_POINT = Limit(3, "lines through a point that are examined", SLOWER)
POINT_OPERATIONS = Limit(500_000, "isl operations to list points", UNKNOWN)
COALESCED = Limit(100_000, "isl operations to join the pieces of a set that is printed", SLOWER)
LARGE_DIVISIONS = Limit(
    4,
    "divisions of a set of large numbers",
    OVER_APPROXIMATED,
    measured="budgets-for-inexact-sets",
    said="more than {} divisions of large numbers",
)
DEARER = Limit(
    25,
    "times that an operation takes longer on large numbers, which are not in words, or many divisions",
    UNKNOWN,
)
DEAR_DIVISIONS = Limit(
    12,
    "divisions of a set or relation; of more, a query has as many operations as one on large numbers",
    UNKNOWN,
)
NESTED_DIVISIONS = Limit(
    3,
    "divisions of one polyhedron; of more, lexicographic extremes and joined pieces cost much more",
    UNKNOWN,
)
NESTED_OPERATIONS = Limit(
    20_000,
    "isl operations for the lexicographic maximum of polyhedra with more divisions, or to join them",
    UNKNOWN,
)
STEEP_BITS = Limit(
    64,
    "bits of the coefficients of a set or relation, times its divisions; of more, its numbers grow large",
    UNKNOWN,
    measured="steps-have-prices",
)
PROJECTION_ROWS = Limit(60, "rows that projecting out one variable makes", TEXT)
PROJECTION_OPERATIONS = Limit(200_000, "isl operations to leave out rows that follow", TEXT)
